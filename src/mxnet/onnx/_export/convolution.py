"""Convolutions, pooling and correlation: windows over spatial axes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np

from mxnet import limits
from mxnet.onnx._export.builder import Builder, Options, Value
from mxnet.onnx._export.shaping import pad as pad_border
from mxnet.onnx._table import Attrs, Out, converts
from mxnet.ops.core.attrs import UNKNOWN


def is_last(layout: str | None) -> bool:
    """Returns whether a layout has the channels last."""
    return layout is not None and layout.endswith("C")


def channels_first(b: Builder, data: Value) -> Value:
    """Moves the last axis to place 1."""
    return b.transpose(data, [0, data.ndim - 1, *range(1, data.ndim - 1)])


def channels_last(b: Builder, data: Value, rank: int) -> Value:
    """Moves axis 1 to the end."""
    return b.transpose(data, [0, *range(2, rank), 1])


def _window(attrs: Attrs) -> Options:
    """Returns steps, distances and padding of a window as ONNX has them; not those of no length."""
    return {
        "strides": list(attrs.stride) or None,
        "dilations": list(attrs.dilate) or None,
        "pads": [*attrs.pad, *attrs.pad] or None,
    }


def _convolve(
    b: Builder,
    op_type: str,
    inputs: tuple[Value, Value, Value | None],
    attrs: Attrs,
    **options: Any,
) -> Value:
    """Writes a convolution of data, weight and perhaps bias, whose channels may be last."""
    data, weight, bias = inputs
    options |= {"kernel_shape": list(attrs.kernel), "group": attrs.num_group}
    if not is_last(attrs.layout):
        return b.op(op_type, *inputs, **options)
    moved = channels_first(b, data), channels_first(b, weight)
    return channels_last(b, b.op(op_type, *moved, bias, **options), len(attrs.kernel) + 2)


@converts("Convolution", "Convolution_v1")
def _convolution(
    b: Builder, data: Value, weight: Value, bias: Value | None, *, attrs: Attrs
) -> Value:
    return _convolve(b, "Conv", (data, weight, bias), attrs, **_window(attrs))


@converts("Deconvolution")
def _deconvolution(
    b: Builder, data: Value, weight: Value, bias: Value | None, *, attrs: Attrs
) -> Value:
    kernel, count = attrs.kernel, len(attrs.kernel)
    stride, dilate = attrs.stride or (1,) * count, attrs.dilate or (1,) * count
    margins, extra = list(attrs.pad or (0,) * count), list(attrs.adj or (0,) * count)
    if any(attrs.target_shape):
        first = 1 if is_last(attrs.layout) else 2
        for axis in range(count):
            length = data.length(axis + first)
            full = stride[axis] * (length - 1) + dilate[axis] * (kernel[axis] - 1)
            excess = full + 1 - attrs.target_shape[axis]
            margins[axis], extra[axis] = (excess + 1) // 2, excess % 2
    options = {
        "strides": list(stride),
        "dilations": list(dilate),
        "pads": [*margins, *margins],
        "output_padding": extra if any(extra) else None,
    }
    return _convolve(b, "ConvTranspose", (data, weight, bias), attrs, **options)


def _deformable(b: Builder, arrays: Sequence[Value | None], attrs: Attrs) -> Value:
    """Writes a deformable convolution of data, weight, offset, bias and mask."""
    b.need(19, "DeformConv")
    pad = attrs.pad or (0,) * len(attrs.kernel)
    options: Options = {**_window(attrs), "pads": [*pad, *pad], "kernel_shape": list(attrs.kernel)}
    groups: Options = {"group": attrs.num_group, "offset_group": attrs.num_deformable_group}
    return b.op("DeformConv", *arrays, **options, **groups)


@converts("_contrib_DeformableConvolution")
def _deformable_convolution(
    b: Builder, data: Value, offset: Value, weight: Value, bias: Value | None, *, attrs: Attrs
) -> Value:
    """Writes a convolution at shifted points.

    Ours reads the last row or column for points up to one behind it, and zeros for all others
    outside. ONNX's fades to zero on all sides, so that points are moved to the edge or masked.
    """
    points = _points(offset, attrs)
    sizes = np.array([data.length(2), data.length(3)]).reshape(1, 1, 2, 1, 1)
    split = b.reshape(offset, (0, -1, 2, offset.length(2), offset.length(3)))
    places = split + b.constant(points, data.dtype)
    inside = b.op(
        "And",
        b.compare("GreaterOrEqual", places, 0.0),
        b.op("Less", places, b.constant(sizes, data.dtype), dtype="bool"),
    )
    mask = b.reduce("ReduceMin", b.cast(inside, "float32"), [2], keepdims=False)
    moved = b.op("Min", places, b.constant(sizes - 1, data.dtype)) - b.constant(points, data.dtype)
    moved = b.reshape(moved, (0, *(offset.length(axis) for axis in (1, 2, 3))))
    return _deformable(b, (data, weight, moved, bias, b.cast(mask, data.dtype)), attrs)


def _points(offset: Value, attrs: Attrs) -> np.ndarray[Any, Any]:
    """Returns the rows and columns of the points of all windows, before they are shifted."""
    stride, dilate, pad = attrs.stride or (1, 1), attrs.dilate or (1, 1), attrs.pad or (0, 0)
    rows, columns = (
        (np.arange(offset.length(axis + 2)) * stride[axis] - pad[axis])[None, :]
        + np.arange(attrs.kernel[axis])[:, None] * dilate[axis]
        for axis in (0, 1)
    )
    shape = (len(rows), len(columns), rows.shape[1], columns.shape[1])
    both = rows[:, None, :, None], columns[None, :, None, :]
    grid = np.stack([np.broadcast_to(item, shape) for item in both], axis=2)
    return np.tile(grid.reshape(1, -1, 2, *shape[2:]), (1, attrs.num_deformable_group, 1, 1, 1))


@converts("_contrib_ModulatedDeformableConvolution")
def _modulated_convolution(b: Builder, *inputs: Value | None, attrs: Attrs) -> Value:
    data, offset, mask, weight, bias = inputs
    return _deformable(b, (data, weight, offset, bias, mask), attrs)


@converts("im2col")
def _im2col(b: Builder, data: Value, *, attrs: Attrs) -> Value:
    channels, size = data.length(1), prod(attrs.kernel)
    weight = np.zeros((channels * size, 1, *attrs.kernel))
    weight[:, 0] = np.tile(np.eye(size).reshape(size, *attrs.kernel), (channels, 1, 1))
    options: Options = {**_window(attrs), "kernel_shape": list(attrs.kernel)}
    columns = b.op("Conv", data, b.constant(weight, data.dtype), group=channels, **options)
    return b.reshape(columns, (0, channels * size, -1))


@converts("col2im")
def _col2im(b: Builder, data: Value, *, attrs: Attrs) -> Value:
    b.need(18, "Col2Im")
    sizes = b.ints(attrs.output_size), b.ints(attrs.kernel)
    return b.op("Col2Im", data, *sizes, **_window(attrs))


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


def _windows(data: Value, out: Out, attrs: Attrs) -> _Windows:
    kernel, count = list(attrs.kernel), len(attrs.kernel)
    steps = [*attrs.stride[:count]] or [1] * count
    margins = [*attrs.pad[:count]] or [0] * count
    if attrs.pooling_convention == "valid":
        return _Windows(kernel, steps, margins, margins)
    shapes = (data.shape or ())[2:], (out.shape or ())[2:]
    if UNKNOWN in shapes[0] or UNKNOWN in shapes[1] or len(shapes[1]) < count:
        return _Windows(kernel, steps, margins, margins, is_ceiled=True)
    rows = zip(*shapes, kernel, steps, margins, strict=True)
    ends = [
        max((number - 1) * step + window - length - margin, 0)
        for length, number, window, step, margin in rows
    ]
    return _Windows(kernel, steps, margins, ends)


def _maximum(b: Builder, data: Value, windows: _Windows) -> Value:
    sides = windows.begin, windows.end
    if any(any(map(operator.ge, side, windows.kernel)) for side in sides):
        # The least number, which is the maximum of a window without data.
        least = np.finfo(data.dtype) if data.is_float else np.iinfo(data.dtype)
        data = _with_border(b, data, windows, float(least.min))
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
    padded = _with_border(b, data, windows, 0.0)
    if prod(windows.kernel) == 1:
        axes = range(2, 2 + len(windows.kernel))
        ends = [np.iinfo(np.int64).max] * len(axes)
        return b.slice(padded, [0] * len(axes), ends, axes, windows.stride)
    # The product is between both, as ONNX Runtime would join border and pooling, and refuse it.
    padded = padded * float(prod(windows.kernel))
    return b.op("AveragePool", padded, kernel_shape=windows.kernel, strides=windows.stride)


def _average(b: Builder, data: Value, out: Out, windows: _Windows, count_pad: bool) -> Value:
    """Writes averages; points behind the padding, where a last window ends, never count."""
    is_wide = any(map(operator.ge, windows.begin, windows.kernel))
    if (windows.begin == windows.end and not is_wide) or windows.is_ceiled:
        return b.op("AveragePool", data, count_include_pad=int(count_pad), **windows.options)
    counts = []
    rows = zip(windows.kernel, windows.stride, windows.begin, strict=True)
    for axis, (window, step, begin) in enumerate(rows):
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
def _pooling(b: Builder, data: Value, *, attrs: Attrs, out: Out) -> Value:
    last, rank, order = is_last(attrs.layout), data.ndim, attrs.p_value or 1
    if last:
        data = channels_first(b, data)
        shape = out.shape
        if shape is not None:
            out = Out(((shape[0], shape[-1], *shape[1:-1]),), out.dtypes)
    if attrs.pool_type == "lp" and order > 1:
        data = _power(b, data, order)
    if attrs.global_pool:
        result = _pool_globally(b, data, attrs.pool_type)
    else:
        windows = _windows(data, out, attrs)
        if attrs.pool_type == "max":
            result = _maximum(b, data, windows)
        elif attrs.pool_type == "avg":
            result = _average(b, data, out, windows, attrs.count_include_pad is not False)
        else:
            result = _sum(b, data, windows)
    if attrs.pool_type == "lp":
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
def _pooling_v1(b: Builder, data: Value, *, attrs: Attrs, out: Out) -> Value:
    if attrs.global_pool:
        return _pool_globally(b, data, attrs.pool_type)
    windows = _windows(data, out, attrs)
    if attrs.pool_type == "max":
        # Padded zeros count, but not what lies behind them.
        near = windows._replace(end=windows.begin)
        # Not zeros, whose border ONNX Runtime would join with the pooling, which pads otherwise.
        padded = _with_border(b, data + 1.0, near, 1.0)
        ends = [end - begin for begin, end in zip(windows.begin, windows.end, strict=True)]
        none = [0] * len(ends)
        near = windows._replace(begin=none, end=[max(extra, 0) for extra in ends])
        return _maximum(b, padded, near) - 1.0
    total = _sum(b, data, windows)
    return total if attrs.pool_type == "sum" else total / float(prod(windows.kernel))


@converts("Correlation")
def _correlation(b: Builder, data1: Value, data2: Value, *, attrs: Attrs) -> Value:
    reach = attrs.max_displacement // attrs.stride2
    limits.check("graph_nodes", 5 * (2 * reach + 1) ** 2, "export_model: Correlation")
    inset = 2 * (attrs.pad_size - attrs.max_displacement - attrs.kernel_size // 2)
    counts = (-(-(data1.length(axis) + inset) // attrs.stride1) for axis in (2, 3))
    spans = [(count - 1) * attrs.stride1 + attrs.kernel_size for count in counts]
    widths = b.ints([0, 0, attrs.pad_size, attrs.pad_size] * 2)
    first, second = (b.op("Pad", item, widths) for item in (data1, data2))

    def cut(value: Value, top: int, left: int) -> Value:
        return b.slice(value, [top, left], [top + spans[0], left + spans[1]], [2, 3])

    inner = cut(first, attrs.max_displacement, attrs.max_displacement)
    steps = [attrs.max_displacement + number * attrs.stride2 for number in range(-reach, reach + 1)]
    results = []
    for top in steps:
        for left in steps:
            moved = cut(second, top, left)
            both = inner * moved if attrs.is_multiply else b.op("Abs", inner - moved)
            results.append(b.reduce("ReduceMean", both, [1], keepdims=True))
    means = b.concat(results, 1) if len(results) > 1 else results[0]
    if attrs.kernel_size == 1 and attrs.stride1 == 1:
        return means
    window: Options = {"kernel_shape": [attrs.kernel_size] * 2, "strides": [attrs.stride1] * 2}
    return b.op("AveragePool", means, **window)
