"""Storage types in graphs, where every array is dense."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import storage_types
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_positions
from mxnet.ops.traits import Attrs, Storage, Traits


def _as_asked(stypes: Sequence[str], attrs: Attrs) -> str:
    del stypes
    return str(attrs["stype"])


_CAST = Storage(result=_as_asked, gradient=storage_types.of_head, from_attrs=True)


@op("cast_storage", fresh=True, traits=Traits(storage=_CAST))
def cast_storage(data: Tensor, *, stype: Literal["csr", "default", "row_sparse"]) -> Tensor:
    """Copies an array; a graph keeps the dense form of it, whatever storage type is asked for.

    Args:
        data: Any array.
        stype: Storage type: dense (`default`), or one that stores only what is not zero.
    """
    return data.clone()


@op(
    "_sparse_retain",
    any_dtype=("indices",),
    traits=Traits(
        storage=Storage(result=storage_types.only("row_sparse"), gradient=storage_types.like_inputs)
    ),
)
def retain(data: Tensor, indices: Tensor) -> Tensor:
    """Keeps some rows of an array and sets the others to zero.

    Args:
        data: Any array.
        indices: Numbers of the rows to keep.
    """
    kept, rows = torch.zeros_like(data), as_positions(indices)
    return kept.index_copy(0, rows, data.index_select(0, rows))


@op(
    "_contrib_getnnz",
    differentiable=False,
    traits=Traits(storage=Storage(algorithm="count_stored")),
)
def getnnz(data: Tensor, *, axis: int | None = None) -> Tensor:
    """Counts the elements of a csr array that are stored; those that are not zero in a graph.

    Args:
        data: A matrix.
        axis: 1 to count in each row.
    """
    if data.ndim != 2 or axis not in (None, 1):
        raise MXNetError(
            f"_contrib_getnnz: expected a matrix and axis 1 or None, got shape "
            f"{tuple(data.shape)} and axis {axis}"
        )
    stored = data != 0
    return stored.sum(1) if axis == 1 else stored.sum().view(1)


@op(
    "_contrib_edge_id",
    any_dtype=("u", "v"),
    differentiable=False,
    traits=Traits(storage=Storage(algorithm="find_edges")),
)
def edge_id(data: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Looks elements of a csr array up; -1 stands where none is stored, in a graph where it is 0.

    Args:
        data: A matrix, whose elements are the numbers of edges between rows and columns.
        u: Rows.
        v: Columns, as many.
    """
    check_edges(data.shape, u, v)
    row, column = as_positions(u), as_positions(v)
    inside = (row >= 0) & (row < data.shape[0]) & (column >= 0) & (column < data.shape[1])
    edges = data[row.where(inside, 0), column.where(inside, 0)]
    return torch.where(inside & (edges != 0), edges, -1)


def check_edges(shape: tuple[int, ...], u: Tensor, v: Tensor) -> None:
    """Checks the arguments of `edge_id`."""
    if len(shape) != 2 or u.ndim != 1 or u.shape != v.shape:
        raise MXNetError(
            "_contrib_edge_id: expected a matrix and vectors of one length, got shapes "
            f"{tuple(shape)}, {tuple(u.shape)} and {tuple(v.shape)}"
        )
