"""Python's operators on arrays: a broadcasting operator for two arrays, else a scalar one."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
import torch

from mxnet._arrays.array import Array, is_operand, place, remedy_for
from mxnet._arrays.bridges import to_tensor
from mxnet._arrays.invoke import invoke
from mxnet._arrays.straight import make_call, with_fast_path
from mxnet._start import public_call, type_name
from mxnet._state import rules
from mxnet.errors import ArgumentTypeError, UnsupportedTypeError
from mxnet.ops.core.public import install_operators
from mxnet.ops.core.registry import Op, get_op
from mxnet.ops.core.scalars import as_number
from mxnet.ops.core.spellings import CLASSIC, Binary, Names

Operator: TypeAlias = Callable[[Any, Any], Any]

NUMBERS = (float, int, numbers.Real, np.bool_)
"""What counts as a number beside an array; NumPy does not register its truth values as such.

The first two are real numbers as well, but quicker to tell."""


def install(cls: type[Array], rows: Iterable[Binary] = CLASSIC.binary) -> None:
    """Adds arithmetic and comparison methods to an array class."""
    install_operators(cls, rows, _Maker(cls))


def negate(array: Any) -> Any:
    """Returns ``-array``; a bool array has int64 negatives, as it has other products with -1."""
    tensor = array._data if array._node is None else array._node
    if tensor.dtype is torch.bool:
        return array * -1
    return invoke(get_op("negative"), (array,), {}, type(array))


class _Maker:
    """Makes the methods of an array class."""

    def __init__(self, cls: type[Array]) -> None:
        self._cls = cls

    def plain(self, row: Binary) -> Operator | None:
        names = row.arrays
        return names and _operator(self._cls, row, get_op(names.pair), get_op(names.scalar))

    def reflected(self, row: Binary) -> Operator | None:
        # Only reached with a number on the left: two arrays find the plain method first.
        names = row.arrays
        return names and _operator(self._cls, row, get_op(names.pair), get_op(names.reflected), "r")

    def in_place(self, row: Binary) -> Operator | None:
        if row.arrays is None or row.python == "pow":  # `x **= 2` makes a new array
            return None
        return _in_place(self._cls, get_op(row.arrays.pair), get_op(row.arrays.scalar))


def functions(cls: type[Array]) -> dict[str, Callable[..., Any]]:
    """Builds the functions of two operands, each an array or a number, by name."""
    built: dict[str, Callable[..., Any]] = {}
    for row in CLASSIC.binary:
        if row.arrays is not None:
            built |= dict.fromkeys(row.array_functions, _function(cls, row, row.arrays))
    return built


def _function(cls: type[Array], row: Binary, names: Names) -> Callable[..., Any]:
    general = _general(cls, get_op(names.pair), get_op(names.scalar))
    reflected = _general(cls, get_op(names.pair), get_op(names.reflected))
    name = row.array_functions[0]

    def call(lhs: Any, rhs: Any) -> Any:
        if isinstance(lhs, cls):
            return general(lhs, rhs)
        if isinstance(lhs, NUMBERS):
            if isinstance(rhs, cls):
                return reflected(rhs, lhs)
            if isinstance(rhs, NUMBERS):
                return row.on_numbers(lhs, rhs)
            raise unsupported_operand(name, rhs, cls)
        raise ArgumentTypeError(
            f"{name}: type {type_name(lhs)} not supported{remedy_for(lhs, cls)}"
        )

    def power(base: Any, exp: Any) -> Any:  # here the original has other names
        return general(base, exp) if isinstance(base, cls) else call(base, exp)

    call.__qualname__ = power.__qualname__ = name  # which Python prints where arguments are missing
    if name == "power":
        return _named(public_call(power), row)
    function = with_fast_path(get_op(names.pair), cls, call)
    return _named(public_call(call) if function is call else function, row)


def _named(function: Callable[..., Any], row: Binary) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = row.array_functions[0]
    function.__module__ = "mxnet.ndarray"
    operands = "two arrays that broadcast, or an array and a number"
    function.__doc__ = row.doc(operands) + row.example
    return function


def _operator(cls: type[Array], row: Binary, arrays: Op, scalar: Op, prefix: str = "") -> Operator:
    """Builds a method of Python's operators."""
    general = _general(cls, arrays, scalar)
    # which Python prints where arguments are missing
    general.__qualname__ = f"{cls.__name__}.__{prefix}{row.python}__"
    return make_call(arrays, cls, general, 2, scalar=scalar)


def _general(cls: type[Array], arrays: Op, scalar: Op) -> Operator:
    """Builds the version for everything that is not two arrays of one dtype."""

    def operate(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is cls or (kind is not float and kind is not int and is_operand(other, cls)):
            run = self._override or other._override or invoke
            return run(arrays, (self, other), {}, cls)
        if isinstance(other, NUMBERS):
            run = self._override or invoke
            return run(scalar, (self,), {"scalar": as_number(other)}, cls)
        return operate(self, beside(self, other, arrays.name, cls))

    return operate


def beside(array: Array, other: Any, where: str, cls: type[Array]) -> Array:
    """Returns an array of NumPy as an array beside another, which MXNet 2 has in its operators.

    Args:
        array: The other one.
        other: What is not an operand.
        where: Name of the operator.
        cls: Class of arrays.

    Raises:
        UnsupportedTypeError: if it is anything else, or in the classic dialect, or in MXNet 1.9.1.
    """
    if rules.version == 1 or not cls._is_np or not isinstance(other, np.ndarray):
        raise unsupported_operand(where, other, cls)
    return cls._wrap(place(to_tensor(other), array._ctx), array._ctx)


def _in_place(cls: type[Array], arrays: Op, scalar: Op) -> Operator:
    def operate(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is cls or (kind is not float and kind is not int and is_operand(other, cls)):
            return invoke(arrays, (self, other), {}, cls, out=self)
        if isinstance(other, NUMBERS):
            return invoke(scalar, (self,), {"scalar": as_number(other)}, cls, out=self)
        return operate(self, beside(self, other, arrays.name, cls))

    return public_call(operate)


def unsupported_operand(where: str, value: Any, cls: type[Array]) -> UnsupportedTypeError:
    """Returns the error about an operand that is neither a number nor an array of the dialect."""
    return UnsupportedTypeError(
        f"{where}: type {type_name(value)} not supported{remedy_for(value, cls)}"
    )
