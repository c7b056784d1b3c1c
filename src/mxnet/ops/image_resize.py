"""Scaling of images, with OpenCV's results on every device.

OpenCV itself does the work where it can: on the CPU, if it is installed. Elsewhere, and where a
gradient is wanted, the same arithmetic is done by torch.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet._opencv import cv2, has_opencv
from mxnet.errors import MXNetError
from mxnet.ops._image_taps import AREA, LINEAR, LINEAR_EXACT, NEAREST, taps_for
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.image import check_image

ONE = 2048
"""What a weight of 1 is in OpenCV's arithmetic on bytes."""

OPENCV_DTYPES = (torch.uint8, torch.float32, torch.float64)


def _target_size(data: Tensor, size: Shape, keep_ratio: bool) -> tuple[int, int]:
    """Returns the new height and width."""
    if len(size) not in (1, 2) or min(size) <= 0:
        raise MXNetError(f"resize: expected a positive size, or a width and a height, got {size}")
    if len(size) == 2:
        return size[1], size[0]
    rows, columns, short = data.shape[-3], data.shape[-2], size[0]
    if not keep_ratio:
        return short, short
    if rows > columns:
        return rows * short // columns, short
    return short, columns * short // rows


@op("_image_resize", aliases=("_npx__image_resize",))
def resize(data: Tensor, *, size: Shape = (), keep_ratio: bool = False, interp: int = 1) -> Tensor:
    """Scales an image, as OpenCV does.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`, of bytes
            or floats.
        size: Width and height of the result, or one number for both.
        keep_ratio: Whether one number is the size of the shorter edge, the other following.
        interp: Interpolation by OpenCV's number: 0 nearest, 1 bilinear, 2 bicubic, 3 area,
            4 Lanczos, 5 bilinear.
    """
    check_image("_image_resize", data, channels=None)
    rows, columns = _target_size(data, size, keep_ratio)
    if not NEAREST <= interp <= LINEAR_EXACT:
        raise MXNetError(f"resize: `interp` takes a number from 0 to 5, got {interp}")
    if data.dtype is not torch.uint8 and not data.is_floating_point():
        raise MXNetError(f"resize: expected bytes or floats, got {data.dtype}")
    return scale(data, rows, columns, interp)


def scale(data: Tensor, rows: int, columns: int, interp: int) -> Tensor:
    """Scales an image of bytes or floats; its last axes are height, width and channels."""
    if data.is_meta:  # where to read would be listed for every row and column
        return data.new_empty((*data.shape[:-3], rows, columns, data.shape[-1]))
    if tuple(data.shape[-3:-1]) == (rows, columns):
        return data.clone()
    check_like("resize", (*data.shape[:-3], rows, columns, data.shape[-1]), data)
    if _suits_opencv(data):
        return _scale_by_opencv(data, rows, columns, interp)
    shrinks = rows <= data.shape[-3] and columns <= data.shape[-2]
    if interp == AREA and data.shape[-3:-1] == (2 * rows, 2 * columns):
        interp = LINEAR  # the same but for the rounding, which is then OpenCV's
    if data.dtype is torch.uint8 and interp != NEAREST and not (interp == AREA and shrinks):
        return _scale_bytes(data, rows, columns, interp)
    values = data
    if interp != NEAREST:
        values = data.to(torch.promote_types(data.dtype, torch.float32))
    values = _blend(values, -2, columns, interp, shrinks)
    values = _blend(values, -3, rows, interp, shrinks)
    if data.dtype is torch.uint8 and interp == AREA:
        values = values.round()
    return values.to(data.dtype)


def _suits_opencv(data: Tensor) -> bool:
    return (
        data.device.type == "cpu"
        and data.dtype in OPENCV_DTYPES
        and type(data) is Tensor
        and not data.requires_grad
        and not torch.compiler.is_compiling()
        and has_opencv()
    )


def _scale_by_opencv(data: Tensor, rows: int, columns: int, interp: int) -> Tensor:
    result = data.new_empty(*data.shape[:-3], rows, columns, data.shape[-1])
    sources, targets = data.contiguous(), result
    if data.ndim == 3:
        sources, targets = sources[None], targets[None]
    for source, target in zip(sources, targets, strict=True):
        cv2.resize(source.numpy(), (columns, rows), target.numpy(), interpolation=interp)
    return result


def _blend(data: Tensor, axis: int, size: int, interp: int, shrinks: bool) -> Tensor:
    """Scales one axis; integers are multiplied by weights in fixed point."""
    taps = taps_for(data.shape[axis], size, interp, shrinks)
    positions = torch.from_numpy(taps.positions).to(data.device)
    if interp == NEAREST:
        return data.index_select(axis, positions[0])
    weights = torch.from_numpy(taps.weights).to(data.device)
    if not data.is_floating_point():
        weights = (weights * ONE).round()
    weights = weights.to(data.dtype).view(*weights.shape, *[1] * (-1 - axis))
    total = data.index_select(axis, positions[0]) * weights[0]
    for position, weight in zip(positions[1:], weights[1:], strict=True):
        total = total + data.index_select(axis, position) * weight
    return total


def _scale_bytes(data: Tensor, rows: int, columns: int, interp: int) -> Tensor:
    """Scales bytes in fixed point; what is kept between the passes differs by method."""
    values = _blend(data.int(), -2, columns, interp, shrinks=False)
    if interp in (LINEAR, LINEAR_EXACT, AREA):
        values = _blend_two_rows(values, rows, interp)
    else:
        values = (_blend(values, -3, rows, interp, shrinks=False) + ONE**2 // 2) >> 22
    return values.clamp(0, 255).to(torch.uint8)


def _blend_two_rows(data: Tensor, size: int, interp: int) -> Tensor:
    """Scales the vertical axis by two neighbours, with OpenCV's truncations."""
    taps = taps_for(data.shape[-3], size, interp, shrinks=False)
    positions = torch.from_numpy(taps.positions).to(data.device)
    weights = (torch.from_numpy(taps.weights).to(data.device) * ONE).round().int()[..., None, None]
    reduced = data >> 4
    upper = (reduced.index_select(-3, positions[0]) * weights[0]) >> 16
    lower = (reduced.index_select(-3, positions[1]) * weights[1]) >> 16
    return (upper + lower + 2) >> 2


@op("_cvimresize", aliases=("_npi_cvimresize",))
def imresize(src: Tensor, *, w: int, h: int, interp: int = 1) -> Tensor:
    """Scales one image to a width and a height.

    Args:
        src: Image `(height, width, channels)` of bytes or floats.
        w: Width of the result.
        h: Height of the result.
        interp: Interpolation by OpenCV's number: 0 nearest, 1 bilinear, 2 bicubic, 3 area,
            4 Lanczos, 5 bilinear.
    """
    if src.ndim != 3:
        raise MXNetError(
            f"_cvimresize: expected (height, width, channels), got shape {tuple(src.shape)}"
        )
    result: Tensor = resize(src, size=(w, h), interp=interp)
    return result
