"""The iterator over packed images with boxes, and its random changes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mxnet._formats.opencv import cv2, need_opencv
from mxnet.errors import AttributeValueError
from mxnet.io._augment import (
    Draws,
    Image,
    Scaling,
    resize,
    resize_shorter_edge,
    shift_hls,
    to_bytes,
)
from mxnet.io._image_options import CropSampler, DetectionOptions, check_records, make_samplers
from mxnet.io._image_pipeline import ImageSource, RecordStream, Row, Values
from mxnet.io._image_records import RecordDecoder, unpack_record
from mxnet.io._sources import MXDataIter, check_dtype, read_options, signature_of
from mxnet.ops.image.resize import check_enlarged
from mxnet.ops.image.transforms import box_areas, intersect_boxes

_LEFT, _TOP, _RIGHT, _BOTTOM = 1, 2, 3, 4
_OTHER_DRAWS = 64
_SIZE_NUMBERS = 4
"""Numbers before a label in a batch: channels, height and width of the image, label length."""


@dataclass(frozen=True)
class Objects:
    """A label in parts: its header, and a row for each object."""

    first: Image
    rows: Image

    @classmethod
    def read(cls, label: Image) -> Objects:
        """Splits a label.

        Raises:
            ValueError: if it is not a label with boxes.
        """
        if label.size < 7 or label[0] < 2 or label[1] < 5:
            raise ValueError(
                f"a label [2 or more, 5 or more, ..., objects] expected, got {label.size} numbers"
            )
        start, width = int(label[0]), int(label[1])
        if label.size <= start or (label.size - start) % width:
            raise ValueError(
                f"objects of {width} numbers expected after the first {start}, "
                f"got {label.size - start}"
            )
        return cls(label[:start].copy(), label[start:].reshape(-1, width).copy())

    @property
    def boxes(self) -> Image:
        """Left, top, right and bottom edge of each object."""
        return self.rows[:, _LEFT : _BOTTOM + 1]

    def join(self) -> Image:
        """Returns the whole label as one array."""
        return np.concatenate([self.first, self.rows.ravel()])

    def moved(self, scale: tuple[float, float], shift: tuple[float, float]) -> Objects:
        """Returns the objects with edges scaled and shifted, clipped to 0 and 1."""
        rows = self.rows.copy()
        for places, factor, added in (
            ((_LEFT, _RIGHT), scale[0], shift[0]),
            ((_TOP, _BOTTOM), scale[1], shift[1]),
        ):
            for place in places:
                rows[:, place] = np.clip(rows[:, place] * factor + added, 0, 1)
        return Objects(self.first, rows)

    def mirrored(self) -> Objects:
        """Returns the objects with left and right exchanged."""
        rows = self.rows.copy()
        rows[:, _LEFT], rows[:, _RIGHT] = 1 - self.rows[:, _RIGHT], 1 - self.rows[:, _LEFT]
        return Objects(self.first, rows)


class DetectionAugmenter:
    """Augments images with boxes.

    Args:
        where: Name of the iterator, for messages.
        options: How to augment.
    """

    def __init__(self, where: str, options: DetectionOptions) -> None:
        self._options = options
        self._samplers = make_samplers(where, options)
        self.num_draws = _OTHER_DRAWS + sum(4 * s.trials + 1 for s in self._samplers)

    def augment(self, image: Image, objects: Objects, draws: Draws) -> tuple[Image, Objects]:
        """Returns an image that fits into the shape of the data, and its boxes."""
        options = self._options
        if options.resize != -1:
            image = resize_shorter_edge(image, options.resize, options.inter_method, draws)
        image = self._change_colours(image, draws)
        if draws.uniform(0, 1) < options.rand_mirror_prob:
            image, objects = cv2.flip(image, 1), objects.mirrored()
        if draws.uniform(0, 1) < options.rand_pad_prob:
            image, objects = self._pad(image, objects, draws)
        if draws.uniform(0, 1) < options.rand_crop_prob:
            image, objects = self._crop(image, objects, draws)
        return self._fit(image, draws), objects

    def _change_colours(self, image: Image, draws: Draws) -> Image:
        options = self._options
        chances = (
            (options.max_random_hue, options.random_hue_prob),
            (options.max_random_illumination, options.random_illumination_prob),
            (options.max_random_saturation, options.random_saturation_prob),
        )
        shifts = []
        for limit, chance in chances:
            drawn = draws.uniform(-limit, limit)
            shifts.append(drawn if draws.uniform(0, 1) < chance else 0.0)
        if any(shifts) and image.ndim == 3 and image.shape[2] == 3:
            image = shift_hls(image, shifts)
        change = draws.uniform(-options.max_random_contrast, options.max_random_contrast)
        if change and draws.uniform(0, 1) < options.random_contrast_prob:
            image = to_bytes(image * np.float32(1 + change))
        return image

    def _pad(self, image: Image, objects: Objects, draws: Draws) -> tuple[Image, Objects]:
        """Puts the image at a random place on a larger canvas."""
        height, width = image.shape[:2]
        scale = draws.uniform(1, max(1.0, self._options.max_pad_scale))
        new_width, new_height = int(width * scale), int(height * scale)
        check_enlarged("pad", (height, width), (new_height, new_width))
        left = draws.integer(0, new_width - width)
        top = draws.integer(0, new_height - height)
        fill = np.asarray(self._options.fill_value).astype(np.uint8)
        ground = np.full((new_height, new_width, *image.shape[2:]), fill)
        ground[top : top + height, left : left + width] = image
        factors = width / new_width, height / new_height
        return ground, objects.moved(factors, (left / new_width, top / new_height))

    def _crop(self, image: Image, objects: Objects, draws: Draws) -> tuple[Image, Objects]:
        """Cuts out a part that meets the bounds of a sampler, if one is found."""
        samplers = list(self._samplers)
        while samplers:
            sampler = samplers.pop(draws.integer(0, len(samplers) - 1))
            for _ in range(sampler.trials):
                box = _draw_box(sampler, image.shape[1] / image.shape[0], draws)
                if box is None or not _meets(sampler, box, objects):
                    continue
                staying = self._staying(box, objects)
                if len(staying.rows):
                    return _cut(image, box), _seen_from(box, staying)
        return image, objects

    def _staying(self, box: Image, objects: Objects) -> Objects:
        rows = objects.rows
        if self._options.crop_emit_mode == "center":
            middles = (rows[:, [_LEFT, _TOP]] + rows[:, [_RIGHT, _BOTTOM]]) / 2
            inside = np.all((middles >= box[:2]) & (middles <= box[2:]), axis=1)
        else:
            areas = box_areas(objects.boxes)
            shares = box_areas(intersect_boxes(objects.boxes, box)) / np.maximum(areas, 1e-12)
            inside = shares > self._options.emit_overlap_thresh
        return Objects(objects.first, rows[inside])

    def _fit(self, image: Image, draws: Draws) -> Image:
        _, height, width = self._options.data_shape
        if self._options.resize_mode != "force":
            scale = min(height / image.shape[0], width / image.shape[1])
            if self._options.resize_mode == "shrink" and scale >= 1:
                return image
            height, width = (max(1, int(edge * scale + 1e-6)) for edge in image.shape[:2])
        return resize(image, (width, height), self._options.inter_method, draws)


def _draw_box(sampler: CropSampler, ratio: float, draws: Draws) -> Image | None:
    """Draws left, top, right and bottom of a crop from an image with an aspect ratio."""
    scale = draws.uniform(*sampler.scales)
    # The crop must fit into the image, so its scale limits its aspect ratio.
    lowest, highest = sampler.ratios
    wanted = draws.uniform(max(lowest, scale * scale), min(highest, 1 / max(scale * scale, 1e-12)))
    wide, tall = scale * math.sqrt(wanted / ratio), scale / math.sqrt(wanted / ratio)
    left, top = draws.uniform(0, 1), draws.uniform(0, 1)
    if not (0 < wide <= 1 and 0 < tall <= 1):
        return None
    left, top = left * (1 - wide), top * (1 - tall)
    return np.array([left, top, left + wide, top + tall])


def _meets(sampler: CropSampler, box: Image, objects: Objects) -> bool:
    """Returns whether the crop has the wanted overlap with at least one object."""
    shared = box_areas(intersect_boxes(objects.boxes, box))
    mine, theirs = box_areas(box), box_areas(objects.boxes)
    checks = (
        (sampler.overlaps, shared / np.maximum(mine + theirs - shared, 1e-12)),
        (sampler.sample_coverages, shared / max(float(mine), 1e-12)),
        (sampler.object_coverages, shared / np.maximum(theirs, 1e-12)),
    )
    good = np.ones(len(shared), bool)
    for (lowest, highest), value in checks:
        good &= (value >= lowest) & (value <= highest + 1e-9)
    return bool(good.any())


def _cut(image: Image, box: Image) -> Image:
    height, width = image.shape[:2]
    left, top = int(box[0] * width), int(box[1] * height)
    right, bottom = max(left + 1, round(box[2] * width)), max(top + 1, round(box[3] * height))
    return image[top:bottom, left:right]


def _seen_from(box: Image, objects: Objects) -> Objects:
    wide, tall = box[2] - box[0], box[3] - box[1]
    return objects.moved((1 / wide, 1 / tall), (-box[0] / wide, -box[1] / tall))


class DetectionDecoder(RecordDecoder):
    """Turns packed images with boxes into examples.

    Args:
        where: Name of the iterator, for messages.
        options: How to augment and scale.
    """

    def __init__(self, where: str, options: DetectionOptions) -> None:
        super().__init__(where, options)
        self._width = options.label_pad_width
        if self._width <= 0:
            self._width = self._longest_label(where, options)
        self._pad_value = options.label_pad_value
        self.label_shape = (self._width + _SIZE_NUMBERS,)
        self._augmenter = DetectionAugmenter(where, options)
        self.num_draws = self._augmenter.num_draws
        deviations: dict[str, Any] = {
            name: getattr(options, name) or 1.0 for name in ("std_r", "std_g", "std_b", "std_a")
        }
        self._scaling = Scaling(replace(options, **deviations), self.dtype)

    def _longest_label(self, where: str, options: DetectionOptions) -> int:
        longest = 0
        for place, record in RecordStream(where, replace(options, shuffle=False)).read_round():
            header, _ = unpack_record(place, record)
            longest = max(longest, np.size(self._labels.find(place, header)))
        return longest

    def _write(self, image: Values, label: Any, draws: Draws, row: Row) -> None:
        values = np.asarray(label, np.float32).ravel()
        if values.size > self._width:
            raise ValueError(
                f"a label of at most {self._width} numbers (label_pad_width) expected, "
                f"got {values.size}"
            )
        image, objects = self._augmenter.augment(image, Objects.read(values), draws)
        height, width = image.shape[:2]
        written = np.empty((self.data_shape[0], height, width), np.float32)
        self._scaling.write(image, written)
        row.data[:] = 0
        row.data[:, :height, :width] = written
        label = objects.join()
        row.label[0, :_SIZE_NUMBERS] = (self.data_shape[0], height, width, label.size)
        row.label[0, _SIZE_NUMBERS : _SIZE_NUMBERS + label.size] = label
        row.label[0, _SIZE_NUMBERS + label.size :] = self._pad_value


class ImageDetRecordIter(MXDataIter):
    """Iterates over images with boxes in a record file, decoded and augmented by threads.

    The label of an image in the file is `[2 + extra, 5 or more, extra ..., class, left, top, right,
    bottom, ...]`, with coordinates from 0 to 1. In a batch it is `[channels, height, width, length,
    label ..., padding ...]`.

    Args:
        **kwargs: `path_imgrec` is the file, `data_shape` the shape `(channels, height, width)`
            of an image in a batch, `batch_size` the number of images. `label_pad_width` is the
            length of labels in a batch, `rand_mirror_prob`, `rand_crop_prob` and others augment.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> image = np.full((40, 50, 3), 200, "uint8")
        >>> label = np.array([2, 5, 1, 0.25, 0.25, 0.5, 0.75], "float32")  # a box of class 1
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "train.rec")
        ...     writer = mx.recordio.MXRecordIO(path, "w")
        ...     header = mx.recordio.IRHeader(0, label, 0, 0)
        ...     writer.write(mx.recordio.pack_img(header, image, img_fmt=".png"))
        ...     writer.close()
        ...     batches = mx.io.ImageDetRecordIter(
        ...         path_imgrec=path, data_shape=(3, 32, 32), batch_size=1, verbose=False
        ...     )
        ...     batch = next(batches)
        >>> print(batch.data[0].shape, batch.label[0][0, 4:11].asnumpy())
        (1, 3, 32, 32) [2.   5.   1.   0.25 0.25 0.5  0.75]
    """

    __signature__ = signature_of(DetectionOptions)

    def __init__(self, **kwargs: Any) -> None:
        where = type(self).__name__
        options = read_options(DetectionOptions, where, kwargs)
        need_opencv(where)
        check_records(where, options)
        check_dtype(where, options.dtype, "float32")
        if options.mean_img:
            raise AttributeValueError(f"{where}: `mean_img` is not supported; give `mean_r` ...")
        source = ImageSource(where, options, DetectionDecoder(where, options))
        super().__init__(source, options.data_name, options.label_name)
