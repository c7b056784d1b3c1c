"""Vectors for tokens, read from files: published ones (GloVe, fastText) and the user's own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from mxnet import ndarray as nd
from mxnet import registry
from mxnet._start import tracebacks
from mxnet.base import data_dir
from mxnet.contrib.text._token_embedding import (
    InitVec,
    Root,
    _TokenEmbedding,
    check_vocabulary,
)
from mxnet.contrib.text.vocab import Vocabulary
from mxnet.errors import ArgumentTypeError, UnknownNameError

K = TypeVar("K", bound=type)

_HOME = os.path.join(data_dir(), "embeddings")

_FASTTEXT_FILES = [
    line.split()
    for line in Path(__file__).with_name("fasttext_files.txt").read_text("ascii").splitlines()
]
"""Published fastText vectors, as the original lists them: the name, and the SHA-1 of `<name>.zip`
and of `<name>.vec`."""
_register = registry.get_register_func(_TokenEmbedding, "token embedding")
_create = registry.get_create_func(_TokenEmbedding, "token embedding")


def register(embedding_cls: K) -> K:
    """Makes a class of embeddings known to `create`, under its name in lower case.

    Args:
        embedding_cls: A subclass of `_TokenEmbedding`; may be used as a decorator.
    """
    return _register(embedding_cls)


def create(embedding_name: str, **kwargs: Any) -> _TokenEmbedding:
    """Creates an embedding from published vectors.

    Args:
        embedding_name: Name of a registered class, such as `glove` or `fasttext`.
        kwargs: Arguments of the class.

    Example:
        ``create("glove", pretrained_file_name="glove.6B.50d.txt")``
    """
    return _create(embedding_name, **kwargs)


def get_pretrained_file_names(
    embedding_name: str | None = None,
) -> list[str] | dict[str, list[str]]:
    """Returns the names of published files.

    Args:
        embedding_name: Name of a registered class in lower case, such as `glove`.

    Returns:
        The names for that class, or without a name a dictionary of the names for every class.
    """
    known = registry.get_registry(_TokenEmbedding)
    if embedding_name is None:
        return {name: list(cls.pretrained_file_name_sha1) for name, cls in known.items()}
    if embedding_name not in known:
        raise UnknownNameError(
            f"get_pretrained_file_names: takes {', '.join(known)}, got {embedding_name!r}"
        )
    return list(known[embedding_name].pretrained_file_name_sha1)


@register
class GloVe(_TokenEmbedding):
    """The published GloVe vectors (Pennington, Socher and Manning, 2014).

    The file, or the archive that has it, is looked for in the folder `glove` of `embedding_root`
    and downloaded if it is not there.

    Args:
        pretrained_file_name: Name of the file; see `get_pretrained_file_names`.
        embedding_root: Folder of published vectors, `embeddings` in `MXNET_HOME` by default.
        init_unknown_vec: Makes the vector of unknown tokens from its `shape`.
        vocabulary: Tokens to keep, all of the file if not given.
        kwargs: Arguments of `Vocabulary`.
    """

    pretrained_archive_name_sha1: ClassVar[dict[str, str]] = {
        "glove.42B.300d.zip": "f8e722b39578f776927465b71b231bae2ae8776a",
        "glove.6B.zip": "b64e54f1877d2f735bdd000c1d7d771e25c7dfdc",
        "glove.840B.300d.zip": "8084fbacc2dee3b1fd1ca4cc534cbfff3519ed0d",
        "glove.twitter.27B.zip": "dce69c404025a8312c323197347695e81fd529fc",
    }
    pretrained_file_name_sha1: ClassVar[dict[str, str]] = {
        "glove.42B.300d.txt": "876767977d6bd4d947c0f84d44510677bc94612a",
        "glove.6B.50d.txt": "21bf566a9d27f84d253e0cd4d4be9dcc07976a6d",
        "glove.6B.100d.txt": "16b1dbfaf35476790bd9df40c83e2dfbd05312f1",
        "glove.6B.200d.txt": "17d0355ddaa253e298ede39877d1be70f99d9148",
        "glove.6B.300d.txt": "646443dd885090927f8215ecf7a677e9f703858d",
        "glove.840B.300d.txt": "294b9f37fa64cce31f9ebb409c266fc379527708",
        "glove.twitter.27B.25d.txt": "767d80889d8c8a22ae7cd25e09d0650a6ff0a502",
        "glove.twitter.27B.50d.txt": "9585f4be97e286339bf0112d0d3aa7c15a3e864d",
        "glove.twitter.27B.100d.txt": "1bbeab8323c72332bd46ada0fc3c99f2faaa8ca8",
        "glove.twitter.27B.200d.txt": "7921c77a53aa5977b1d9ce3a7c4430cbd9d1207a",
    }

    def __init__(
        self,
        pretrained_file_name: str = "glove.840B.300d.txt",
        embedding_root: Root = _HOME,
        init_unknown_vec: InitVec = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        # Subclasses have other names, but the same files in the same folder.
        GloVe._check_pretrained_file_names(pretrained_file_name)
        super().__init__(**kwargs)
        path = GloVe._get_pretrained_file(embedding_root, pretrained_file_name)
        self._load_embedding(path, " ", init_unknown_vec)
        self._build_embedding_for_vocabulary(vocabulary)

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        # Files of several sizes share an archive, whose name is without the size.
        stem = pretrained_file_name.rpartition(".")[0]
        archive = f"{stem}.zip"
        if archive in cls.pretrained_archive_name_sha1:
            return archive
        return f"{stem.rpartition('.')[0]}.zip"


@register
class FastText(_TokenEmbedding):
    """The published fastText vectors (Bojanowski, Grave, Joulin and Mikolov, 2017).

    The file, or the archive that has it, is looked for in the folder `fasttext` of
    `embedding_root` and downloaded if it is not there.

    Args:
        pretrained_file_name: Name of the file; see `get_pretrained_file_names`.
        embedding_root: Folder of published vectors, `embeddings` in `MXNET_HOME` by default.
        init_unknown_vec: Makes the vector of unknown tokens from its `shape`.
        vocabulary: Tokens to keep, all of the file if not given.
        kwargs: Arguments of `Vocabulary`.
    """

    pretrained_archive_name_sha1: ClassVar[dict[str, str]] = {
        f"{name}.zip": sha1 for name, sha1, _ in _FASTTEXT_FILES
    }
    pretrained_file_name_sha1: ClassVar[dict[str, str]] = {
        f"{name}.vec": sha1 for name, _, sha1 in _FASTTEXT_FILES
    }

    def __init__(
        self,
        pretrained_file_name: str = "wiki.simple.vec",
        embedding_root: Root = _HOME,
        init_unknown_vec: InitVec = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        FastText._check_pretrained_file_names(pretrained_file_name)
        super().__init__(**kwargs)
        path = FastText._get_pretrained_file(embedding_root, pretrained_file_name)
        self._load_embedding(path, " ", init_unknown_vec)
        self._build_embedding_for_vocabulary(vocabulary)

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        return f"{pretrained_file_name.rpartition('.')[0]}.zip"


class CustomEmbedding(_TokenEmbedding):
    """Vectors of the user's own file: in each line a token and its numbers.

    Args:
        pretrained_file_path: The file.
        elem_delim: What separates a token and the numbers.
        encoding: Encoding of the file.
        init_unknown_vec: Makes the vector of unknown tokens from its `shape`.
        vocabulary: Tokens to keep, all of the file if not given.
        kwargs: Arguments of `Vocabulary`.
    """

    def __init__(
        self,
        pretrained_file_path: Root,
        elem_delim: str | None = " ",
        encoding: str = "utf8",
        init_unknown_vec: InitVec = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._load_embedding(
            pretrained_file_path, elem_delim, init_unknown_vec=init_unknown_vec, encoding=encoding
        )
        self._build_embedding_for_vocabulary(vocabulary)


class CompositeEmbedding(_TokenEmbedding):
    """Vectors of several embeddings, put one after another, for the tokens of a vocabulary.

    Args:
        vocabulary: The tokens.
        token_embeddings: An embedding, or a list of them.
    """

    def __init__(
        self, vocabulary: Vocabulary, token_embeddings: _TokenEmbedding | list[_TokenEmbedding]
    ) -> None:
        check_vocabulary(vocabulary)
        parts = token_embeddings if isinstance(token_embeddings, list) else [token_embeddings]
        for part in parts:
            if not isinstance(part, _TokenEmbedding):
                raise ArgumentTypeError(
                    "CompositeEmbedding: token_embeddings takes an embedding or a list of them, "
                    f"got {type(part).__name__}"
                )
        super().__init__()
        self._index_tokens_from_vocabulary(vocabulary)
        self._set_idx_to_vec_by_embeddings(parts, len(self), self.idx_to_token)


tracebacks.public_functions(globals())
