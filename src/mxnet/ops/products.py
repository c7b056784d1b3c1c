"""Products of vectors, matrices and higher arrays."""

from __future__ import annotations

from typing import Literal, TypeAlias

import torch
from torch import Tensor, mm

from mxnet.errors import MXNetError
from mxnet.ops import flops, misfits, storage_types
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like
from mxnet.ops.traits import Attention, Fusion, Shapes, Storage, Traits

StorageType: TypeAlias = Literal["csr", "default", "row_sparse"]


@op(
    "dot",
    strict_dtypes=True,
    fresh=True,
    traits=Traits(
        flops=flops.transposable_product(first=0),
        shapes=Shapes(misfit=misfits.product_over(0)),
        storage=Storage(
            result=storage_types.of_product,
            gradient=storage_types.of_product_gradient,
            algorithm="matrix_product",
        ),
    ),
)
def dot(
    lhs: Tensor,
    rhs: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: StorageType | None = None,
) -> Tensor:
    """Multiplies two arrays over the last axis of the first and the first axis of the second.

    Args:
        lhs: Array of any shape.
        rhs: Array of any shape.
        transpose_a: Whether to take the first axis of `lhs` as its last one.
        transpose_b: Whether to take the last axis of `rhs` as its first one.
        forward_stype: Storage type of the result, for sparse frontends.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.dot(mx.nd.array([1, 2]), mx.nd.array([3, 4])).asnumpy())
        [11.]
    """
    if lhs.ndim == 2 == rhs.ndim:
        return mm(lhs.t() if transpose_a else lhs, rhs.t() if transpose_b else rhs)
    if lhs.ndim == 1 and rhs.ndim == 1:
        if transpose_a or transpose_b:
            raise MXNetError("dot: expected matrices to transpose, got two vectors")
        return torch.dot(lhs, rhs).view(1)
    if transpose_a:
        lhs = lhs.movedim(0, -1)
    if transpose_b:
        rhs = rhs.movedim(-1, 0)
    product = mm(lhs.reshape(-1, lhs.shape[-1]), rhs.reshape(rhs.shape[0], -1))
    return product.reshape(lhs.shape[:-1] + rhs.shape[1:])


def _split_scores(
    lhs: Tensor, rhs: Tensor, *, transpose_a: bool, transpose_b: bool, **_: object
) -> tuple[Tensor, Tensor, float]:
    return lhs.mT if transpose_a else lhs, rhs if transpose_b else rhs.mT, 1.0


def _split_values(rhs: Tensor, *, transpose_b: bool, **_: object) -> Tensor:
    return rhs.mT if transpose_b else rhs


def _join(sums: Tensor, **_: object) -> Tensor:
    return sums


@op(
    "batch_dot",
    aliases=("_npx_batch_dot",),
    strict_dtypes=True,
    fresh=True,
    traits=Traits(
        flops=flops.transposable_product(first=-2),
        shapes=Shapes(misfit=misfits.product_over(-2)),
        fusion=Fusion(
            attention=Attention(
                split_scores=_split_scores,
                weights=lambda *, transpose_a, **_: None if transpose_a else 0,
                split_values=_split_values,
                join=_join,
            )
        ),
    ),
)
def batch_dot(
    lhs: Tensor,
    rhs: Tensor,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: StorageType | None = None,
) -> Tensor:
    """Multiplies batches of matrices.

    Args:
        lhs: Array of shape `(..., m, k)`, of three axes or more.
        rhs: Array of shape `(..., k, n)` with the same leading axes.
        transpose_a: Whether `lhs` has shape `(..., k, m)`.
        transpose_b: Whether `rhs` has shape `(..., n, k)`.
        forward_stype: Storage type of the result, for sparse frontends.

    Example:
        >>> import mxnet as mx
        >>> mx.nd.batch_dot(mx.nd.ones((4, 2, 3)), mx.nd.ones((4, 3, 5))).shape
        (4, 2, 5)
        >>> mx.nd.batch_dot(mx.nd.ones((4, 2, 3)), mx.nd.ones((4, 5, 3)), transpose_b=True).shape
        (4, 2, 5)
    """
    if lhs.ndim < 3 or lhs.shape[:-2] != rhs.shape[:-2]:
        raise MXNetError(
            "batch_dot: expected matrices in equal batches, "
            f"got shapes {tuple(lhs.shape)} and {tuple(rhs.shape)}"
        )
    return torch.matmul(lhs.mT if transpose_a else lhs, rhs.mT if transpose_b else rhs)


@op("khatri_rao")
def khatri_rao(*args: Tensor) -> Tensor:
    """Computes the Khatri-Rao product: the Kronecker product column by column.

    Args:
        *args: Matrices with equal numbers of columns.
    """
    if not args or any(array.ndim != 2 for array in args):
        raise MXNetError("khatri_rao: expected one or more matrices")
    columns = args[0].shape[1]
    check_like("khatri_rao", (*(len(array) for array in args), columns), args[0])
    product = args[0].clone()
    for array in args[1:]:
        if array.shape[1] != columns:
            raise MXNetError(f"khatri_rao: expected {columns} columns, got {array.shape[1]}")
        product = (product.unsqueeze(1) * array).reshape(-1, columns)
    return product
