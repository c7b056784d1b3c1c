"""Functions that ONNX has no operators for, by series and polynomials of float32's precision."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.elementwise import as_float
from mxnet.onnx._export.table import converts

_LANCZOS = (
    0.99999999999980993,
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
)
"""Coefficients of Lanczos's series of the gamma function for g = 7."""

_NEAR = (
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
)
_FAR = (
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
)
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
