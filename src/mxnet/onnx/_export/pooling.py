"""Pooling over windows."""

from __future__ import annotations

import operator
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.convolution import channels_first, channels_last, is_last
from mxnet.onnx._export.shape import pad as pad_border
from mxnet.onnx._export.table import Out, converts
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.shapes import UNKNOWN


class _Windows(NamedTuple):
    """Where windows lie.

    Attributes:
        kernel: Size of a window.
        stride: Steps between windows.
        begin: Points that are added before each axis.
        end: Points that are added after each axis.
        is_ceiled: Whether sizes are not known, so that the runtime has to find the last window.
    """

    kernel: list[int]
    stride: list[int]
    begin: list[int]
    end: list[int]
    is_ceiled: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """Attributes of ONNX's operators."""
        return {
            "kernel_shape": self.kernel,
            "strides": self.stride,
            "pads": [*self.begin, *self.end],
            "ceil_mode": 1 if self.is_ceiled else None,
        }


def _windows(
    data: Value, out: Out, kernel: Shape, stride: Shape, pad: Shape, convention: str
) -> _Windows:
    count = len(kernel)
    steps = [*stride[:count]] or [1] * count
    margins = [*pad[:count]] or [0] * count
    if convention == "valid":
        return _Windows([*kernel], steps, margins, margins)
    shapes = (data.shape or ())[2:], (out.shape or ())[2:]
    if UNKNOWN in shapes[0] or UNKNOWN in shapes[1] or len(shapes[1]) < count:
        return _Windows([*kernel], steps, margins, margins, is_ceiled=True)
    ends = [
        max((number - 1) * step + window - length - margin, 0)
        for length, number, window, step, margin in zip(
            *shapes, kernel, steps, margins, strict=True
        )
    ]
    return _Windows([*kernel], steps, margins, ends)


def _maximum(b: Builder, data: Value, windows: _Windows) -> Value:
    if any(
        extra >= window
        for side in (windows.begin, windows.end)
        for extra, window in zip(side, windows.kernel, strict=True)
    ):
        data = _with_border(b, data, windows, float("-inf"))
        none = [0] * len(windows.kernel)
        windows = windows._replace(begin=none, end=none)
    return b.op("MaxPool", data, **windows.options)


def _with_border(b: Builder, data: Value, windows: _Windows, value: float) -> Value:
    widths = [0, 0, 0, 0]
    for begin, end in zip(windows.begin, windows.end, strict=True):
        widths += [begin, end]
    return pad_border(b, data, widths, "constant", value)


def _sum(b: Builder, data: Value, windows: _Windows) -> Value:
    """Writes the sum over each window, as ONNX only has averages."""
    # The product comes first, as ONNX Runtime would join border and pooling, and refuse the border.
    padded = _with_border(b, data, windows, 0.0) * float(prod(windows.kernel))
    return b.op("AveragePool", padded, kernel_shape=windows.kernel, strides=windows.stride)


def _average(b: Builder, data: Value, out: Out, windows: _Windows, count_pad: bool) -> Value:
    """Writes averages; points behind the padding, where a last window ends, never count."""
    is_wide = any(map(operator.ge, windows.begin, windows.kernel))
    if (windows.begin == windows.end and not is_wide) or windows.is_ceiled:
        return b.op("AveragePool", data, count_include_pad=int(count_pad), **windows.options)
    counts = []
    for axis, (window, step, begin) in enumerate(
        zip(windows.kernel, windows.stride, windows.begin, strict=True)
    ):
        margin = begin if count_pad else 0
        starts = np.arange((out.shape or ())[axis + 2]) * step - begin
        ends = np.minimum(starts + window, data.length(axis + 2) + margin)
        counts.append(np.maximum(ends - np.maximum(starts, -margin), 1))
    sizes = reduce(lambda outer, inner: outer[..., None] * inner, counts)
    return _sum(b, data, windows) / b.constant(sizes, data.dtype)


def _root(b: Builder, total: Value, order: int) -> Value:
    if order == 1:
        return total
    size = b.binary("Pow", b.op("Abs", total), 1 / order)
    return b.op("Sign", total) * size


@converts("Pooling")
def _pooling(
    b: Builder,
    data: Value,
    *,
    kernel: Shape,
    pool_type: str,
    global_pool: bool,
    pooling_convention: str,
    stride: Shape,
    pad: Shape,
    p_value: int | None,
    count_include_pad: bool | None,
    layout: str | None,
    out: Out,
) -> Value:
    last, rank, order = is_last(layout), data.ndim, p_value or 1
    if last:
        data = channels_first(b, data)
        shape = out.shape
        if shape is not None:
            out = Out(((shape[0], shape[-1], *shape[1:-1]),), out.dtypes)
    if pool_type == "lp" and order > 1:
        data = _power(b, data, order)
    if global_pool:
        result = _pool_globally(b, data, pool_type)
    else:
        windows = _windows(data, out, kernel, stride, pad, pooling_convention)
        if pool_type == "max":
            result = _maximum(b, data, windows)
        elif pool_type == "avg":
            result = _average(b, data, out, windows, count_include_pad is not False)
        else:
            result = _sum(b, data, windows)
    if pool_type == "lp":
        result = _root(b, result, order)
    return channels_last(b, result, rank) if last else result


def _power(b: Builder, data: Value, order: int) -> Value:
    result = b.binary("Pow", data, float(order))
    return Value(b, result.name, result.dtype, data.shape)


def _pool_globally(b: Builder, data: Value, pool_type: str) -> Value:
    if pool_type == "avg":
        return b.op("GlobalAveragePool", data)
    if pool_type == "max":
        return b.op("GlobalMaxPool", data)
    return b.reduce("ReduceSum", data, list(range(2, data.ndim)), keepdims=True)


@converts("Pooling_v1")
def _pooling_v1(
    b: Builder,
    data: Value,
    *,
    kernel: Shape,
    pool_type: str,
    global_pool: bool,
    pooling_convention: str,
    stride: Shape,
    pad: Shape,
    out: Out,
) -> Value:
    if global_pool:
        return _pool_globally(b, data, pool_type)
    windows = _windows(data, out, kernel, stride, pad, pooling_convention)
    if pool_type == "max":
        # Padded zeros count, but not what lies behind them.
        near = windows._replace(end=windows.begin)
        # Not zeros, whose border ONNX Runtime would join with the pooling, which pads otherwise.
        padded = _with_border(b, data + 1.0, near, 1.0)
        ends = [end - begin for begin, end in zip(windows.begin, windows.end, strict=True)]
        none = [0] * len(ends)
        near = windows._replace(begin=none, end=[max(extra, 0) for extra in ends])
        return _maximum(b, padded, near) - 1.0
    total = _sum(b, data, windows)
    return total if pool_type == "sum" else total / float(prod(windows.kernel))
