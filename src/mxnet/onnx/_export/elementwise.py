"""Functions of one array or two that act on each element."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import TypeAlias

import numpy as np
import torch

from mxnet._formats import element_types
from mxnet.onnx._export.builder import FLOATS, Builder, Options, Value
from mxnet.onnx._table import BITS, PAIRS, NotExportableError, Out, Pair, as_float, converts
from mxnet.ops.core.attrs import UNKNOWN
from mxnet.ops.core.scalars import as_element, in_range

Unary: TypeAlias = Callable[[Builder, Value], Value]
Binary: TypeAlias = Callable[[Builder, Value, Value], Value]


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


_COMPOSED: dict[str, Unary] = {
    "log2 _npi_log2": lambda b, x: b.op("Log", x) * (1 / math.log(2)),
    "log10 _npi_log10": lambda b, x: b.op("Log", x) * (1 / math.log(10)),
    "log1p _npi_log1p": lambda b, x: b.op("Log", x + 1),
    "expm1 _npi_expm1": lambda b, x: b.op("Exp", x) - 1,
    "cbrt _npi_cbrt": _cube_root,
    "rcbrt": lambda b, x: b.op("Reciprocal", _cube_root(b, x)),
    "rsqrt": lambda b, x: b.op("Reciprocal", b.op("Sqrt", x)),
    "degrees _npi_degrees": lambda b, x: x * (180 / math.pi),
    "radians _npi_radians": lambda b, x: x * (math.pi / 180),
    "trunc fix _npi_trunc _npi_fix": _truncate,
    "rint _npi_rint": lambda b, x: b.op("Ceil", x - 0.5),
    "round _contrib_round_ste": _round,
    "_contrib_sign_ste": lambda b, x: b.op("Sign", x),
    "_npi_isinf": lambda b, x: _is_infinite(b, x),
    "_npi_isposinf": lambda b, x: _is_infinite(b, x, negative=False),
    "_npi_isneginf": lambda b, x: _is_infinite(b, x, positive=False),
    "_npi_isfinite": lambda b, x: is_finite(b, x),
}
"""Functions of floats that ONNX has no operators for, and their operators."""


def _declare_float_function(names: str, function: Unary) -> None:
    @converts(*names.split())
    def convert(b: Builder, data: Value) -> Value:
        return function(b, as_float(b, data))


for _names, _function in _COMPOSED.items():
    _declare_float_function(_names, _function)


@converts("square", "_npi_square")
def _square(b: Builder, data: Value) -> Value:
    wide = b.widen(data)
    return wide * wide


def _is_infinite(b: Builder, data: Value, positive: bool = True, negative: bool = True) -> Value:
    signs: Options = {"detect_positive": int(positive), "detect_negative": int(negative)}
    return b.op("IsInf", data, dtype="bool", **signs)


def is_finite(b: Builder, data: Value) -> Value:
    """Tests for elements that are numbers: neither nan nor infinite."""
    return b.op("Not", b.op("Or", b.op("IsNaN", data, dtype="bool"), _is_infinite(b, data)))


@converts("all_finite", "multi_all_finite")
def _all_finite(b: Builder, *data: Value) -> Value:
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


@converts("Cast", "amp_cast")
def _cast(b: Builder, data: Value, *, out: Out) -> Value:
    return b.cast(data, out.dtype)


@converts("amp_multicast")
def _amp_multicast(b: Builder, *data: Value, out: Out) -> list[Value]:
    return [b.cast(item, dtype) for item, dtype in zip(data, out.dtypes, strict=True)]


@converts("clip")
def _clip(b: Builder, data: Value, *, a_min: float, a_max: float) -> Value:
    dtype = element_types.to_torch(data.dtype)
    limits = [in_range(item, dtype) if math.isfinite(item) else None for item in (a_min, a_max)]
    return b.op(
        "Clip", data, *(item if item is None else b.constant(item, data.dtype) for item in limits)
    )


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


def promote(left: str, right: str) -> str:
    """Returns the dtype that can hold both; floats beside integers stay as they are."""
    joined = torch.promote_types(element_types.to_torch(left), element_types.to_torch(right))
    return element_types.name_of(joined)


def _differ(b: Builder, left: Value, right: Value) -> Value:
    return b.op("Not", b.op("Equal", left, right, dtype="bool"))


def _of_table(pair: Pair) -> Binary:
    result = "bool" if pair.is_test else None
    return lambda b, left, right: b.op(pair.theirs, left, right, dtype=result)


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
    return b.op("Sqrt", as_float(b, left * left + right * right))


def _copysign(b: Builder, left: Value, right: Value) -> Value:
    # The reciprocal knows the sign of zero.
    is_negative = b.compare("Less", right, 0)
    if right.is_float:
        is_negative = b.op("Or", is_negative, b.compare("Less", 1.0 / right, 0))
    size = b.op("Abs", left)
    return b.where(is_negative, -size, size, left.dtype)


def _arctan2(b: Builder, left: Value, right: Value) -> Value:
    """Writes the angle of a point from its height and width."""
    y, x = as_float(b, left), as_float(b, right)
    half = b.where(b.compare("Less", y, 0), -math.pi / 2, math.pi / 2, y.dtype)
    on_axis = b.where(b.compare("Equal", y, 0), 0.0, half, y.dtype)
    turn = b.where(b.compare("Less", y, 0), -math.pi, math.pi, y.dtype)
    angle = b.op("Atan", y / x)
    angle = b.where(b.compare("Less", x, 0), angle + turn, angle, y.dtype)
    return b.where(b.compare("Equal", x, 0), on_axis, angle, y.dtype)


def _ldexp(b: Builder, left: Value, right: Value) -> Value:
    left, right = as_float(b, left), as_float(b, right)
    return left * b.op("Pow", b.constant(2, right.dtype), right)


_ARITHMETIC: dict[str, Binary] = {
    "broadcast_mod _mod _npi_mod _mod_scalar _npi_mod_scalar _rmod_scalar _npi_rmod_scalar": _mod,
    "broadcast_maximum _maximum _maximum_scalar": lambda b, x, y: b.op("Max", x, y),
    "broadcast_minimum _minimum _minimum_scalar": lambda b, x, y: b.op("Min", x, y),
    "broadcast_hypot _hypot _npi_hypot _hypot_scalar": _hypot,
    "_npi_copysign _npi_copysign_scalar _npi_rcopysign_scalar": _copysign,
    "_npi_arctan2 _npi_arctan2_scalar _npi_rarctan2_scalar": _arctan2,
    "_npi_ldexp _npi_ldexp_scalar _npi_rldexp_scalar": _ldexp,
}
"""Functions whose operands have the dtype of the result, beside those of the table."""

_TESTS: dict[str, Binary] = {
    "broadcast_not_equal _not_equal _not_equal_scalar": _differ,
    "_npi_not_equal _npi_not_equal_scalar": _differ,
    "broadcast_logical_and _logical_and _logical_and_scalar": _logic("And"),
    "broadcast_logical_or _logical_or _logical_or_scalar": _logic("Or"),
    "broadcast_logical_xor _logical_xor _logical_xor_scalar": _logic("Xor"),
}
"""Functions whose result is true or false, beside those of the table."""


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
        number = as_element(scalar, element_types.to_torch(data.dtype)) if is_narrow else scalar
        left, right = b.cast(data, dtype), b.constant(number, dtype)
        return function(b, right, left) if is_reversed else function(b, left, right)


def _declare_pair(name: str, function: Binary, *, of_result: bool) -> None:
    @converts(name)
    def convert(b: Builder, left: Value, right: Value, *, out: Out) -> Value:
        dtype = promote(left.dtype, right.dtype)
        if of_result and out.dtype in FLOATS:
            dtype = out.dtype
        return function(b, *(b.widen(b.cast(item, dtype)) for item in (left, right)))


def _declare_binary(names: Sequence[str], function: Binary, *, of_result: bool) -> None:
    for name in names:
        declare = _declare_scalar if name.endswith("_scalar") else _declare_pair
        declare(name, function, of_result=of_result)


for _pair in PAIRS:
    _declare_binary(_pair.ours, _of_table(_pair), of_result=not _pair.is_test)
for _names, _binary in _ARITHMETIC.items():
    _declare_binary(_names.split(), _binary, of_result=True)
for _names, _binary in _TESTS.items():
    _declare_binary(_names.split(), _binary, of_result=False)


def _declare_bits(op_type: str, name: str) -> None:
    """Declares an operator on bits; those of booleans and of integers differ in ONNX."""

    def combine(b: Builder, left: Value, right: Value) -> Value:
        if left.dtype == "bool":
            return b.op(op_type, left, right)
        b.need(18, f"Bitwise{op_type}")
        return b.op(f"Bitwise{op_type}", left, right)

    @converts(f"_npi_{name}")
    def convert(b: Builder, left: Value, right: Value, *, out: Out) -> Value:
        return combine(b, b.cast(left, out.dtype), b.cast(right, out.dtype))

    @converts(f"_npi_{name}_scalar")
    def convert_scalar(b: Builder, data: Value, *, scalar: float, out: Out) -> Value:
        return combine(b, b.cast(data, out.dtype), b.constant(scalar, out.dtype))


for _op_type, _name in BITS.items():
    _declare_bits(_op_type, _name)


_LANCZOS = (
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7,
)  # fmt: skip
"""Coefficients of Lanczos's series of the gamma function for g = 7."""

_NEAR = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)  # fmt: skip
_FAR = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)  # fmt: skip
"""Giles's polynomials for the inverse of the error function, near the middle and in the tails."""


def _polynomial(x: Value, coefficients: Sequence[float]) -> Value:
    total = x * coefficients[0] + coefficients[1]
    for item in coefficients[2:]:
        total = total * x + item
    return total


@converts("erfinv")
def _erfinv(b: Builder, data: Value) -> Value:
    x = as_float(b, data)
    w = -b.op("Log", (1 - x) * (1 + x))
    near = _polynomial(w - 2.5, _NEAR)
    far = _polynomial(b.op("Sqrt", w) - 3.0, _FAR)
    inside = x * b.where(b.compare("Less", w, 5.0), near, far, x.dtype)
    edge = b.op("Sign", x) * math.inf
    return b.where(b.compare("Equal", b.op("Abs", x), 1.0), edge, inside, x.dtype)


def log_gamma(b: Builder, x: Value) -> Value:
    """Writes the logarithm of the absolute value of the gamma function."""
    is_left = b.compare("Less", x, 0.5)
    right = b.where(is_left, 1 - x, x, x.dtype)
    z = right - 1
    total = b.constant(_LANCZOS[0], x.dtype)
    for index, coefficient in enumerate(_LANCZOS[1:], start=1):
        total = total + coefficient / (z + float(index))
    t = z + 7.5
    direct = b.op("Log", t) * (z + 0.5) - t + b.op("Log", total) + 0.5 * math.log(2 * math.pi)
    sine = b.op("Abs", b.op("Sin", _fraction(b, x) * math.pi))
    mirrored = math.log(math.pi) - b.op("Log", sine) - direct
    return b.where(is_left, mirrored, direct, x.dtype)


def _fraction(b: Builder, x: Value) -> Value:
    return x - b.op("Floor", x)


@converts("gammaln")
def _gammaln(b: Builder, data: Value) -> Value:
    x = as_float(b, data)
    return b.cast(log_gamma(b, b.cast(x, "float64")), x.dtype)


@converts("gamma")
def _gamma(b: Builder, data: Value) -> Value:
    x = b.cast(as_float(b, data), "float64")
    size = b.op("Exp", log_gamma(b, x))
    below = b.op("Floor", x)
    is_odd = b.compare("Greater", _fraction(b, below * 0.5), 0.25)
    is_negative = b.compare("Less", x, 0.0)
    signed = b.where(b.op("And", is_negative, is_odd), -size, size, x.dtype)
    is_pole = b.op("And", is_negative, b.compare("Equal", x, below))
    result = b.where(is_pole, math.nan, signed, x.dtype)
    return result if data.is_float else b.op("Round", result)
