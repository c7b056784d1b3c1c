"""Arrays that each context has one of: their sum, and copies of one to the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import torch
from torch import Tensor

from mxnet._frontend.dialect import functions_for
from mxnet.context import Context
from mxnet.kvstore._compression import Compression
from mxnet.ndarray import NDArray


def copy_to_all(value: NDArray, arrays: Sequence[NDArray]) -> None:
    """Copies an array to others, among which it may be itself."""
    for array in arrays:
        if array is not value:
            array._writable().copy_(value._plain)


def add_up_in_place(
    keys: Sequence[Hashable],
    replicas: Sequence[Sequence[NDArray]],
    compress: Compression | None,
) -> None:
    """Replaces the arrays of each key by their sum, computed on the context of the first."""
    dense: list[list[Tensor]] = []
    for key, arrays in zip(keys, replicas, strict=True):
        if compress is None and arrays[0].stype == "default":
            dense.append([array._writable() for array in arrays])
            continue
        total = _sum(key, arrays, compress)
        for array in arrays:
            total.copyto(array)
    if dense:
        _add_up_dense(dense)


def add_together(arrays: Sequence[NDArray], home: Context) -> NDArray:
    """Returns the sum of arrays, which may be sparse, on a context; it is stored as the first."""
    beside = [array.as_in_context(home) for array in arrays]
    total: NDArray = functions_for(beside[0]).add_n(*beside)
    return total if total.stype == beside[0].stype else total.tostype(beside[0].stype)


def _sum(key: Hashable, arrays: Sequence[NDArray], compress: Compression | None) -> NDArray:
    """Returns the sum of arrays that may be sparse or rounded."""
    home = arrays[0].context
    if compress is not None:
        arrays = [compress((key, i), array) for i, array in enumerate(arrays)]
    return add_together(arrays, home)


def _add_up_dense(replicas: Sequence[Sequence[Tensor]]) -> None:
    """Adds tensors up with one call for each context, not for each key."""
    totals, *others = (list(column) for column in zip(*replicas, strict=True))
    for column in others:
        torch._foreach_add_(totals, [item.to(totals[0].device) for item in column])
    for column in others:
        torch._foreach_copy_(column, totals)
