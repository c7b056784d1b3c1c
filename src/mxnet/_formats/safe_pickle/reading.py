"""State that the parts of the reader share: the position in the file, errors, constructors."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from mxnet.errors import FileFormatError, MXNetError

_COPIES = 4
"""How often each byte of a file may be copied: text to bytes, to a bytearray, to an array."""
_SPARE = 1 << 22
"""Bytes of memory that even a small pickle may use."""
_SHOWN = 80
_SAFE_KEYS = (bool, str, bytes)
"""Types of keys whose hashes an attacker cannot choose, or of which there are few."""
_SCALARS = (bool, int, float, complex, str, bytes)
_WORD = 1 << 31
_KEY_PARTS = 16
_UNUSUAL_KEYS = 10_000


class RefusedPickleError(MXNetError, pickle.UnpicklingError):
    """A pickle asks for something that is not allowed."""


class Reading:
    """A pickle that is being read: its source, the position, and the memory it may still use.

    Args:
        where: Name of the source, for messages.
        size: Number of bytes of the pickle.
    """

    def __init__(self, where: str, size: int) -> None:
        self.where = where
        self.offset = 0
        self._bytes_left = _COPIES * size + _SPARE
        self._keys_left = _UNUSUAL_KEYS

    @property
    def place(self) -> str:
        """The source and the offset in it."""
        return f"{self.where}: byte {self.offset}"

    def error(self, problem: str) -> FileFormatError:
        """Returns the error for a damaged pickle."""
        return FileFormatError(f"{self.place}: {problem}")

    def refusal(self, problem: str) -> RefusedPickleError:
        """Returns the error for a pickle that asks for something forbidden."""
        return RefusedPickleError(f"{self.place}: {problem}")

    def charge(self, num_bytes: int) -> None:
        """Counts memory that a constructor uses, so that a small file cannot use much.

        Raises:
            RefusedPickleError: if all together use several times the size of the file.
        """
        self._bytes_left -= num_bytes
        if self._bytes_left < 0:
            raise self.refusal(
                f"its values take more memory than {_COPIES} times the size of the pickle"
            )

    def check_key(self, key: object) -> None:
        """Raises unless a value may be a key of a dictionary or an element of a set.

        Hashes of numbers are predictable, so keys can be chosen that all collide: each new one is
        compared with all before it. That takes long for many keys, so only few are allowed.

        Raises:
            FileFormatError: if it cannot be a key, or too many keys are unusual.
        """
        if key is None or type(key) in _SAFE_KEYS or (type(key) is int and -_WORD <= key < _WORD):
            return
        parts = key if type(key) in (tuple, frozenset) else (key,)
        if len(parts) > _KEY_PARTS or not all(_is_scalar(part) for part in parts):  # type: ignore[arg-type, attr-defined]  # a collection
            raise self.error(
                f"a key is a number, text or a tuple of at most {_KEY_PARTS} of these, "
                f"got {type(key).__name__}"
            )
        self._keys_left -= 1
        if self._keys_left < 0:
            raise self.error(
                f"expected at most {_UNUSUAL_KEYS} keys that are not text or small integers"
            )


def _is_scalar(value: object) -> bool:
    return value is None or type(value) in _SCALARS or isinstance(value, np.generic)


class Unfinished(ABC):
    """An object that a pickle makes in two steps: a call, and a state that follows."""

    @abstractmethod
    def build(self, state: Any, reading: Reading) -> None:
        """Takes the state; called at most once, with plain data."""

    @abstractmethod
    def finish(self, reading: Reading) -> Any:
        """Returns the object, the same one each time; `build` is not called after it."""


Make: TypeAlias = Callable[[tuple[Any, ...], Reading], Any]
"""Makes plain data or an `Unfinished` from arguments, which it must check."""
Find: TypeAlias = Callable[[str, str], Make | None]
"""Returns the constructor for a module and name, None if the name is not allowed."""


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A name on the stack of the machine, never the object that it names in Python."""

    module: str
    name: str
    make: Make


def shorten(text: str) -> str:
    """Returns text from a file, escaped and shortened for a message."""
    shown = text if text.isprintable() else ascii(text)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
