"""What libraries use of the original's `NDArray` and its indexing although it is not public."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy
import numpy as np

from mxnet.errors import (
    ArgumentValueError,
    CheckFailedError,
    IndexOutOfBoundsError,
    MXNetError,
    UnsupportedTypeError,
)
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


def _basic_indexing_slice_is_contiguous(slc_key: Sequence[slice], shape: Sequence[int]) -> bool:
    """Returns whether a part of an array lies in memory as one block, by a slice for every axis."""
    return bool(_part_of_shape(slc_key, shape).flags.c_contiguous)


def _basic_indexing_sliced_shape(slc_key: Sequence[slice], shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the shape of a part of an array, by a slice for every axis."""
    part: tuple[int, ...] = _part_of_shape(slc_key, shape).shape
    return part


def _basic_indexing_contiguous_flat_begin_end(
    slc_key: Sequence[slice], shape: Sequence[int]
) -> tuple[int, int]:
    """Returns where a contiguous part of an array begins and ends in the flat array.

    Args:
        slc_key: A slice for every axis; see `_basic_indexing_slice_is_contiguous`.
        shape: Shape of the array.
    """
    size = int(np.prod(_part_of_shape(slc_key, shape).shape))
    if not size:
        return 0, 0
    starts = [index.indices(length)[0] for index, length in zip(slc_key, shape, strict=True)]
    begin = int(np.ravel_multi_index(starts, tuple(shape)))
    return begin, begin + size


def _basic_indexing_key_int_to_slice(
    idcs: Sequence[Any],
) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """Returns a key with slices in the place of numbers, and the positions of these."""
    places = tuple(
        place for place, index in enumerate(idcs) if isinstance(index, (int, np.integer))
    )
    return tuple(map(_as_slice, idcs)), places


def _basic_indexing_key_to_begin_end_step(
    idcs: Sequence[Any], shape: Sequence[int], keep_none: bool = True
) -> tuple[tuple[int | None, ...], ...]:
    """Returns where the slices of a key begin and end, and their steps.

    Args:
        idcs: The key; None in it is left out, and a number counts as a slice.
        shape: Shape of the array.
        keep_none: Whether to keep what a slice leaves open, in place of the number for the length.
    """
    slices = [_as_slice(index) for index in idcs if index is not None]
    rows = [
        (index.start, index.stop, index.step) if keep_none else index.indices(length)
        for index, length in zip(slices, shape, strict=False)  # a key may be shorter
    ]
    return tuple(zip(*rows, strict=True))


def _as_slice(index: Any) -> Any:
    """Returns the slice of one element for a number, anything else as it is."""
    if not isinstance(index, (int, np.integer)):
        return index
    return slice(index, None if index == -1 else index + 1)


def _part_of_shape(slc_key: Sequence[slice], shape: Sequence[int]) -> np.ndarray[Any, Any]:
    """Returns a part of a NumPy array of a shape that has no memory and must not be read.

    Raises:
        CheckFailedError: if there is not a slice for every axis.
    """
    if len(slc_key) != len(shape):
        raise CheckFailedError(
            f"indexing: expected a slice for each axis of {tuple(shape)}, got {len(slc_key)}"
        )
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    whole = np.lib.stride_tricks.as_strided(np.empty(1, np.int8), shape, strides)
    part: np.ndarray[Any, Any] = whole[tuple(slc_key)]
    return part


def install() -> None:
    """Adds them to the class."""
    for method in (_at, _full, _slice, _sync_copyfrom):
        set_method(NDArray, method.__name__, method)
    for function in (
        _basic_indexing_contiguous_flat_begin_end,
        _basic_indexing_key_int_to_slice,
        _basic_indexing_key_to_begin_end_step,
        _basic_indexing_slice_is_contiguous,
        _basic_indexing_sliced_shape,
    ):
        setattr(NDArray, function.__name__, staticmethod(function))


_NDARRAY_UNSUPPORTED_INDEXING = -1
_NDARRAY_BASIC_INDEXING = 0
_NDARRAY_ADVANCED_INDEXING = 1
_NDARRAY_EMPTY_TUPLE_INDEXING = 2
_NDARRAY_NO_ZERO_DIM_BOOL_ARRAY = -1
_NDARRAY_ZERO_DIM_BOOL_ARRAY_FALSE = 0
_NDARRAY_ZERO_DIM_BOOL_ARRAY_TRUE = 1


def get_indexing_dispatch_code(key: tuple[Any, ...]) -> int:
    """Returns whether a key of indexing is basic (0) or advanced (1).

    Args:
        key: The key, with an index for every axis; see `indexing_key_expand_implicit_axes`.

    Raises:
        ArgumentValueError: if it has something that arrays are not indexed by.
        CheckFailedError: if it is not a tuple.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.get_indexing_dispatch_code((0, slice(2))))
        0
        >>> print(mx.nd.get_indexing_dispatch_code(([0, 2],)))
        1
    """
    if not isinstance(key, tuple):
        raise CheckFailedError(f"get_indexing_dispatch_code: takes a tuple, got {key!r}")
    code = _NDARRAY_BASIC_INDEXING
    for index in key:
        if isinstance(index, (NDArray, np.ndarray, list, tuple, range)):
            code = _NDARRAY_ADVANCED_INDEXING
        elif not (index is None or isinstance(index, (slice, int, np.integer))):
            raise ArgumentValueError(f"indexing: takes no {type(index).__name__}, got {index!r}")
    return code


def indexing_key_expand_implicit_axes(
    key: Any, shape: Sequence[int]
) -> tuple[tuple[Any, ...], int]:
    """Returns a key of indexing with an index for every axis.

    Args:
        key: The key, which may have an ellipsis, truth values, or fewer indices than axes.
        shape: Shape of the array.

    Returns:
        The key as a tuple, and whether a truth value stood in it: -1 if none, or 0 or 1.

    Raises:
        IndexOutOfBoundsError: if there is more than one ellipsis.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.indexing_key_expand_implicit_axes((..., 0), (2, 3, 4)))
        ((slice(None, None, None), slice(None, None, None), 0), -1)
    """
    indices = list(key) if isinstance(key, tuple) else [key]
    truths = [bool(index) for index in indices if isinstance(index, (bool, np.bool_))]
    indices = [index for index in indices if not isinstance(index, (bool, np.bool_))]
    ellipses = [position for position, index in enumerate(indices) if index is Ellipsis]
    if len(ellipses) > 1:
        raise IndexOutOfBoundsError("indexing: takes one ellipsis (...) at most")
    position = ellipses[0] if ellipses else len(indices)
    before, after = indices[:position], indices[position + 1 :]
    given = sum(index is not None for index in [*before, *after])
    implicit = [slice(None)] * (len(shape) - given)
    return (*before, *implicit, *after), int(all(truths)) if truths else -1


def get_oshape_of_gather_nd_op(dshape: Sequence[int], ishape: Sequence[int]) -> tuple[int, ...]:
    """Returns the shape of `gather_nd` of an array and indices of some shapes.

    Raises:
        CheckFailedError: if one of the shapes has no axis.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.get_oshape_of_gather_nd_op((4, 5, 6), (2, 3)))
        (3, 6)
    """
    if not dshape or not ishape:
        raise CheckFailedError(f"gather_nd: takes arrays with axes, got {dshape} and {ishape}")
    return (*ishape[1:], *dshape[ishape[0] :])


def check_boolean_array_dimension(
    array_shape: Sequence[int], axis: int, bool_shape: Sequence[int]
) -> None:
    """Raises if an array of truth values cannot index an array from an axis on.

    Raises:
        IndexOutOfBoundsError: if lengths differ.
    """
    for offset, length in enumerate(bool_shape):
        if array_shape[axis + offset] != length:
            raise IndexOutOfBoundsError(
                f"indexing: axis {axis + offset} has {array_shape[axis + offset]} elements, "
                f"got {length} truth values for it"
            )


def imdecode(
    str_img: bytes,
    clip_rect: Sequence[int] = (0, 0, 0, 0),
    out: Any = None,
    index: int = 0,
    channels: int = 3,
    mean: Any = None,
) -> Any:
    """Raises, as in MXNet 1.9.1, where the function that this was is gone.

    Raises:
        MXNetError: always; `mx.image.imdecode` decodes images.

    Example:
        >>> import mxnet as mx
        >>> try:
        ...     mx.nd.imdecode(b"")
        ... except mx.MXNetError as error:
        ...     print("mx.image" in str(error))
        True
    """
    del str_img, clip_rect, out, index, channels, mean
    raise MXNetError("nd.imdecode: does not work since MXNet 1.0; use mx.image.imdecode")
