"""Lengths of axes that a file leaves open, and arithmetic on them while shapes are computed.

Models compute shapes by nodes of the graph, such as `Shape`, `Gather`, `Concat` and `Reshape`.
They are computed when a model is imported. A length that is not known then is a `Length`; arrays
that hold one have the dtype `object`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from mxnet import symbol
from mxnet.errors import MXNetError
from mxnet.symbol import Symbol

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
            return Length(self.name, self.factor * int(other))
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
    """Returns an array of objects as one of integers, if it holds no open lengths any more."""
    if not is_open(array) or any(isinstance(item, Length) for item in array.ravel()):
        return array
    return array.astype(np.int64)


_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179)
"""Lengths that stand for open ones; twice as many as names are followed."""


class OpenLengths:
    """The lengths that inputs of a model leave open, by their names.

    Shapes are inferred twice, with one prime number in place of each open length and then with
    another. Which lengths of a result depend on which of an input follows from both.
    """

    def __init__(self) -> None:
        self._shapes: dict[str, tuple[Axis, ...]] = {}
        self._lengths: dict[str, tuple[Symbol, int]] = {}

    def add_input(self, variable: Symbol, shape: tuple[Axis, ...]) -> None:
        """Notes the shape of an input.

        Args:
            variable: The input.
            shape: Its lengths.
        """
        self._shapes[str(variable.name)] = shape
        for axis, length in enumerate(shape):
            if not isinstance(length, Length) or length.name is None:
                continue
            if len(self._lengths) < len(_PRIMES) // 2:
                self._lengths.setdefault(length.name, (variable, axis))

    def is_of_input(self, length: Length) -> bool:
        """Returns whether a length is known by the shape of an input."""
        return length.name in self._lengths

    def infer(self, computed: Any) -> tuple[Axis, ...] | None:
        """Infers the shape of a symbol of the NumPy dialect, None if it is not known at all."""
        names = list(self._lengths)
        results = []
        for primes in (_PRIMES[: len(names)], _PRIMES[len(names) : 2 * len(names)]):
            lengths = dict(zip(names, primes, strict=True))
            known = set(computed.list_inputs())
            given = {
                key: tuple(
                    lengths.get(length.name or "", -1) if isinstance(length, Length) else length
                    for length in shape
                )
                for key, shape in self._shapes.items()
                if key in known
            }
            shape = computed.infer_shape_partial(**given)[1][0]
            if shape is None:
                return None
            results.append(shape)
        rows = zip(names, _PRIMES[: len(names)], _PRIMES[len(names) :], strict=False)
        table = [(name, one, other) for name, one, other in rows]
        return tuple(_explain(a, b, table) for a, b in zip(*results, strict=True))

    def spread(self, computed: Symbol, shape: Sequence[Axis]) -> Symbol:
        """Repeats a symbol along the axes whose lengths are open and named by an input.

        Args:
            computed: The symbol, which has 1 where a length is open.
            shape: The lengths that it is to have.

        Raises:
            NotImportableError: No input has a length of this name.
        """
        for axis, length in enumerate(shape):
            if not isinstance(length, Length):
                continue
            if length.name not in self._lengths or length.factor != 1:
                raise NotImportableError(
                    "it depends on a length that the file leaves open; give the shapes of the "
                    "inputs: import_model(file, shapes={name: shape})"
                )
            variable, place = self._lengths[length.name]
            computed = symbol.broadcast_like(
                computed, variable, lhs_axes=(axis,), rhs_axes=(place,)
            )
        return computed

    def range_of(self, length: Axis) -> Symbol:
        """Returns the numbers from 0 up to an open length that an input has."""
        name = length.name if isinstance(length, Length) and length.factor == 1 else None
        if name not in self._lengths:
            raise NotImportableError(
                "start, limit and delta must be known when the model is imported; give the shapes "
                "of the inputs: import_model(file, shapes={name: shape})"
            )
        variable, place = self._lengths[name]
        contrib: Any = symbol.contrib  # stubs do not know this function
        result: Symbol = contrib.arange_like(symbol.Cast(variable, dtype="float32"), axis=place)
        return result


def _explain(one: int, other: int, primes: Sequence[tuple[str, int, int]]) -> Axis:
    """Returns the length that is one number for some primes and another for others."""
    if one < 0 or other < 0:
        return Length()
    if one == other:
        return one
    for name, first, second in primes:
        if one % first == 0 and other % second == 0 and one // first == other // second:
            return Length(name, one // first)
    return Length()
