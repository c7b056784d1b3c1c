"""Convolutions, pooling and correlation: windows over spatial axes."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np

from mxnet import limits
from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.shaping import pad as pad_border
from mxnet.onnx._table import NotExportableError, Out, converts
from mxnet.ops.attrs import Shape
from mxnet.ops.shapes import UNKNOWN


def is_last(layout: str | None) -> bool:
    """Returns whether a layout has the channels last."""
    return layout is not None and layout.endswith("C")


def channels_first(b: Builder, data: Value) -> Value:
    """Moves the last axis to place 1."""
    return b.transpose(data, [0, data.ndim - 1, *range(1, data.ndim - 1)])


def channels_last(b: Builder, data: Value, rank: int) -> Value:
    """Moves axis 1 to the end."""
    return b.transpose(data, [0, *range(2, rank), 1])


@converts("Convolution", "Convolution_v1")
def _convolution(
    b: Builder,
    data: Value,
    weight: Value,
    bias: Value | None,
    *,
    kernel: Shape,
    stride: Shape,
    dilate: Shape,
    pad: Shape,
    num_group: int,
    layout: str | None,
) -> Value:
    last = is_last(layout)
    if last:
        data, weight = channels_first(b, data), channels_first(b, weight)
    result = b.op(
        "Conv",
        data,
        weight,
        bias,
        kernel_shape=list(kernel),
        strides=list(stride) or None,
        dilations=list(dilate) or None,
        pads=[*pad, *pad] or None,
        group=num_group,
    )
    return channels_last(b, result, len(kernel) + 2) if last else result


@converts("Deconvolution")
def _deconvolution(
    b: Builder,
    data: Value,
    weight: Value,
    bias: Value | None,
    *,
    kernel: Shape,
    stride: Shape,
    dilate: Shape,
    pad: Shape,
    adj: Shape,
    target_shape: Shape,
    num_group: int,
    layout: str | None,
) -> Value:
    count, last = len(kernel), is_last(layout)
    if last:
        data, weight = channels_first(b, data), channels_first(b, weight)
    stride, dilate = stride or (1,) * count, dilate or (1,) * count
    margins, extra = list(pad or (0,) * count), list(adj or (0,) * count)
    if any(target_shape):
        for axis in range(count):
            full = stride[axis] * (data.length(axis + 2) - 1) + dilate[axis] * (kernel[axis] - 1)
            excess = full + 1 - target_shape[axis]
            margins[axis], extra[axis] = (excess + 1) // 2, excess % 2
    result = b.op(
        "ConvTranspose",
        data,
        weight,
        bias,
        kernel_shape=list(kernel),
        strides=list(stride),
        dilations=list(dilate),
        pads=[*margins, *margins],
        output_padding=extra if any(extra) else None,
        group=num_group,
    )
    return channels_last(b, result, count + 2) if last else result


def resize(
    b: Builder, data: Value, size: Value, *, mode: str, transform: str, nearest: str | None = None
) -> Value:
    """Resizes images of shape `(batch, channels, height, width)` to a height and width."""
    sizes = b.concat([b.lengths(data, [0, 1]), size], 0)
    return b.op(
        "Resize",
        data,
        None,
        None,
        sizes,
        mode=mode,
        coordinate_transformation_mode=transform,
        nearest_mode=nearest,
    )


@converts("UpSampling")
def _upsampling(
    b: Builder,
    *data: Value,
    scale: int,
    sample_type: str,
    multi_input_mode: str,
) -> Value:
    if sample_type == "bilinear":
        image, weight = data
        width, margin = 2 * scale - scale % 2, scale // 2
        return b.op(
            "ConvTranspose",
            image,
            weight,
            kernel_shape=[width, width],
            strides=[scale, scale],
            pads=[margin] * 4,
            group=image.length(1),
        )
    images = []
    for image in data:
        times = scale
        if image is not data[0]:
            times = scale * data[0].length(2) // image.length(2)
        scales = b.constant([1, 1, times, times], "float32")
        images.append(
            b.op(
                "Resize",
                image,
                None,
                scales,
                mode="nearest",
                coordinate_transformation_mode="asymmetric",
                nearest_mode="floor",
            )
        )
    if multi_input_mode == "concat":
        return b.concat(images, 1)
    return images[0] if len(images) == 1 else b.op("Sum", *images)


@converts("_contrib_BilinearResize2D")
def _bilinear_resize(
    b: Builder, data: Value, like: Value | None, *, align_corners: bool, mode: str, out: Out
) -> Value:
    if out.shape is None or UNKNOWN in out.shape[2:]:
        if mode != "like" or like is None:
            raise NotExportableError("the height and width of the result are not known")
        size = b.lengths(like, [2, 3])
    else:
        size = b.ints(out.shape[2:])
        for axis in (2, 3):
            if out.shape[axis] == 1 and not align_corners:
                data = b.slice(data, [0], [1], [axis])
    transform = "align_corners" if align_corners else "half_pixel"
    return resize(b, data, size, mode="linear", transform=transform)


@converts("_contrib_AdaptiveAvgPooling2D")
def _adaptive_pooling(b: Builder, data: Value, *, out: Out) -> Value:
    rows, columns = (out.shape or ())[2:]
    if rows == columns == 1:
        return b.op("GlobalAveragePool", data)
    height, width = data.length(2), data.length(3)
    if not height % rows and not width % columns:
        window = [height // rows, width // columns]
        return b.op("AveragePool", data, kernel_shape=window, strides=window)
    tall = b.op("MatMul", b.constant(_averages(height, rows), data.dtype), data)
    return b.op("MatMul", tall, b.constant(_averages(width, columns).T, data.dtype))


def _averages(length: int, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Returns the matrix that averages over windows which cover an axis."""
    matrix = np.zeros((count, length))
    for index in range(count):
        first, last = index * length // count, -(-(index + 1) * length // count)
        matrix[index, first:last] = 1 / (last - first)
    return matrix


def _deformable(
    b: Builder, arrays: tuple[Value, Value, Value, Value | None, Value | None], **attrs: Any
) -> Value:
    """Writes a deformable convolution of data, weight, offset, bias and mask."""
    b.need(19, "DeformConv")
    count = len(attrs["kernel"])
    pad = attrs["pad"] or (0,) * count
    return b.op(
        "DeformConv",
        *arrays,
        kernel_shape=list(attrs["kernel"]),
        strides=list(attrs["stride"]) or None,
        dilations=list(attrs["dilate"]) or None,
        pads=[*pad, *pad],
        group=attrs["num_group"],
        offset_group=attrs["num_deformable_group"],
    )


_DEFORMABLE = ("kernel", "stride", "dilate", "pad", "num_group", "num_deformable_group")


@converts("_contrib_DeformableConvolution", reads=_DEFORMABLE)
def _deformable_convolution(
    b: Builder, data: Value, offset: Value, weight: Value, bias: Value | None, **attrs: Any
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
    return _deformable(b, (data, weight, moved, bias, b.cast(mask, data.dtype)), **attrs)


def _points(offset: Value, attrs: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """Returns the rows and columns of the points of all windows, before they are shifted."""
    places = []
    for axis in (0, 1):
        step = (attrs["stride"] or (1, 1))[axis]
        distance = (attrs["dilate"] or (1, 1))[axis]
        start = np.arange(offset.length(axis + 2)) * step - (attrs["pad"] or (0, 0))[axis]
        places.append(start[None, :] + np.arange(attrs["kernel"][axis])[:, None] * distance)
    rows, columns = places
    shape = (len(rows), len(columns), rows.shape[1], columns.shape[1])
    grid = np.stack(
        [
            np.broadcast_to(rows[:, None, :, None], shape),
            np.broadcast_to(columns[None, :, None, :], shape),
        ],
        axis=2,
    ).reshape(1, -1, 2, *shape[2:])
    return np.tile(grid, (1, attrs["num_deformable_group"], 1, 1, 1))


@converts("_contrib_ModulatedDeformableConvolution", reads=_DEFORMABLE)
def _modulated_convolution(
    b: Builder,
    data: Value,
    offset: Value,
    mask: Value,
    weight: Value,
    bias: Value | None,
    **attrs: Any,
) -> Value:
    return _deformable(b, (data, weight, offset, bias, mask), **attrs)


@converts("im2col")
def _im2col(
    b: Builder, data: Value, *, kernel: Shape, stride: Shape, dilate: Shape, pad: Shape
) -> Value:
    channels, size = data.length(1), prod(kernel)
    weight = np.zeros((channels * size, 1, *kernel))
    weight[:, 0] = np.tile(np.eye(size).reshape(size, *kernel), (channels, 1, 1))
    columns = b.op(
        "Conv",
        data,
        b.constant(weight, data.dtype),
        kernel_shape=list(kernel),
        strides=list(stride) or None,
        dilations=list(dilate) or None,
        pads=[*pad, *pad] or None,
        group=channels,
    )
    return b.reshape(columns, (0, channels * size, -1))


@converts("col2im")
def _col2im(
    b: Builder,
    data: Value,
    *,
    output_size: Shape,
    kernel: Shape,
    stride: Shape,
    dilate: Shape,
    pad: Shape,
) -> Value:
    b.need(18, "Col2Im")
    return b.op(
        "Col2Im",
        data,
        b.ints(output_size),
        b.ints(kernel),
        strides=list(stride) or None,
        dilations=list(dilate) or None,
        pads=[*pad, *pad] or None,
    )


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


@converts("Correlation")
def _correlation(
    b: Builder,
    data1: Value,
    data2: Value,
    *,
    kernel_size: int,
    max_displacement: int,
    stride1: int,
    stride2: int,
    pad_size: int,
    is_multiply: bool,
) -> Value:
    reach = max_displacement // stride2
    limits.check("graph_nodes", 5 * (2 * reach + 1) ** 2, "export_model: Correlation")
    rows, columns = (
        -(-(data1.length(axis) + 2 * (pad_size - max_displacement - kernel_size // 2)) // stride1)
        for axis in (2, 3)
    )
    spans = [(count - 1) * stride1 + kernel_size for count in (rows, columns)]
    widths = b.ints([0, 0, pad_size, pad_size] * 2)
    first, second = (b.op("Pad", item, widths) for item in (data1, data2))

    def cut(value: Value, top: int, left: int) -> Value:
        return b.slice(value, [top, left], [top + spans[0], left + spans[1]], [2, 3])

    inner = cut(first, max_displacement, max_displacement)
    steps = [max_displacement + number * stride2 for number in range(-reach, reach + 1)]
    results = []
    for top in steps:
        for left in steps:
            moved = cut(second, top, left)
            both = inner * moved if is_multiply else b.op("Abs", inner - moved)
            results.append(b.reduce("ReduceMean", both, [1], keepdims=True))
    means = b.concat(results, 1) if len(results) > 1 else results[0]
    if kernel_size == 1 and stride1 == 1:
        return means
    return b.op("AveragePool", means, kernel_shape=[kernel_size] * 2, strides=[stride1] * 2)
