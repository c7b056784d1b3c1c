"""Decoding of packed images and their labels, and the iterators over images with classes."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mxnet._formats.image_lists import read_lines
from mxnet._formats.opencv import cv2, decode_with_opencv, need_opencv
from mxnet.errors import FileFormatError, LimitExceededError, MissingFileError
from mxnet.io._augment import NUM_DRAWS, Draws, Scaling, make_steps
from mxnet.io._image_options import ImageOptions, RecordOptions, check_augmentation, check_records
from mxnet.io._image_pipeline import ImageSource, Place, Row, Values
from mxnet.io._sources import MXDataIter, read_options, signature_of
from mxnet.ndarray import array, load, save
from mxnet.recordio import IRHeader, unpack

_ENDS = ((b"\xff\xd8", b"\xff\xd9", 4096), (b"\x89PNG", b"IEND", 64))
"""How files of a format begin, what a complete file has near its end, and how near."""


def decode_image(place: Place, content: bytes, channels: int) -> Values:
    """Decodes an image, blue first.

    Raises:
        FileFormatError: if it is damaged, or does not have the wanted number of channels.
    """
    for beginning, ending, reach in _ENDS:
        if content.startswith(beginning) and ending not in content[-reach:]:
            raise FileFormatError(f"{place}: truncated after {len(content)} bytes")
    flag = {1: cv2.IMREAD_GRAYSCALE, 3: cv2.IMREAD_COLOR, 4: cv2.IMREAD_UNCHANGED}[channels]
    image: Values | None = decode_with_opencv(str(place), content, flag)
    if image is None:
        raise FileFormatError(f"{place}: OpenCV cannot decode {len(content)} bytes")
    if channels == 4 and image.shape[2:] != (4,):
        num_channels = image.shape[2] if image.ndim == 3 else 1
        raise FileFormatError(f"{place}: 4 channels expected, got {num_channels}")
    return image


class Labels:
    """Finds the labels of a record: its own, or those of a list.

    Args:
        where: Name of the iterator, for messages.
        options: Where the list is, and how many labels an image has.
    """

    def __init__(self, where: str, options: RecordOptions) -> None:
        self._width = options.label_width
        self._listed = None
        if options.path_imglist:
            self._listed = read_image_list(where, options.path_imglist)

    def find(self, place: Place, header: IRHeader) -> Any:
        """Returns the labels of an image.

        Raises:
            FileFormatError: if it does not have the expected number of labels.
        """
        values = header.label
        if self._listed is not None:
            if header.id not in self._listed:
                raise FileFormatError(f"{place} is not in the list")
            values = self._listed[header.id]
            if self._width > 0:
                values = values[: self._width]
        count = np.size(values)
        if self._width > 0 and count != self._width:
            raise FileFormatError(f"{place}: {self._width} labels expected, got {count}")
        return values


def read_image_list(where: str, path: str) -> dict[int, Values]:
    """Reads the labels of a list, by the numbers of the images.

    Raises:
        FileFormatError: if a line is not a number, labels and a path separated by tabs.
    """
    try:
        lines = list(read_lines(path))
    except FileNotFoundError as error:
        raise MissingFileError(f"{where}: no file {path!r}") from error
    labels_by_id = {}
    for number, line in lines:
        key, *labels = line.rstrip("\n").split("\t")[:-1] or [""]
        try:
            labels_by_id[int(key)] = np.array([float(label) for label in labels], np.float32)
        except ValueError as error:
            raise FileFormatError(
                f"{path}: line {number}: number, labels and path expected, got {line[:60]!r}"
            ) from error
    return labels_by_id


def unpack_record(place: Place, record: bytes) -> tuple[IRHeader, bytes]:
    """Splits a record into its header and the bytes of the image.

    Raises:
        FileFormatError: if it is too short for a header.
    """
    try:
        header, content = unpack(record)
    except FileFormatError as error:
        raise FileFormatError(f"{place}: {error}") from error
    place.image = header.id
    return header, content


class RecordDecoder:
    """Base of what turns packed images into examples.

    Args:
        where: Name of the iterator, for messages.
        options: Which labels an image has, and its shape.
    """

    label_shape: tuple[int, ...]
    num_draws: int

    def __init__(self, where: str, options: RecordOptions) -> None:
        self.data_shape = options.data_shape
        self.dtype: str = options.dtype or "float32"
        self._labels = Labels(where, options)

    def decode(self, place: Place, record: bytes, numbers: Values, row: Row) -> None:
        """Decodes, augments and writes one image with its labels.

        Raises:
            FileFormatError: if the record is damaged, or the image cannot be augmented as wanted.
            LimitExceededError: if it would grow beyond what `mx.limits` allows.
        """
        header, content = unpack_record(place, record)
        label = self._labels.find(place, header)
        row.index[0] = header.id
        image = decode_image(place, content, self.data_shape[0])
        try:
            self._write(image, label, Draws(numbers), row)
        except LimitExceededError as error:
            raise LimitExceededError(f"{place}: {error}") from error
        except (ValueError, cv2.error) as error:
            raise FileFormatError(f"{place}: {error}") from error

    def _write(self, image: Values, label: Any, draws: Draws, row: Row) -> None:
        """Augments an image and writes it with its label into a row."""
        raise NotImplementedError


class ImageDecoder(RecordDecoder):
    """Turns packed images into examples.

    Args:
        where: Name of the iterator, for messages.
        options: How to augment and scale.
        mean_image: Image to subtract.
    """

    def __init__(self, where: str, options: ImageOptions, mean_image: Values | None = None) -> None:
        super().__init__(where, options)
        self.label_shape = () if options.label_width == 1 else (options.label_width,)
        self.num_draws = NUM_DRAWS
        self._options = options
        self._steps = make_steps(options)
        self._scaling = Scaling(options, self.dtype, mean_image)

    def _write(self, image: Values, label: Any, draws: Draws, row: Row) -> None:
        row.label[:] = label
        for step in self._steps:
            image = step(image, draws)
        options, change = self._options, None
        flips = options.mirror or (options.rand_mirror and bool(draws.integer(0, 1)))
        limits = options.max_random_contrast, options.max_random_illumination
        if any(limits):
            contrast, illumination = (draws.uniform(-limit, limit) for limit in limits)
            change = np.float32(1 + contrast), np.float32(illumination)
        self._scaling.write(image, row.data, flips, change)


def find_mean_image(where: str, options: ImageOptions) -> Values:
    """Reads the image to subtract; computes and saves it first if the file does not exist.

    Raises:
        FileFormatError: if the file holds something else.
    """
    path = Path(options.mean_img)
    if not path.exists():
        save(options.mean_img, {"mean_img": array(_average(where, options))})
    arrays = load(options.mean_img)
    if not isinstance(arrays, dict) or arrays.get("mean_img") is None:
        raise FileFormatError(f"{where}: {path}: an array named mean_img expected")
    mean_image = arrays["mean_img"].asnumpy().astype(np.float32)
    if mean_image.shape != options.data_shape:
        raise FileFormatError(
            f"{where}: {path}: an image of shape {options.data_shape} expected, "
            f"got {mean_image.shape}"
        )
    return np.asarray(mean_image)


def _average(where: str, options: ImageOptions) -> Values:
    """Returns the mean of the images of one round, neither flipped nor scaled."""
    defaults: dict[str, Any] = {field.name: field.default for field in fields(ImageOptions)}
    plain = replace(options, **{name: defaults[name] for name in _SCALING_OPTIONS})
    source = ImageSource(where, plain, ImageDecoder(where, plain))
    total, count = np.zeros(options.data_shape), 0
    while (loaded := source.read()) is not None:
        new = loaded.data.asnumpy()[: options.batch_size - loaded.pad]
        total += new.sum(axis=0, dtype=np.float64)
        count += len(new)
    return np.asarray(total / count, np.float32)


_SCALING_OPTIONS = {
    "dtype", "mirror", "rand_mirror", "scale", "max_random_contrast", "max_random_illumination",
    *(f"{statistic}_{channel}" for statistic in ("mean", "std") for channel in "rgba"),
}  # fmt: skip


class ImageRecordIter(MXDataIter):
    """Iterates over images in a record file, decoded and augmented by threads.

    What is not given here has the original's default; `mx.recordio.pack_img` and `glueball im2rec`
    write such files.

    Args:
        **kwargs: `path_imgrec` is the file, `data_shape` the shape `(channels, height, width)`
            of an image in a batch, `batch_size` the number of images. `shuffle`, `rand_crop`,
            `rand_mirror`, `resize` (of the shorter side), `mean_r`, `std_r` and others augment;
            `num_parts` and `part_index` read a part of the file; `preprocess_threads` is the
            number of threads.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> image = np.full((40, 50, 3), 200, "uint8")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "train.rec")
        ...     writer = mx.recordio.MXRecordIO(path, "w")
        ...     for number in range(4):
        ...         header = mx.recordio.IRHeader(0, float(number), number, 0)
        ...         writer.write(mx.recordio.pack_img(header, image, img_fmt=".png"))
        ...     writer.close()
        ...     batches = mx.io.ImageRecordIter(
        ...         path_imgrec=path, data_shape=(3, 32, 32), batch_size=4, rand_crop=True,
        ...         verbose=False,
        ...     )
        ...     batch = next(batches)
        >>> batch.data[0].shape, float(batch.data[0].min().asscalar()), batch.label[0].asnumpy()
        ((4, 3, 32, 32), 200.0, array([0., 1., 2., 3.], dtype=float32))
    """

    __signature__ = signature_of(ImageOptions)
    _defaults: ClassVar[dict[str, object]] = {}

    def __init__(self, **kwargs: Any) -> None:
        where = type(self).__name__
        kwargs = {**self._defaults, **kwargs}
        options = read_options(ImageOptions, where, kwargs)
        need_opencv(where)
        check_records(where, options)
        check_augmentation(where, options)
        mean_image = find_mean_image(where, options) if options.mean_img else None
        source = ImageSource(where, options, ImageDecoder(where, options, mean_image))
        super().__init__(source, options.data_name, options.label_name)


class ImageRecordUInt8Iter(ImageRecordIter):
    """Iterates over images in a record file, with batches of uint8.

    Args:
        **kwargs: `path_imgrec`, `data_shape`, `batch_size` and the other options of
            `ImageRecordIter`, but for those that scale.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> image = np.full((40, 50, 3), 200, "uint8")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "train.rec")
        ...     writer = mx.recordio.MXRecordIO(path, "w")
        ...     for number in range(4):
        ...         header = mx.recordio.IRHeader(0, float(number), number, 0)
        ...         writer.write(mx.recordio.pack_img(header, image, img_fmt=".png"))
        ...     writer.close()
        ...     batches = mx.io.ImageRecordUInt8Iter(
        ...         path_imgrec=path, data_shape=(3, 32, 32), batch_size=2, verbose=False
        ...     )
        ...     batch = next(batches)
        >>> batch.data[0].dtype.__name__, batch.data[0].shape, int(batch.data[0].max().asscalar())
        ('uint8', (2, 3, 32, 32), 200)
    """

    _defaults: ClassVar[dict[str, object]] = {"dtype": "uint8"}


class ImageRecordInt8Iter(ImageRecordIter):
    """Iterates over images in a record file, with batches of int8, as quantized networks take.

    Args:
        **kwargs: `path_imgrec`, `data_shape`, `batch_size` and the other options of
            `ImageRecordIter`, but for those that scale.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> image = np.full((40, 50, 3), 100, "uint8")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "train.rec")
        ...     writer = mx.recordio.MXRecordIO(path, "w")
        ...     for number in range(4):
        ...         header = mx.recordio.IRHeader(0, float(number), number, 0)
        ...         writer.write(mx.recordio.pack_img(header, image, img_fmt=".png"))
        ...     writer.close()
        ...     batches = mx.io.ImageRecordInt8Iter(
        ...         path_imgrec=path, data_shape=(3, 32, 32), batch_size=2, verbose=False
        ...     )
        ...     batch = next(batches)
        >>> batch.data[0].dtype.__name__, batch.data[0].shape, int(batch.data[0].max().asscalar())
        ('int8', (2, 3, 32, 32), 100)
    """

    _defaults: ClassVar[dict[str, object]] = {"dtype": "int8"}


class ImageRecordIter_v1(ImageRecordIter):  # noqa: N801 - the original's name
    """Iterates over images in a record file, with batches in pageable memory.

    Args:
        **kwargs: `path_imgrec`, `data_shape`, `batch_size` and the other options of
            `ImageRecordIter`, whose batches lie in memory from which GPUs copy faster.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> image = np.full((40, 50, 3), 200, "uint8")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "train.rec")
        ...     writer = mx.recordio.MXRecordIO(path, "w")
        ...     for number in range(3):
        ...         header = mx.recordio.IRHeader(0, float(number), number, 0)
        ...         writer.write(mx.recordio.pack_img(header, image, img_fmt=".png"))
        ...     writer.close()
        ...     batches = mx.io.ImageRecordIter_v1(
        ...         path_imgrec=path, data_shape=(3, 32, 32), batch_size=2, verbose=False
        ...     )
        ...     [(batch.data[0].shape, batch.pad) for batch in batches]
        [((2, 3, 32, 32), 0), ((2, 3, 32, 32), 1)]
    """

    _defaults: ClassVar[dict[str, object]] = {"device_id": -1}


class ImageRecordUInt8Iter_v1(ImageRecordIter):  # noqa: N801 - the original's name
    """Iterates over images in a record file, with batches of uint8 in pageable memory.

    Args:
        **kwargs: `path_imgrec`, `data_shape`, `batch_size` and the other options of
            `ImageRecordIter`, but for those that scale.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> image = np.full((40, 50, 3), 200, "uint8")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "train.rec")
        ...     writer = mx.recordio.MXRecordIO(path, "w")
        ...     header = mx.recordio.IRHeader(0, 5.0, 0, 0)
        ...     writer.write(mx.recordio.pack_img(header, image, img_fmt=".png"))
        ...     writer.close()
        ...     batches = mx.io.ImageRecordUInt8Iter_v1(
        ...         path_imgrec=path, data_shape=(3, 32, 32), batch_size=1, verbose=False
        ...     )
        ...     batch = next(batches)
        >>> batch.data[0].dtype.__name__, batch.label[0].asnumpy()
        ('uint8', array([5.], dtype=float32))
    """

    _defaults: ClassVar[dict[str, object]] = {"dtype": "uint8", "device_id": -1}
