"""Texts for language models: the WikiText datasets."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from mxnet._formats.files import read_foreign_text
from mxnet._frontend.dialect import dialect_of_program
from mxnet.base import data_dir
from mxnet.contrib.text.vocab import Vocabulary, count_tokens_from_str
from mxnet.errors import MXNetError, UnknownNameError
from mxnet.gluon.data import dataset
from mxnet.gluon.data._published_files import PublishedFile, obtain
from mxnet.gluon.utils import _get_repo_file_url

__all__ = ["WikiText2", "WikiText103"]

Root = str | os.PathLike[str]
_HOME = os.path.join(data_dir(), "datasets")
EOS_TOKEN = "<eos>"
"""Stands at the end of each line."""


class SequenceLengthError(MXNetError, ValueError, ZeroDivisionError):
    """Samples cannot be of a length."""


class _LanguageModelDataset(dataset._DownloadedDataset):
    """Base of texts whose tokens are numbered by a vocabulary, which is built if none is given.

    Args:
        root: Folder of the files.
        namespace: Folder of the dataset in the repository.
        vocabulary: The vocabulary, or None.
    """

    def __init__(self, root: Root, namespace: str, vocabulary: Vocabulary | None) -> None:
        self._vocab = vocabulary
        self._counter: Counter[str] | None = None
        self._namespace = namespace
        super().__init__(os.fspath(root), None)

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The vocabulary that gives the numbers."""
        return self._vocab

    @property
    def frequencies(self) -> Counter[str] | None:
        """How often each token of the text occurs."""
        return self._counter

    def _build_vocab(self, content: str) -> Vocabulary:
        """Counts the tokens of a text, and gives the vocabulary."""
        self._counter = count_tokens_from_str(content)
        if self._vocab is None:
            self._vocab = Vocabulary(self._counter, reserved_tokens=[EOS_TOKEN])
        return self._vocab


class _WikiText(_LanguageModelDataset):
    """A text in pieces of one length; labels are the tokens that follow.

    A subclass sets the attributes declared here before it calls the constructor.
    """

    _archive_file: tuple[str, str]
    _data_file: dict[str, tuple[str, str]]
    _segment: str
    _seq_len: int

    def _get_data(self) -> None:
        if self._segment not in self._data_file:
            raise UnknownNameError(
                f"{type(self).__name__}: segment takes {', '.join(self._data_file)}, "
                f"got {self._segment!r}"
            )
        if self._seq_len < 1:
            raise SequenceLengthError(
                f"{type(self).__name__}: seq_len takes 1 or more, got {self._seq_len}"
            )
        archive, archive_sha1 = self._archive_file
        url = _get_repo_file_url(f"gluon/dataset/{self._namespace}", archive)
        file = PublishedFile(*self._data_file[self._segment], url, archive_sha1)
        path = obtain(type(self).__name__, Path(self._root), file)
        indices = self._read(read_foreign_text(path))
        num_pieces = max(len(indices) - 1, 0) // self._seq_len
        size, shape = num_pieces * self._seq_len, (num_pieces, self._seq_len)
        array = dialect_of_program().array_functions.array
        self._data = array(indices[:size].reshape(shape), dtype=np.int32)
        self._label = array(indices[1 : size + 1].reshape(shape), dtype=np.int32)

    def _read(self, content: str) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Returns the numbers of the tokens of all lines that are not empty."""
        vocabulary = self._build_vocab(content)
        lines = filter(None, (line.split() for line in content.splitlines()))
        tokens = itertools.chain.from_iterable((*line, EOS_TOKEN) for line in lines)
        return np.array(vocabulary.to_indices(list(tokens)), dtype=np.int32)


class WikiText2(_WikiText):
    """About 2 million words of verified Wikipedia articles (Merity and others, 2016).

    A sample is a pair of arrays of shape `(seq_len,)`: indices of tokens, and of their successors.

    Args:
        root: Folder of the published archive or the files in it. If they are not there, the archive
            is downloaded, from `MXNET_GLUON_REPO` if that variable is set.
        segment: Part of the text: `train`, `validation` or `test`.
        vocab: Vocabulary for the numbers; built from the part if not given.
        seq_len: Length of samples.
    """

    def __init__(
        self,
        root: Root = f"{_HOME}/wikitext-2",
        segment: str = "train",
        vocab: Vocabulary | None = None,
        seq_len: int = 35,
    ) -> None:
        self._archive_file = "wikitext-2-v1.zip", "3c914d17d80b1459be871a5039ac23e752a53cbe"
        self._data_file = {
            "train": ("wiki.train.tokens", "863f29c46ef9d167fff4940ec821195882fe29d1"),
            "validation": ("wiki.valid.tokens", "0418625c8b4da6e4b5c7a0b9e78d4ae8f7ee5422"),
            "test": ("wiki.test.tokens", "c7b8ce0aa086fb34dab808c5c49224211eb2b172"),
        }
        self._segment = segment
        self._seq_len = seq_len
        super().__init__(root, "wikitext-2", vocab)


class WikiText103(_WikiText):
    """About 103 million words of verified Wikipedia articles; see `WikiText2`.

    Args:
        root: Folder of the published archive or the files in it.
        segment: Part of the text: `train`, `validation` or `test`.
        vocab: Vocabulary for the numbers; built from the part if not given.
        seq_len: Length of samples.
    """

    def __init__(
        self,
        root: Root = f"{_HOME}/wikitext-103",
        segment: str = "train",
        vocab: Vocabulary | None = None,
        seq_len: int = 35,
    ) -> None:
        self._archive_file = "wikitext-103-v1.zip", "0aec09a7537b58d4bb65362fee27650eeaba625a"
        self._data_file = {
            "train": ("wiki.train.tokens", "b7497e2dfe77e72cfef5e3dbc61b7b53712ac211"),
            "validation": ("wiki.valid.tokens", "c326ac59dc587676d58c422eb8a03e119582f92b"),
            "test": ("wiki.test.tokens", "8a5befc548865cec54ed4273cf87dbbad60d1e47"),
        }
        self._segment = segment
        self._seq_len = seq_len
        super().__init__(root, "wikitext-103", vocab)
