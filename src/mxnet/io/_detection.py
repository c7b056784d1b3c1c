"""The iterator over packed images with boxes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mxnet._opencv import cv2, need_opencv
from mxnet.errors import AttributeValueError, FileFormatError
from mxnet.io._augment import Draws
from mxnet.io._detection_augment import DetectionAugmenter, Objects
from mxnet.io._detection_options import DetectionOptions, scaling_options
from mxnet.io._image_decoding import Labels, decode_image, unpack_record
from mxnet.io._image_options import check_records
from mxnet.io._image_pipeline import ImageSource, Row, Values
from mxnet.io._image_scaling import Scaling
from mxnet.io._options import read_options, signature_of
from mxnet.io._record_stream import Place, RecordStream
from mxnet.io._sources import MXDataIter

_SIZE_NUMBERS = 4
"""Numbers before a label in a batch: channels, height and width of the image, label length."""


class DetectionDecoder:
    """Turns packed images with boxes into examples.

    Args:
        where: Name of the iterator, for messages.
        options: How to augment and scale.
    """

    def __init__(self, where: str, options: DetectionOptions) -> None:
        self._labels = Labels(where, options)
        self._width = options.label_pad_width
        if self._width <= 0:
            self._width = self._longest_label(where, options)
        self._pad_value = options.label_pad_value
        self.data_shape = options.data_shape
        self.label_shape: tuple[int, ...] = (self._width + _SIZE_NUMBERS,)
        self.dtype = "float32"
        self._augmenter = DetectionAugmenter(where, options)
        self.num_draws = self._augmenter.num_draws
        self._scaling = Scaling(scaling_options(options), self.dtype)

    def _longest_label(self, where: str, options: DetectionOptions) -> int:
        longest = 0
        for place, record in RecordStream(where, replace(options, shuffle=False)).read_round():
            header, _ = unpack_record(place, record)
            longest = max(longest, np.size(self._labels.find(place, header)))
        return longest

    def decode(self, place: Place, record: bytes, numbers: Values, row: Row) -> None:
        """Decodes, augments and writes one image with its label."""
        header, content = unpack_record(place, record)
        values = np.asarray(self._labels.find(place, header), np.float32).ravel()
        if values.size > self._width:
            raise FileFormatError(
                f"{place}: image {header.id}: a label of at most {self._width} numbers "
                f"(label_pad_width) expected, got {values.size}"
            )
        image = decode_image(place, header, content, self.data_shape[0])
        draws = Draws(numbers)
        try:
            image, objects = self._augmenter.augment(image, Objects.read(values), draws)
        except (ValueError, cv2.error) as error:
            raise FileFormatError(f"{place}: image {header.id}: {error}") from error
        height, width = image.shape[:2]
        written = np.empty((self.data_shape[0], height, width), np.float32)
        self._scaling.write(image, draws, written)
        row.data[:] = 0
        row.data[:, :height, :width] = written
        label = objects.join()
        row.index[0] = header.id
        row.label[0, :_SIZE_NUMBERS] = (self.data_shape[0], height, width, label.size)
        row.label[0, _SIZE_NUMBERS : _SIZE_NUMBERS + label.size] = label
        row.label[0, _SIZE_NUMBERS + label.size :] = self._pad_value


class ImageDetRecordIter(MXDataIter):
    """Iterates over images with boxes in a record file, decoded and augmented by threads.

    A label in a batch is `[channels, height, width, length, label ..., padding ...]`. The options
    are those of `DetectionOptions`, which also describes the labels in the file.

    Args:
        **kwargs: `path_imgrec`, `data_shape`, `batch_size` and the other options.
    """

    __signature__ = signature_of(DetectionOptions)

    def __init__(self, **kwargs: Any) -> None:
        where = type(self).__name__
        options = read_options(DetectionOptions, where, kwargs)
        need_opencv(where)
        check_records(where, options)
        if options.dtype not in (None, "float32"):
            raise AttributeValueError(f"{where}: `dtype` takes float32, got {options.dtype!r}")
        if options.mean_img:
            raise AttributeValueError(f"{where}: `mean_img` is not supported; give `mean_r` ...")
        seed = options.seed if options.seed_aug is None else options.seed_aug
        source = ImageSource(where, options, DetectionDecoder(where, options), seed % 2**63)
        super().__init__(source, options.data_name, options.label_name)
