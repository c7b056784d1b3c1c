"""Operators of the NumPy dialect on diagonals."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import ArgumentValueError, MXNetError
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like


@op("_np_diag")
def np_diag(data: Tensor, *, k: int = 0) -> Tensor:
    """Takes a diagonal of a matrix, or builds the matrix that has a vector on its diagonal.

    Args:
        data: Vector or matrix.
        k: Which diagonal: positive above the main one, negative below.
    """
    if data.ndim not in (1, 2):
        raise MXNetError(f"_np_diag: expected one or two axes, got shape {tuple(data.shape)}")
    return _build(data, k, "_np_diag") if data.ndim == 1 else data.diagonal(k)


def _build(vector: Tensor, k: int, op_name: str) -> Tensor:
    """Builds the matrix that has a vector on a diagonal."""
    check_like(op_name, (len(vector) + abs(k),) * 2, vector)
    return torch.diag(vector, k)


@op("_np_diagflat")
def diagflat(data: Tensor, *, k: int = 0) -> Tensor:
    """Builds the matrix that has all elements of an array on its diagonal.

    Args:
        data: Input array, which is flattened.
        k: Which diagonal: positive above the main one, negative below.
    """
    return _build(data.reshape(-1), k, "_np_diagflat")


def _check_plane(op_name: str, data: Tensor, axis1: int, axis2: int) -> None:
    if data.ndim < 2 or axis1 % data.ndim == axis2 % data.ndim:
        raise ArgumentValueError(
            f"{op_name}: expected two different axes of two or more, got {axis1} and {axis2} of "
            f"shape {tuple(data.shape)}"
        )


@op("_np_diagonal")
def diagonal(data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Takes a diagonal of matrices, as the last axis of the result.

    Args:
        data: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.
    """
    _check_plane("_np_diagonal", data, axis1, axis2)
    return data.diagonal(offset, axis1, axis2)


@op("_np_trace")
def trace(data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Adds a diagonal of matrices up, in the type of the elements.

    Args:
        data: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.
    """
    _check_plane("_np_trace", data, axis1, axis2)
    return data.diagonal(offset, axis1, axis2).sum(-1, dtype=data.dtype)
