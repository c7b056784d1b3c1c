"""What rules that turn calls of torch into operators work with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


class ConversionError(MXNetError):
    """A module of torch cannot become operators of this package."""


class Length:
    """Length of an axis of some array, which a graph knows only as that of an axis to keep.

    Args:
        axis: The axis.
    """

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def _refuse(self, *_: Any) -> Any:
        raise ConversionError("computes with the length of an axis, which a graph does not know")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = _refuse


class Shape:
    """Shape of some array."""

    def __getitem__(self, axis: Any) -> Length:
        if not isinstance(axis, int) or axis < 0:
            raise ConversionError(f"the part {axis!r} of a shape is not known in a graph")
        return Length(axis)


class Operators:
    """The operators of `F`, and what rules have in common.

    Args:
        F: The operators, of the classic dialect.
        has_scalars: Whether an array may have no axes, as in the NumPy dialect.
    """

    def __init__(self, F: Any, has_scalars: bool = False) -> None:
        self.F, self.has_scalars = F, has_scalars

    def combine(self, name: str, first: Any, second: Any) -> Any:
        """Adds, subtracts, multiplies or divides arrays and numbers.

        Args:
            name: `"add"`, `"sub"`, `"mul"` or `"div"`.
            first: An array or a number.
            second: An array or a number.
        """
        if is_array(first) and is_array(second):
            return getattr(self.F, f"broadcast_{name}")(first, second)
        for item in (first, second):
            if not is_array(item) and not isinstance(item, (int, float)):
                raise ConversionError(f"{name} of {type(item).__name__} is not in a graph")
        results = {
            "add": lambda: first + second,
            "sub": lambda: first - second,
            "mul": lambda: first * second,
            "div": lambda: first / second,
        }
        return results[name]()

    def reshape(self, x: Any, lengths: Sequence[Any]) -> Any:
        """Changes the shape; a length may be that of the same axis as it is."""
        shape = []
        for position, length in enumerate(lengths):
            if isinstance(length, Length):
                if length.axis != position:
                    raise ConversionError("a reshape moves the length of an axis to another place")
                length = 0
            if not isinstance(length, int):
                raise ConversionError(f"a reshape to a length of type {type(length).__name__}")
            shape.append(length)
        return self.F.reshape(x, shape=tuple(shape))

    def flatten(self, x: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
        """Folds axes into one."""
        if end_dim != -1 or start_dim < 0:
            raise ConversionError("flatten folds all axes from one on, given from the front")
        return self.F.reshape(x, shape=(*(0,) * start_dim, -1))


def is_array(value: Any) -> bool:
    """Returns whether a value is an array or stands for one."""
    return isinstance(value, (NDArray, Symbol))


def spread(value: Any, count: int) -> tuple[int, ...]:
    """Returns one number for each axis."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count


def require(condition: bool, what: str) -> None:
    """Raises if a layer has a setting that no operator has."""
    if not condition:
        raise ConversionError(what)
