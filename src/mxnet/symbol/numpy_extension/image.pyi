"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping, Sequence
from mxnet.symbol.numpy._symbol import _Symbol as _Symbol

def adjust_lighting(
    data: _Symbol | None = None,
    alpha: float | Sequence[float] = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Moves the colours of an image along the principal axes of the colours of ImageNet."""

def crop(
    data: _Symbol | None = None,
    x: int = ...,
    y: int = ...,
    width: int = ...,
    height: int = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Cuts a rectangle out of an image."""

def flip_left_right(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Mirrors an image so that left and right change places."""

def flip_top_bottom(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Mirrors an image so that top and bottom change places."""

def normalize(
    data: _Symbol | None = None,
    mean: float | Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    std: float | Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Subtracts a mean and divides by a deviation, by channel."""

def random_brightness(
    data: _Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Multiplies an image by a random factor."""

def random_color_jitter(
    data: _Symbol | None = None,
    brightness: float = ...,
    contrast: float = ...,
    saturation: float = ...,
    hue: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Changes brightness, contrast, saturation and hue at random, in random order."""

def random_contrast(
    data: _Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Multiplies the distance of an image to its mean grey by a random factor."""

def random_flip_left_right(
    data: _Symbol | None = None,
    p: float = 0.5,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Mirrors an image sideways at random; each of a batch on its own."""

def random_flip_top_bottom(
    data: _Symbol | None = None,
    p: float = 0.5,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Mirrors an image upside down at random; each of a batch on its own."""

def random_hue(
    data: _Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Turns the colours of an image by a random part of the circle of hues."""

def random_lighting(
    data: _Symbol | None = None,
    alpha_std: float = 0.05,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Moves the colours of an image at random along the principal axes of colours of ImageNet."""

def random_saturation(
    data: _Symbol | None = None,
    min_factor: float = ...,
    max_factor: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Makes the colours of an image stronger or weaker by a random factor."""

def resize(
    data: _Symbol | None = None,
    size: int | Sequence[int] = (),
    keep_ratio: bool = False,
    interp: int = 1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Scales an image, as OpenCV does."""

def to_tensor(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Turns an image into a float tensor, channels first, with values divided by 255."""
