"""What is computed when it is exported: constants, and where elements that move come from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import prod

import numpy as np
import torch

from mxnet.onnx._export.builder import Builder, Options, Value, onnx_type
from mxnet.onnx._table import RANDOM, Attr, Attrs, NotExportableError, Out, converts
from mxnet.ops.core.attrs import UNKNOWN, Shape
from mxnet.ops.core.registry import get_op


def _filled(b: Builder, number: float, out: Out) -> Value:
    """Returns an array of one value; a length that is not known is 1, to be broadcast."""
    if out.shape is None:
        raise NotExportableError("the shape of the result is not known")
    lengths = [1 if length == UNKNOWN else length for length in out.shape]
    return b.full(b.ints(lengths), number, out.dtype)


@converts("_zeros", "_zeros_without_dtype", "_npi_zeros")
def _zeros(b: Builder, *, out: Out) -> Value:
    return _filled(b, 0, out)


@converts("_ones", "_npi_ones")
def _ones(b: Builder, *, out: Out) -> Value:
    return _filled(b, 1, out)


@converts("_full")
def _full(b: Builder, *, value: float, out: Out) -> Value:
    return _filled(b, value, out)


def _declare_constant(name: str) -> None:
    """Declares an operator without inputs, whose result is computed when it is exported."""
    op = get_op(name)

    @converts(name)
    def convert(b: Builder, *, attrs: Attrs, out: Out) -> Value:
        result = op.kernel(**vars(attrs), device=torch.device("cpu"))
        return b.constant(result.numpy(), out.dtype)


for _name in (
    *("_eye", "_arange", "_linspace", "_npi_identity", "_npi_eye", "_npi_arange"),
    *("_npi_logspace", "_npi_indices", "_npi_blackman", "_npi_hamming", "_npi_hanning"),
):
    _declare_constant(_name)


def _declare_random(name: str, parameters: Sequence[Attr]) -> None:
    """Declares the operators that draw from a distribution."""

    def read(attrs: Attrs) -> Options:
        given = {item.theirs: getattr(attrs, item.ours) for item in parameters}
        if None in given.values():
            raise NotExportableError("parameters of a distribution must be numbers, not arrays")
        return {name: float(number) for name, number in given.items()}

    @converts(f"_random_{name.lower()}", f"_npi_{name.lower()}", f"_npi_{name.lower()}_n")
    def draw(b: Builder, *arrays: Value | None, attrs: Attrs, out: Out) -> Value:
        if any(item is not None for item in arrays):
            raise NotExportableError("parameters of a distribution must be numbers, not arrays")
        shape, options = _known(out.shape), read(attrs)
        dtype = "float64" if out.dtype == "float64" else "float32"
        options |= {"shape_": list(shape) or [1], "dtype_": onnx_type(dtype)}
        drawn = b.op(f"Random{name}", dtype=dtype, **options)
        return drawn if shape else b.squeeze(drawn, [0])

    @converts(f"_random_{name.lower()}_like")
    def draw_like(b: Builder, data: Value, *, attrs: Attrs) -> Value:
        return b.op(f"Random{name}Like", data, **read(attrs))


for _name, _parameters in RANDOM.items():
    _declare_random(_name, _parameters)


def _known(shape: Shape | None) -> Shape:
    if shape is None or UNKNOWN in shape:
        raise NotExportableError("the shape of random numbers must be known")
    return shape


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


def _declare_matrix_function(name: str, rank: int) -> None:
    """Declares an operator on the last axes, two for matrices and one for vectors."""
    op = get_op(name)

    @converts(name)
    def convert(b: Builder, data: Value, *, attrs: Attrs) -> Value:
        first = data.ndim - rank
        inner = tuple(data.length(axis) for axis in range(first, data.ndim))
        # Place 0 is that of a zero, from which matrices are filled up.
        places = torch.arange(1, prod(inner) + 1, dtype=torch.float64).reshape(inner)
        sources = op.kernel(places, **vars(attrs)).long()
        leading = b.lengths(data, list(range(first)))
        flat = b.reshape(data, b.concat([leading, b.ints([-1])], 0))
        zero = b.full(b.concat([leading, b.ints([1])], 0), 0, data.dtype)
        joined = b.concat([zero, flat], first)
        return b.gather(joined, b.ints(sources.tolist()), first)


for _name in ("diag", "trian"):
    _declare_matrix_function(f"_linalg_extract{_name}", 2)
    _declare_matrix_function(f"_linalg_make{_name}", 1)


@converts("_linalg_sumlogdiag")
def _sumlogdiag(b: Builder, data: Value, *, out: Out) -> Value:
    count = data.length(data.ndim - 1)
    flat = b.reshape(data, b.concat([b.lengths(data, list(range(data.ndim - 2))), b.ints([-1])], 0))
    places = b.ints([index * (count + 1) for index in range(count)])
    logs = b.op("Log", b.gather(flat, places, data.ndim - 2))
    return b.reduce("ReduceSum", logs, [data.ndim - 2], keepdims=out.shape == (1,))


@converts("_npi_delete")
def _delete(b: Builder, data: Value, obj: Value | None, *, axis: int | None, attrs: Attrs) -> Value:
    if obj is not None:
        raise NotExportableError("what is deleted must be a number or a slice, not an array")
    flat = b.reshape(data, (-1,)) if axis is None else data
    length = prod(map(data.length, range(data.ndim))) if axis is None else data.length(axis)
    kept = get_op("_npi_delete").kernel(torch.arange(length), **{**vars(attrs), "axis": 0})
    return b.gather(flat, b.ints(kept.tolist()), 0 if axis is None else axis % data.ndim)


@converts("_npi_diag_indices_from")
def _diag_indices_from(b: Builder, data: Value, *, out: Out) -> Value:
    shape = tuple(map(data.length, range(data.ndim)))
    indices = get_op("_npi_diag_indices_from").kernel(torch.zeros(shape))
    return b.constant(indices.numpy(), out.dtype)


@converts("_npi_polyval")
def _polyval(b: Builder, coefficients: Value, x: Value, *, out: Out) -> Value:
    points = b.cast(x, out.dtype)
    values = b.cast(coefficients, out.dtype)
    total = points * 0
    for index in range(coefficients.length(0)):
        total = total * points + b.gather(values, index, 0)
    return total
