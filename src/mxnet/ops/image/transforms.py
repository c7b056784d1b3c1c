"""Operators on images: arrays of height, width and channels, or batches of those.

Colour arithmetic is done in floats. Going back to the dtype of the image drops fractions; `uint8`
is limited to its range and the other integers wrap, as they do in the original.

Boxes of objects are NumPy arrays, because iterators change them on the host.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Floats
from mxnet.ops.core.devices import constant, shared
from mxnet.ops.core.registry import op

Array = npt.NDArray[Any]

CONSTANT, REPLICATE, REFLECT, WRAP, REFLECT_INNER = range(5)
"""What fills a border, by OpenCV's numbers."""


def check_image(name: str, data: Tensor, channels: tuple[int, ...] | None = (1, 3)) -> None:
    """Checks that an input is an image or a batch of images, of one of the numbers of channels."""
    shape = tuple(data.shape)
    if data.ndim not in (3, 4):
        raise MXNetError(
            f"{name}: expected an image (height, width, channels) or a batch of them, "
            f"got shape {shape}"
        )
    if data.numel() == 0:
        raise MXNetError(f"{name}: expected an image with pixels, got shape {shape}")
    if channels is not None and shape[-1] not in channels:
        raise MXNetError(f"{name}: expected 1 or 3 channels on the last axis, got shape {shape}")


@op("_image_to_tensor", aliases=("_npx__image_to_tensor",))
def to_tensor(data: Tensor) -> Tensor:
    """Turns an image into a float tensor, channels first, with values divided by 255.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.full((2, 4, 3), 255, dtype="uint8")
        >>> x = mx.nd.image.to_tensor(image)
        >>> print(x.shape, x.max().asscalar())
        (3, 2, 4) 1.0
    """
    check_image("_image_to_tensor", data, channels=None)
    return data.movedim(-1, -3).contiguous().div(255).float()


@op("_image_normalize", aliases=("_npx__image_normalize",))
def normalize(
    data: Tensor, *, mean: Floats = (0.0, 0.0, 0.0, 0.0), std: Floats = (1.0, 1.0, 1.0, 1.0)
) -> Tensor:
    """Subtracts a mean and divides by a deviation, by channel.

    Args:
        data: Tensor `(channels, height, width)` or batch `(n, channels, height, width)`, of 1 or
            3 channels.
        mean: One mean for all channels or one for each.
        std: One deviation for all channels or one for each.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((3, 1, 1))
        >>> print(mx.nd.image.normalize(x, mean=(0, 0.5, 1), std=(1, 0.5, 1)).asnumpy().ravel())
        [1. 1. 0.]
    """
    shape = tuple(data.shape)
    if data.ndim not in (3, 4) or shape[-3] not in (1, 3):
        raise MXNetError(
            "_image_normalize: expected (channels, height, width) or a batch of it, "
            f"with 1 or 3 channels, got shape {shape}"
        )
    for name, numbers in (("mean", mean), ("std", std)):
        if len(numbers) not in (1, shape[-3]):
            raise MXNetError(
                f"_image_normalize: `{name}` takes 1 or {shape[-3]} numbers, got {numbers}"
            )
    result = (data - _by_channel(mean, data)) / _by_channel(std, data)
    return result if result.dtype is data.dtype else _wrap(result, data.dtype)


def _by_channel(numbers: Floats, data: Tensor) -> Tensor | float:
    """Returns numbers in a shape that broadcasts to tensors with channels first."""
    if len(numbers) == 1:
        return numbers[0]
    dtype = data.dtype if data.is_floating_point() else torch.float32
    if data.is_cuda:
        return constant(numbers, dtype, data.device).view(-1, 1, 1)
    plain = type(data) is Tensor and not torch.compiler.is_compiling()
    if plain and not torch.is_inference_mode_enabled():
        return _kept_by_channel(numbers, dtype, data.device)
    return _new_by_channel(numbers, dtype, data.device)


def _new_by_channel(numbers: Floats, dtype: torch.dtype, device: torch.device) -> Tensor:
    return torch.tensor(numbers, dtype=dtype, device=device).view(-1, 1, 1)


_kept_by_channel = lru_cache(maxsize=64)(_new_by_channel)
"""The same, made once: a program normalizes all its images alike. They are never written to."""


def _wrap(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Converts floats; integers that are too large keep their low bits, on every device."""
    return values.to(dtype) if dtype.is_floating_point else values.long().to(dtype)


def saturate(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Converts computed colours to the dtype of an image."""
    return _wrap(values.clamp(0, 255) if dtype is torch.uint8 else values, dtype)


@op("_image_crop", aliases=("_npx__image_crop",))
def crop(data: Tensor, *, x: int, y: int, width: int, height: int) -> Tensor:
    """Cuts a rectangle out of an image.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.
        x: Left edge of the rectangle.
        y: Its upper edge.
        width: Its width.
        height: Its height.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(12).reshape((3, 4, 1))
        >>> print(mx.nd.image.crop(image, x=1, y=0, width=2, height=2)[:, :, 0].asnumpy())
        [[1. 2.]
         [5. 6.]]
    """
    check_image("_image_crop", data)
    if width <= 0 or height <= 0:
        raise MXNetError(f"_image_crop: expected a positive size, got {width} x {height}")
    rows, columns = data.shape[-3], data.shape[-2]
    if x < 0 or y < 0 or x + width > columns or y + height > rows:
        raise MXNetError(
            f"_image_crop: expected a rectangle inside of {columns} x {rows}, "
            f"got {width} x {height} at ({x}, {y})"
        )
    return data[..., y : y + height, x : x + width, :]


def box_areas(boxes: Array) -> Array:
    """Returns the areas of boxes of left, top, right and bottom edge; turned inside out 0."""
    sides = np.maximum(boxes[..., 2:4] - boxes[..., :2], 0)
    return np.asarray(sides[..., 0] * sides[..., 1])


def intersect_boxes(boxes: Array, edges: Array) -> Array:
    """Returns the parts of boxes inside of a rectangle."""
    return np.concatenate(
        [np.maximum(boxes[:, :2], edges[:2]), np.minimum(boxes[:, 2:4], edges[2:])], axis=1
    )


@op("_image_flip_left_right", aliases=("_npx__image_flip_left_right",))
def flip_left_right(data: Tensor) -> Tensor:
    """Mirrors an image so that left and right change places.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(4).reshape((2, 2, 1))
        >>> print(mx.nd.image.flip_left_right(image)[:, :, 0].asnumpy())
        [[1. 0.]
         [3. 2.]]
    """
    check_image("_image_flip_left_right", data)
    return data.flip(-2)


@op("_image_flip_top_bottom", aliases=("_npx__image_flip_top_bottom",))
def flip_top_bottom(data: Tensor) -> Tensor:
    """Mirrors an image so that top and bottom change places.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(4).reshape((2, 2, 1))
        >>> print(mx.nd.image.flip_top_bottom(image)[:, :, 0].asnumpy())
        [[2. 3.]
         [0. 1.]]
    """
    check_image("_image_flip_top_bottom", data)
    return data.flip(-3)


@op("_image_random_flip_left_right", aliases=("_npx__image_random_flip_left_right",))
def random_flip_left_right(
    data: Tensor, *, p: float = 0.5, generator: torch.Generator | None
) -> Tensor:
    """Mirrors an image sideways at random; each of a batch on its own.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.
        p: Probability.
        generator: Source of random numbers.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(4).reshape((2, 2, 1))
        >>> print(sorted(mx.nd.image.random_flip_left_right(image)[0, :, 0].asnumpy().tolist()))
        [0.0, 1.0]
    """
    check_image("_image_random_flip_left_right", data)
    return torch.where(_toss(data, p, generator), data.flip(-2), data)


@op("_image_random_flip_top_bottom", aliases=("_npx__image_random_flip_top_bottom",))
def random_flip_top_bottom(
    data: Tensor, *, p: float = 0.5, generator: torch.Generator | None
) -> Tensor:
    """Mirrors an image upside down at random; each of a batch on its own.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.
        p: Probability.
        generator: Source of random numbers.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.arange(4).reshape((2, 2, 1))
        >>> print(sorted(mx.nd.image.random_flip_top_bottom(image)[:, 0, 0].asnumpy().tolist()))
        [0.0, 2.0]
    """
    check_image("_image_random_flip_top_bottom", data)
    return torch.where(_toss(data, p, generator), data.flip(-3), data)


def _toss(data: Tensor, p: float, generator: torch.Generator | None) -> Tensor:
    """Tosses a coin for each image, of which a share `p` falls on the right side."""
    shape = (*data.shape[:-3], 1, 1, 1)
    return torch.empty(shape, device=data.device).uniform_(generator=generator) < p


@op("_cvcopyMakeBorder")
def copy_make_border(
    src: Tensor,
    *,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = CONSTANT,
    value: float = 0.0,
    values: Floats = (),
) -> Tensor:
    """Puts a border around an image.

    Args:
        src: Image `(height, width, channels)`.
        top: Height of the border above.
        bot: Height of the border below.
        left: Width of the border on the left.
        right: Width of the border on the right.
        type: What fills the border, by OpenCV's number: 0 a colour, 1 the outermost pixels, 2 the
            mirrored image, 3 the image repeated, 4 the image mirrored at its outermost pixels.
        value: Colour of all channels.
        values: Colour by channel, in place of `value`; channels without one are 0.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.ones((1, 2, 1), dtype="uint8")
        >>> mx.image.copyMakeBorder(image, 1, 0, 1, 1)[:, :, 0].asnumpy()
        array([[0, 0, 0, 0],
               [0, 1, 1, 0]], dtype=uint8)
    """
    where = "_cvcopyMakeBorder"
    if src.ndim != 3 or src.numel() == 0:
        raise MXNetError(
            f"{where}: expected (height, width, channels), got shape {tuple(src.shape)}"
        )
    if min(top, bot, left, right) < 0:
        raise MXNetError(f"{where}: a border is not negative, got {(top, bot, left, right)}")
    if not CONSTANT <= type <= REFLECT_INNER:
        raise MXNetError(f"{where}: `type` takes a number from 0 to 4, got {type}")
    rows, columns, channels = src.shape
    check_like(where, (rows + top + bot, columns + left + right, channels), src)
    if type != CONSTANT:
        framed = src.index_select(0, _sources(rows, top, bot, type, src.device))
        return framed.index_select(1, _sources(columns, left, right, type, src.device))
    colour = (values + (0.0,) * channels)[:channels] if values else (value,) * channels
    fill = shared(
        ("colour", repr(colour), src.dtype), lambda: _as_pixel(colour, src.dtype), src.device
    )
    framed = fill.expand(rows + top + bot, columns + left + right, channels).clone()
    framed[top : top + rows, left : left + columns] = src
    return framed


def _as_pixel(colour: Floats, dtype: torch.dtype) -> Tensor:
    """Returns a colour as the nearest one that a type of elements can hold."""
    exact = torch.tensor(colour, dtype=torch.float64)
    return saturate(exact if dtype.is_floating_point else exact.round(), dtype)


def _sources(size: int, before: int, after: int, type: int, device: torch.device) -> Tensor:
    """Returns the position in a line that each position of the framed line shows."""
    position = torch.arange(-before, size + after, device=device)
    if type == REPLICATE:
        return position.clamp(0, size - 1)
    if type == WRAP:
        return position.remainder(size)
    if type == REFLECT:
        position = position.remainder(2 * size)
        return torch.minimum(position, 2 * size - 1 - position)
    period = max(2 * size - 2, 1)
    position = position.remainder(period)
    return torch.minimum(position, period - position)
