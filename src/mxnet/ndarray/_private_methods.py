"""What libraries use of the original's `NDArray` although it is not public."""

from __future__ import annotations

from typing import Any

import numpy

from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.ndarray._ndarray import NDArray
from mxnet.ops.core.public import set_method


def _sync_copyfrom(self: NDArray, source_array: Any) -> None:
    """Copies the elements of a NumPy array of the same shape, or of nested lists."""
    if isinstance(source_array, NDArray):
        raise UnsupportedTypeError("_sync_copyfrom: takes a NumPy array or lists, got an NDArray")
    elements = numpy.asarray(source_array)
    if elements.shape != self.shape:
        raise ArgumentValueError(
            f"_sync_copyfrom: expected elements of shape {self.shape}, got {elements.shape}"
        )
    self[...] = elements


def _slice(self: NDArray, start: int | None, stop: int | None) -> NDArray:
    """Returns some rows, on the same memory."""
    rows: NDArray = self[start:stop]
    return rows


def _at(self: NDArray, idx: int) -> NDArray:
    """Returns a row, on the same memory."""
    row: NDArray = self[idx]
    return row


def _full(self: NDArray, value: float) -> NDArray:
    """Sets all elements to a number, and returns the array."""
    self[:] = value
    return self


def install() -> None:
    """Adds them to the class."""
    for method in (_at, _full, _slice, _sync_copyfrom):
        set_method(NDArray, method.__name__, method)
