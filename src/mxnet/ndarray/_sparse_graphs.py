"""Operators that read a csr array as a graph, whose edges are the elements that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray._ndarray import NDArray, from_tensor
from mxnet.ndarray._sparse_array import CSRNDArray
from mxnet.ops.core.registry import Op
from mxnet.ops.math.elementwise import check_edges


def count_stored(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> NDArray | None:
    """Counts the elements that are stored, in all or in each row, for `getnnz`."""
    array = inputs[0]
    if not isinstance(array, CSRNDArray):
        return None
    op.kernel(array._parts[0].new_empty(array._shape, device="meta"), **attrs)  # checks
    counts = array._parts[2].diff()
    total = counts if attrs.get("axis") == 1 else counts.sum().view(1)
    return from_tensor(total, array._ctx.results)


def find_edges(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> NDArray | None:  # noqa: ARG001
    """Looks elements up by row and column, for `edge_id`."""
    array, *ends = inputs
    if not isinstance(array, CSRNDArray):
        return None
    u, v = (item._plain for item in ends)
    check_edges(array._shape, u, v)
    data, indices, indptr = array._matrix()
    width = array._shape[1]
    stored = kernels.row_numbers(indptr) * width + indices
    order = stored.argsort()
    wanted = u.long() * width + v.long()
    place = torch.searchsorted(stored[order], wanted).clamp(max=max(len(data) - 1, 0))
    inside = (u >= 0) & (u < array._shape[0]) & (v >= 0) & (v < width)
    found = data.new_full(wanted.shape, -1)
    if len(data):
        place = order[place]
        found = torch.where(inside & (stored[place] == wanted), data[place], found)
    return from_tensor(found, array._ctx.results)
