"""Vectors for tokens, read from files: published ones (GloVe, fastText) and the user's own."""

from __future__ import annotations

import io
import logging
import os
import warnings
from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from mxnet import errors, registry
from mxnet import ndarray as nd
from mxnet._formats.files import open_foreign
from mxnet._frontend.dialect import in_dialect_of, in_scope_of_program
from mxnet._start import level_of_program, tracebacks
from mxnet.base import data_dir
from mxnet.contrib.text.vocab import UNKNOWN_INDEX, Vocabulary
from mxnet.gluon.data._published_files import PublishedFile, obtain
from mxnet.gluon.utils import _get_repo_file_url
from mxnet.ndarray import NDArray

InitVec = Callable[..., Any]
Root = str | os.PathLike[str]

_logger = logging.getLogger(__name__)


class _TokenEmbedding(Vocabulary):
    """Base of embeddings: a vocabulary with a vector for each token.

    A subclass calls `_load_embedding` with the file of its vectors, then, if there is a vocabulary,
    `_build_embedding_for_vocabulary`. Until then tokens that `kwargs` name have no vectors.

    Args:
        kwargs: Arguments of `Vocabulary`; the unknown token is the one that matters.
    """

    pretrained_file_name_sha1: ClassVar[dict[str, str]]
    pretrained_archive_name_sha1: ClassVar[dict[str, str]]
    _vec_len: int
    _idx_to_vec: NDArray

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    @property
    def vec_len(self) -> int:
        """Length of the vectors."""
        return self._vec_len

    @property
    def idx_to_vec(self) -> NDArray:
        """The vectors, one in a row, in the order of the indices of their tokens."""
        return self._idx_to_vec

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> NDArray:
        """Looks up vectors.

        Args:
            tokens: A token or a list of tokens; unknown ones have the vector of index 0.
            lower_case_backup: Whether to look for a token that is unknown in lower case.

        Returns:
            The vector of shape `(vec_len,)`, or `(len(tokens), vec_len)` for a list.
        """
        wanted = tokens if isinstance(tokens, list) else [tokens]
        if lower_case_backup:
            wanted = [tok if tok in self.token_to_idx else tok.lower() for tok in wanted]
        table = self.idx_to_vec
        num_rows, width = table.shape
        indices = nd.array(self.to_indices(wanted), dtype="int64")
        rows = nd.Embedding(indices, table.as_nd_ndarray(), input_dim=num_rows, output_dim=width)
        vecs = in_dialect_of(rows, table)
        return vecs if isinstance(tokens, list) else vecs[0]

    def update_token_vectors(self, tokens: Any, new_vectors: NDArray) -> None:
        """Replaces vectors.

        Args:
            tokens: A token or a list of tokens.
            new_vectors: Their vectors, of shape `(len(tokens), vec_len)`; for one token also
                `(vec_len,)`.

        Raises:
            ArgumentValueError: if there is no such token; nothing is changed then.
        """
        wanted = tokens if isinstance(tokens, list) else [tokens]
        shape = (len(wanted), self.idx_to_vec.shape[1])
        _check_vectors(new_vectors, shape)
        for token in wanted:
            if token not in self.token_to_idx:
                raise errors.ArgumentValueError(
                    f"update_token_vectors: {token!r} is unknown; the vector of unknown tokens is "
                    f"that of {self.unknown_token!r}"
                )
        indices = nd.array(self.to_indices(wanted), dtype="int64")
        self.idx_to_vec[indices] = new_vectors.reshape(shape)

    @classmethod
    def _check_pretrained_file_names(cls, pretrained_file_name: str) -> None:
        """Fails unless there is a published file of a name."""
        if pretrained_file_name not in cls.pretrained_file_name_sha1:
            raise errors.UnknownNameError(
                f"{cls.__name__}: no file {pretrained_file_name!r} was published; there are "
                f"{', '.join(cls.pretrained_file_name_sha1)}"
            )

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        """Returns the name of what is downloaded for a file: the file itself or an archive."""
        return pretrained_file_name

    @classmethod
    def _get_pretrained_file_url(cls, pretrained_file_name: str) -> str:
        """Returns the address of what is downloaded for a file."""
        name = cls._get_download_file_name(pretrained_file_name)
        return _get_repo_file_url(f"gluon/embeddings/{cls.__name__.lower()}", name)

    @classmethod
    def _get_pretrained_file(cls, embedding_root: Root, pretrained_file_name: str) -> str:
        """Returns the path of a published file, in a folder named as the class.

        Args:
            embedding_root: Folder of the folders of all classes.
            pretrained_file_name: Name of the file.
        """
        sha1 = cls.pretrained_file_name_sha1[pretrained_file_name]
        download_name = cls._get_download_file_name(pretrained_file_name)
        if download_name != pretrained_file_name:
            download_sha1 = getattr(cls, "pretrained_archive_name_sha1", {}).get(download_name)
        else:
            download_sha1 = sha1
        url = cls._get_pretrained_file_url(pretrained_file_name)
        folder = Path(embedding_root).expanduser() / cls.__name__.lower()
        file = PublishedFile(pretrained_file_name, sha1, url, download_sha1)
        return str(obtain(cls.__name__, folder, file))

    def _load_embedding(
        self,
        pretrained_file_path: Root,
        elem_delim: str | None,
        init_unknown_vec: InitVec,
        encoding: str = "utf8",
    ) -> None:
        """Adds the tokens of a file, and takes its vectors.

        Args:
            pretrained_file_path: The file.
            elem_delim: What separates a token and the numbers of its vector.
            init_unknown_vec: Makes the vector of unknown tokens, called with `shape=vec_len`, if
                the file has none for `unknown_token`.
            encoding: Encoding of the file.
        """
        path = os.path.expanduser(os.fspath(pretrained_file_path))
        if not os.path.isfile(path):
            raise errors.ArgumentValueError(f"{type(self).__name__}: {path} is not a file")
        _logger.info("Reading vectors of tokens from %s", path)
        stored = read_vectors(path, elem_delim, encoding, self.unknown_token)
        unknown = stored.unknown_vec
        if unknown is None:
            unknown = init_unknown_vec(shape=stored.vec_len)
        for token in stored.tokens:
            self._add(token)
        rows = np.zeros((len(stored.tokens) + 1, stored.vec_len), dtype=np.float32)
        rows[1:] = np.frombuffer(stored.numbers, dtype=np.float32).reshape(-1, stored.vec_len)
        self._vec_len = stored.vec_len
        self._idx_to_vec = in_scope_of_program(nd.array(rows))
        self._idx_to_vec[UNKNOWN_INDEX] = unknown

    def _index_tokens_from_vocabulary(self, vocabulary: Vocabulary) -> None:
        """Takes the tokens of a vocabulary instead of the present ones."""
        self._token_to_idx = vocabulary.token_to_idx.copy()
        self._idx_to_token = vocabulary.idx_to_token[:]
        self._unknown_token = vocabulary.unknown_token
        reserved = vocabulary.reserved_tokens
        self._reserved_tokens = None if reserved is None else reserved[:]

    def _set_idx_to_vec_by_embeddings(
        self,
        token_embeddings: Sequence[_TokenEmbedding],
        vocab_len: int,
        vocab_idx_to_token: Sequence[Any],
    ) -> None:
        """Takes vectors that other embeddings have for tokens, one after another in each row.

        Args:
            token_embeddings: The embeddings.
            vocab_len: Number of tokens.
            vocab_idx_to_token: The tokens; the first one is the unknown one.
        """
        self._vec_len = sum(embedding.vec_len for embedding in token_embeddings)
        vectors = in_scope_of_program(nd.zeros((vocab_len, self._vec_len)))
        begin = 0
        for embedding in token_embeddings:
            end = begin + embedding.vec_len
            vectors[0, begin:end] = embedding.idx_to_vec[UNKNOWN_INDEX]
            known = list(vocab_idx_to_token[1:])
            vectors[1:, begin:end] = embedding.get_vecs_by_tokens(known)
            begin = end
        self._idx_to_vec = vectors

    def _build_embedding_for_vocabulary(self, vocabulary: Vocabulary | None) -> None:
        """Keeps the vectors of the tokens of a vocabulary, if there is one."""
        if vocabulary is not None:
            check_vocabulary(vocabulary)
            tokens = vocabulary.idx_to_token
            self._set_idx_to_vec_by_embeddings([self], len(tokens), tokens)
            self._index_tokens_from_vocabulary(vocabulary)


def check_vocabulary(vocabulary: Any) -> None:
    """Fails unless something is a vocabulary."""
    if not isinstance(vocabulary, Vocabulary):
        raise errors.ArgumentTypeError(
            f"vocabulary takes a mxnet.contrib.text.vocab.Vocabulary, got "
            f"{type(vocabulary).__name__}"
        )


def _check_vectors(vectors: Any, shape: tuple[int, int]) -> None:
    """Fails unless an array has a vector for each token; that of one token may be alone."""
    given = vectors.shape if isinstance(vectors, NDArray) else None
    if given != shape and not (shape[0] == 1 and given == shape[1:]):
        what = type(vectors).__name__ if given is None else f"an array of shape {given}"
        raise errors.InvalidArgumentError(
            f"update_token_vectors: new_vectors takes an NDArray of shape {shape}, got {what}"
        )


_MAX_LINE = 1 << 24
"""Characters; room for a million numbers. A longer line is no line of such a file."""

_MOST_WARNINGS = 10
"""Lines left out that have a warning each; the others are counted."""
_SHOWN = 40
"""Characters of a token or a number that a message shows."""


class VectorFileError(errors.FileFormatError, AssertionError, TypeError):
    """A file is not one of tokens and vectors. The original raises by the kind of mistake."""


@dataclass(slots=True)
class TokenVectors:
    """What a file has: each token but the unknown one, in order, and all their numbers in a row."""

    unknown_token: Hashable
    vec_len: int = 0
    tokens: dict[str, None] = field(default_factory=dict)
    numbers: array[float] = field(default_factory=lambda: array("f"))
    unknown_vec: list[float] | None = None
    num_left_out: int = 0

    def add(self, token: str, vec: list[float], where: str) -> None:
        """Takes the vector of a token, unless it is a repetition or looks like a header."""
        if token == self.unknown_token and self.unknown_vec is None:
            self.unknown_vec = vec
        elif token == self.unknown_token or token in self.tokens:
            self._leave_out(f"{where}: token {_cut(token)!r} has a vector already; this one")
        elif len(vec) == 1:
            what = f"{where}: {_cut(token)!r} and {vec[0]:g} look like a header; the line"
            self._leave_out(what)
        else:
            self.vec_len = self.vec_len or len(vec)
            if len(vec) != self.vec_len:
                raise VectorFileError(
                    f"{where}: expected {self.vec_len} numbers as in the lines before, "
                    f"got {len(vec)} for {_cut(token)!r}"
                )
            self.tokens[token] = None
            self.numbers.extend(vec)

    def _leave_out(self, what: str) -> None:
        self.num_left_out += 1
        if self.num_left_out <= _MOST_WARNINGS:
            _warn(f"{what} is left out")

    def warn_of_others(self, path: str) -> None:
        """Warns once of all lines left out that have had no warning of their own."""
        others = self.num_left_out - _MOST_WARNINGS
        if others > 0:
            _warn(f"{path}: {others} other lines are left out for the same reasons")


def read_vectors(
    path: str, delimiter: str | None, encoding: str, unknown_token: Hashable
) -> TokenVectors:
    """Reads a file of vectors.

    Args:
        path: The file.
        delimiter: What separates a token and numbers.
        encoding: Encoding of the text.
        unknown_token: Token whose vector, of whatever length, is kept apart.

    Raises:
        VectorFileError: naming the file and the line, if that is not a token and its vector.
    """
    stored = TokenVectors(unknown_token)
    for number, line in enumerate(_lines(path, encoding), start=1):
        where = f"{path}, line {number}"
        token, *rest = line.rstrip().split(delimiter) or [""]
        if not rest:
            raise VectorFileError(
                f"{where}: expected a token and numbers separated by {delimiter!r}, "
                f"got {_cut(line)!r}"
            )
        try:
            vec = [float(text) for text in rest]
        except ValueError as error:
            raise VectorFileError(f"{where}: {_name_wrong(rest)}") from error
        stored.add(token, vec, where)
    stored.warn_of_others(path)
    if not stored.tokens:
        raise VectorFileError(
            f"{path}: expected tokens with vectors of 2 or more numbers, got none"
        )
    return stored


def _name_wrong(words: Sequence[str]) -> str:
    """Returns a message about the first of some words that is not a number."""
    for word in words:
        try:
            float(word)
        except ValueError:
            return f"could not convert string to float: {_cut(word)!r}"
    return "expected numbers"


def _cut(text: str) -> str:
    return text[:_SHOWN]


def _lines(path: str, encoding: str) -> Iterator[str]:
    with io.TextIOWrapper(open_foreign(path), encoding) as file:
        # No character takes less than a byte, so that a file which grows is read to its old end.
        left = os.fstat(file.fileno()).st_size
        try:
            while left > 0 and (line := file.readline(_MAX_LINE + 1)):
                left -= len(line)
                if len(line) > _MAX_LINE:
                    raise VectorFileError(f"{path}: a line has more than {_MAX_LINE} characters")
                yield line
        except UnicodeDecodeError as error:
            reason = f"{error.reason}; {os.path.basename(path)} was read as {encoding}"
            raise UnicodeDecodeError(
                error.encoding, error.object, error.start, error.end, reason
            ) from error


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=level_of_program())


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
        raise errors.UnknownNameError(
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
                raise errors.ArgumentTypeError(
                    "CompositeEmbedding: token_embeddings takes an embedding or a list of them, "
                    f"got {type(part).__name__}"
                )
        super().__init__()
        self._index_tokens_from_vocabulary(vocabulary)
        self._set_idx_to_vec_by_embeddings(parts, len(self), self.idx_to_token)


tracebacks.public_functions(globals())
