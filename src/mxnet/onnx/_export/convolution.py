"""Convolutions, pooling and resizing over spatial axes."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.table import NotExportableError, Out, converts
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.shapes import UNKNOWN


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
