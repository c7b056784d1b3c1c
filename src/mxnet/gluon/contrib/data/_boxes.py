"""Bounding boxes of images, and transforms that change an image together with its boxes.

Boxes are rows of left, top, right and bottom edge, behind which may stand more, such as a class.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mxnet._frontend.dialect import dialect_of
from mxnet.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    CheckFailedError,
    IndexOutOfBoundsError,
    NotSupportedError,
)
from mxnet.gluon.block import Block

Boxes = npt.NDArray[Any]
_OVERLAPS = ((0.1, None), (0.3, None), (0.5, None), (0.7, None), (0.9, None), (None, 1))
"""Least and largest overlap of boxes with the part of the image that is cut out, to be tried."""


def _check_boxes(bbox: Any) -> None:
    if len(bbox.shape) != 2 or bbox.shape[1] < 4:
        raise CheckFailedError(f"boxes: expected rows of 4 or more numbers, got {bbox.shape}")


def _pair(where: str, size: Sequence[float]) -> Sequence[float]:
    if len(size) != 2:
        raise ArgumentValueError(f"{where}: expected width and height, got {len(size)} numbers")
    return size


def bbox_crop(
    bbox: Boxes, crop_box: Sequence[float | None] | None = None, allow_outside_center: bool = True
) -> Boxes:
    """Returns the parts of boxes inside of a rectangle, counted from its corner.

    Args:
        bbox: The boxes.
        crop_box: Left and upper edge, width and height of the rectangle; None for an edge of the
            image, or for all of it.
        allow_outside_center: Whether boxes stay whose center is outside.

    Example:
        >>> import numpy
        >>> from mxnet.gluon.contrib.data.vision.transforms.bbox import utils
        >>> utils.bbox_crop(numpy.array([[0, 0, 4, 4], [8, 8, 9, 9]]), (1, 2, 5, 5)).tolist()
        [[0, 0, 3, 2]]
    """
    if crop_box is None or not any(item is not None for item in crop_box):
        whole: Boxes = bbox.copy()
        return whole
    if len(crop_box) != 4:
        raise ArgumentValueError(f"bbox_crop: expected 4 numbers for crop_box, got {crop_box}")
    left, top, width, height = crop_box
    start = np.array([left or 0, top or 0])
    end = start + np.array([width or np.inf, height or np.inf])
    cut: Boxes = bbox.copy()
    cut[:, :2] = np.maximum(bbox[:, :2], start) - start
    cut[:, 2:4] = np.minimum(bbox[:, 2:4], end) - start
    kept = (cut[:, :2] < cut[:, 2:4]).all(axis=1)
    if not allow_outside_center:
        centers = (bbox[:, :2] + bbox[:, 2:4]) / 2
        kept &= ((start <= centers) & (centers < end)).all(axis=1)
    inside: Boxes = cut[kept]
    return inside


def bbox_flip(
    bbox: Boxes, size: Sequence[float], flip_x: bool = False, flip_y: bool = False
) -> Boxes:
    """Returns boxes in a mirrored image.

    Args:
        bbox: The boxes.
        size: Width and height of the image.
        flip_x: Whether left and right change places.
        flip_y: Whether top and bottom do.
    """
    mirrored: Boxes = bbox.copy()
    for axis, (length, flips) in enumerate(
        zip(_pair("bbox_flip", size), (flip_x, flip_y), strict=True)
    ):
        if flips:
            mirrored[:, axis] = length - bbox[:, axis + 2]
            mirrored[:, axis + 2] = length - bbox[:, axis]
    return mirrored


def bbox_resize(bbox: Boxes, in_size: Sequence[float], out_size: Sequence[float]) -> Boxes:
    """Returns boxes in a scaled image, as float64.

    Args:
        bbox: The boxes.
        in_size: Width and height of the image.
        out_size: Width and height of the scaled one.
    """
    before, after = (_pair("bbox_resize", size) for size in (in_size, out_size))
    scaled: Boxes = bbox.astype(float)
    for place in range(4):
        scaled[:, place] *= after[place % 2] / before[place % 2]
    return scaled


def bbox_translate(bbox: Boxes, x_offset: float = 0, y_offset: float = 0) -> Boxes:
    """Returns boxes that are moved.

    Args:
        bbox: The boxes.
        x_offset: How far to the right.
        y_offset: How far down.
    """
    moved: Boxes = bbox.copy()
    moved[:, :4] += np.array([x_offset, y_offset] * 2).astype(bbox.dtype)
    return moved


def bbox_iou(bbox_a: Boxes, bbox_b: Boxes, offset: float = 0) -> Boxes:
    """Returns the overlap of each two boxes: the area of both over that of either.

    Args:
        bbox_a: Some boxes.
        bbox_b: Others.
        offset: 1 if the right and lower edge belong to a box, else 0.

    Example:
        >>> import numpy
        >>> from mxnet.gluon.contrib.data.vision.transforms.bbox import utils
        >>> utils.bbox_iou(numpy.array([[0, 0, 2, 2]]), numpy.array([[1, 0, 3, 2]])).round(2)
        array([[0.33]])
    """
    if min(bbox_a.shape[1], bbox_b.shape[1]) < 4:
        raise IndexOutOfBoundsError("bbox_iou: expected rows of 4 or more numbers")
    start = np.maximum(bbox_a[:, None, :2], bbox_b[:, :2])
    end = np.minimum(bbox_a[:, None, 2:4], bbox_b[:, 2:4])
    both = np.prod(end - start + offset, axis=2) * (start < end).all(axis=2)
    own, others = (
        np.prod(item[:, 2:4] - item[:, :2] + offset, axis=1) for item in (bbox_a, bbox_b)
    )
    overlap: Boxes = both / (own[:, None] + others - both)
    return overlap


def _columns(where: str, boxes: Any) -> tuple[list[Any], bool]:
    """Returns the four numbers of a box, or the columns of several."""
    if isinstance(boxes, (tuple, list)):
        if len(boxes) != 4:
            raise IndexOutOfBoundsError(f"{where}: expected 4 numbers, got {len(boxes)}")
        return list(boxes), True
    if not isinstance(boxes, np.ndarray):
        raise ArgumentTypeError(
            f"{where}: expected a list, a tuple or an array of NumPy, got {type(boxes).__name__}"
        )
    if boxes.size % 4:
        raise IndexOutOfBoundsError(f"{where}: expected rows of 4 numbers, got {boxes.shape}")
    return [boxes[:, place] for place in range(4)], False


def _joined(columns: Sequence[Any], is_one: bool) -> Any:
    return tuple(columns) if is_one else np.stack(columns, axis=1)


def bbox_xywh_to_xyxy(xywh: Any) -> Any:
    """Turns left, top, width and height into edges, of which the last pixels are the ends.

    Args:
        xywh: Four numbers, or an array of NumPy with such rows.
    """
    (x, y, width, height), is_one = _columns("bbox_xywh_to_xyxy", xywh)
    sides = (np.maximum(side - 1, 0) for side in (width, height))
    right, bottom = (start + side for start, side in zip((x, y), sides, strict=True))
    return _joined((x, y, right, bottom), is_one)


def bbox_xyxy_to_xywh(xyxy: Any) -> Any:
    """Turns edges, of which the last pixels are the ends, into left, top, width and height.

    Args:
        xyxy: Four numbers, or an array of NumPy with such rows.
    """
    (left, top, right, bottom), is_one = _columns("bbox_xyxy_to_xywh", xyxy)
    return _joined((left, top, right - left + 1, bottom - top + 1), is_one)


def bbox_clip_xyxy(xyxy: Any, width: float, height: float) -> Any:
    """Moves edges that are outside of an image to its last pixels.

    Args:
        xyxy: Four numbers, or an array of NumPy with such rows, which gives one vector: all left
            edges, then all upper, right and lower ones.
        width: Width of the image.
        height: Its height.
    """
    edges, is_one = _columns("bbox_clip_xyxy", xyxy)
    lengths = (width, height) * 2
    inside = [
        np.minimum(length - 1, np.maximum(0, edge))
        for edge, length in zip(edges, lengths, strict=True)
    ]
    return tuple(inside) if is_one else np.hstack(inside)


def bbox_random_crop_with_constraints(
    bbox: Boxes,
    size: tuple[int, int],
    min_scale: float = 0.3,
    max_scale: float = 1,
    max_aspect_ratio: float = 2,
    constraints: Sequence[tuple[float | None, float | None]] | None = None,
    max_trial: int = 50,
) -> tuple[Boxes, tuple[int, int, int, int]]:
    """Draws a part of an image that overlaps its boxes as much as one of several constraints says.

    Args:
        bbox: The boxes.
        size: Width and height of the image.
        min_scale: Least share of the sides.
        max_scale: Largest share.
        max_aspect_ratio: Largest ratio of a side to the other, both relative to the image's.
        constraints: Least and largest overlap of each; None for no limit.
        max_trial: How often to draw for each.

    Returns:
        The boxes in that part, and its left and upper edge, width and height.
    """
    width, height = size
    found = [(0, 0, width, height)]
    for least, most in constraints or _OVERLAPS:
        low, high = (-np.inf if least is None else least), (np.inf if most is None else most)
        for _ in range(max_trial):
            part = _draw_part(width, height, min_scale, max_scale, max_aspect_ratio)
            if not len(bbox):
                return bbox, part
            edges = np.array([[*part[:2], part[0] + part[2], part[1] + part[3]]])
            overlaps = bbox_iou(bbox, edges)
            if low <= overlaps.min() and overlaps.max() <= high:
                found.append(part)
                break
    while found:
        part = found.pop(np.random.randint(0, len(found)))
        inside = bbox_crop(bbox, part, allow_outside_center=False)
        if inside.size:
            return inside, part
    return bbox, (0, 0, width, height)


def _draw_part(
    width: int, height: int, min_scale: float, max_scale: float, max_ratio: float
) -> tuple[int, int, int, int]:
    """Draws left and upper edge, width and height of a part of an image."""
    scale = random.uniform(min_scale, max_scale)
    square = scale * scale
    ratio = random.uniform(max(1 / max_ratio, square), min(max_ratio, 1 / square))
    high, wide = int(height * scale / np.sqrt(ratio)), int(width * scale * np.sqrt(ratio))
    top = random.randrange(max(height - high, 1))
    return random.randrange(max(width - wide, 1)), top, wide, high


def _like(bbox: Boxes, array: Any) -> Any:
    """Makes an array of the kind of another one."""
    return dialect_of(array).array_functions.array(bbox, dtype="float32")


class ImageBboxRandomFlipLeftRight(Block):
    """Mirrors images with their boxes sideways, at random.

    Args:
        p: Probability.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.data.vision import ImageBboxRandomFlipLeftRight
        >>> image, boxes = mx.nd.ones((4, 10, 3)), mx.nd.array([[1, 0, 4, 2]])
        >>> ImageBboxRandomFlipLeftRight(1)(image, boxes)[1].asnumpy().tolist()
        [[6.0, 0.0, 9.0, 2.0]]
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, img: Any, bbox: Any) -> tuple[Any, Any]:
        """Mirrors both, or leaves both as they are."""
        _check_boxes(bbox)
        if self.p < 1 and (self.p <= 0 or self.p < random.random()):
            return img, bbox
        size = img.shape[-2], img.shape[-3]
        boxes = _like(bbox_flip(bbox.asnumpy(), size, flip_x=True), bbox)
        return dialect_of(img).array_functions.image.flip_left_right(img), boxes


class ImageBboxCrop(Block):
    """Cuts a rectangle out of images with their boxes.

    Args:
        crop: Left and upper edge, width and height of the rectangle.
        allow_outside_center: Whether boxes stay whose center is outside.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.data.vision import ImageBboxCrop
        >>> image, boxes = mx.nd.ones((8, 10, 3)), mx.nd.array([[1, 0, 4, 2]])
        >>> cut, inside = ImageBboxCrop((1, 0, 5, 5))(image, boxes)
        >>> cut.shape, inside.asnumpy().tolist()
        ((5, 5, 3), [[0.0, 0.0, 3.0, 2.0]])
    """

    def __init__(self, crop: tuple[int, int, int, int], allow_outside_center: bool = False) -> None:
        super().__init__()
        if len(crop) != 4 or min(crop[:2]) < 0 or min(crop[2:]) <= 0:
            raise CheckFailedError(
                f"ImageBboxCrop: expected left, top, width and height, got {crop}"
            )
        self._crop, self._allow_outside_center = tuple(crop), allow_outside_center

    def forward(self, img: Any, bbox: Any) -> tuple[Any, Any]:
        """Cuts both; an image that is too small stays as it is."""
        left, top, width, height = self._crop
        if left + width >= img.shape[-2] or top + height >= img.shape[-3]:
            return img, bbox
        boxes = bbox_crop(bbox.asnumpy(), self._crop, self._allow_outside_center)
        return _cut(img, self._crop), _like(boxes, bbox)


def _cut(img: Any, part: Sequence[int]) -> Any:
    left, top, width, height = part
    crop = dialect_of(img).array_functions.image.crop
    return crop(img, x=left, y=top, width=width, height=height)


class ImageBboxRandomCropWithConstraints(Block):
    """Cuts a random part out of images, which overlaps their boxes enough.

    Args:
        p: Probability that it does.
        min_scale: Least share of the sides.
        max_scale: Largest share.
        max_aspect_ratio: Largest ratio of a side to the other, both relative to the image's.
        constraints: Least and largest overlap of each constraint, of which one is chosen.
        max_trial: How often to draw for each.
    """

    def __init__(
        self,
        p: float = 0.5,
        min_scale: float = 0.3,
        max_scale: float = 1,
        max_aspect_ratio: float = 2,
        constraints: Sequence[tuple[float | None, float | None]] | None = None,
        max_trial: int = 50,
    ) -> None:
        super().__init__()
        self.p = p
        self._options = (min_scale, max_scale, max_aspect_ratio, constraints, max_trial)

    def forward(self, img: Any, bbox: Any) -> tuple[Any, Any]:
        """Cuts both, or leaves both as they are."""
        if random.random() > self.p:
            return img, bbox
        size = img.shape[-2], img.shape[-3]
        boxes, part = bbox_random_crop_with_constraints(bbox.asnumpy(), size, *self._options)
        if part == (0, 0, *size):
            return img, bbox
        return _cut(img, part), _like(boxes, bbox)


class ImageBboxRandomExpand(Block):
    """Puts images into larger ones of one colour, at a random place.

    Args:
        p: Probability that it does.
        max_ratio: Largest ratio of the new sides to the old ones.
        fill: The colour, a number or one for each channel.
        keep_ratio: Whether both sides grow by the same ratio.
    """

    def __init__(
        self, p: float = 0.5, max_ratio: float = 4, fill: Any = 0, keep_ratio: bool = True
    ) -> None:
        super().__init__()
        self.p, self._max_ratio, self._fill, self._keep_ratio = p, max_ratio, fill, keep_ratio

    def forward(self, img: Any, bbox: Any) -> tuple[Any, Any]:
        """Changes both, or leaves both as they are."""
        if self._max_ratio <= 1 or random.random() > self.p:
            return img, bbox
        height, width, channels = _sides("ImageBboxRandomExpand", img)
        across = random.uniform(1, self._max_ratio)
        down = across if self._keep_ratio else random.uniform(1, self._max_ratio)
        rows, columns = int(height * down), int(width * across)
        top, left = random.randint(0, rows - height), random.randint(0, columns - width)
        colour = np.atleast_1d(np.asarray(self._fill))
        if len(colour) not in (1, channels):
            raise ArgumentValueError(
                f"ImageBboxRandomExpand: expected a number or {channels} for fill, got {self._fill}"
            )
        canvas = np.empty((rows, columns, channels), dtype=np.dtype(img.dtype))
        canvas[:] = colour
        canvas[top : top + height, left : left + width] = img.asnumpy()
        functions = dialect_of(img).array_functions
        boxes = bbox_translate(bbox.asnumpy(), left, top)
        return functions.array(canvas, dtype=img.dtype), _like(boxes, bbox)


def _sides(where: str, img: Any) -> tuple[int, ...]:
    if len(img.shape) != 3:
        raise NotSupportedError(f"{where}: takes (height, width, channels), got {img.shape}")
    return tuple(img.shape)


class ImageBboxResize(Block):
    """Scales images with their boxes to a size.

    Args:
        width: The width.
        height: The height.
        interp: Interpolation by OpenCV's number; -1 draws one for each image.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.data.vision import ImageBboxResize
        >>> image, boxes = mx.nd.ones((4, 10, 3)), mx.nd.array([[1, 0, 4, 2]])
        >>> scaled, moved = ImageBboxResize(20, 2)(image, boxes)
        >>> scaled.shape, moved.asnumpy().tolist()
        ((2, 20, 3), [[2.0, 0.0, 8.0, 1.0]])
    """

    def __init__(self, width: int, height: int, interp: int = 1) -> None:
        super().__init__()
        self._size, self._interp = (width, height), interp

    def forward(self, img: Any, bbox: Any) -> tuple[Any, Any]:
        """Scales both."""
        height, width, _ = _sides("ImageBboxResize", img)
        interp = random.randint(0, 5) if self._interp == -1 else self._interp
        boxes = bbox_resize(bbox.asnumpy(), (width, height), self._size)
        resize = dialect_of(img).array_functions.image.resize
        return resize(img, size=self._size, interp=interp), _like(boxes, bbox)
