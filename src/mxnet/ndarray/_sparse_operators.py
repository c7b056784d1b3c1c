"""Python's operators on sparse arrays, and the functions of two operands in `mx.nd.sparse`.

With a sparse array on the left, operands of one shape are combined without broadcasting, which
keeps the storage type where both have the same.
"""

from __future__ import annotations

from typing import Any

from mxnet._arrays.array import Array
from mxnet._arrays.invoke import invoke
from mxnet._arrays.operators import NUMBERS, Operator
from mxnet._start import public_call
from mxnet.errors import ArgumentTypeError, UnsupportedTypeError
from mxnet.ndarray._ndarray import NDArray
from mxnet.ndarray._sparse_base import BaseSparseNDArray
from mxnet.ndarray._sparse_dispatch import run
from mxnet.ops.core.public import install_operators
from mxnet.ops.core.registry import example, get_op
from mxnet.ops.core.scalars import as_number
from mxnet.ops.core.spellings import CLASSIC, Binary, Names

_SHOWN = {
    "add": ("x", "[2. 4.]"),
    "subtract": ("x", "[0. 0.]"),
    "multiply": ("x", "[1. 4.]"),
    "divide": ("2", "[0.5 1. ]"),
}
"""The second operand and the result in examples, by the names of functions."""


def _show(name: str) -> str:
    """Returns the section that shows a function; operators without a function have none."""
    if name not in _SHOWN:
        return ""
    other, elements = _SHOWN[name]
    return example(
        '>>> x = mx.nd.array([[0, 0], [1, 2]]).tostype("row_sparse")',
        f">>> y = mx.nd.sparse.{name}(x, {other})",
        ">>> print(y.stype, y.data.asnumpy())",
        f"row_sparse [{elements}]",
    )


def _function(row: Binary, names: Names) -> Operator:
    name = row.array_functions[0]
    same_shape = get_op(row.same_shape or names.pair)
    broadcast, scalar, reflected = map(get_op, names)

    def call(lhs: Any, rhs: Any) -> Any:
        if isinstance(lhs, Array) and isinstance(rhs, Array):
            fits = lhs.shape == rhs.shape  # type: ignore[attr-defined]  # NDArrays
            if lhs._override is None is rhs._override:
                return invoke(broadcast, (lhs, rhs), {}, NDArray)
            return run(same_shape if fits else broadcast, (lhs, rhs), {}, NDArray)
        if isinstance(lhs, Array) and isinstance(rhs, NUMBERS):
            return (lhs._override or invoke)(scalar, (lhs,), {"scalar": as_number(rhs)}, NDArray)
        if isinstance(lhs, NUMBERS) and isinstance(rhs, Array):
            return (rhs._override or invoke)(reflected, (rhs,), {"scalar": as_number(lhs)}, NDArray)
        if isinstance(lhs, NUMBERS) and isinstance(rhs, NUMBERS):
            return row.on_numbers(lhs, rhs)
        cause = UnsupportedTypeError if isinstance(lhs, (Array, *NUMBERS)) else ArgumentTypeError
        raise cause(f"{name}: types {type(lhs)} and {type(rhs)} not supported")

    call.__name__ = call.__qualname__ = name
    call.__module__ = "mxnet.ndarray.sparse"
    call.__doc__ = row.doc("two arrays, or an array and a number") + _show(name)
    return public_call(call)


FUNCTIONS = {
    row.array_functions[0]: _function(row, row.arrays)
    for row in CLASSIC.binary
    if row.same_shape is not None and row.arrays is not None
}


def _in_place(function: Operator) -> Operator:
    def operate(self: BaseSparseNDArray, other: Any) -> Any:
        self[:] = function(self, other)
        return self

    return operate


def _swapped(function: Operator, plain: str) -> Operator:
    """Builds the operator of a number, or of a dense array, and a sparse array."""

    def operate(self: BaseSparseNDArray, other: Any) -> Any:
        if isinstance(other, NDArray):
            return getattr(NDArray, plain)(other, self)
        return function(other, self)

    return operate


class _Maker:
    """Makes the methods of sparse arrays; other operators are those of dense arrays."""

    def plain(self, row: Binary) -> Operator | None:
        if row.arrays is None or (row.is_arithmetic and row.same_shape is None):
            return None
        return _function(row, row.arrays)

    def reflected(self, row: Binary) -> Operator | None:
        function = FUNCTIONS.get(row.array_functions[0])
        return function and _swapped(function, f"__{row.python}__")

    def in_place(self, row: Binary) -> Operator | None:
        function = FUNCTIONS.get(row.array_functions[0])
        return function and _in_place(function)


def install() -> None:
    """Adds the operators to the sparse array classes."""
    cls: Any = BaseSparseNDArray
    install_operators(cls, CLASSIC.binary, _Maker())
    cls.__hash__ = object.__hash__  # Python drops it from a class body that defines __eq__
