"""Iterators over files of numbers: comma-separated, in LibSVM's format, and MNIST's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import IO, Any

import numpy as np

from mxnet._formats.archives import UNPACKING_ERRORS, open_unpacked, read_at_most
from mxnet.errors import AttributeValueError, FileFormatError, MissingFileError
from mxnet.io._decimals import Values
from mxnet.io._sources import (
    BatchOptions,
    MXDataIter,
    Rounds,
    Rows,
    Shuffler,
    check_dtype,
    check_part,
    read_options,
    signature_of,
)
from mxnet.io._text_files import SparseRows, read_csv, read_libsvm
from mxnet.ndarray import NDArray, array
from mxnet.ndarray.sparse import csr_matrix
from mxnet.ops.core.attrs import Shape

NO_FILE = "NULL"
_IMAGES, _LABELS = 2051, 2049
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class CsvOptions(BatchOptions):
    """Options of `CSVIter`."""

    data_csv: str
    data_shape: Shape
    label_csv: str = NO_FILE
    label_shape: Shape = (1,)


class CSVIter(MXDataIter):
    """Iterates over comma-separated numbers, one example in a line.

    Args:
        data_csv: File, folder, or several separated by `;`.
        data_shape: Shape of an example.
        label_csv: File, folder or files of the labels; without it they are 0.
        label_shape: Shape of a label.
        batch_size: Number of examples in a batch.
        round_batch: Whether to fill the last batch with the first examples, which the next round
            then skips.
        dtype: float32, int32 or int64.
        **kwargs: `data_name`, `label_name` and the other options of all iterators over files.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "numbers.csv")
        ...     np.savetxt(path, np.arange(1, 13).reshape(3, 4), fmt="%d", delimiter=",")
        ...     batches = mx.io.CSVIter(data_csv=path, data_shape=(2, 2), batch_size=2)
        ...     for batch in batches:
        ...         print(batch.data[0].shape, batch.data[0][1].asnumpy().tolist(), batch.pad)
        (2, 2, 2) [[5.0, 6.0], [7.0, 8.0]] 0
        (2, 2, 2) [[1.0, 2.0], [3.0, 4.0]] 1
    """

    __signature__ = signature_of(CsvOptions)

    def __init__(self, **kwargs: Any) -> None:
        options = read_options(CsvOptions, "CSVIter", kwargs)
        check_dtype("CSVIter", options.dtype, "float32", "int32", "int64")
        dtype = options.dtype or "float32"
        data = read_csv("CSVIter", options.data_csv, options.data_shape, dtype)
        label = np.zeros(len(data), dtype)
        if options.label_csv != NO_FILE:
            shape = () if options.label_shape == (1,) else options.label_shape
            label = read_csv("CSVIter", options.label_csv, shape, dtype)
        if len(label) < len(data):
            raise AttributeValueError(
                f"CSVIter: a label for each of {len(data)} rows expected, got {len(label)}"
            )
        rounds = Rounds("CSVIter", len(data), options.batch_size, options.round_batch)
        source = Rows(
            rounds,
            lambda rows: array(data[rows], dtype=dtype),
            lambda rows: array(label[rows], dtype=dtype),
        )
        super().__init__(source, options.data_name, options.label_name)


@dataclass(frozen=True, kw_only=True)
class LibSvmOptions(BatchOptions):
    """Options of `LibSVMIter`."""

    data_libsvm: str
    data_shape: Shape
    label_libsvm: str = NO_FILE
    label_shape: Shape = (1,)
    num_parts: int = 1
    part_index: int = 0


class LibSVMIter(MXDataIter):
    """Iterates over sparse rows of the form `label column:value ...`, with columns from 0.

    The data of a batch is a `CSRNDArray`; so is the label if it has a file of its own.

    Args:
        data_libsvm: File, folder, or several separated by `;`.
        data_shape: Number of columns, as a shape of one axis.
        label_libsvm: File of sparse labels; without it the first number of a row is its label.
        label_shape: Number of columns of the labels.
        num_parts: Into how many parts to cut the data.
        part_index: Which part to read.
        batch_size: Number of examples in a batch.
        **kwargs: `data_name`, `label_name` and the other options of all iterators over files.

    Example:
        >>> import os, tempfile
        >>> import mxnet as mx
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "words.libsvm")
        ...     with open(path, "w") as file:
        ...         print("1 0:0.5 2:1.5", file=file)
        ...         print("0 1:2", file=file)
        ...     batches = mx.io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=2)
        ...     batch = next(batches)
        >>> batch.data[0].stype, batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist()
        ('csr', [[0.5, 0.0, 1.5], [0.0, 2.0, 0.0]], [1.0, 0.0])
    """

    __signature__ = signature_of(LibSvmOptions)

    def __init__(self, **kwargs: Any) -> None:
        options = read_options(LibSvmOptions, "LibSVMIter", kwargs)
        _check_libsvm(options)
        width = options.data_shape[0]
        part = (options.num_parts, options.part_index)
        data = read_libsvm("LibSVMIter", options.data_libsvm, width, *part)
        source = Rows(
            Rounds("LibSVMIter", len(data.labels), options.batch_size),
            partial(_compressed, data, width),
            _find_labels(options, data),
        )
        super().__init__(source, options.data_name, options.label_name)


def _check_libsvm(options: LibSvmOptions) -> None:
    for name in ("data_shape", "label_shape"):
        shape = getattr(options, name)
        if len(shape) != 1:
            raise AttributeValueError(f"LibSVMIter: `{name}` takes one axis, got {shape}")
    if not options.round_batch:
        raise AttributeValueError("LibSVMIter: `round_batch` takes True only")
    check_dtype("LibSVMIter", options.dtype, "float32")
    if options.label_libsvm == NO_FILE and options.label_shape != (1,):
        raise AttributeValueError(
            f"LibSVMIter: `label_shape` takes (1,) without `label_libsvm`, "
            f"got {options.label_shape}"
        )
    check_part("LibSVMIter", options.num_parts, options.part_index)


def _find_labels(options: LibSvmOptions, data: SparseRows) -> Callable[[Any], NDArray]:
    """Returns a function that takes the labels of some rows from the data or a file of labels."""
    if options.label_libsvm == NO_FILE:
        return lambda rows: array(data.labels[rows])
    width = options.label_shape[0]
    part = (options.num_parts, options.part_index)
    label = read_libsvm("LibSVMIter", options.label_libsvm, width, *part)
    if len(label.labels) < len(data.labels):
        raise AttributeValueError(
            f"LibSVMIter: a label for each of {len(data.labels)} rows expected, "
            f"got {len(label.labels)}"
        )
    return partial(_compressed, label, width)


def _compressed(source: SparseRows, width: int, rows: Any) -> NDArray:
    return csr_matrix(source.take(rows), shape=(len(rows), width))


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

    Example:
        >>> import os, struct, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> pixels = np.full((4, 28, 28), 128, "uint8")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     image, label = os.path.join(folder, "images"), os.path.join(folder, "labels")
        ...     with open(image, "wb") as file:  # a head of big-endian numbers, then the bytes
        ...         _ = file.write(struct.pack(">4i", 2051, 4, 28, 28) + pixels.tobytes())
        ...     with open(label, "wb") as file:
        ...         _ = file.write(struct.pack(">2i", 2049, 4) + bytes([7, 2, 1, 0]))
        ...     batches = mx.io.MNISTIter(
        ...         image=image, label=label, batch_size=2, shuffle=False, silent=True
        ...     )
        ...     batch = next(batches)
        >>> batch.data[0].shape, float(batch.data[0].max().asscalar()), batch.label[0].asnumpy()
        ((2, 1, 28, 28), 0.5, array([7., 2.], dtype=float32))
    """

    __signature__ = signature_of(MnistOptions)

    def __init__(self, **kwargs: Any) -> None:
        options = read_options(MnistOptions, "MNISTIter", kwargs)
        check_dtype("MNISTIter", options.dtype, "float32")
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
    check_part("MNISTIter", options.num_parts, options.part_index)
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
