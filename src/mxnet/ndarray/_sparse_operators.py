"""Python's operators on sparse arrays, and the functions of two operands in `mx.nd.sparse`.

With a sparse array on the left, operands of one shape are combined without broadcasting, which
keeps the storage type where both have the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet._array import Array
from mxnet._invoke import invoke
from mxnet.errors import ArgumentTypeError, UnsupportedTypeError
from mxnet.ndarray._operators import NUMBERS, PAIRS, Pair
from mxnet.ndarray._sparse_base import BaseSparseNDArray
from mxnet.ndarray._sparse_dispatch import run
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.registry import get_op
from mxnet.ops.scalars import as_number

_ELEMENTWISE = {
    "add": "elemwise_add",
    "subtract": "elemwise_sub",
    "multiply": "elemwise_mul",
    "divide": "elemwise_div",
}
_COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal")


def _function(row: Pair) -> Callable[[Any, Any], Any]:
    same_shape = get_op(_ELEMENTWISE.get(row.function, row.arrays))
    broadcast, scalar, reflected = (get_op(n) for n in (row.arrays, row.scalar, row.reflected))

    def call(lhs: Any, rhs: Any) -> Any:
        if isinstance(lhs, Array) and isinstance(rhs, Array):
            fits = lhs.shape == rhs.shape  # type: ignore[attr-defined]  # NDArrays
            if lhs._override is None is rhs._override:
                return invoke(broadcast, (lhs, rhs), {}, NDArray)
            return run(same_shape if fits else broadcast, (lhs, rhs), {}, NDArray)
        if isinstance(lhs, Array) and isinstance(rhs, NUMBERS):
            return run(scalar, (lhs,), {"scalar": as_number(rhs)}, NDArray)
        if isinstance(lhs, NUMBERS) and isinstance(rhs, Array):
            return run(reflected, (rhs,), {"scalar": as_number(lhs)}, NDArray)
        if isinstance(lhs, NUMBERS) and isinstance(rhs, NUMBERS):
            return row.on_numbers(lhs, rhs)
        kind = ArgumentTypeError if not isinstance(lhs, (Array, *NUMBERS)) else UnsupportedTypeError
        raise kind(f"{row.function}: types {type(lhs)} and {type(rhs)} not supported")

    call.__name__ = call.__qualname__ = row.function
    call.__module__ = "mxnet.ndarray.sparse"
    call.__doc__ = f"Gives the {row.result} of two arrays, or of an array and a number."
    return call


_BY_NAME = {row.function: row for row in PAIRS}
FUNCTIONS = {name: _function(_BY_NAME[name]) for name in _ELEMENTWISE}


def _in_place(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operate(self: BaseSparseNDArray, other: Any) -> Any:
        self[:] = function(self, other)
        return self

    return operate


def _swapped(function: Callable[[Any, Any], Any], plain: str) -> Callable[[Any, Any], Any]:
    """Builds the operator of a number, or of a dense array, and a sparse array."""

    def operate(self: BaseSparseNDArray, other: Any) -> Any:
        if isinstance(other, NDArray):
            return getattr(NDArray, plain)(other, self)
        return function(other, self)

    return operate


def install() -> None:
    """Adds the operators to the sparse array classes."""
    cls: Any = BaseSparseNDArray
    for name, function in FUNCTIONS.items():
        method = _BY_NAME[name].method
        setattr(cls, f"__{method}__", function)
        setattr(cls, f"__r{method}__", _swapped(function, f"__{method}__"))
        setattr(cls, f"__i{method}__", _in_place(function))
    for name in _COMPARISONS:
        setattr(cls, f"__{_BY_NAME[name].method}__", _function(_BY_NAME[name]))
    for prefix in ("", "r", "i"):
        setattr(cls, f"__{prefix}div__", getattr(cls, f"__{prefix}truediv__"))
    cls.__hash__ = object.__hash__  # Python drops it from a class body that defines __eq__
