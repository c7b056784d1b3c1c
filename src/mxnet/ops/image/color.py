"""Changes of colour, fixed or random.

A random operator draws one factor for an image, and one for each image of a batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Floats, Limit
from mxnet.ops.core.devices import constant, constant_like
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import clamp, minimum
from mxnet.ops.image.transforms import check_image, saturate

Generator: TypeAlias = torch.Generator | None
Adjust: TypeAlias = Callable[[Tensor, Tensor], Tensor]
"""Function of an image in floats and a factor that gives the changed image."""
_Factor: TypeAlias = Annotated[float, Limit(0)]
Step: TypeAlias = tuple[Adjust, float, float]
"""A change with the least and the largest factor."""

LUMINANCE = (0.299, 0.587, 0.114)
PRINCIPAL_DEVIATIONS = (55.46, 4.794, 1.148)
"""Deviations of the colours of ImageNet along their principal axes."""
PRINCIPAL_AXES = (
    (-0.5675, 0.7192, 0.4009),
    (-0.5808, -0.0045, -0.8140),
    (-0.5836, -0.6948, 0.4203),
)
"""The principal axes as columns; the rows are red, green and blue."""


def _in_floats(data: Tensor) -> Tensor:
    """Returns an image in floats that are precise enough to compute with."""
    if data.is_floating_point():
        return data.to(torch.promote_types(data.dtype, torch.float32))
    return data.float()


def _brightness(image: Tensor, factor: Tensor) -> Tensor:
    return image * factor


def _contrast(image: Tensor, factor: Tensor) -> Tensor:
    grey = image
    if image.shape[-1] == 3:
        grey = image @ constant_like(LUMINANCE, image)[:, None]
    return image * factor + grey.mean(dim=(-3, -2), keepdim=True) * (1 - factor)


def _saturation(image: Tensor, factor: Tensor) -> Tensor:
    """Mixes an image with its grey; the original takes the share of blue alone for the grey."""
    if image.shape[-1] == 1:
        return image
    grey = image[..., 2:] * LUMINANCE[2]
    return image * factor + grey * (1 - factor)


def _hue(image: Tensor, factor: Tensor) -> Tensor:
    """Turns the hue by a part of the full circle; a grey image has none."""
    if image.shape[-1] == 1:
        return image
    red, green, blue = (image / 255).unbind(-1)
    largest, smallest = (image / 255).amax(-1), (image / 255).amin(-1)
    spread, total = largest - smallest, largest + smallest
    coloured = spread > torch.finfo(torch.float32).eps
    divisor = torch.where(coloured, spread, 1)
    hue = torch.where(
        largest == red,
        (green - blue) / divisor,
        torch.where(largest == green, (blue - red) / divisor + 2, (red - green) / divisor + 4),
    )
    hue = hue + factor[..., 0] * 6
    fraction = torch.stack([_ramp(hue + shift) for shift in (2, 0, -2)], dim=-1)
    turned = smallest[..., None] + spread[..., None] * fraction
    return torch.where(coloured[..., None], turned, total[..., None] / 2) * 255


def _ramp(hue: Tensor) -> Tensor:
    """Returns how much of the spread a channel has at a hue counted in sixths of the circle."""
    position = hue.remainder(6)
    return clamp(minimum(position, 4 - position), 0, 1)


def _draw(data: Tensor, low: float, high: float, generator: Generator) -> Tensor:
    """Draws a factor for each image, in a shape that broadcasts to the images."""
    factor = torch.empty((*data.shape[:-3], 1, 1, 1), dtype=torch.float32, device=data.device)
    return factor.uniform_(generator=generator) * (high - low) + low


def _adjust(adjust: Adjust, data: Tensor, low: float, high: float, generator: Generator) -> Tensor:
    image = _in_floats(data)
    return saturate(adjust(image, _draw(data, low, high, generator).to(image.dtype)), data.dtype)


_RANDOM = (
    (
        "brightness",
        _brightness,
        "Multiplies an image by a random factor.",
        "factor",
        "2",
        "[80. 40. 20.]",
    ),
    (
        "contrast",
        _contrast,
        "Multiplies the distance of an image to its mean grey by a random factor.",
        "factor",
        "2",
        "[55.2 15.2 -4.8]",
    ),
    (
        "saturation",
        _saturation,
        "Makes the colours of an image stronger or weaker by a random factor.",
        "factor",
        "0",
        "[1.1 1.1 1.1]",
    ),
    (
        "hue",
        _hue,
        "Turns the colours of an image by a random part of the circle of hues.",
        "part of the circle",
        "0.5",
        "[10. 30. 40.]",
    ),
)
"""What changes, the change, documentation, what is drawn, and for the example the one value that
may be drawn and what becomes of a pixel 40, 20, 10."""


def _declare_random(
    quality: str, adjust: Adjust, sentence: str, drawn: str, factor: str, pixel: str
) -> None:
    name = f"_image_random_{quality}"

    def kernel(
        data: Tensor, *, min_factor: _Factor, max_factor: _Factor, generator: Generator
    ) -> Tensor:
        check_image(name, data)
        return _adjust(adjust, data, min_factor, max_factor, generator)

    kernel.__doc__ = f"""{sentence}

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.
        min_factor: Least {drawn}.
        max_factor: Largest {drawn}.
        generator: Source of random numbers.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.array([[[40, 20, 10]]])
        >>> changed = mx.nd.image.random_{quality}(image, {factor}, {factor})
        >>> print(changed[0, 0].asnumpy().round(1))
        {pixel}
    """
    op(name, aliases=(f"_npx_{name}",))(kernel)


for _row in _RANDOM:
    _declare_random(*_row)


@op("_image_random_color_jitter", aliases=("_npx__image_random_color_jitter",))
def random_color_jitter(
    data: Tensor,
    *,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    generator: Generator,
) -> Tensor:
    """Changes brightness, contrast, saturation and hue at random, in random order.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`.
        brightness: Largest change of the factor of brightness; 0 for none.
        contrast: Largest change of the factor of contrast; 0 for none.
        saturation: Largest change of the factor of saturation; 0 for none.
        hue: Largest turn of the hue; 0 for none.
        generator: Source of random numbers.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.full((2, 2, 3), 100, dtype="uint8")
        >>> x = mx.nd.image.random_color_jitter(image, 0.1, 0.1, 0.1, 0.1)
        >>> print(x.shape, x.dtype.__name__)
        (2, 2, 3) uint8
    """
    check_image("_image_random_color_jitter", data)
    steps: list[Step] = [
        (adjust, centre - amount, centre + amount)
        for adjust, centre, amount in (
            (_brightness, 1, brightness),
            (_contrast, 1, contrast),
            (_saturation, 1, saturation),
            (_hue, 0, hue),
        )
        if amount > 0
    ]
    result = data
    for adjust, low, high in _shuffle(steps, data, generator):
        result = _adjust(adjust, result, low, high, generator)
    return result


def _shuffle(steps: list[Step], data: Tensor, generator: Generator) -> list[Step]:
    """Returns the steps in random order; nothing is drawn where only shapes are inferred."""
    if data.is_meta:
        return steps
    if generator is not None and generator.device.type != "cpu":
        generator = None
    return [steps[index] for index in torch.randperm(len(steps), generator=generator).tolist()]


@op("_image_adjust_lighting", aliases=("_npx__image_adjust_lighting",))
def adjust_lighting(data: Tensor, *, alpha: Floats) -> Tensor:
    """Moves the colours of an image along the principal axes of the colours of ImageNet.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`; one
            without colours stays as it is.
        alpha: Three distances, in deviations along each axis.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.full((1, 1, 3), 100)
        >>> print(mx.nd.image.adjust_lighting(image, alpha=(0.1, 0, 0)).asnumpy().round(1))
        [[[96.9 96.8 96.8]]]
    """
    check_image("_image_adjust_lighting", data)
    if len(alpha) < 3:
        raise MXNetError(f"_image_adjust_lighting: `alpha` takes 3 numbers, got {alpha}")
    return _light(data, constant(alpha[:3], torch.float32, data.device))


@op("_image_random_lighting", aliases=("_npx__image_random_lighting",))
def random_lighting(data: Tensor, *, alpha_std: float = 0.05, generator: Generator) -> Tensor:
    """Moves the colours of an image at random along the principal axes of colours of ImageNet.

    Args:
        data: Image `(height, width, channels)` or batch `(n, height, width, channels)`; one
            without colours stays as it is.
        alpha_std: Deviation of the distances along each axis.
        generator: Source of random numbers.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.full((2, 2, 3), 100)
        >>> print(mx.nd.image.random_lighting(image, alpha_std=0.1).shape)
        (2, 2, 3)
    """
    check_image("_image_random_lighting", data)
    alpha = torch.empty((*data.shape[:-3], 1, 1, 3), dtype=torch.float32, device=data.device)
    return _light(data, alpha.normal_(generator=generator) * alpha_std)


def _light(data: Tensor, alpha: Tensor) -> Tensor:
    if data.shape[-1] == 1:
        return data.clone()
    image = _in_floats(data)
    axes = constant_like(PRINCIPAL_AXES, alpha)
    shift = (alpha * constant_like(PRINCIPAL_DEVIATIONS, alpha)) @ axes.T
    return saturate(image + shift.to(image.dtype), data.dtype)
