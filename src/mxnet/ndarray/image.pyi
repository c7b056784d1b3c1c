"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray._ndarray import NDArray


def adjust_lighting(
    data: NDArray,
    alpha: float | Sequence[float],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves the colours of an image along the principal axes of the colours of ImageNet."""

def crop(
    data: NDArray,
    x: int,
    y: int,
    width: int,
    height: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Cuts a rectangle out of an image."""

def flip_left_right(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image so that left and right change places."""

def flip_top_bottom(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image so that top and bottom change places."""

def normalize(
    data: NDArray,
    mean: float | Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    std: float | Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts a mean and divides by a deviation, by channel."""

def random_brightness(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies an image by a random factor."""

def random_color_jitter(
    data: NDArray,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Changes brightness, contrast, saturation and hue at random, in random order."""

def random_contrast(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies the distance of an image to its mean grey by a random factor."""

def random_crop(
    data: NDArray,
    xrange: float | Sequence[float] = (0.0, 1.0),
    yrange: float | Sequence[float] = (0.0, 1.0),
    width: int = ...,
    height: int = ...,
    interp: int = 1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Cuts a rectangle of a given size out of images, at a random place."""

def random_flip_left_right(
    data: NDArray,
    p: float = 0.5,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image sideways at random; each of a batch on its own."""

def random_flip_top_bottom(
    data: NDArray,
    p: float = 0.5,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Mirrors an image upside down at random; each of a batch on its own."""

def random_hue(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Turns the colours of an image by a random part of the circle of hues."""

def random_lighting(
    data: NDArray,
    alpha_std: float = 0.05,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves the colours of an image at random along the principal axes of colours of ImageNet."""

def random_resized_crop(
    data: NDArray,
    width: int,
    height: int,
    area: float | Sequence[float] = (0.08, 1.0),
    ratio: float | Sequence[float] = (0.75, 1.3333333333333333),
    interp: int = 1,
    max_trial: int = 10,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Cuts a rectangle of a random size out of images and scales it to a given size."""

def random_saturation(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Makes the colours of an image stronger or weaker by a random factor."""

def resize(
    data: NDArray,
    size: int | Sequence[int] = (),
    keep_ratio: bool = False,
    interp: int = 1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales an image, as OpenCV does."""

def to_tensor(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Turns an image into a float tensor, channels first, with values divided by 255."""
