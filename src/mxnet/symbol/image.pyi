"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet.symbol.symbol import Symbol


def adjust_lighting(
    data: Symbol | None = None,
    alpha: float | Sequence[float] = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Moves the colours of an image along the principal axes of the colours of ImageNet."""

def crop(
    data: Symbol | None = None,
    x: int = ...,
    y: int = ...,
    width: int = ...,
    height: int = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Cuts a rectangle out of an image."""

def flip_left_right(
    data: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Mirrors an image so that left and right change places."""

def flip_top_bottom(
    data: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Mirrors an image so that top and bottom change places."""

def normalize(
    data: Symbol | None = None,
    mean: float | Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    std: float | Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Subtracts a mean and divides by a deviation, by channel."""

def random_brightness(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Multiplies an image by a random factor."""

def random_color_jitter(
    data: Symbol | None = None,
    brightness: float = ...,
    contrast: float = ...,
    saturation: float = ...,
    hue: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Changes brightness, contrast, saturation and hue at random, in random order."""

def random_contrast(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Multiplies the distance of an image to its mean grey by a random factor."""

def random_crop(
    data: Symbol | None = None,
    xrange: float | Sequence[float] = (0.0, 1.0),
    yrange: float | Sequence[float] = (0.0, 1.0),
    width: int = ...,
    height: int = ...,
    interp: int = 1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Cuts a rectangle of a given size out of images, at a random place."""

def random_flip_left_right(
    data: Symbol | None = None,
    p: float = 0.5,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Mirrors an image sideways at random; each of a batch on its own."""

def random_flip_top_bottom(
    data: Symbol | None = None,
    p: float = 0.5,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Mirrors an image upside down at random; each of a batch on its own."""

def random_hue(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Turns the colours of an image by a random part of the circle of hues."""

def random_lighting(
    data: Symbol | None = None,
    alpha_std: float = 0.05,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Moves the colours of an image at random along the principal axes of colours of ImageNet."""

def random_resized_crop(
    data: Symbol | None = None,
    width: int = ...,
    height: int = ...,
    area: float | Sequence[float] = (0.08, 1.0),
    ratio: float | Sequence[float] = (0.75, 1.3333333333333333),
    interp: int = 1,
    max_trial: int = 10,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Cuts a rectangle of a random size out of images and scales it to a given size."""

def random_saturation(
    data: Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Makes the colours of an image stronger or weaker by a random factor."""

def resize(
    data: Symbol | None = None,
    size: int | Sequence[int] = (),
    keep_ratio: bool = False,
    interp: int = 1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Scales an image, as OpenCV does."""

def to_tensor(
    data: Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> Symbol:
    """Turns an image into a float tensor, channels first, with values divided by 255."""
