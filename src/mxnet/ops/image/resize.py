"""Scaling of images, with OpenCV's results on every device.

OpenCV itself does the work where it can: on the CPU, if it is installed. Elsewhere, and where a
gradient is wanted, the same arithmetic is done by torch. A scaled line is a sum of a few shifted
copies of the original one. The positions and weights of these copies ("taps") depend on sizes and
method alone, so they are computed once on the host.

The iterators over records and `mx.image` choose sizes and interpolations by the functions here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, exp, log, sqrt

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from mxnet import limits
from mxnet._start import OptionalModule
from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Floats, Shape
from mxnet.ops.core.devices import shared
from mxnet.ops.core.registry import op
from mxnet.ops.image.transforms import check_image

NEAREST, LINEAR, CUBIC, AREA, LANCZOS, LINEAR_EXACT = range(6)
CUBIC_SHARPNESS = -0.75
"""Parameter of the cubic kernel; OpenCV has no other."""
ONE = 2048
"""What a weight of 1 is in OpenCV's arithmetic on bytes."""
OPENCV_DTYPES = (torch.uint8, torch.float32, torch.float64)
_opencv = OptionalModule("mxnet._formats.opencv")


def choose_by_size(old: tuple[int, int], new: tuple[int, int]) -> int:
    """Returns the interpolation for a change of size: cubic to enlarge, by area to shrink."""
    if new[0] > old[0] and new[1] > old[1]:
        return CUBIC
    return AREA if new[0] < old[0] and new[1] < old[1] else LINEAR


def scale_shorter_edge(where: str, rows: int, columns: int, edge: int) -> tuple[int, int]:
    """Returns the height and width with a shorter edge of a given length and the same ratio.

    Args:
        where: What asks, for the message: the operator, the file.
        rows: Height of the image.
        columns: Width of the image.
        edge: The length.

    Raises:
        LimitExceededError: if a thin image would grow beyond what `mx.limits` allows.
    """
    shorter = min(rows, columns)
    scaled = edge * rows // shorter, edge * columns // shorter
    check_enlarged(where, (rows, columns), scaled)
    return scaled


def check_enlarged(where: str, old: tuple[int, int], new: tuple[int, int]) -> None:
    """Checks a size that follows from that of an image: a thin one of a few bytes may grow a lot.

    Raises:
        LimitExceededError: if the image grows, beyond what `mx.limits` allows.
    """
    pixels = new[0] * new[1]
    if pixels > old[0] * old[1]:
        what = f"{where}: an image of {old[1]} x {old[0]} scaled to {new[1]} x {new[0]}"
        limits.check("image_pixels", pixels, what)


@dataclass(frozen=True, slots=True, eq=False)
class Taps:
    """Sources of each position of a line: `positions` and `weights` of shape `(taps, size)`."""

    positions: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float32]


@lru_cache(maxsize=256)  # a function of its arguments, so that nothing invalidates it
def taps_for(old: int, new: int, method: int, shrinks: bool) -> Taps:
    """Returns the taps that bring a line from one size to another.

    Args:
        old: Size of the line.
        new: Size of the result.
        method: Number of the interpolation in OpenCV.
        shrinks: Whether neither axis of the image grows; only then are areas averaged.
    """
    if method == NEAREST:
        position = np.minimum(np.floor(np.arange(new) * _ratio(old, new)).astype(np.int64), old - 1)
        return Taps(position[None], np.ones((1, new), np.float32))
    if method == AREA:
        return _average(old, new) if shrinks else _between_neighbours(old, *_area_offsets(old, new))
    centre = ((np.arange(new) + 0.5) * _ratio(old, new) - 0.5).astype(np.float32)
    whole = np.floor(centre).astype(np.int64)
    part = (centre - whole).astype(np.float32)
    if method in (LINEAR, LINEAR_EXACT):
        return _between_neighbours(old, whole, part)
    weigh, reach = (_cubic, 1) if method == CUBIC else (_lanczos, 3)
    offsets = np.arange(-reach, reach + 2)[:, None]
    weights = weigh(part[None] - offsets)
    return Taps(np.clip(whole[None] + offsets, 0, old - 1), weights.astype(np.float32))


def _ratio(old: int, new: int) -> float:
    """Returns the distance of sources, rounded twice as OpenCV does it: that decides at borders."""
    return 1 / (new / old)


def _between_neighbours(
    old: int, whole: npt.NDArray[np.int64], part: npt.NDArray[np.float32]
) -> Taps:
    positions = np.clip(np.stack([whole, whole + 1]), 0, old - 1)
    return Taps(positions, np.stack([1 - part, part]).astype(np.float32))


def _area_offsets(old: int, new: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Returns the neighbours for the method of areas where the image grows."""
    index = np.arange(new)
    whole = np.floor(index * _ratio(old, new)).astype(np.int64)
    part = ((index + 1) - (whole + 1) * (new / old)).astype(np.float32)
    part = np.where(part <= 0, 0.0, part - np.floor(part))
    return whole, part.astype(np.float32)


def _average(old: int, new: int) -> Taps:
    """Weighs each old position by how much of it the new one covers."""
    scale = _ratio(old, new)
    start = np.arange(new) * scale
    positions = np.floor(start).astype(np.int64)[None] + np.arange(ceil(scale) + 1)[:, None]
    covered = np.minimum(positions + 1, start + scale) - np.maximum(positions, start)
    covered = np.where((covered > 1e-3) & (positions < old), covered, 0.0)
    weights = covered / covered.sum(axis=0)
    return Taps(np.minimum(positions, old - 1), weights.astype(np.float32))


def _cubic(distance: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    sharpness, t = np.float32(CUBIC_SHARPNESS), np.abs(distance)
    near = ((sharpness + 2) * t - (sharpness + 3)) * t * t + 1
    far = ((sharpness * t - 5 * sharpness) * t + 8 * sharpness) * t - 4 * sharpness
    weights: npt.NDArray[np.float32] = np.where(t <= 1, near, far)
    return weights


def _lanczos(distance: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    weights = np.sinc(distance) * np.sinc(distance / 4)
    normal: npt.NDArray[np.float32] = weights / weights.sum(axis=0)
    return normal


def _target_size(data: Tensor, size: Shape, keep_ratio: bool) -> tuple[int, int]:
    """Returns the new height and width."""
    if len(size) not in (1, 2) or min(size) <= 0:
        raise MXNetError(f"resize: expected a positive size, or a width and a height, got {size}")
    if len(size) == 2:
        return size[1], size[0]
    if not keep_ratio:
        return size[0], size[0]
    return scale_shorter_edge("resize", data.shape[-3], data.shape[-2], size[0])


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

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.zeros((4, 6, 3), dtype="uint8")
        >>> print(mx.nd.image.resize(image, size=(3, 2)).shape)
        (2, 3, 3)
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
        and _opencv.has_opencv()
    )


def _scale_by_opencv(data: Tensor, rows: int, columns: int, interp: int) -> Tensor:
    result = data.new_empty(*data.shape[:-3], rows, columns, data.shape[-1])
    sources, targets = data.contiguous(), result
    if data.ndim == 3:
        sources, targets = sources[None], targets[None]
    for source, target in zip(sources, targets, strict=True):
        _opencv.cv2.resize(source.numpy(), (columns, rows), target.numpy(), interpolation=interp)
    return result


def _taps_on(
    device: torch.device, before: int, after: int, interp: int, shrinks: bool
) -> tuple[Tensor, Tensor]:
    """Returns positions and weights of the taps of an axis, on a device; see `taps_for`."""
    scaling = (before, after, interp, shrinks)
    taps = taps_for(*scaling)
    return (
        shared(("positions", scaling), lambda: torch.from_numpy(taps.positions), device),
        shared(("weights", scaling), lambda: torch.from_numpy(taps.weights), device),
    )


def _blend(data: Tensor, axis: int, size: int, interp: int, shrinks: bool) -> Tensor:
    """Scales one axis; integers are multiplied by weights in fixed point."""
    positions, weights = _taps_on(data.device, data.shape[axis], size, interp, shrinks)
    if interp == NEAREST:
        return data.index_select(axis, positions[0])
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
    positions, weights = _taps_on(data.device, data.shape[-3], size, interp, shrinks=False)
    weights = (weights * ONE).round().int()[..., None, None]
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


def _crop_at_random(
    where: str,
    data: Tensor,
    xrange: Floats,
    yrange: Floats,
    width: int,
    height: int,
    interp: int,
    generator: torch.Generator | None,
) -> Tensor:
    """Cuts one rectangle out of all images, after they have been enlarged to its size if needed."""
    check_image(where, data)
    if min(width, height) < 1 or len(xrange) != 2 or len(yrange) != 2:
        raise MXNetError(
            f"{where}: expected a positive size and two numbers for each range, "
            f"got {width} x {height}, {xrange} and {yrange}"
        )
    rows, columns = max(data.shape[-3], height), max(data.shape[-2], width)
    if (rows, columns) != tuple(data.shape[-3:-1]):
        data = scale(data, rows, columns, interp)
    if data.is_meta:
        return data[..., :height, :width, :]
    places = torch.empty(2, device=data.device).uniform_(generator=generator).double()
    cuts = ((-2, xrange, columns, width), (-3, yrange, rows, height))
    for place, (axis, (low, high), before, after) in zip(places, cuts, strict=True):
        start = ((low + (high - low) * place) * (before - after)).long().clamp(0, before - after)
        lines = start + torch.arange(after, device=data.device)  # whose start the host never reads
        data = data.index_select(axis, lines)
    return data


@op("_image_random_crop", aliases=("_npx__image_random_crop",))
def random_crop(
    data: Tensor,
    *,
    xrange: Floats = (0.0, 1.0),
    yrange: Floats = (0.0, 1.0),
    width: int,
    height: int,
    interp: int = 1,
    generator: torch.Generator | None,
) -> Tensor:
    """Cuts a rectangle of a given size out of images, at a random place.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.
        xrange: Range of the left edge: 0 is the leftmost place, 1 the rightmost.
        yrange: Range of the upper edge, in the same way.
        width: Width of the result; a narrower image is enlarged.
        height: Height of the result.
        interp: Interpolation by OpenCV's number; see `resize`.
        generator: Source of random numbers.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(12).reshape((3, 4, 1))
        >>> cut = mx.nd.image.random_crop(image, (1, 1), (0, 0), width=2, height=2)
        >>> print(cut[:, :, 0].asnumpy())
        [[2. 3.]
         [6. 7.]]
    """
    where = "_image_random_crop"
    return _crop_at_random(where, data, xrange, yrange, width, height, interp, generator)


@op("_image_random_resized_crop", aliases=("_npx__image_random_resized_crop",))
def random_resized_crop(
    data: Tensor,
    *,
    width: int,
    height: int,
    area: Floats = (0.08, 1.0),
    ratio: Floats = (3 / 4, 4 / 3),
    interp: int = 1,
    max_trial: int = 10,
    generator: torch.Generator | None,
) -> Tensor:
    """Cuts a rectangle of a random size out of images and scales it to a given size.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.
        width: Width of the result.
        height: Height of the result.
        area: Range of the share of the image that is cut out.
        ratio: Range of its width over its height.
        interp: Interpolation by OpenCV's number; see `resize`.
        max_trial: How often a rectangle is drawn that may not fit; then the middle is cut out.
        generator: Source of random numbers.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.ones((30, 40, 1))
        >>> mx.nd.image.random_resized_crop(image, width=5, height=2).shape
        (2, 5, 1)
    """
    where = "_image_random_resized_crop"
    check_image(where, data)
    if min(width, height) < 1 or len(area) != 2 or len(ratio) != 2 or min(ratio) <= 0:
        raise MXNetError(
            f"{where}: expected a positive size and two numbers for each range, "
            f"got {width} x {height}, {area} and {ratio}"
        )
    rows, columns = data.shape[-3], data.shape[-2]
    if data.is_meta:
        return data.new_empty((*data.shape[:-3], height, width, data.shape[-1]))
    draws = torch.rand(max(max_trial, 0), 4, generator=generator, device=data.device).tolist()
    logs = [log(item) for item in ratio]
    for size, shape, left, top in draws:
        wanted = (area[0] + (area[1] - area[0]) * size) * rows * columns
        aspect = exp(logs[0] + (logs[1] - logs[0]) * shape)
        wide, high = round(sqrt(wanted * aspect)), round(sqrt(wanted / aspect))
        if 0 < wide <= columns and 0 < high <= rows:
            x, y = int(left * (columns - wide)), int(top * (rows - high))
            return scale(data[..., y : y + high, x : x + wide, :], height, width, interp)
    factor = min(1.0, columns / width, rows / height)
    wide, high = max(int(width * factor), 1), max(int(height * factor), 1)
    x, y = (columns - wide) // 2, (rows - high) // 2
    return scale(data[..., y : y + high, x : x + wide, :], height, width, interp)
