"""Images: conversion, cropping, flipping and resizing, and sampling by a grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet.onnx._export.builder import Builder, Options, Value
from mxnet.onnx._export.shaping import flip
from mxnet.onnx._table import NotExportableError, Out, converts
from mxnet.ops.core.attrs import UNKNOWN, Shape
from mxnet.ops.image.resize import NEAREST, taps_for


@converts("_image_to_tensor")
def _to_tensor(b: Builder, data: Value) -> Value:
    order = [2, 0, 1] if data.ndim == 3 else [0, 3, 1, 2]
    return b.transpose(b.cast(data, "float32"), order) / 255.0


@converts("_image_normalize")
def _normalize(
    b: Builder, data: Value, *, mean: tuple[float, ...], std: tuple[float, ...]
) -> Value:
    channels = data.length(data.ndim - 3)

    def column(values: tuple[float, ...]) -> Value:
        known = values * channels if len(values) == 1 else values[:channels]
        return b.constant(np.array(known).reshape(-1, 1, 1), data.dtype)

    return (data - column(mean)) / column(std)


@converts("_image_crop")
def _crop(b: Builder, data: Value, *, x: int, y: int, width: int, height: int) -> Value:
    rows, columns = data.ndim - 3, data.ndim - 2
    return b.slice(data, [y, x], [y + height, x + width], [rows, columns])


@converts("_image_flip_left_right")
def _flip_left_right(b: Builder, data: Value) -> Value:
    return flip(b, data, [data.ndim - 2])


@converts("_image_flip_top_bottom")
def _flip_top_bottom(b: Builder, data: Value) -> Value:
    return flip(b, data, [data.ndim - 3])


def _even(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Returns places from -1 to 1."""
    return np.linspace(-1, 1, count)


def _affine_grid(b: Builder, theta: Value, size: Shape) -> Value:
    """Writes where the points of an image come from, of shape `(batch, 2, height, width)`."""
    rows, columns = np.meshgrid(*map(_even, size), indexing="ij")
    points = np.stack([columns.ravel(), rows.ravel(), np.ones(rows.size)])
    places = b.op("MatMul", b.reshape(theta, (-1, 2, 3)), b.constant(points, theta.dtype))
    return b.reshape(places, (0, 2, *size))


def _warped_grid(b: Builder, flow: Value) -> Value:
    height, width = flow.length(2), flow.length(3)
    rows, columns = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
    places = flow + b.constant(np.stack([columns, rows]), flow.dtype)
    scale = np.array([2 / max(width - 1, 1), 2 / max(height - 1, 1)]).reshape(2, 1, 1)
    return places * b.constant(scale, flow.dtype) - 1.0


@converts("GridGenerator")
def _grid_generator(b: Builder, data: Value, *, transform_type: str, target_shape: Shape) -> Value:
    if transform_type == "affine":
        return _affine_grid(b, data, target_shape)
    return _warped_grid(b, data)


def _sample(b: Builder, data: Value, grid: Value) -> Value:
    b.need(16, "GridSample")
    mode = "linear" if b.opset >= 20 else "bilinear"
    places = b.op("Transpose", grid, perm=[0, 2, 3, 1])
    return b.op("GridSample", data, places, mode=mode, padding_mode="zeros", align_corners=1)


@converts("BilinearSampler")
def _bilinear_sampler(b: Builder, data: Value, grid: Value) -> Value:
    return _sample(b, data, grid)


@converts("SpatialTransformer")
def _spatial_transformer(
    b: Builder, data: Value, loc: Value, *, target_shape: Shape, transform_type: str
) -> Value:
    if transform_type != "affine":
        raise NotExportableError(f"transform_type {transform_type!r} is not known")
    return _sample(b, data, _affine_grid(b, loc, target_shape))


def _taps(length: int, size: int, interp: int, shrinks: bool) -> np.ndarray[Any, Any]:
    """Returns the matrix that scales an axis."""
    taps = taps_for(length, size, interp, shrinks)
    matrix = np.zeros((size, length))
    weights = np.ones(taps.positions.shape) if interp == NEAREST else taps.weights
    for positions, shares in zip(taps.positions, weights, strict=True):
        np.add.at(matrix, (np.arange(size), positions), shares)
    return matrix


@converts("_image_resize", "_cvimresize")
def _resize(b: Builder, data: Value, *, interp: int, out: Out) -> Value:
    rows, columns = (out.shape or ())[-3:-1]
    size = data.length(data.ndim - 3), data.length(data.ndim - 2)
    if size == (rows, columns):
        return data
    shrinks = rows <= size[0] and columns <= size[1]
    order = [*range(data.ndim - 3), data.ndim - 1, data.ndim - 3, data.ndim - 2]
    values = b.op("Transpose", b.cast(data, "float32"), perm=order)
    tall = b.constant(_taps(size[0], rows, interp, shrinks), "float32")
    wide = b.constant(_taps(size[1], columns, interp, shrinks).T, "float32")
    scaled = b.op("MatMul", b.op("MatMul", tall, values), wide)
    if not data.is_float:
        limits = b.constant(0, "float32"), b.constant(255, "float32")
        scaled = b.op("Clip", b.op("Round", scaled), *limits)
    back = [*range(data.ndim - 3), data.ndim - 2, data.ndim - 1, data.ndim - 3]
    return b.op("Transpose", scaled, perm=back)


@converts("UpSampling")
def _upsampling(
    b: Builder, *data: Value, scale: int, sample_type: str, multi_input_mode: str
) -> Value:
    if sample_type == "bilinear":
        image, weight = data
        width, margin = 2 * scale - scale % 2, scale // 2
        window: Options = {
            "kernel_shape": [width] * 2,
            "strides": [scale] * 2,
            "pads": [margin] * 4,
        }
        return b.op("ConvTranspose", image, weight, group=image.length(1), **window)
    images = []
    way: Options = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    for image in data:
        times = scale
        if image is not data[0]:
            times = scale * data[0].length(2) // image.length(2)
        scales = b.constant([1, 1, times, times], "float32")
        images.append(b.op("Resize", image, None, scales, mode="nearest", **way))
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
    sizes = b.concat([b.lengths(data, [0, 1]), size], 0)
    way = "align_corners" if align_corners else "half_pixel"
    options: Options = {"mode": "linear", "coordinate_transformation_mode": way}
    return b.op("Resize", data, None, None, sizes, **options)


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
