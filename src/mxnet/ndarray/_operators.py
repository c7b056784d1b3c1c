"""Python's operators on arrays: a broadcasting operator for two arrays, else a scalar one."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mxnet._array import Array, new, origin_of
from mxnet._invoke import invoke
from mxnet._roles import NO_ATTRS, Origin
from mxnet.errors import ArgumentTypeError, UnsupportedTypeError
from mxnet.ops.failures import KERNEL_ERRORS, explain
from mxnet.ops.registry import Op, get_op
from mxnet.ops.scalars import EXACT, as_number

Operator: TypeAlias = Callable[[Any, Any], Any]

NUMBERS = (numbers.Real, np.bool_)
"""What counts as a number beside an array; NumPy does not register its truth values as such."""


class Pair(NamedTuple):
    """One function of two operands and the operators behind it, by name.

    `scalar` serves an array and a number, `reflected` a number and an array. `method` names
    Python's operator, if there is one.
    """

    function: str
    method: str | None
    arrays: str
    scalar: str
    reflected: str
    on_numbers: Callable[[Any, Any], Any]
    result: str


def _as_int(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], int]:
    return lambda a, b: int(compare(a, b))


_LOGIC = "truth (1 or 0)"
PAIRS = (
    Pair("add", "add", "broadcast_add", "_plus_scalar", "_plus_scalar", operator.add, "sum"),
    Pair(
        "subtract",
        "sub",
        "broadcast_sub",
        "_minus_scalar",
        "_rminus_scalar",
        operator.sub,
        "difference",
    ),
    Pair("multiply", "mul", "broadcast_mul", "_mul_scalar", "_mul_scalar", operator.mul, "product"),
    Pair(
        "divide",
        "truediv",
        "broadcast_div",
        "_div_scalar",
        "_rdiv_scalar",
        operator.truediv,
        "quotient",
    ),
    Pair(
        "modulo", "mod", "broadcast_mod", "_mod_scalar", "_rmod_scalar", operator.mod, "remainder"
    ),
    Pair(
        "power", "pow", "broadcast_power", "_power_scalar", "_rpower_scalar", operator.pow, "power"
    ),
    Pair("maximum", None, "broadcast_maximum", "_maximum_scalar", "_maximum_scalar", max, "larger"),
    Pair(
        "minimum", None, "broadcast_minimum", "_minimum_scalar", "_minimum_scalar", min, "smaller"
    ),
    Pair(
        "equal",
        "eq",
        "broadcast_equal",
        "_equal_scalar",
        "_equal_scalar",
        _as_int(operator.eq),
        _LOGIC,
    ),
    Pair(
        "not_equal",
        "ne",
        "broadcast_not_equal",
        "_not_equal_scalar",
        "_not_equal_scalar",
        _as_int(operator.ne),
        _LOGIC,
    ),
    Pair(
        "greater",
        "gt",
        "broadcast_greater",
        "_greater_scalar",
        "_lesser_scalar",
        _as_int(operator.gt),
        _LOGIC,
    ),
    Pair(
        "greater_equal",
        "ge",
        "broadcast_greater_equal",
        "_greater_equal_scalar",
        "_lesser_equal_scalar",
        _as_int(operator.ge),
        _LOGIC,
    ),
    Pair(
        "lesser",
        "lt",
        "broadcast_lesser",
        "_lesser_scalar",
        "_greater_scalar",
        _as_int(operator.lt),
        _LOGIC,
    ),
    Pair(
        "lesser_equal",
        "le",
        "broadcast_lesser_equal",
        "_lesser_equal_scalar",
        "_greater_equal_scalar",
        _as_int(operator.le),
        _LOGIC,
    ),
    Pair(
        "logical_and",
        None,
        "broadcast_logical_and",
        "_logical_and_scalar",
        "_logical_and_scalar",
        lambda a, b: int(bool(a) and bool(b)),
        _LOGIC,
    ),
    Pair(
        "logical_or",
        None,
        "broadcast_logical_or",
        "_logical_or_scalar",
        "_logical_or_scalar",
        lambda a, b: int(bool(a) or bool(b)),
        _LOGIC,
    ),
    Pair(
        "logical_xor",
        None,
        "broadcast_logical_xor",
        "_logical_xor_scalar",
        "_logical_xor_scalar",
        lambda a, b: int(bool(a) != bool(b)),
        _LOGIC,
    ),
)
_REFLECTED = frozenset({"add", "sub", "mul", "truediv", "mod", "pow"})
_IN_PLACE = _REFLECTED - {"pow"}


def install(cls: type[Array]) -> None:
    """Adds arithmetic and comparison methods to an array class."""
    for row in PAIRS:
        arrays, scalar = get_op(row.arrays), get_op(row.scalar)
        if row.method is None:
            continue
        _set(cls, f"__{row.method}__", _operator(cls, arrays, scalar))
        if row.method in _REFLECTED:
            # Only reached with a number on the left: two arrays find the plain method first.
            _set(cls, f"__r{row.method}__", _operator(cls, arrays, get_op(row.reflected)))
        if row.method in _IN_PLACE:
            _set(cls, f"__i{row.method}__", _in_place(cls, arrays, scalar))
    for prefix in ("", "r", "i"):  # names of Python 2, which programs call directly
        setattr(cls, f"__{prefix}div__", getattr(cls, f"__{prefix}truediv__"))


def functions(cls: type[Array]) -> dict[str, Callable[..., Any]]:
    """Builds the functions of two operands, each an array or a number, by name."""
    built = {row.function: _function(cls, row) for row in PAIRS}
    built["true_divide"] = built["divide"]
    return built


def _function(cls: type[Array], row: Pair) -> Callable[..., Any]:
    careful = _careful(cls, get_op(row.arrays), get_op(row.scalar))
    reflected = _careful(cls, get_op(row.arrays), get_op(row.reflected))

    def call(lhs: Any, rhs: Any) -> Any:
        if isinstance(lhs, cls):
            return careful(lhs, rhs)
        if isinstance(lhs, NUMBERS):
            if isinstance(rhs, cls):
                return reflected(rhs, lhs)
            if isinstance(rhs, NUMBERS):
                return row.on_numbers(lhs, rhs)
            raise UnsupportedTypeError(f"{row.function}: type {type(rhs)} not supported")
        raise ArgumentTypeError(f"{row.function}: type {type(lhs)} not supported")

    if row.function == "power":  # here the original has other names

        def power(base: Any, exp: Any) -> Any:
            return call(base, exp)

        return _named(power, row)
    return _named(call, row)


def _named(function: Callable[..., Any], row: Pair) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = row.function
    function.__module__ = "mxnet.ndarray"
    function.__doc__ = (
        f"Gives the {row.result} of two arrays that broadcast, or of an array and a number."
    )
    return function


def _set(cls: type[Array], name: str, function: Operator) -> None:
    function.__name__ = name
    function.__qualname__ = f"{cls.__name__}.{name}"
    setattr(cls, name, function)


def _operator(cls: type[Array], arrays: Op, scalar: Op) -> Operator:
    kernel, scalar_kernel = arrays.kernel, scalar.kernel
    differentiable, wrap_recorded = arrays.differentiable, cls._wrap_recorded
    slow = _careful(cls, arrays, scalar)

    def operate(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is cls:
            plain = self._node is None and other._node is None
            a, b = (self._data, other._data) if plain else (self._read(), other._read())
            if a.dtype is not b.dtype or not (plain or differentiable):
                return slow(self, other)
            try:
                result = kernel(a, b)
            except KERNEL_ERRORS as error:
                raise explain(arrays, (a, b), error) from error
        elif kind is float or kind is int:
            plain = self._node is None
            a = self._data if plain else self._read()
            if not (plain or differentiable):
                return slow(self, other)
            small = kind is float or -EXACT < other < EXACT
            number = float(other) if small else as_number(other)
            try:
                result = scalar_kernel(a, scalar=number)
            except KERNEL_ERRORS as error:
                raise explain(scalar, (a,), error) from error
        else:
            return slow(self, other)
        if plain or not result.requires_grad:
            array = new(cls)  # as Array._wrap does, whose call takes a share of a small operator
            array._node = array._role = None
            array._aliased = array._fresh = False
            array._data, array._ctx = result, self._ctx.results
            return array
        role = self._role  # it mostly has the origin, for which a call would take longer
        first = role.origin if role is not None and role.origin else origin_of(self)
        if kind is cls:
            role = other._role
            second = role.origin if role is not None and role.origin else origin_of(other)
            origin: Origin = (arrays, (first, second), NO_ATTRS, 0)
        else:
            origin = (scalar, (first,), {"scalar": number}, 0)
        return wrap_recorded(result, self._ctx.results, origin)

    return operate


def _careful(cls: type[Array], arrays: Op, scalar: Op) -> Operator:
    """Builds the version for everything that is not two arrays of one dtype."""

    def operate(self: Any, other: Any) -> Any:
        if isinstance(other, cls):
            return invoke(arrays, (self, other), {}, cls)
        if isinstance(other, NUMBERS):
            return invoke(scalar, (self,), {"scalar": as_number(other)}, cls)
        raise UnsupportedTypeError(f"{arrays.name}: type {type(other)} not supported")

    return operate


def _in_place(cls: type[Array], arrays: Op, scalar: Op) -> Operator:
    def operate(self: Any, other: Any) -> Any:
        if isinstance(other, cls):
            return invoke(arrays, (self, other), {}, cls, out=self)
        if isinstance(other, NUMBERS):
            return invoke(scalar, (self,), {"scalar": as_number(other)}, cls, out=self)
        raise UnsupportedTypeError(f"{arrays.name}: type {type(other)} not supported")

    return operate
