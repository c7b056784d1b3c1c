"""Scaling, cropping and turning of images."""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Any, TypeAlias

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet import ndarray as nd
from mxnet._arrays.array import finish
from mxnet._frontend.dialect import functions_for, in_dialect_of
from mxnet._start import level_of_program
from mxnet.errors import (
    ArgumentTypeError,
    InvalidArgumentError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray import NDArray
from mxnet.ops.image.resize import CUBIC, LANCZOS, NEAREST, choose_by_size, scale_shorter_edge

Size: TypeAlias = tuple[int, int]
"""A width and a height."""
Box: TypeAlias = tuple[int, int, int, int]
"""Left edge, upper edge, width and height."""
Range: TypeAlias = tuple[float, float]

BY_SIZE, AT_RANDOM = 9, 10
CROP_ATTEMPTS = 10


def _get_interp_method(interp: int, sizes: Sequence[int] = ()) -> int:
    """Returns OpenCV's number of an interpolation.

    Args:
        interp: 0 to 4 for nearest, bilinear, bicubic, area and Lanczos; 9 to choose by the sizes;
            10 for any of the five at random.
        sizes: Old height and width, new height and width.
    """
    if interp == BY_SIZE:
        if not sizes:
            return CUBIC
        if len(sizes) != 4:
            raise InvalidArgumentError(f"expected old and new height and width, got {tuple(sizes)}")
        return choose_by_size((sizes[0], sizes[1]), (sizes[2], sizes[3]))
    if interp == AT_RANDOM:
        return random.randint(NEAREST, LANCZOS)
    if interp not in range(NEAREST, LANCZOS + 1):
        raise InvalidArgumentError(f"`interp` takes 0 to 4, 9 or 10, got {interp}")
    return interp


def imresize(src: NDArray, w: int, h: int, *args: Any, **kwargs: Any) -> NDArray:
    """Scales an image to a width and a height.

    Args:
        src: Image `(height, width, channels)`.
        w: Width of the result.
        h: Height of the result.
        *args: `interp`, see below.
        **kwargs: `interp`: 0 nearest, 1 bilinear (default), 2 bicubic, 3 area, 4 Lanczos, 9 chosen
            by the sizes, 10 any at random. `out`: array for the result.

    Example:
        >>> import mxnet as mx
        >>> mx.image.imresize(mx.nd.zeros((4, 6, 3), dtype="uint8"), 3, 2).shape
        (2, 3, 3)
    """
    if args:
        kwargs["interp"], *rest = args
        if rest:
            raise TypeError(f"imresize takes 4 positional arguments, got {3 + len(args)}")
    if kwargs.get("interp") in (BY_SIZE, AT_RANDOM):
        kwargs["interp"] = _get_interp_method(kwargs["interp"], (*src.shape[:2], h, w))
    resized: NDArray = functions_for(src)._internal._cvimresize(src, w=w, h=h, **kwargs)
    return resized


def scale_down(src_size: Size, size: Size) -> Size:
    """Shrinks a size of a crop, keeping its ratio, until it fits into an image.

    Args:
        src_size: Width and height of the image.
        size: Wanted width and height.

    Example:
        >>> import mxnet as mx
        >>> mx.image.scale_down((640, 480), (720, 120))
        (640, 106)
    """
    width, height = float(size[0]), float(size[1])
    if src_size[1] < height:
        width, height = width * src_size[1] / height, float(src_size[1])
    if src_size[0] < width:
        width, height = float(src_size[0]), height * src_size[0] / width
    return int(width), int(height)


def resize_short(src: NDArray, size: int, interp: int = CUBIC) -> NDArray:
    """Scales an image so that its shorter edge has a size, keeping its ratio.

    Args:
        src: Image `(height, width, channels)`.
        size: New size of the shorter edge.
        interp: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> mx.image.resize_short(mx.nd.zeros((10, 20, 3), dtype="uint8"), 5).shape
        (5, 10, 3)
    """
    height, width = src.shape[:2]
    rows, columns = scale_shorter_edge("resize_short", height, width, size)
    method = _get_interp_method(interp, (height, width, rows, columns))
    return imresize(src, columns, rows, interp=method)


def fixed_crop(
    src: NDArray, x0: int, y0: int, w: int, h: int, size: Size | None = None, interp: int = CUBIC
) -> NDArray:
    """Cuts a rectangle out of an image, and scales it if a size is given.

    Args:
        src: Image `(height, width, channels)`.
        x0: Left edge.
        y0: Upper edge.
        w: Width of the rectangle.
        h: Height of the rectangle.
        size: Width and height of the result.
        interp: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(24).reshape((4, 6, 1))
        >>> print(mx.image.fixed_crop(image, x0=1, y0=0, w=2, h=2)[:, :, 0].asnumpy())
        [[1. 2.]
         [7. 8.]]
        >>> mx.image.fixed_crop(image, 1, 0, 2, 2, size=(10, 5)).shape
        (5, 10, 1)
    """
    end = (y0 + h, x0 + w, int(src.shape[2]))
    out: NDArray = functions_for(src).slice(src, begin=(y0, x0, 0), end=end)
    if out.size == 0:
        raise ShapeMismatchError(
            f"fixed_crop: expected a rectangle that meets the image of {src.shape[1]} x "
            f"{src.shape[0]}, got {w} x {h} at ({x0}, {y0})"
        )
    if size is None or (w, h) == size:
        return out
    method = _get_interp_method(interp, (h, w, size[1], size[0]))
    return imresize(out, size[0], size[1], interp=method)


def random_crop(src: NDArray, size: Size, interp: int = CUBIC) -> tuple[NDArray, Box]:
    """Cuts a rectangle out at a random place; it is shrunk first if the image is smaller.

    Args:
        src: Image `(height, width, channels)`.
        size: Width and height of the result.
        interp: Interpolation, see `imresize`.

    Returns:
        The crop, and its left edge, upper edge, width and height in the image.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.zeros((4, 6, 3))
        >>> crop, (x0, y0, width, height) = mx.image.random_crop(image, (3, 2))
        >>> crop.shape, (width, height), 0 <= x0 <= 3
        ((2, 3, 3), (3, 2), True)
    """
    height, width = src.shape[:2]
    new_width, new_height = scale_down((width, height), size)
    left = random.randint(0, width - new_width)
    upper = random.randint(0, height - new_height)
    return _cut(src, (left, upper, new_width, new_height), size, interp)


def _cut(src: NDArray, box: Box, size: Size, interp: int) -> tuple[NDArray, Box]:
    return fixed_crop(src, *box, size, interp), box


def center_crop(src: NDArray, size: Size, interp: int = CUBIC) -> tuple[NDArray, Box]:
    """Cuts out the middle of an image; the rectangle is shrunk first if the image is smaller.

    Args:
        src: Image `(height, width, channels)`.
        size: Width and height of the result.
        interp: Interpolation, see `imresize`.

    Returns:
        The crop, and its left edge, upper edge, width and height in the image.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(24).reshape((4, 6, 1))
        >>> crop, box = mx.image.center_crop(image, (2, 2))
        >>> print(crop[:, :, 0].asnumpy(), box)
        [[ 8.  9.]
         [14. 15.]] (2, 1, 2, 2)
    """
    height, width = src.shape[:2]
    new_width, new_height = scale_down((width, height), size)
    box = ((width - new_width) // 2, (height - new_height) // 2, new_width, new_height)
    return _cut(src, box, size, interp)


def random_size_crop(
    src: NDArray, size: Size, area: float | Range, ratio: Range, interp: int = CUBIC, **kwargs: Any
) -> tuple[NDArray, Box]:
    """Cuts a rectangle of random size, shape and place out, and scales it.

    After ten rectangles that do not fit into the image the middle is taken.

    Args:
        src: Image `(height, width, channels)`.
        size: Width and height of the result.
        area: Least part of the image to take, or least and largest.
        ratio: Least and largest ratio of width to height.
        interp: Interpolation, see `imresize`.
        **kwargs: `min_area`, the old name of `area`.

    Returns:
        The crop, and its left edge, upper edge, width and height in the image.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.zeros((60, 80, 3))
        >>> crop, box = mx.image.random_size_crop(image, (32, 24), area=0.5, ratio=(0.75, 1.33))
        >>> crop.shape
        (24, 32, 3)
    """
    area = renamed_area("random_size_crop", area, kwargs)
    least, largest = (float(area), 1.0) if isinstance(area, (int, float)) else area
    height, width = src.shape[:2]
    for _ in range(CROP_ATTEMPTS):
        target = random.uniform(least, largest) * height * width
        shape = exp(random.uniform(log(ratio[0]), log(ratio[1])))
        new_width = round(sqrt(target * shape))
        new_height = round(sqrt(target / shape))
        if new_width <= width and new_height <= height:
            left = random.randint(0, width - new_width)
            upper = random.randint(0, height - new_height)
            return _cut(src, (left, upper, new_width, new_height), size, interp)
    return center_crop(src, size, interp)


def renamed_area(where: str, area: float | Range, options: dict[str, Any]) -> float | Range:
    """Takes `area` from its old name if that is given; no other option is left."""
    if "min_area" in options:
        warnings.warn(
            f"{where}: `min_area` is called `area` now",
            DeprecationWarning,
            stacklevel=level_of_program(),
        )
        area = options.pop("min_area")
    if options:
        raise InvalidArgumentError(f"{where}: unknown option `{min(options)}`")
    return area


def copyMakeBorder(src: NDArray, *args: Any, **kwargs: Any) -> NDArray:  # noqa: N802 - the original's
    """Puts a border around an image.

    Args:
        src: Image `(height, width, channels)`.
        *args: `top`, `bot`, `left`, `right`, `type`, `value` and `values` in this order.
        **kwargs: `top`, `bot`, `left`, `right`: widths of the border. `type`: how it is filled, by
            OpenCV's number, 0 with a colour. `values`: that colour, by channel; `value`: of all.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.ones((1, 2, 1), dtype="uint8")
        >>> print(mx.image.copyMakeBorder(image, 1, 1, 0, 1)[:, :, 0].asnumpy())
        [[0 0 0]
         [1 1 0]
         [0 0 0]]
    """
    framed: NDArray = functions_for(src)._internal._cvcopyMakeBorder(src, *args, **kwargs)
    return framed


def color_normalize(
    src: NDArray, mean: NDArray | float | None, std: NDArray | float | None = None
) -> NDArray:
    """Subtracts a mean from an image and divides by a deviation, in place.

    Args:
        src: Image `(height, width, channels)` of floats.
        mean: Mean, by channel or of all; None for none.
        std: Deviation, by channel or of all; None for none.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.array([[[110, 100, 90]]])
        >>> mean, std = mx.nd.array([100, 100, 100]), mx.nd.array([10, 10, 5])
        >>> print(mx.image.color_normalize(image, mean, std).asnumpy())
        [[[ 1.  0. -2.]]]
    """
    if mean is not None:
        src -= in_dialect_of(mean, src) if isinstance(mean, NDArray) else mean
    if std is not None:
        src /= in_dialect_of(std, src) if isinstance(std, NDArray) else std
    return src


def imrotate(
    src: NDArray,
    rotation_degrees: float | NDArray | Sequence[float],
    zoom_in: bool = False,
    zoom_out: bool = False,
) -> NDArray:
    """Turns an image around its middle; what comes in from outside is 0.

    Args:
        src: Image `(channels, height, width)` or batch of images, of float32.
        rotation_degrees: Angle; for a batch also an array of one angle for each image.
        zoom_in: Whether to enlarge the image so that nothing from outside is seen.
        zoom_out: Whether to shrink it so that all of it is seen.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.array([[[1, 2], [3, 4]]])
        >>> print(mx.image.imrotate(image, 90).asnumpy().round())
        [[[2. 4.]
          [1. 3.]]]
    """
    if zoom_in and zoom_out:
        raise InvalidArgumentError("imrotate: `zoom_in` and `zoom_out` exclude each other")
    if np.dtype(src.dtype) != np.float32:
        raise UnsupportedTypeError(
            f"imrotate: expected an image of float32, got {np.dtype(src.dtype)}"
        )
    if src.ndim not in (3, 4):
        raise ShapeMismatchError(
            f"imrotate: expected (channels, height, width) or a batch of it, got {src.shape}"
        )
    single = src.ndim == 3
    if single and not isinstance(rotation_degrees, (int, float, np.number)):
        raise ArgumentTypeError("imrotate: one image takes one angle, as a number")
    tensor = src._read()
    images = tensor[None] if single else tensor
    angles = _angles(rotation_degrees, len(images)).to(images.device)
    grid = _rotated_grid(angles, images.shape[-2], images.shape[-1], zoom_in, zoom_out)
    turned = F.grid_sample(images, grid, align_corners=True)
    return finish(turned[0] if single else turned, (tensor,), type(src), src._ctx)


def _angles(degrees: Any, count: int) -> Tensor:
    values = degrees.asnumpy() if isinstance(degrees, NDArray) else np.asarray(degrees)
    if values.ndim and len(values) != count:
        raise ShapeMismatchError(f"imrotate: expected {count} angles, got {len(values)}")
    return torch.from_numpy(np.deg2rad(np.broadcast_to(values, (count,)).astype(np.float64)))


def _rotated_grid(angles: Tensor, height: int, width: int, zoom_in: bool, zoom_out: bool) -> Tensor:
    """Returns where in the image, from -1 to 1, each turned pixel comes from."""
    cosine, sine = angles.cos()[:, None, None], angles.sin()[:, None, None]
    y = (torch.arange(height, dtype=torch.float64, device=angles.device) - (height - 1) / 2)[
        :, None
    ]
    x = (torch.arange(width, dtype=torch.float64, device=angles.device) - (width - 1) / 2)[None, :]
    zoom: Tensor | float = 1.0
    if zoom_in or zoom_out:
        tall = (width * sine.abs() + height * cosine.abs()) / height
        wide = (width * cosine.abs() + height * sine.abs()) / width
        zoom = torch.maximum(tall, wide)
        zoom = 1 / zoom if zoom_in else zoom
    across = (x * cosine - y * sine) * zoom / max((width - 1) / 2, 0.5)
    down = (x * sine + y * cosine) * zoom / max((height - 1) / 2, 0.5)
    return torch.stack([across, down], dim=-1).float()


def random_rotate(
    src: NDArray, angle_limits: Range, zoom_in: bool = False, zoom_out: bool = False
) -> NDArray:
    """Turns an image by a random angle; each image of a batch by its own.

    Args:
        src: Image `(channels, height, width)` or batch of images, of float32.
        angle_limits: Least and largest angle in degrees.
        zoom_in: Whether to enlarge the image so that nothing from outside is seen.
        zoom_out: Whether to shrink it so that all of it is seen.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.ones((3, 8, 8))
        >>> mx.image.random_rotate(image, (-10, 10)).shape
        (3, 8, 8)
    """
    low, high = angle_limits
    if src.ndim == 3:
        return imrotate(src, np.random.uniform(low, high), zoom_in, zoom_out)
    angles = nd.array(np.random.uniform(low, high, size=len(src)))
    return imrotate(src, angles, zoom_in, zoom_out)
