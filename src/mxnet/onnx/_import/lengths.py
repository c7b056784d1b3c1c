"""Lengths of axes that a file leaves open, and arithmetic on them while shapes are computed.

Models compute shapes by nodes of the graph, such as `Shape`, `Gather`, `Concat` and `Reshape`.
They are computed when a model is imported. A length that is not known then is a `Length`; arrays
that hold one have the dtype `object`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from mxnet.errors import MXNetError
from mxnet.onnx._import.budget import LARGEST_INTEGER, is_integer_in_range

Axis: TypeAlias = "int | Length"
"""A length that is known or not."""

_HUGE = 1 << 31
"""What files write for "to the end"; every length is smaller."""


class NotImportableError(MXNetError, NotImplementedError):
    """Raised for a node that this package has no operator for, or not in this form."""


class UnknownLengthError(ValueError):
    """Raised where a length would have to be known."""


class Length:
    """A length that is at least 1 and otherwise not known.

    Args:
        name: Name of the file for it; lengths of the same name are equal. None if it has none.
        factor: How many times this length is meant.
    """

    __slots__ = ("factor", "name")

    def __init__(self, name: str | None = None, factor: int = 1) -> None:
        self.name, self.factor = name, factor

    def __repr__(self) -> str:
        return f"Length({self.name!r}, {self.factor})"

    def __str__(self) -> str:
        name = self.name or "?"
        return name if self.factor == 1 else f"{self.factor}*{name}"

    def is_same(self, other: object) -> bool:
        """Returns whether another length is known to be equal."""
        return self is other or (
            isinstance(other, Length)
            and self.name is not None
            and (self.name, self.factor) == (other.name, other.factor)
        )

    def __add__(self, other: Any) -> Any:
        return self if is_number(other, 0) else Length()

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if self.is_same(other):
            return 0
        return self if is_number(other, 0) else Length()

    def __rsub__(self, _: Any) -> Any:
        return Length()

    def __mul__(self, other: Any) -> Any:
        if is_number(other, 0):
            return 0
        if isinstance(other, (int, np.integer)) and other > 0 and self.name is not None:
            factor = self.factor * int(other)
            return Length(self.name, factor) if factor <= LARGEST_INTEGER else Length()
        return self if is_number(other, 1) else Length()

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, Length) and self.name is not None and self.name == other.name:
            return self.factor // other.factor
        if isinstance(other, (int, np.integer)) and other > 0 and self.factor % other == 0:
            return Length(self.name, self.factor // int(other))
        return Length()

    __truediv__ = __floordiv__

    def __rfloordiv__(self, _: Any) -> Any:
        return Length()

    def __mod__(self, other: Any) -> Any:
        return 0 if is_number(other, 1) else Length()

    def __neg__(self) -> Any:
        return Length()

    def _exceeds(self, other: Any) -> bool:
        """Returns whether it is larger than a number."""
        if isinstance(other, (int, np.integer)):
            if other < 1:
                return True
            if other >= _HUGE:
                return False
        raise UnknownLengthError("a length that the file leaves open is compared")

    def __eq__(self, other: object) -> bool:
        if self.is_same(other):
            return True
        if isinstance(other, (int, np.integer)) and (other < 1 or other >= _HUGE):
            return False
        raise UnknownLengthError("a length that the file leaves open is compared")

    def __hash__(self) -> int:
        return hash(self.name)

    def __gt__(self, other: Any) -> bool:
        return not self.is_same(other) and self._exceeds(other)

    def __ge__(self, other: Any) -> bool:
        return self.is_same(other) or self._exceeds(other)

    def __lt__(self, other: Any) -> bool:
        return not self.is_same(other) and not self._exceeds(other)

    def __le__(self, other: Any) -> bool:
        return self.is_same(other) or not self._exceeds(other)


def is_number(value: object, number: int) -> bool:
    """Returns whether a length is known and a number."""
    return isinstance(value, (int, np.integer)) and value == number


def is_open(array: np.ndarray[Any, Any]) -> bool:
    """Returns whether an array holds lengths that are not known."""
    return bool(array.dtype == object)


def tidy(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns an array of objects as one of integers, if it holds no open lengths any more.

    Raises:
        UnknownLengthError: A number in it is longer than integers of ONNX are.
    """
    if not is_open(array):
        return array
    numbers = [item for item in array.ravel() if not isinstance(item, Length)]
    if not all(is_integer_in_range(int(number)) for number in numbers):
        raise UnknownLengthError("a number of more than 64 bits is no length")
    return array.astype(np.int64) if len(numbers) == array.size else array
