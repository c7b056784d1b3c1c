"""Iterators over text files of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mxnet.errors import AttributeValueError
from mxnet.io._options import BatchOptions, read_options, signature_of
from mxnet.io._sources import MXDataIter, Rounds, Rows
from mxnet.io._text_files import SparseRows, read_csv, read_libsvm
from mxnet.ndarray import NDArray, array
from mxnet.ndarray.sparse import csr_matrix
from mxnet.ops.core.attrs import Shape

NO_FILE = "NULL"


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
    """

    __signature__ = signature_of(CsvOptions)

    def __init__(self, **kwargs: Any) -> None:
        options = read_options(CsvOptions, "CSVIter", kwargs)
        dtype = options.dtype or "float32"
        if dtype not in ("float32", "int32", "int64"):
            raise AttributeValueError(
                f"CSVIter: `dtype` takes float32, int32 or int64, got {dtype!r}"
            )
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
    """

    __signature__ = signature_of(LibSvmOptions)

    def __init__(self, **kwargs: Any) -> None:
        options = read_options(LibSvmOptions, "LibSVMIter", kwargs)
        _check_libsvm(options)
        part = (options.num_parts, options.part_index)
        width = options.data_shape[0]
        data = read_libsvm("LibSVMIter", options.data_libsvm, width, *part)
        rounds = Rounds("LibSVMIter", len(data.labels), options.batch_size)
        if options.label_libsvm == NO_FILE:
            source = Rows(
                rounds,
                lambda rows: _compressed(data, rows, width),
                lambda rows: array(data.labels[rows]),
            )
        else:
            label_width = options.label_shape[0]
            label = read_libsvm("LibSVMIter", options.label_libsvm, label_width, *part)
            if len(label.labels) < len(data.labels):
                raise AttributeValueError(
                    f"LibSVMIter: a label for each of {len(data.labels)} rows expected, "
                    f"got {len(label.labels)}"
                )
            source = Rows(
                rounds,
                lambda rows: _compressed(data, rows, width),
                lambda rows: _compressed(label, rows, label_width),
            )
        super().__init__(source, options.data_name, options.label_name)


def _check_libsvm(options: LibSvmOptions) -> None:
    for name in ("data_shape", "label_shape"):
        shape = getattr(options, name)
        if len(shape) != 1:
            raise AttributeValueError(f"LibSVMIter: `{name}` takes one axis, got {shape}")
    if not options.round_batch:
        raise AttributeValueError("LibSVMIter: `round_batch` takes True only")
    if options.dtype not in (None, "float32"):
        raise AttributeValueError(f"LibSVMIter: `dtype` takes float32, got {options.dtype!r}")
    if options.label_libsvm == NO_FILE and options.label_shape != (1,):
        raise AttributeValueError(
            f"LibSVMIter: `label_shape` takes (1,) without `label_libsvm`, "
            f"got {options.label_shape}"
        )
    if not 0 <= options.part_index < options.num_parts:
        raise AttributeValueError(
            f"LibSVMIter: `part_index` takes 0 to {options.num_parts - 1}, got {options.part_index}"
        )


def _compressed(source: SparseRows, rows: Any, width: int) -> NDArray:
    values, columns, starts = source.take(rows)
    return csr_matrix((values, columns, starts), shape=(len(rows), width))
