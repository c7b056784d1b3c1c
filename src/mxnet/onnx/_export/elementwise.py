"""Functions of one array that act on each element."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import TypeAlias

import numpy as np

from mxnet import _dtypes
from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.table import NotExportableError, Out, converts
from mxnet.ops.core.scalars import in_range
from mxnet.ops.core.shapes import UNKNOWN

Unary: TypeAlias = Callable[[Builder, Value], Value]

_FLOAT_FUNCTIONS = {
    "sqrt": "Sqrt",
    "exp": "Exp",
    "log": "Log",
    "sin": "Sin",
    "cos": "Cos",
    "tan": "Tan",
    "arcsin": "Asin",
    "arccos": "Acos",
    "arctan": "Atan",
    "sinh": "Sinh",
    "cosh": "Cosh",
    "arcsinh": "Asinh",
    "arccosh": "Acosh",
    "arctanh": "Atanh",
    "tanh": "Tanh",
    "reciprocal": "Reciprocal",
}
"""Operators of ONNX on floats, by their classic name; the NumPy dialect writes `_npi_sqrt`."""

_ANY_NUMBERS = {
    "abs": "Abs",
    "_npi_absolute": "Abs",
    "negative": "Neg",
    "_npi_negative": "Neg",
    "sign": "Sign",
    "_npi_sign": "Sign",
    "relu": "Relu",
    "_npx_relu": "Relu",
}
"""Operators of ONNX on integers, too."""

_ROUNDING = {
    "ceil": "Ceil",
    "_npi_ceil": "Ceil",
    "floor": "Floor",
    "_npi_floor": "Floor",
}
"""Operators of ONNX on floats that leave integers as they are."""


def as_float(b: Builder, data: Value) -> Value:
    """Converts integers to float32, floats stay."""
    return data if data.is_float else b.cast(data, "float32")


def _declare_float_function(names: tuple[str, ...], function: Unary) -> None:
    @converts(*names)
    def convert(b: Builder, data: Value) -> Value:
        return function(b, as_float(b, data))


def _operator(op_type: str) -> Unary:
    return lambda b, data: b.op(op_type, data)


def _signed(b: Builder, data: Value, size: Value) -> Value:
    """Returns a size with the sign of the data."""
    return b.op("Sign", data) * size


def _truncate(b: Builder, data: Value) -> Value:
    return _signed(b, data, b.op("Floor", b.op("Abs", data)))


def _round(b: Builder, data: Value) -> Value:
    """Rounds halves away from zero."""
    size = b.op("Abs", data)
    whole = b.op("Floor", size)
    is_more = b.cast(b.compare("GreaterOrEqual", size - whole, 0.5), data.dtype)
    return _signed(b, data, whole + is_more)


def _cube_root(b: Builder, data: Value) -> Value:
    return _signed(b, data, b.binary("Pow", b.op("Abs", data), 1 / 3))


_COMPOSED: dict[tuple[str, ...], Unary] = {
    ("log2", "_npi_log2"): lambda b, x: b.op("Log", x) * (1 / math.log(2)),
    ("log10", "_npi_log10"): lambda b, x: b.op("Log", x) * (1 / math.log(10)),
    ("log1p", "_npi_log1p"): lambda b, x: b.op("Log", x + 1),
    ("expm1", "_npi_expm1"): lambda b, x: b.op("Exp", x) - 1,
    ("cbrt", "_npi_cbrt"): _cube_root,
    ("rcbrt",): lambda b, x: b.op("Reciprocal", _cube_root(b, x)),
    ("rsqrt",): lambda b, x: b.op("Reciprocal", b.op("Sqrt", x)),
    ("degrees", "_npi_degrees"): lambda b, x: x * (180 / math.pi),
    ("radians", "_npi_radians"): lambda b, x: x * (math.pi / 180),
    ("trunc", "fix", "_npi_trunc", "_npi_fix"): _truncate,
    ("rint", "_npi_rint"): lambda b, x: b.op("Ceil", x - 0.5),
    ("round",): _round,
    ("sigmoid", "_npx_sigmoid"): _operator("Sigmoid"),
    ("softsign",): _operator("Softsign"),
    ("erf",): _operator("Erf"),
    ("_contrib_round_ste",): _round,
    ("_contrib_sign_ste",): _operator("Sign"),
}

for _name, _op_type in _FLOAT_FUNCTIONS.items():
    _declare_float_function((_name, f"_npi_{_name}"), _operator(_op_type))
for _names, _function in _COMPOSED.items():
    _declare_float_function(_names, _function)


def _declare_operator(name: str, op_type: str, *, keeps_integers: bool) -> None:
    @converts(name)
    def convert(b: Builder, data: Value) -> Value:
        if data.is_float:
            return b.op(op_type, data)
        return data if keeps_integers else b.op(op_type, b.widen(data))


for _name, _op_type in _ANY_NUMBERS.items():
    _declare_operator(_name, _op_type, keeps_integers=False)
for _name, _op_type in _ROUNDING.items():
    _declare_operator(_name, _op_type, keeps_integers=True)


@converts("square", "_npi_square")
def _square(b: Builder, data: Value) -> Value:
    wide = b.widen(data)
    return wide * wide


@converts("_copy", "_np_copy", "cast_storage", "_contrib_gradientmultiplier")
def _copy(b: Builder, data: Value) -> Value:
    return data


@converts("logical_not", "_npi_logical_not")
def _logical_not(b: Builder, data: Value) -> Value:
    return b.op("Not", b.cast(data, "bool"))


@converts("_npi_isnan")
def _isnan(b: Builder, data: Value) -> Value:
    return b.op("IsNaN", as_float(b, data), dtype="bool")


def _declare_infinity_test(name: str, *, positive: bool, negative: bool) -> None:
    @converts(name)
    def convert(b: Builder, data: Value) -> Value:
        return _is_infinite(b, as_float(b, data), positive, negative)


def _is_infinite(b: Builder, data: Value, positive: bool = True, negative: bool = True) -> Value:
    return b.op(
        "IsInf", data, dtype="bool", detect_positive=int(positive), detect_negative=int(negative)
    )


_declare_infinity_test("_npi_isinf", positive=True, negative=True)
_declare_infinity_test("_npi_isposinf", positive=True, negative=False)
_declare_infinity_test("_npi_isneginf", positive=False, negative=True)


@converts("_npi_isfinite")
def _isfinite(b: Builder, data: Value) -> Value:
    return is_finite(b, as_float(b, data))


def is_finite(b: Builder, data: Value) -> Value:
    """Tests for elements that are numbers: neither nan nor infinite."""
    return b.op("Not", b.op("Or", b.op("IsNaN", data, dtype="bool"), _is_infinite(b, data)))


@converts("all_finite")
def _all_finite(b: Builder, data: Value) -> Value:
    return _all(b, [is_finite(b, data)])


@converts("multi_all_finite")
def _multi_all_finite(b: Builder, *data: Value) -> Value:
    return _all(b, [is_finite(b, item) for item in data])


def _all(b: Builder, tests: list[Value]) -> Value:
    flat = [b.reshape(b.cast(item, "int32"), (-1,)) for item in tests]
    return b.reduce("ReduceMin", b.concat(flat, 0), [0], keepdims=True)


@converts("_contrib_allclose")
def _allclose(
    b: Builder, left: Value, right: Value, *, rtol: float, atol: float, equal_nan: bool
) -> Value:
    left, right = as_float(b, left), as_float(b, right)
    bound = b.op("Abs", right) * rtol + atol
    close = b.op("LessOrEqual", b.op("Abs", left - right), bound, dtype="bool")
    close = b.op("Or", close, b.op("Equal", left, right, dtype="bool"))  # infinities
    if equal_nan:
        nans = [b.op("IsNaN", item, dtype="bool") for item in (left, right)]
        close = b.op("Or", close, b.op("And", *nans))
    return b.squeeze(_all(b, [close]), [0])


@converts("hard_sigmoid")
def _hard_sigmoid(b: Builder, data: Value, *, alpha: float, beta: float) -> Value:
    return b.op("HardSigmoid", data, alpha=alpha, beta=beta)


@converts("Cast", "amp_cast")
def _cast(b: Builder, data: Value, *, out: Out) -> Value:
    return b.cast(data, out.dtype)


@converts("amp_multicast")
def _amp_multicast(b: Builder, *data: Value, out: Out) -> list[Value]:
    return [b.cast(item, dtype) for item, dtype in zip(data, out.dtypes, strict=True)]


@converts("clip")
def _clip(b: Builder, data: Value, *, a_min: float, a_max: float) -> Value:
    limits = [
        b.constant(in_range(limit, _dtypes.to_torch(data.dtype)), data.dtype)
        if math.isfinite(limit)
        else None
        for limit in (a_min, a_max)
    ]
    return b.op("Clip", data, *limits)


@converts("smooth_l1")
def _smooth_l1(b: Builder, data: Value, *, scalar: float) -> Value:
    square, data = scalar * scalar, as_float(b, data)
    if not square:
        return data * 0.0
    size = b.op("Abs", data)
    is_near = b.compare("Less", size, 1 / square)
    return b.where(is_near, data * data * (0.5 * square), size - 0.5 / square, data.dtype)


@converts("add_n")
def _add_n(b: Builder, *args: Value) -> Value:
    return reduce(add, map(b.widen, args))


@converts("_contrib_quadratic")
def _quadratic(builder: Builder, data: Value, *, a: float, b: float, c: float) -> Value:
    x = as_float(builder, data)
    return x * x * a + x * b + c


@converts("_contrib_div_sqrt_dim")
def _div_sqrt_dim(b: Builder, data: Value) -> Value:
    if data.shape is not None and data.shape[-1] != UNKNOWN and data.is_float:
        return data / math.sqrt(data.shape[-1])
    length = b.cast(b.lengths(data, [data.ndim - 1]), "float32")
    return data / b.cast(b.op("Sqrt", length), data.dtype)


@converts("shape_array")
def _shape_array(b: Builder, data: Value) -> Value:
    return b.shape_of(data)


@converts("size_array")
def _size_array(b: Builder, data: Value) -> Value:
    return b.reshape(b.op("Size", data, dtype="int64"), (1,))


@converts("zeros_like")
def _zeros_like(b: Builder, data: Value, *, out: Out) -> Value:
    return b.full(b.shape_of(data), 0, out.dtype)


@converts("ones_like")
def _ones_like(b: Builder, data: Value, *, out: Out) -> Value:
    return b.full(b.shape_of(data), 1, out.dtype)


@converts("_npi_full_like")
def _full_like(b: Builder, data: Value, *, fill_value: float, out: Out) -> Value:
    return b.full(b.shape_of(data), fill_value, out.dtype)


@converts("_npi_around")
def _around(b: Builder, data: Value, *, decimals: int) -> Value:
    if not data.is_float:
        if decimals >= 0:
            return data
        raise NotExportableError("integers can only be rounded to decimals of 0 or more")
    if not decimals:
        return b.op("Round", data)
    scale = 10.0**decimals
    return b.op("Round", data * scale) / scale


@converts("_npi_nan_to_num")
def _nan_to_num(
    b: Builder, data: Value, *, nan: float, posinf: float | None, neginf: float | None
) -> Value:
    if not data.is_float:
        return data
    limits = np.finfo(data.dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    result = b.where(b.op("IsNaN", data, dtype="bool"), nan, data, data.dtype)
    result = b.where(_is_infinite(b, data, negative=False), high, result, data.dtype)
    return b.where(_is_infinite(b, data, positive=False), low, result, data.dtype)


@converts("_npi_bitwise_not")
def _bitwise_not(b: Builder, data: Value) -> Value:
    if data.dtype == "bool":
        return b.op("Not", data)
    return -b.widen(data) - 1
