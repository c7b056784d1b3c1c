"""Python's operators on arrays: a broadcasting operator for two arrays, else a scalar one."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
import torch

from mxnet._arrays.array import Array, is_operand, new, origin_of, remedy_for
from mxnet._arrays.errors.delayed import delay
from mxnet._arrays.invoke import invoke
from mxnet._arrays.roles import NO_ATTRS, Origin
from mxnet._arrays.straight import with_fast_path
from mxnet._start import hide_frames, public_call
from mxnet._state import modes
from mxnet.errors import ArgumentTypeError, UnsupportedTypeError
from mxnet.ops.core.public import install_operators
from mxnet.ops.core.registry import KERNEL_ERRORS, Op, get_op
from mxnet.ops.core.scalars import EXACT, as_number
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
        return row.arrays and _operator(
            self._cls, get_op(row.arrays.pair), get_op(row.arrays.scalar)
        )

    def reflected(self, row: Binary) -> Operator | None:
        # Only reached with a number on the left: two arrays find the plain method first.
        return row.arrays and _operator(
            self._cls, get_op(row.arrays.pair), get_op(row.arrays.reflected)
        )

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
            raise UnsupportedTypeError(f"{name}: type {type(rhs)} not supported")
        raise ArgumentTypeError(f"{name}: type {type(lhs)} not supported")

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


def _operator(  # noqa: C901 - a call of another function takes a share of a small operator
    cls: type[Array], arrays: Op, scalar: Op
) -> Operator:
    kernel, scalar_kernel = arrays.kernel, scalar.kernel
    differentiable, wrap_node = arrays.differentiable, cls._wrap_node
    slow = _general(cls, arrays, scalar)
    detours, scalar_detours = arrays.detours, scalar.detours

    def operate(self: Any, other: Any) -> Any:  # noqa: C901
        try:
            other_type = type(other)
            if other_type is cls and not detours:
                plain = self._node is None and other._node is None
                a, b = (self._data, other._data) if plain else (self._read(), other._read())
                if a.dtype is not b.dtype or not (plain or differentiable):
                    return slow(self, other)
                try:
                    result = kernel(a, b)
                except KERNEL_ERRORS as error:
                    return delay(arrays, (a, b), error, NO_ATTRS, cls, self._ctx.results)
            elif (other_type is float or other_type is int) and not scalar_detours:
                plain = self._node is None
                a = self._data if plain else self._read()
                if not (plain or differentiable):
                    return slow(self, other)
                small = other_type is float or -EXACT < other < EXACT
                number = float(other) if small else as_number(other)
                try:
                    result = scalar_kernel(a, scalar=number)
                except KERNEL_ERRORS as error:
                    attrs = {"scalar": number}
                    return delay(scalar, (a,), error, attrs, cls, self._ctx.results)
            else:
                return slow(self, other)
            if plain or not result.requires_grad:
                if not plain and modes.recording and not result.dtype.is_floating_point:
                    return slow(self, other)  # integers, which torch does not join to graphs
                # As Array._wrap does, whose call takes a share of a small operator.
                array = new(cls)
                array._node = array._role = None
                array._aliased = array._fresh = False
                array._data, array._ctx = result, self._ctx.results
                return array
            role = self._role  # it mostly has the origin, for which a call would take longer
            first = role.origin if role is not None and role.origin else origin_of(self)
            if other_type is cls:
                role = other._role
                second = role.origin if role is not None and role.origin else origin_of(other)
                origin: Origin = (arrays, (first, second), NO_ATTRS, 0)
            else:
                origin = (scalar, (first,), {"scalar": number}, 0)
            return wrap_node(result, self._ctx.results, origin)
        except Exception as error:
            hide_frames(error)
            raise

    return operate


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
        raise unsupported_operand(arrays.name, other, cls)

    return operate


def _in_place(cls: type[Array], arrays: Op, scalar: Op) -> Operator:
    def operate(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is cls or (kind is not float and kind is not int and is_operand(other, cls)):
            return invoke(arrays, (self, other), {}, cls, out=self)
        if isinstance(other, NUMBERS):
            return invoke(scalar, (self,), {"scalar": as_number(other)}, cls, out=self)
        raise unsupported_operand(arrays.name, other, cls)

    return public_call(operate)


def unsupported_operand(where: str, value: Any, cls: type[Array]) -> UnsupportedTypeError:
    """Returns the error about an operand that is neither a number nor an array of the dialect."""
    return UnsupportedTypeError(
        f"{where}: type {type(value)} not supported{remedy_for(value, cls)}"
    )
