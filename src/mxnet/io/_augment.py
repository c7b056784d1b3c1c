"""The random changes that `ImageRecordIter` makes to an image, up to its place in a batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from mxnet._formats.opencv import cv2
from mxnet.io._image_options import ImageOptions, RecordOptions
from mxnet.ops.image.color import LUMINANCE, PRINCIPAL_AXES, PRINCIPAL_DEVIATIONS
from mxnet.ops.image.resize import (
    LANCZOS,
    NEAREST,
    check_enlarged,
    choose_by_size,
    scale_shorter_edge,
)

Image: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Step: TypeAlias = "Callable[[Image, Draws], Image]"
Change: TypeAlias = tuple[np.float32, np.float32]

NUM_DRAWS = 80
"""How many random numbers are drawn for an image: more than all steps together use."""

_BY_SIZE, _AT_RANDOM = 9, 10
_CROP_ATTEMPTS = 10
_UNCHANGED = np.float32(1), np.float32(0)
_BLUE_FIRST = np.array(PRINCIPAL_AXES)[::-1]
_PLACE_BITS = 10
_FRACTION_BITS = 5
_STEPS = 1 << _FRACTION_BITS


class Draws:
    """Random numbers for one image, drawn in advance so that they do not depend on threads."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Image) -> None:
        self._numbers = iter(numbers.tolist())

    def uniform(self, low: float, high: float) -> float:
        """Draws a number uniformly from an interval."""
        drawn: float = next(self._numbers)
        return low + (high - low) * drawn

    def mostly_small(self, limit: float) -> float:
        """Draws a number around zero; large values are rare."""
        return 0.2 * self.uniform(-limit, limit) + 0.8 * self.uniform(-limit, limit)

    def integer(self, low: int, high: int) -> int:
        """Draws an integer from `low` to `high`, both included."""
        return min(high, low + int((high - low + 1) * next(self._numbers)))

    def normal(self, deviation: float) -> float:
        """Draws from a normal distribution around zero."""
        radius = math.sqrt(-2 * math.log(1 - next(self._numbers)))
        return deviation * radius * math.cos(2 * math.pi * next(self._numbers))


def make_steps(options: ImageOptions) -> list[Step]:
    """Returns the steps that the options ask for, in their order."""
    geometry = _Geometry(options)
    shifts = options.data_shape[0] == 3 and any(
        (options.random_h, options.random_s, options.random_l)
    )
    jitters = any((options.brightness, options.contrast, options.saturation))
    steps: list[tuple[bool, Step]] = [
        (options.resize != -1, geometry.resize_shorter_edge),
        (geometry.is_warping, geometry.warp),
        (options.pad > 0, geometry.add_border),
        (True, geometry.choose_crop()),
        (shifts, partial(_shift_at_random, options)),
        (jitters, partial(_jitter, options)),
        (options.pca_noise > 0, partial(_add_noise, options)),
    ]
    return [step for wanted, step in steps if wanted]


def _interpolation(method: int, old: tuple[int, int], new: tuple[int, int], draws: Draws) -> int:
    """Chooses OpenCV's interpolation for a change of size."""
    if method == _BY_SIZE:
        return choose_by_size(old, new)
    return draws.integer(NEAREST, LANCZOS) if method == _AT_RANDOM else method


def resize(image: Image, size: tuple[int, int], method: int, draws: Draws) -> Image:
    """Scales an image to a width and a height."""
    check_enlarged("resize", image.shape[:2], size[::-1])
    method = _interpolation(method, (image.shape[1], image.shape[0]), size, draws)
    return cv2.resize(image, size, interpolation=method)


def resize_shorter_edge(image: Image, edge: int, method: int, draws: Draws) -> Image:
    """Scales an image so that its shorter edge has a length."""
    height, width = scale_shorter_edge("resize", image.shape[0], image.shape[1], edge)
    return resize(image, (width, height), method, draws)


def shift_hls(image: Image, shifts: Sequence[float]) -> Image:
    """Adds whole numbers to hue, lightness and saturation of an image with blue first."""
    hls = cv2.cvtColor(image, cv2.COLOR_BGR2HLS).astype(np.int16) + np.array(shifts, np.int16)
    hls = np.clip(hls, 0, (180, 255, 255)).astype(np.uint8)
    return cv2.cvtColor(hls, cv2.COLOR_HLS2BGR)


def to_bytes(values: Image) -> Image:
    """Rounds floats to bytes, as OpenCV does."""
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


class _Geometry:
    """Steps that move pixels."""

    def __init__(self, options: ImageOptions) -> None:
        self._options = options
        _, self._height, self._width = options.data_shape
        self._lowest_ratio = 1 - options.max_aspect_ratio
        self._highest_ratio = 1 + options.max_aspect_ratio
        if options.min_aspect_ratio is not None:
            self._lowest_ratio = options.min_aspect_ratio
            self._highest_ratio = options.max_aspect_ratio
        self._changes_ratio = self._lowest_ratio != 1 or self._highest_ratio != 1

    @property
    def is_warping(self) -> bool:
        options = self._options
        return (
            options.max_rotate_angle > 0
            or options.max_shear_ratio > 0
            or options.rotate > 0
            or options.max_random_scale != 1
            or options.min_random_scale != 1
            or (self._changes_ratio and not options.random_resized_crop)
            or options.max_img_size != 1e10
            or options.min_img_size != 0
        )

    def _resized(self, image: Image, width: int, height: int, draws: Draws) -> Image:
        return resize(image, (width, height), self._options.inter_method, draws)

    def resize_shorter_edge(self, image: Image, draws: Draws) -> Image:
        options = self._options
        return resize_shorter_edge(image, options.resize, options.inter_method, draws)

    def warp(self, image: Image, draws: Draws) -> Image:
        """Rotates, shears, scales and stretches the image about its center."""
        options = self._options
        shear = draws.uniform(-options.max_shear_ratio, options.max_shear_ratio)
        degrees = draws.integer(-options.max_rotate_angle, options.max_rotate_angle)
        if options.rotate > 0:
            degrees = options.rotate
        cosine, sine = (f(math.radians(degrees)) for f in (math.cos, math.sin))
        scale = draws.uniform(options.min_random_scale, options.max_random_scale)
        ratio = 1.0
        if not options.random_resized_crop:
            ratio = draws.uniform(self._lowest_ratio, self._highest_ratio)
        tall = 2 * scale / (1 + ratio)
        wide = ratio * tall
        height, width = image.shape[:2]
        new_width, new_height = (
            max(options.min_img_size, min(options.max_img_size, scale * edge))
            for edge in (width, height)
        )
        size = int(new_width), int(new_height)
        check_enlarged("warp", (height, width), size[::-1])
        matrix = np.array(
            [
                [tall * cosine - shear * sine * wide, tall * sine + shear * cosine * wide, 0],
                [-sine * wide, cosine * wide, 0],
            ],
            np.float32,
        )
        moved = matrix[:, :2] @ np.array([width, height], np.float32)
        matrix[:, 2] = (np.array([new_width, new_height], np.float32) - moved) / 2
        method = _interpolation(options.inter_method, (width, height), size, draws)
        return warp_affine(image, matrix, size, method, (options.fill_value,) * 3)

    def add_border(self, image: Image, draws: Draws) -> Image:  # noqa: ARG002
        edges = (self._options.pad,) * 4
        colour = (self._options.fill_value,) * 3
        return cv2.copyMakeBorder(image, *edges, cv2.BORDER_CONSTANT, value=colour)

    def choose_crop(self) -> Step:
        """Returns the cropping step that the options ask for."""
        options = self._options
        if options.random_resized_crop:
            is_random = self._changes_ratio or options.min_random_area != 1
            return self.crop_random_area if is_random else self.crop
        if options.max_crop_size != -1 or options.min_crop_size != -1:
            return self.crop_square
        return self.crop

    def _cut(self, image: Image, height: int, width: int, draws: Draws) -> Image:
        top, left = image.shape[0] - height, image.shape[1] - width
        if self._options.rand_crop:
            top, left = draws.integer(0, top), draws.integer(0, left)
        else:
            top, left = top // 2, left // 2
        return image[top : top + height, left : left + width]

    def crop(self, image: Image, draws: Draws) -> Image:
        """Crops to the wanted size; an image that is too small is enlarged first."""
        if image.shape[0] < self._height:
            width = int(self._height / image.shape[0] * image.shape[1])
            image = self._resized(image, width, self._height, draws)
        if image.shape[1] < self._width:
            height = int(self._width / image.shape[1] * image.shape[0])
            image = self._resized(image, self._width, height, draws)
        return self._cut(image, self._height, self._width, draws)

    def crop_square(self, image: Image, draws: Draws) -> Image:
        """Cuts out a square of random size and resizes it."""
        options = self._options
        edge = draws.integer(options.min_crop_size, options.max_crop_size)
        if edge <= 0 or edge > min(image.shape[:2]):
            height, width = image.shape[:2]
            raise ValueError(f"a crop of {edge} pixels does not fit into {width}x{height}")
        part = self._cut(image, edge, edge, draws)
        return self._resized(part, self._width, self._height, draws)

    def crop_random_area(self, image: Image, draws: Draws) -> Image:
        """Crops a random area with a random aspect ratio and resizes it, if one fits."""
        options = self._options
        height, width = image.shape[:2]
        for _ in range(_CROP_ATTEMPTS):
            share = draws.uniform(options.min_random_area, options.max_random_area)
            ratio = draws.uniform(self._lowest_ratio, self._highest_ratio)
            if draws.integer(0, 1):
                ratio = 1 / ratio
            area = share * height * width
            part_width, part_height = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < part_width <= width and 0 < part_height <= height:
                top = draws.integer(0, height - part_height)
                left = draws.integer(0, width - part_width)
                part = image[top : top + part_height, left : left + part_width]
                return self._resized(part, self._width, self._height, draws)
        return self.crop(image, draws)


def _shift_at_random(options: ImageOptions, image: Image, draws: Draws) -> Image:
    """Shifts hue, lightness and saturation."""
    limits = (options.random_h, options.random_l, options.random_s)
    return shift_hls(image, [draws.mostly_small(limit) for limit in limits])


def _jitter(options: ImageOptions, image: Image, draws: Draws) -> Image:
    """Changes brightness, contrast and saturation, in random order."""
    limits = [options.brightness, options.contrast, options.saturation]
    towards = [_black, _mean_grey, _grey]
    changed = image.astype(np.float32)
    while limits:
        chosen = draws.integer(0, len(limits) - 1)
        limit, toward = limits.pop(chosen), towards.pop(chosen)
        share = np.float32(1 + draws.uniform(-limit, limit))
        changed = changed * share + toward(changed) * (1 - share)
    return to_bytes(changed)


def _add_noise(options: ImageOptions, image: Image, draws: Draws) -> Image:
    """Adds one random colour to all pixels of an image with blue first."""
    shares = np.array([draws.normal(options.pca_noise) for _ in range(3)])
    noise = (_BLUE_FIRST @ (shares * PRINCIPAL_DEVIATIONS)).astype(np.float32)
    changed = image.astype(np.float32)
    if image.ndim == 2:
        changed += noise.mean()
    else:
        changed[..., :3] += noise
    return to_bytes(changed)


def _black(image: Image) -> Image:
    return np.zeros_like(image)


def _grey(image: Image) -> Image:
    if image.ndim == 2:
        return image
    # As in the original, blue (the first channel) gets the weight of red.
    return np.asarray(image[..., :3] @ np.array(LUMINANCE, np.float32))[..., None]


def _mean_grey(image: Image) -> Image:
    return np.asarray(_grey(image).mean(), np.float32)


def warp_affine(
    image: Image, matrix: Image, size: tuple[int, int], method: int, colour: tuple[int, ...]
) -> Image:
    """Moves the pixels of an image, with the arithmetic of OpenCV 3 and 4.

    OpenCV 5 interpolates at exact coordinates. Earlier versions rounded them to 1/32 of a pixel,
    which changes results by a few grey levels; record files are read as the original reads them.

    Args:
        image: Image of any number of channels.
        matrix: Affine matrix of shape `(2, 3)`, from the image to the result.
        size: Width and height of the result.
        method: OpenCV's code of the interpolation.
        colour: Colour of pixels that come from outside of the image.
    """
    back = cv2.invertAffineTransform(matrix.astype(np.float64))
    if method == cv2.INTER_NEAREST:
        places, fractions = _places(back, size, 0), np.empty(0, np.uint16)
    else:
        fine = _places(back, size, _FRACTION_BITS)
        places = fine >> _FRACTION_BITS
        rest = fine & (_STEPS - 1)
        fractions = (rest[..., 1] * _STEPS + rest[..., 0]).astype(np.uint16)
    if method == cv2.INTER_AREA:
        method = cv2.INTER_LINEAR
    return cv2.remap(
        image,
        places.astype(np.int16),
        fractions,
        method,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=colour,
    )


def _places(back: Image, size: tuple[int, int], bits: int) -> Image:
    """Returns where every pixel of the result comes from, in steps of 1/2**bits."""
    dropped = _PLACE_BITS - bits
    x, y = np.arange(size[0])[None, :, None], np.arange(size[1])[:, None, None]
    across = np.rint(back[:, 0] * x * (1 << _PLACE_BITS)).astype(np.int32)
    down = np.rint((back[:, 1] * y + back[:, 2]) * (1 << _PLACE_BITS)).astype(np.int32)
    return np.asarray((across + down + (1 << dropped - 1)) >> dropped)


class Scaling:
    """Writes pixels into a batch: flipped or not, red first, minus the mean, scaled.

    A pixel has only 256 values, so results are looked up in a table for each channel, unless a
    mean image is subtracted.

    Args:
        options: What to subtract and multiply by.
        dtype: Element type of the batch.
        mean_image: Image to subtract, instead of one number for each channel.
    """

    def __init__(self, options: RecordOptions, dtype: str, mean_image: Image | None = None) -> None:
        self._dtype = np.dtype(dtype)
        channels = options.data_shape[0]
        self._order = (2, 1, 0, 3)[:channels] if channels > 1 else (0,)
        means = (options.mean_r, options.mean_g, options.mean_b, options.mean_a)
        deviations = (options.std_r, options.std_g, options.std_b, options.std_a)
        self._mean = np.array(means[:channels], np.float32)[:, None]
        self._factor = np.float32(options.scale) / np.array(deviations[:channels], np.float32)
        self._mean_image = mean_image
        changes = self._mean.any() or bool(np.any(self._factor != 1))
        is_looked_up = dtype == "int8" or (dtype == "float32" and changes)
        self._tables = self._make_tables(_UNCHANGED) if is_looked_up else None

    def _make_tables(self, change: Change) -> Image:
        values = np.arange(256, dtype=np.float32) - self._mean
        return self._scaled(values, change, self._factor[:, None])

    def _scaled(self, values: Image, change: Change, factor: Image) -> Image:
        contrast, illumination = change
        scaled: Image = (values * contrast + illumination) * factor
        if self._dtype == np.int8:
            scaled = np.clip(scaled, -128, 127)
        return scaled.astype(self._dtype, copy=False)

    def write(
        self, image: Image, target: Image, flips: bool = False, change: Change | None = None
    ) -> None:
        """Writes an image into its place.

        Args:
            image: The image, blue first.
            target: Its place in a batch.
            flips: Whether to exchange left and right.
            change: Contrast, a factor of all pixels, and illumination, what to add to them.
        """
        if self._mean_image is not None and self._dtype != np.uint8:
            stacked = np.stack([cv2.split(image)[source] for source in self._order])
            difference = stacked - self._mean_image
            scaled = self._scaled(difference, change or _UNCHANGED, self._factor[:, None, None])
            target[:] = scaled[..., ::-1] if flips else scaled
            return
        tables = self._tables
        if change is not None and self._dtype != np.uint8:
            tables = self._make_tables(change)
        planes = cv2.split(cv2.flip(image, 1) if flips else image)
        for place, source in enumerate(self._order):
            if tables is None:
                np.copyto(target[place], planes[source])
            else:
                cv2.LUT(planes[source], tables[place], target[place])
