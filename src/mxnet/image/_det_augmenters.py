"""Augmenters for detection: they change an image and the boxes of its objects together.

A label is an array of one row for each object: class, left, top, right and bottom edge as parts of
the image, and what else belongs to the object.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from math import sqrt
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from mxnet._frontend.dialect import functions_for
from mxnet._start import level_of_program
from mxnet.errors import InvalidArgumentError, UnsupportedTypeError
from mxnet.image._augmenters import Augmenter, Described
from mxnet.image._geometry import Box, Range, copyMakeBorder, fixed_crop
from mxnet.ndarray import NDArray
from mxnet.ops.image.transforms import box_areas, intersect_boxes

Label: TypeAlias = npt.NDArray[Any]
Placed: TypeAlias = tuple[Box, Label]
"""A rectangle, and the label that belongs to what it shows."""

ALMOST_HALF = 0.4999999
LEAST_BORDER = 2


class DetAugmenter(Described):
    """Base of augmenters for detection.

    Args:
        **kwargs: The options, for `dumps`.

    Example:
        >>> import mxnet as mx
        >>> class Negative(mx.image.DetAugmenter):
        ...     def __call__(self, src, label):
        ...         return 255 - src, label
        >>> image, label = Negative()(mx.nd.zeros((2, 2, 3)), mx.nd.ones((1, 5)).asnumpy())
        >>> float(image.min().asscalar()), label.shape
        (255.0, (1, 5))
    """

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        """Changes an image and its label; every augmenter has its own way."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to change an image")


class DetBorrowAug(DetAugmenter):
    """Uses an augmenter of images that leaves the boxes where they are.

    Args:
        augmenter: The augmenter.

    Example:
        >>> import mxnet as mx
        >>> label = mx.nd.array([[0, 0.1, 0.2, 0.4, 0.6]]).asnumpy()
        >>> borrowed = mx.image.DetBorrowAug(mx.image.ForceResizeAug((8, 8)))
        >>> image, label = borrowed(mx.nd.zeros((4, 6, 3)), label)
        >>> image.shape, label.shape
        ((8, 8, 3), (1, 5))
    """

    def __init__(self, augmenter: Augmenter) -> None:
        if not isinstance(augmenter, Augmenter):
            raise UnsupportedTypeError(
                f"DetBorrowAug: takes an Augmenter, got {type(augmenter).__name__}"
            )
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self) -> Any:
        """Returns the name and what the borrowed augmenter gives."""
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        """Changes an image."""
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """Applies one of several augmenters, chosen at random, or none.

    Args:
        aug_list: The augmenters; the list is shuffled.
        skip_prob: Probability to apply none.

    Example:
        >>> import mxnet as mx
        >>> label = mx.nd.array([[0, 0.1, 0.2, 0.4, 0.6]]).asnumpy()
        >>> flip = mx.image.DetHorizontalFlipAug(p=1)
        >>> select = mx.image.DetRandomSelectAug([flip, flip], skip_prob=0)
        >>> print(select(mx.nd.zeros((4, 6, 3)), label)[1].round(2))
        [[0.  0.6 0.2 0.9 0.6]]
    """

    def __init__(self, aug_list: list[DetAugmenter] | DetAugmenter, skip_prob: float = 0) -> None:
        super().__init__(skip_prob=skip_prob)
        if not isinstance(aug_list, (list, tuple)):
            aug_list = [aug_list]
        for augmenter in aug_list:
            if not isinstance(augmenter, DetAugmenter):
                raise InvalidArgumentError(
                    f"DetRandomSelectAug: takes DetAugmenters, got {type(augmenter).__name__}"
                )
        self.aug_list = aug_list
        self.skip_prob = skip_prob if aug_list else 1

    def dumps(self) -> Any:
        """Returns the name and what the augmenters give."""
        return [type(self).__name__.lower(), [augmenter.dumps() for augmenter in self.aug_list]]

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        """Changes an image and its label."""
        if random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """Mirrors an image and its boxes sideways with some probability; the label in place.

    Args:
        p: The probability.

    Example:
        >>> import mxnet as mx
        >>> label = mx.nd.array([[0, 0.1, 0.2, 0.4, 0.6]]).asnumpy()
        >>> image, label = mx.image.DetHorizontalFlipAug(p=1)(mx.nd.zeros((4, 6, 3)), label)
        >>> print(label.round(2))
        [[0.  0.6 0.2 0.9 0.6]]
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        """Changes an image and its label."""
        if random.random() < self.p:
            src = functions_for(src).flip(src, axis=1)
            label[:, [1, 3]] = 1.0 - label[:, [3, 1]]
        return src, label


def _pair(name: str, value: float | Range) -> Range:
    """Returns a range; one number stands for both ends."""
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise InvalidArgumentError(f"`{name}` takes a number or two, got {value}")
        return value
    return (value, value)


def _is_usable(where: str, areas: Range, ratios: Range, least: float) -> bool:
    """Returns whether areas above the least and ratios can be drawn, and warns if not."""
    usable = least < areas[1] >= areas[0] and 0 < ratios[0] <= ratios[1]
    if not usable:
        warnings.warn(
            f"{where} does nothing: area_range {areas} and aspect_ratio_range {ratios} "
            f"must be ranges, of areas above {least} and of positive ratios",
            UserWarning,
            stacklevel=level_of_program(),
        )
    return usable


def _draw_height(least: int, largest: int) -> int:
    """Draws a height, where there is a choice."""
    return random.randint(least, largest) if least < largest else largest


class _RandomPlaceAug(DetAugmenter):
    """Draws rectangles of random area, ratio and place until one suits.

    Args:
        **options: The options of the augmenter, which become attributes; a range may be a number.
    """

    _least_area: ClassVar[float]
    aspect_ratio_range: Range
    area_range: Range
    max_attempts: int

    def __init__(self, **options: Any) -> None:
        for name in ("aspect_ratio_range", "area_range"):
            options[name] = _pair(name, options[name])
        super().__init__(**options)
        vars(self).update(options)
        self.enabled = _is_usable(
            type(self).__name__, self.area_range, self.aspect_ratio_range, self._least_area
        )

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        """Changes an image and its label."""
        height, width = src.shape[:2]
        attempts = self.max_attempts if self.enabled and height > 0 and width > 0 else 0
        for _ in range(attempts):
            placed = self._propose(label, height, width)
            if placed is not None:
                return self._place(src, placed[0]), placed[1]
        return src, label

    def _propose(self, label: Label, height: int, width: int) -> Placed | None:
        """Draws a rectangle; None if it does not suit."""
        raise NotImplementedError

    def _place(self, src: NDArray, box: Box) -> NDArray:
        """Returns the image in the rectangle."""
        raise NotImplementedError


class DetRandomCropAug(_RandomPlaceAug):
    """Cuts out a random rectangle that shows enough of every object it touches.

    Args:
        min_object_covered: Least visible part of each object that is touched.
        aspect_ratio_range: Least and largest ratio of width to height.
        area_range: Least and largest part of the image to take.
        min_eject_coverage: Objects of which less than this is left are dropped from the label.
        max_attempts: How often to try before the image stays as it is.

    Example:
        >>> import mxnet as mx
        >>> label = mx.nd.array([[0, 0.1, 0.2, 0.4, 0.6]]).asnumpy()
        >>> crop = mx.image.DetRandomCropAug(min_object_covered=0.5)
        >>> image, label = crop(mx.nd.zeros((40, 60, 3)), label)
        >>> label.shape, image.shape[0] <= 40
        ((1, 5), True)
    """

    _least_area = 0.0
    min_object_covered: float
    min_eject_coverage: float

    def __init__(
        self,
        min_object_covered: float = 0.1,
        aspect_ratio_range: float | Range = (0.75, 1.33),
        area_range: float | Range = (0.05, 1.0),
        min_eject_coverage: float = 0.3,
        max_attempts: int = 50,
    ) -> None:
        super().__init__(
            min_object_covered=min_object_covered,
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            min_eject_coverage=min_eject_coverage,
            max_attempts=max_attempts,
        )

    def _place(self, src: NDArray, box: Box) -> NDArray:
        return fixed_crop(src, *box)

    def _propose(self, label: Label, height: int, width: int) -> Placed | None:
        size = self._draw_size(height, width)
        if size is None:
            return None
        upper = random.randint(0, max(0, height - size[1]))
        left = random.randint(0, max(0, width - size[0]))
        box = (left, upper, *size)
        if not self._shows_enough(label, box, height, width):
            return None
        cropped = self._crop_label(label, box, height, width)
        return None if cropped is None else (box, cropped)

    def _draw_size(self, height: int, width: int) -> tuple[int, int] | None:
        """Draws a width and a height whose area is in the range, if rounding allows."""
        ratio = random.uniform(*self.aspect_ratio_range)
        least, largest = (part * height * width for part in self.area_range)
        tallest = round(sqrt(largest / ratio))
        if round(tallest * ratio) > width:
            tallest = int((width + ALMOST_HALF) / ratio)
        tallest = min(tallest, height)
        rows = _draw_height(min(round(sqrt(least / ratio)), tallest), tallest)
        columns = round(rows * ratio)
        if columns * rows < least:
            rows += 1
            columns = round(rows * ratio)
        if columns * rows > largest:
            rows -= 1
            columns = round(rows * ratio)
        fits = 0 <= columns <= width and 0 <= rows <= height
        if not fits or not least <= columns * rows <= largest:
            return None
        return columns, rows

    def _shows_enough(self, label: Label, box: Box, height: int, width: int) -> bool:
        left, upper, columns, rows = box
        if columns * rows < 2:
            return False
        edges = np.array(
            [left / width, upper / height, (left + columns) / width, (upper + rows) / height]
        )
        areas = box_areas(label[:, 1:])
        known = np.where(areas * width * height > 2)[0]
        if known.size < 1:
            return False
        seen = box_areas(intersect_boxes(label[known, 1:5], edges)) / areas[known]
        seen = seen[seen > 0]
        return bool(seen.size > 0 and seen.min() > self.min_object_covered)

    def _crop_label(self, label: Label, box: Box, height: int, width: int) -> Label | None:
        """Returns the label of a rectangle; None if no object is left."""
        left, upper, columns, rows = box
        across, down = columns / width, rows / height
        out = label.copy()
        out[:, [1, 3]] = np.clip((out[:, [1, 3]] - left / width) / across, 0, 1)
        out[:, [2, 4]] = np.clip((out[:, [2, 4]] - upper / height) / down, 0, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            left_over = box_areas(out[:, 1:]) * across * down / box_areas(label[:, 1:])
        valid = (
            (out[:, 3] > out[:, 1])
            & (out[:, 4] > out[:, 2])
            & (left_over > self.min_eject_coverage)
        )
        return out[valid] if valid.any() else None


class DetRandomPadAug(_RandomPlaceAug):
    """Puts an image at a random place into a larger one.

    Args:
        aspect_ratio_range: Least and largest ratio of width to height of the result.
        area_range: Least and largest area of the result, in areas of the image.
        max_attempts: How often to try before the image stays as it is.
        pad_val: Colour of the rest, by channel.

    Example:
        >>> import mxnet as mx
        >>> label = mx.nd.array([[0, 0.1, 0.2, 0.4, 0.6]]).asnumpy()
        >>> pad = mx.image.DetRandomPadAug(area_range=(1.5, 3))
        >>> image, label = pad(mx.nd.zeros((40, 60, 3)), label)
        >>> label.shape, image.shape[0] >= 40
        ((1, 5), True)
    """

    _least_area = 1.0
    pad_val: float | Sequence[float]

    def __init__(
        self,
        aspect_ratio_range: float | Range = (0.75, 1.33),
        area_range: float | Range = (1.0, 3.0),
        max_attempts: int = 50,
        pad_val: float | Sequence[float] = (128, 128, 128),
    ) -> None:
        super().__init__(
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            max_attempts=max_attempts,
            pad_val=pad_val,
        )

    def _place(self, src: NDArray, box: Box) -> NDArray:
        height, width, channels = src.shape
        left, upper, columns, rows = box
        colour = self.pad_val if isinstance(self.pad_val, (tuple, list)) else (self.pad_val,)
        if len(colour) == 1:
            colour = tuple(colour) * channels
        below, right = rows - upper - height, columns - left - width
        return copyMakeBorder(src, upper, below, left, right, values=tuple(colour))

    def _propose(self, label: Label, height: int, width: int) -> Placed | None:
        columns, rows = self._draw_size(height, width)
        if rows - height < LEAST_BORDER or columns - width < LEAST_BORDER:
            return None
        upper = random.randint(0, max(0, rows - height))
        left = random.randint(0, max(0, columns - width))
        out = label.copy()
        out[:, [1, 3]] = (out[:, [1, 3]] * width + left) / columns
        out[:, [2, 4]] = (out[:, [2, 4]] * height + upper) / rows
        return (left, upper, columns, rows), out

    def _draw_size(self, height: int, width: int) -> tuple[int, int]:
        """Draws a width and a height."""
        ratio = random.uniform(*self.aspect_ratio_range)
        least, largest = (part * height * width for part in self.area_range)
        tallest = round(sqrt(largest / ratio))
        shortest = round(sqrt(least / ratio))
        if round(shortest * ratio) < width:
            shortest = int((width + ALMOST_HALF) / ratio)
        shortest = min(max(shortest, height), tallest)
        rows = _draw_height(shortest, tallest)
        return round(rows * ratio), rows
