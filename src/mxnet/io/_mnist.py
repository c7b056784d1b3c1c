"""The iterator over the files of MNIST."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from math import prod
from typing import IO, Any

import numpy as np

from mxnet._archives import UNPACKING_ERRORS, open_unpacked, read_at_most
from mxnet.errors import AttributeValueError, FileFormatError, MissingFileError
from mxnet.io._decimals import Values
from mxnet.io._options import BatchOptions, read_options, signature_of
from mxnet.io._shuffle import Shuffler
from mxnet.io._sources import MXDataIter, Rounds, Rows
from mxnet.ndarray import array

_IMAGES, _LABELS = 2051, 2049
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class MnistOptions(BatchOptions):
    """Options of `MNISTIter`."""

    batch_size: int = 128
    image: str = "./train-images-idx3-ubyte"
    label: str = "./train-labels-idx1-ubyte"
    shuffle: bool = True
    flat: bool = False
    seed: int = 0
    silent: bool = False
    num_parts: int = 1
    part_index: int = 0


class MNISTIter(MXDataIter):
    """Iterates over images and labels in the form of MNIST, plain or gzipped.

    Pixels are divided by 256. Examples that do not fill the last batch are left out.

    Args:
        image: File of the images.
        label: File of the labels.
        batch_size: Number of examples in a batch.
        shuffle: Whether to shuffle the examples, once for all rounds.
        flat: Whether an image is a row instead of `(1, height, width)`.
        seed: Seed of the order.
        silent: Whether to log nothing about the files.
        num_parts: Into how many parts to cut the data.
        part_index: Which part to read.
        **kwargs: `data_name`, `label_name` and the other options of all iterators over files.
    """

    __signature__ = signature_of(MnistOptions)

    def __init__(self, **kwargs: Any) -> None:
        options = read_options(MnistOptions, "MNISTIter", kwargs)
        if options.dtype not in (None, "float32"):
            raise AttributeValueError(f"MNISTIter: `dtype` takes float32, got {options.dtype!r}")
        images = _read_part(options, read_idx(options.image, _IMAGES, 3))
        labels = _read_part(options, read_idx(options.label, _LABELS, 1))
        if len(images) != len(labels):
            raise FileFormatError(
                f"MNISTIter: a label for each of {len(images)} images expected, got {len(labels)}"
            )
        numbers = list(range(len(images)))
        if options.shuffle:
            Shuffler(options.seed).shuffle(numbers)
        order = np.array(numbers)
        shape = (-1,) if options.flat else (1, *images.shape[1:])
        full = len(images) // options.batch_size * options.batch_size
        if not full:
            raise AttributeValueError(
                f"MNISTIter: {len(images)} images do not fill a batch of {options.batch_size}"
            )
        if not options.silent:
            _LOG.info("MNISTIter: %d images of %s", len(images), images.shape[1:])
        source = Rows(
            Rounds("MNISTIter", full, options.batch_size),
            lambda rows: array(
                images[order[rows]].reshape(len(rows), *shape) * np.float32(1 / 256)
            ),
            lambda rows: array(labels[order[rows]]),
        )
        super().__init__(source, options.data_name, options.label_name)


def _read_part(options: MnistOptions, values: Values) -> Values:
    if not 0 <= options.part_index < options.num_parts:
        raise AttributeValueError(
            f"MNISTIter: `part_index` takes 0 to {options.num_parts - 1}, got {options.part_index}"
        )
    start, end = (
        len(values) * part // options.num_parts
        for part in (options.part_index, options.part_index + 1)
    )
    return values[start:end]


def read_idx(path: str, magic: int, ndim: int) -> Values:
    """Reads a file of bytes in the form of MNIST.

    Args:
        path: File, plain or gzipped.
        magic: First number of the file.
        ndim: Number of axes.

    Raises:
        FileFormatError: if it has another format, or is too short.
        LimitExceededError: if it unpacks to more than `mx.limits` allows.
    """
    try:
        with open_unpacked(path) as file:
            return _parse_idx(path, file, magic, ndim)
    except FileNotFoundError as error:
        raise MissingFileError(f"MNISTIter: no file {path!r}") from error
    except UNPACKING_ERRORS as error:
        raise FileFormatError(f"MNISTIter: {path}: damaged gzip file: {error}") from error


def _parse_idx(path: str, file: IO[bytes], magic: int, ndim: int) -> Values:
    head = file.read(4 * (1 + ndim))
    if len(head) < 4 * (1 + ndim) or int.from_bytes(head[:4], "big") != magic:
        raise FileFormatError(
            f"MNISTIter: {path}: a file that begins with the number {magic} expected, "
            f"got {int.from_bytes(head[:4], 'big')}"
        )
    shape = tuple(np.frombuffer(head, ">u4", ndim, 4).tolist())
    size = prod(shape)
    content = read_at_most(file, size)
    if len(content) < size:
        raise FileFormatError(
            f"MNISTIter: {path}: {shape} bytes expected after the header, got {len(content)}"
        )
    return np.frombuffer(content, np.uint8).reshape(shape)
