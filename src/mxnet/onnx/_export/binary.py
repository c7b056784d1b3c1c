"""Arithmetic, comparisons and logic of two arrays, and of an array and a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import torch

from mxnet import _dtypes
from mxnet.onnx._export.builder import FLOATS, Builder, Value
from mxnet.onnx._export.table import Out, converts
from mxnet.ops.core.scalars import as_element

Binary: TypeAlias = Callable[[Builder, Value, Value], Value]


def promote(left: str, right: str) -> str:
    """Returns the dtype that can hold both; floats beside integers stay as they are."""
    joined = torch.promote_types(_dtypes.to_torch(left), _dtypes.to_torch(right))
    return _dtypes.name_of(joined)


def _operator(op_type: str) -> Binary:
    return lambda b, left, right: b.op(op_type, left, right)


def _test(op_type: str) -> Binary:
    return lambda b, left, right: b.op(op_type, left, right, dtype="bool")


def _differ(b: Builder, left: Value, right: Value) -> Value:
    return b.op("Not", b.op("Equal", left, right, dtype="bool"))


def _logic(op_type: str) -> Binary:
    return lambda b, left, right: b.op(op_type, b.cast(left, "bool"), b.cast(right, "bool"))


def _mod(b: Builder, left: Value, right: Value) -> Value:
    """Writes the remainder with the sign of the divisor; 0 if that is 0."""
    is_zero = b.compare("Equal", right, 0)
    divisor = b.where(is_zero, 1, right, right.dtype)
    if left.is_float:
        rest = left - b.op("Floor", left / divisor) * divisor
    else:
        rest = b.op("Mod", left, divisor)
    return b.where(is_zero, 0, rest, left.dtype)


def _hypot(b: Builder, left: Value, right: Value) -> Value:
    squares = left * left + right * right
    if squares.is_float:
        return b.op("Sqrt", squares)
    return b.op("Sqrt", b.cast(squares, "float32"))


def _copysign(b: Builder, left: Value, right: Value) -> Value:
    # The reciprocal knows the sign of zero.
    is_negative = b.compare("Less", right, 0)
    if right.is_float:
        is_negative = b.op("Or", is_negative, b.compare("Less", 1.0 / right, 0))
    size = b.op("Abs", left)
    return b.where(is_negative, -size, size, left.dtype)


def _arctan2(b: Builder, left: Value, right: Value) -> Value:
    """Writes the angle of a point from its height and width."""
    y, x = (item if item.is_float else b.cast(item, "float32") for item in (left, right))
    half = b.where(b.compare("Less", y, 0), -math.pi / 2, math.pi / 2, y.dtype)
    on_axis = b.where(b.compare("Equal", y, 0), 0.0, half, y.dtype)
    turn = b.where(b.compare("Less", y, 0), -math.pi, math.pi, y.dtype)
    angle = b.op("Atan", y / x)
    angle = b.where(b.compare("Less", x, 0), angle + turn, angle, y.dtype)
    return b.where(b.compare("Equal", x, 0), on_axis, angle, y.dtype)


def _ldexp(b: Builder, left: Value, right: Value) -> Value:
    left, right = (item if item.is_float else b.cast(item, "float32") for item in (left, right))
    return left * b.op("Pow", b.constant(2, right.dtype), right)


def _power(b: Builder, left: Value, right: Value) -> Value:
    return b.op("Pow", left, right)


_ARITHMETIC: dict[Binary, tuple[str, ...]] = {
    _operator("Add"): (
        *("broadcast_add", "elemwise_add", "_grad_add", "_npi_add"),
        *("_plus_scalar", "_scatter_plus_scalar", "_npi_add_scalar"),
    ),
    _operator("Sub"): (
        *("broadcast_sub", "elemwise_sub", "_npi_subtract"),
        *("_minus_scalar", "_scatter_minus_scalar", "_npi_subtract_scalar"),
        *("_rminus_scalar", "_npi_rsubtract_scalar"),
    ),
    _operator("Mul"): (
        *("broadcast_mul", "elemwise_mul", "_npi_multiply"),
        *("_mul_scalar", "_npi_multiply_scalar"),
    ),
    _operator("Div"): (
        *("broadcast_div", "elemwise_div", "_scatter_elemwise_div", "_npi_true_divide"),
        *("_div_scalar", "_npi_true_divide_scalar"),
        *("_rdiv_scalar", "_npi_rtrue_divide_scalar"),
    ),
    _mod: (
        *("broadcast_mod", "_mod", "_npi_mod"),
        *("_mod_scalar", "_npi_mod_scalar", "_rmod_scalar", "_npi_rmod_scalar"),
    ),
    _power: (
        *("broadcast_power", "_power", "_npi_power"),
        *("_power_scalar", "_npi_power_scalar", "_rpower_scalar", "_npi_rpower_scalar"),
    ),
    _operator("Max"): ("broadcast_maximum", "_maximum", "_maximum_scalar"),
    _operator("Min"): ("broadcast_minimum", "_minimum", "_minimum_scalar"),
    _hypot: ("broadcast_hypot", "_hypot", "_npi_hypot", "_hypot_scalar"),
    _copysign: ("_npi_copysign", "_npi_copysign_scalar", "_npi_rcopysign_scalar"),
    _arctan2: ("_npi_arctan2", "_npi_arctan2_scalar", "_npi_rarctan2_scalar"),
    _ldexp: ("_npi_ldexp", "_npi_ldexp_scalar", "_npi_rldexp_scalar"),
}
"""Functions whose operands have the dtype of the result, and their operators."""


def _names(classic: str, numpy: str) -> tuple[str, ...]:
    return (
        *(f"broadcast_{classic}", f"_{classic}", f"_{classic}_scalar"),
        *(f"_npi_{numpy}", f"_npi_{numpy}_scalar"),
    )


def _logic_names(name: str) -> tuple[str, ...]:
    return f"broadcast_logical_{name}", f"_logical_{name}", f"_logical_{name}_scalar"


_TESTS: dict[Binary, tuple[str, ...]] = {
    _test("Equal"): _names("equal", "equal"),
    _differ: _names("not_equal", "not_equal"),
    _test("Greater"): _names("greater", "greater"),
    _test("GreaterOrEqual"): _names("greater_equal", "greater_equal"),
    _test("Less"): _names("lesser", "less"),
    _test("LessOrEqual"): _names("lesser_equal", "less_equal"),
    _logic("And"): _logic_names("and"),
    _logic("Or"): _logic_names("or"),
    _logic("Xor"): _logic_names("xor"),
}
"""Functions whose result is true or false, and their operators."""


def _in_dtype(number: float, dtype: str) -> float:
    """Returns a number as the dtype of an array holds it."""
    return as_element(number, _dtypes.to_torch(dtype))


def _work_dtype(data: Value, is_int: bool) -> str:
    """Returns the dtype in which an array and a number are combined."""
    if data.is_float:
        return data.dtype
    if not is_int:
        return "float64"
    return "int64" if data.dtype in ("bool", "int64") else "int32"


def _declare_scalar(name: str, function: Binary, *, of_result: bool) -> None:
    is_reversed = name.removeprefix("_npi").startswith("_r")

    @converts(name)
    def convert(b: Builder, data: Value, *, scalar: float, is_int: bool, out: Out) -> Value:
        dtype = out.dtype if of_result and out.dtype in FLOATS else _work_dtype(data, is_int)
        is_narrow = dtype == "int32" and data.dtype != "bool"
        number = _in_dtype(scalar, data.dtype) if is_narrow else scalar
        left, right = b.cast(data, dtype), b.constant(number, dtype)
        return function(b, right, left) if is_reversed else function(b, left, right)


def _declare_pair(name: str, function: Binary, *, of_result: bool) -> None:
    @converts(name)
    def convert(b: Builder, left: Value, right: Value, *, out: Out) -> Value:
        dtype = promote(left.dtype, right.dtype)
        if of_result and out.dtype in FLOATS:
            dtype = out.dtype
        return function(b, *(b.widen(b.cast(item, dtype)) for item in (left, right)))


for _table, _of_result in ((_ARITHMETIC, True), (_TESTS, False)):
    for _function, _operators in _table.items():
        for _name in _operators:
            if _name.endswith("_scalar"):
                _declare_scalar(_name, _function, of_result=_of_result)
            else:
                _declare_pair(_name, _function, of_result=_of_result)


@converts("_identity_with_attr_like_rhs", ignores=("rhs",))
def _keep_left(b: Builder, left: Value) -> Value:
    return left


def _bits(op_type: str) -> Binary:
    """Returns an operator on bits, which booleans have others for."""

    def function(b: Builder, left: Value, right: Value) -> Value:
        if left.dtype == "bool":
            return b.op(op_type.removeprefix("Bitwise"), left, right)
        b.need(18, op_type)
        return b.op(op_type, left, right)

    return function


def _declare_bits(name: str, function: Binary) -> None:
    @converts(f"_npi_bitwise_{name}")
    def convert(b: Builder, left: Value, right: Value, *, out: Out) -> Value:
        return function(b, b.cast(left, out.dtype), b.cast(right, out.dtype))

    @converts(f"_npi_bitwise_{name}_scalar")
    def convert_scalar(b: Builder, data: Value, *, scalar: float, out: Out) -> Value:
        return function(b, b.cast(data, out.dtype), b.constant(scalar, out.dtype))


for _name, _op_type in {"and": "BitwiseAnd", "or": "BitwiseOr", "xor": "BitwiseXor"}.items():
    _declare_bits(_name, _bits(_op_type))
