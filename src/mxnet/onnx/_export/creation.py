"""Operators that make arrays: constants, computed here, and random numbers, drawn later."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from mxnet.onnx._export.builder import Builder, Value, onnx_type
from mxnet.onnx._export.table import NotExportableError, Out, converts
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import get_op
from mxnet.ops.core.shapes import UNKNOWN


def _declare_filled(names: tuple[str, ...], number: float) -> None:
    @converts(*names)
    def convert(b: Builder, *, out: Out) -> Value:
        return _filled(b, number, out)


def _filled(b: Builder, number: float, out: Out) -> Value:
    """Returns an array of one value; a length that is not known is 1, to be broadcast."""
    if out.shape is None:
        raise NotExportableError("the shape of the result is not known")
    lengths = [1 if length == UNKNOWN else length for length in out.shape]
    return b.full(b.ints(lengths), number, out.dtype)


_declare_filled(("_zeros", "_zeros_without_dtype", "_npi_zeros"), 0)
_declare_filled(("_ones", "_npi_ones"), 1)


@converts("_full")
def _full(b: Builder, *, value: float, out: Out) -> Value:
    return _filled(b, value, out)


def _declare_constant(name: str) -> None:
    """Declares an operator without inputs, whose result is computed when it is exported."""
    op = get_op(name)

    @converts(name, reads=tuple(op.attrs))
    def convert(b: Builder, *, out: Out, **options: Any) -> Value:
        result = op.kernel(**options, device=torch.device("cpu"))
        return b.constant(result.numpy(), out.dtype)


for _name in (
    *("_eye", "_arange", "_linspace", "_npi_identity", "_npi_eye", "_npi_arange"),
    *("_npi_logspace", "_npi_indices", "_npi_blackman", "_npi_hamming", "_npi_hanning"),
):
    _declare_constant(_name)


def _declare_random(names: tuple[str, ...], op_type: str, low: str, high: str) -> None:
    """Declares an operator that draws numbers; ONNX calls its parameters otherwise."""

    @converts(*names, reads=(low, high))
    def convert(b: Builder, *, out: Out, **options: Any) -> Value:
        return _draw(b, op_type, out, (options[low], options[high]))


def _draw(b: Builder, op_type: str, out: Out, parameters: tuple[float, float]) -> Value:
    shape = _known(out.shape)
    dtype = "float64" if out.dtype == "float64" else "float32"
    drawn = b.op(
        op_type,
        dtype=dtype,
        shape_=list(shape) or [1],
        **_distribution(op_type, *parameters),
        dtype_=onnx_type(dtype),
    )
    return drawn if shape else b.squeeze(drawn, [0])


def _known(shape: Shape | None) -> Shape:
    if shape is None or UNKNOWN in shape:
        raise NotExportableError("the shape of random numbers must be known")
    return shape


def _distribution(op_type: str, first: float, second: float) -> dict[str, Any]:
    names = ("low", "high") if op_type.startswith("RandomUniform") else ("mean", "scale")
    return dict(zip(names, (float(first), float(second)), strict=True))


_declare_random(("_random_uniform",), "RandomUniform", "low", "high")
_declare_random(("_random_normal",), "RandomNormal", "loc", "scale")


def _declare_numpy_random(name: str, op_type: str, low: str, high: str) -> None:
    """Declares a function of the NumPy dialect, whose parameters are numbers or arrays."""

    @converts(name, reads=(low, high))
    def convert(b: Builder, *arrays: Value | None, out: Out, **options: Any) -> Value:
        if any(item is not None for item in arrays) or None in (options[low], options[high]):
            raise NotExportableError("parameters of a distribution must be numbers, not arrays")
        return _draw(b, op_type, out, (options[low], options[high]))


for _name in ("_npi_uniform", "_npi_uniform_n"):
    _declare_numpy_random(_name, "RandomUniform", "low", "high")
for _name in ("_npi_normal", "_npi_normal_n"):
    _declare_numpy_random(_name, "RandomNormal", "loc", "scale")


def _declare_random_like(name: str, op_type: str, low: str, high: str) -> None:
    @converts(name, reads=(low, high))
    def convert(b: Builder, data: Value, **options: Any) -> Value:
        return b.op(op_type, data, **_distribution(op_type, options[low], options[high]))


_declare_random_like("_random_uniform_like", "RandomUniformLike", "low", "high")
_declare_random_like("_random_normal_like", "RandomNormalLike", "loc", "scale")


@converts("_sample_multinomial")
def _multinomial(b: Builder, data: Value, *, shape: Shape, get_prob: bool, out: Out) -> Value:
    if get_prob:
        raise NotExportableError("probabilities cannot be outputs; set get_prob=False")
    rows = data if data.ndim == 2 else b.reshape(data, (-1, data.length(data.ndim - 1)))
    count = math.prod(shape) if shape else 1
    drawn = b.op(
        "Multinomial",
        b.op("Log", rows),
        dtype="int32",
        sample_size=count,
        dtype_=onnx_type("int32"),
    )
    return b.reshape(drawn, [length for length in _known(out.shape)])


@converts("_npi_share_memory", ignores=("a", "b"))
def _share_memory(b: Builder) -> Value:
    return b.constant(np.zeros(()), "bool")
