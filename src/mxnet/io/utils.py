"""Helpers of the iterators that take arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mxnet._frontend.dialect import in_dialect_of
from mxnet.errors import ArgumentTypeError
from mxnet.ndarray import NDArray, array, concat, slice_axis
from mxnet.ndarray.sparse import CSRNDArray
from mxnet.ndarray.sparse import array as sparse_array

_ACCEPTED = "an NDArray, a numpy.ndarray, a list of these or a dictionary with these as values"


def _init_data(data: Any, allow_empty: bool, default_name: str) -> list[tuple[str, NDArray]]:
    """Returns named arrays from one array, a list or a dictionary, sorted by name.

    Args:
        data: What the user gave.
        allow_empty: Whether there may be no array.
        default_name: Name of a single array; those of a list are numbered.

    Raises:
        ArgumentTypeError: if there is anything but arrays, or no array where one is needed.
    """
    if data is None:
        data = []
    if _is_array(data):
        data = [data]
    if not isinstance(data, (list, dict)):
        raise ArgumentTypeError(f"`{default_name}` takes {_ACCEPTED}, got {type(data).__name__}")
    if not data and not allow_empty:
        raise ArgumentTypeError(f"`{default_name}` takes at least one array, got none")
    if isinstance(data, list):
        alone = len(data) == 1
        data = {
            default_name if alone else f"_{number}_{default_name}": item
            for number, item in enumerate(data)
        }
    return [(name, _as_ndarray(name, data[name])) for name in sorted(data)]


def _is_array(value: Any) -> bool:
    """Returns whether a value is an array of this or another library, such as h5py."""
    return isinstance(value, (NDArray, np.ndarray)) or (
        hasattr(value, "__array__") and hasattr(value, "shape")
    )


def _as_ndarray(name: str, value: Any) -> NDArray:
    if isinstance(value, NDArray):
        return value
    try:
        made = array(np.asarray(value) if _is_array(value) else value)
    except (TypeError, ValueError) as error:
        raise ArgumentTypeError(
            f"`{name}` takes {_ACCEPTED}, got {type(value).__name__}"
        ) from error
    if not made.shape or np.ndim(value) == 0:
        raise ArgumentTypeError(f"`{name}` takes an array of examples, got the number {value!r}")
    return made


def _has_instance(data: Sequence[tuple[str, Any]], dtype: type) -> bool:
    """Returns whether any of some named arrays is of a class."""
    return any(isinstance(item, dtype) for _, item in data)


def _reorder(item: NDArray, idx: Any, axis: int) -> NDArray:
    """Returns an array with its examples in the order of `idx`."""
    values = np.take(item.asnumpy(), idx, axis)
    if isinstance(item, CSRNDArray):
        return sparse_array(array(values, dtype=item.dtype).tostype("csr"), item.context)
    return in_dialect_of(array(values, item.context, item.dtype), item)


def _slice_along_batch_axis(data: NDArray, s: slice, batch_axis: int) -> NDArray:
    """Returns a copy of some examples of an array; a sparse array becomes dense."""
    dense = data if data.stype == "default" else data.tostype("default")
    classic = dense.as_nd_ndarray()
    part = slice_axis(classic, axis=batch_axis, begin=s.start or 0, end=s.stop)
    return in_dialect_of(part, dense)


def _join_along_batch_axis(parts: Sequence[NDArray], batch_axis: int) -> NDArray:
    """Returns the examples of several arrays in one."""
    if len(parts) == 1:
        return parts[0]
    joined = concat(*[part.as_nd_ndarray() for part in parts], dim=batch_axis)
    return in_dialect_of(joined, parts[0])
