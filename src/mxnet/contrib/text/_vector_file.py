"""Reading text files that have a token and its vector in every line."""

from __future__ import annotations

import os
import warnings
from array import array
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from mxnet._start.tracebacks import level_of_program
from mxnet.errors import FileFormatError

_MAX_LINE = 1 << 24
"""Characters; room for a million numbers. A longer line is no line of such a file."""


class VectorFileError(FileFormatError, AssertionError, TypeError):
    """A file is not one of tokens and vectors. The original raises by the kind of mistake."""


@dataclass(slots=True)
class TokenVectors:
    """What a file has: each token but the unknown one, in order, and all their numbers in a row."""

    unknown_token: Hashable
    vec_len: int = 0
    tokens: dict[str, None] = field(default_factory=dict)
    numbers: array[float] = field(default_factory=lambda: array("f"))
    unknown_vec: list[float] | None = None

    def add(self, token: str, vec: list[float], where: str) -> None:
        """Takes the vector of a token, unless it is a repetition or looks like a header."""
        if token == self.unknown_token and self.unknown_vec is None:
            self.unknown_vec = vec
        elif token == self.unknown_token or token in self.tokens:
            _warn(f"{where}: token {token!r} has a vector already; this one is left out")
        elif len(vec) == 1:
            _warn(f"{where}: {token!r} and {vec[0]:g} look like a header; the line is left out")
        else:
            self.vec_len = self.vec_len or len(vec)
            if len(vec) != self.vec_len:
                raise VectorFileError(
                    f"{where}: expected {self.vec_len} numbers as in the lines before, "
                    f"got {len(vec)} for {token!r}"
                )
            self.tokens[token] = None
            self.numbers.extend(vec)


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
                f"got {line[:40]!r}"
            )
        try:
            vec = [float(text) for text in rest]
        except ValueError as error:
            raise VectorFileError(f"{where}: {error}") from error
        stored.add(token, vec, where)
    if not stored.tokens:
        raise VectorFileError(
            f"{path}: expected tokens with vectors of 2 or more numbers, got none"
        )
    return stored


def _lines(path: str, encoding: str) -> Iterator[str]:
    with open(path, encoding=encoding) as file:
        try:
            while line := file.readline(_MAX_LINE + 1):
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
