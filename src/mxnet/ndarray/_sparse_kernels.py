"""Index arithmetic of sparse arrays, on tensors.

Rows are a pair `(data, indices)`: the slices along the first axis that are stored, and where they
belong. A compressed matrix is a triple `(data, indices, indptr)`: the stored elements row by row,
the column of each, and where each row begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import make_zeros

Rows: TypeAlias = tuple[Tensor, Tensor]
Matrix: TypeAlias = tuple[Tensor, Tensor, Tensor]


def rows_of_dense(dense: Tensor) -> Rows:
    """Finds the rows that are not all zero; if none is, the tensor itself is the data."""
    if dense.ndim == 0:
        raise MXNetError("row_sparse: expected an array of one axis or more, got a number")
    indices = (dense.unsqueeze(-1) != 0).flatten(1).any(dim=1).nonzero().view(-1)
    return (dense if len(indices) == len(dense) else dense.index_select(0, indices)), indices


def rows_of_gradient(gradient: Tensor) -> Rows:
    """Returns a gradient, in torch's sparse form or dense, as rows in order."""
    if not gradient.is_sparse:
        return rows_of_dense(gradient)
    merged = gradient.coalesce()
    return merged.values(), merged.indices()[0]


def pad_rows(gradient: Tensor) -> Rows:
    """Adds up rows of a gradient in torch's sparse form, and gives as many as there were.

    The number of different rows is known to the device alone, which a CUDA graph cannot ask. The
    indices are in order and repeat themselves; the first row of an index has the sum, the others
    are zero.

    Raises:
        MXNetError: if the gradient is dense, so that to find its rows would be to ask, too.
    """
    if not gradient.is_sparse:
        raise MXNetError("row_sparse: the rows of a gradient that was computed dense are unknown")
    values, (places,) = gradient._values(), gradient._indices()
    indices, order = torch.sort(places, stable=True)
    first = torch.searchsorted(indices, indices)
    position = torch.empty_like(order).scatter_(0, order, first)
    # `index_add_` would add in an order that differs from run to run on a GPU.
    total = torch.ops.aten.embedding_dense_backward(values, position, len(places), -1, False)
    return total, indices


def drop_padding(rows: Rows) -> Rows:
    """Copies the rows of `pad_rows` without those whose index is that of the row before."""
    data, indices = rows
    kept = (indices.diff(prepend=indices[:1] - 1) != 0).nonzero().view(-1)
    return data.index_select(0, kept), indices.index_select(0, kept)


def dense_of_rows(rows: Rows, shape: Sequence[int]) -> Tensor:
    """Fills in the rows that are not stored."""
    data, indices = rows
    return _zeros_of(data, shape).index_copy_(0, indices, data)


def sum_of_rows(rows: Rows, shape: Sequence[int]) -> Tensor:
    """Fills in the rows that are not stored, and adds up those of the same index."""
    data, indices = rows
    return _zeros_of(data, shape).index_add_(0, indices, data)


def _zeros_of(data: Tensor, shape: Sequence[int]) -> Tensor:
    where = f"a row_sparse array of shape {tuple(shape)} in dense form"
    return make_zeros(where, shape, data.dtype, data.device)


def in_order(indices: Tensor) -> bool:
    """Returns whether indices rise strictly."""
    return bool((indices[1:] > indices[:-1]).all())


def merge_rows(parts: Sequence[Rows]) -> Rows:
    """Adds rows up that belong to the same place."""
    data = torch.cat([rows[0] for rows in parts])
    places, position = torch.unique(torch.cat([rows[1] for rows in parts]), return_inverse=True)
    total = data.new_zeros((len(places), *data.shape[1:]))
    return total.index_add_(0, position, data), places


def combine_rows(kernel: Callable[[Tensor, Tensor], Tensor], first: Rows, second: Rows) -> Rows:
    """Applies a function of two operands to the rows that one of them has."""
    places = torch.unique(torch.cat([first[1], second[1]]))
    return kernel(pick_rows(first, places)[0], pick_rows(second, places)[0]), places


def pick_rows(rows: Rows, places: Tensor) -> Rows:
    """Returns the rows at certain places, zeros where none is stored."""
    data, indices = rows
    if not in_order(indices):
        indices, order = torch.sort(indices, stable=True)
        data = data.index_select(0, order)
    if not len(indices):
        return data.new_zeros((len(places), *data.shape[1:])), places
    # The last one of several rows for a place counts, as when they are written one by one.
    position = (torch.searchsorted(indices, places, right=True) - 1).clamp(min=0)
    found = indices[position] == places
    picked = data.index_select(0, position)
    return picked.masked_fill_(~found.view(-1, *[1] * (data.ndim - 1)), 0), places


def matrix_of_dense(dense: Tensor) -> Matrix:
    """Finds the elements that are not zero."""
    row, column = dense.nonzero(as_tuple=True)
    return dense[row, column], column, pointers(row, dense.shape[0])


def dense_of_matrix(matrix: Matrix, shape: Sequence[int]) -> Tensor:
    """Fills in the elements that are not stored."""
    data, indices, indptr = matrix
    where = f"a csr array of shape {tuple(shape)} in dense form"
    dense = make_zeros(where, shape, data.dtype, data.device)
    if len(data):
        dense[row_numbers(indptr), indices] = data
    return dense


def pointers(row: Tensor, num_rows: int) -> Tensor:
    """Returns the place where each row begins, from the sorted row number of each element."""
    counts = torch.bincount(row, minlength=num_rows)
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)])


def row_numbers(indptr: Tensor) -> Tensor:
    """Returns the row of each stored element."""
    numbers = torch.arange(len(indptr) - 1, device=indptr.device)
    return numbers.repeat_interleave(indptr.diff())


def matrix_of_elements(row: Tensor, column: Tensor, data: Tensor, shape: Sequence[int]) -> Matrix:
    """Compresses elements in any order; those of the same place are added up."""
    place, position = torch.unique(row * shape[1] + column, return_inverse=True)
    total = data.new_zeros(len(place)).index_add_(0, position, data)
    row, column = place // shape[1], place % shape[1]
    return total, column, pointers(row, shape[0])


def take_matrix_rows(matrix: Matrix, begin: int, end: int) -> Matrix:
    """Returns consecutive rows."""
    data, indices, indptr = matrix
    first, last = int(indptr[begin]), int(indptr[end])
    part = indptr[begin : end + 1] - first
    return data[first:last].clone(), indices[first:last].clone(), part


def pick_matrix_rows(matrix: Matrix, places: Tensor) -> Matrix:
    """Returns the rows at certain places, in any order and number."""
    data, indices, indptr = matrix
    counts = indptr.diff()[places]
    ends = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    # How far an element's place among those stored is from its place in the result.
    shift = (indptr[places] - ends[:-1]).repeat_interleave(counts)
    stored = torch.arange(len(shift), device=shift.device) + shift
    return data[stored], indices[stored], ends


def stack_matrices(matrices: Sequence[Matrix]) -> Matrix:
    """Puts matrices below each other."""
    ends = [matrices[0][2]]
    for _, _, indptr in matrices[1:]:
        ends.append(indptr[1:] + ends[-1][-1])
    data = torch.cat([matrix[0] for matrix in matrices])
    return data, torch.cat([matrix[1] for matrix in matrices]), torch.cat(ends)


def multiply_matrix(matrix: Matrix, num_rows: int, right: Tensor) -> Tensor:
    """Multiplies a compressed matrix by a dense one."""
    data, indices, indptr = matrix
    if data.is_floating_point() and right.numel():
        # A row of the product is the weighted sum of those rows of the dense matrix.
        return F.embedding_bag(
            indices,
            right.contiguous(),
            indptr,
            mode="sum",
            per_sample_weights=data,
            include_last_offset=True,
        )
    products = right.index_select(0, indices) * data.unsqueeze(1)
    result = products.new_zeros((num_rows, right.shape[1]))
    return result.index_add_(0, row_numbers(indptr), products)


def multiply_transposed(matrix: Matrix, right: Tensor) -> Rows:
    """Multiplies the transpose of a compressed matrix by a dense one; gives the rows it reaches."""
    data, indices, indptr = matrix
    columns, order = torch.sort(indices, stable=True)
    places, counts = torch.unique_consecutive(columns, return_counts=True)
    ends = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    transposed = data[order], row_numbers(indptr)[order], ends
    return multiply_matrix(transposed, len(places), right), places


class MatrixProduct(torch.autograd.Function):
    """A compressed matrix times a dense one, whose gradient has the rows that are used."""

    @staticmethod
    def forward(ctx: Any, right: Tensor, matrix: Matrix, num_rows: int) -> Tensor:
        """Multiplies, and keeps the compressed matrix alone."""
        ctx.matrix, ctx.shape, ctx.is_leaf = matrix, right.shape, right.is_leaf
        return multiply_matrix(matrix, num_rows, right)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Returns the gradient of the dense matrix."""
        rows = multiply_transposed(ctx.matrix, gradients[0])
        if not ctx.is_leaf:  # what computed the matrix cannot go on with rows
            return dense_of_rows(rows, ctx.shape), None, None
        return as_gradient(rows, ctx.shape), None, None


class TransposedProduct(torch.autograd.Function):
    """The transpose of a compressed matrix times a dense one."""

    @staticmethod
    def forward(ctx: Any, right: Tensor, matrix: Matrix, num_rows: int) -> Tensor:
        """Multiplies; `num_rows` is the number of columns of the compressed matrix."""
        ctx.matrix = matrix
        rows = multiply_transposed(matrix, right)
        return dense_of_rows(rows, (num_rows, right.shape[1]))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Returns the gradient of the dense matrix."""
        num_rows = len(ctx.matrix[2]) - 1
        return multiply_matrix(ctx.matrix, num_rows, gradients[0]), None, None


def as_gradient(rows: Rows, shape: Sequence[int]) -> Tensor:
    """Returns rows in torch's sparse form, in which gradients travel to the leaves."""
    data, indices = rows
    sparse: Tensor = torch.sparse_coo_tensor(
        indices.unsqueeze(0), data, tuple(shape), is_coalesced=True, check_invariants=False
    )
    return sparse
