"""Norms of vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.np.axes import axes_of
from mxnet.ops.registry import op
from mxnet.ops.traits import Labels, Traits

_NAME = "_npi_norm"
_FLAT, _BY_ORDER, _FROBENIUS, _NUCLEAR = -2, -1, 1, 2
"""Which norm `flag` asks for: that of all elements, of order `ord`, or one of two with a name."""
_MATRIX_ORDERS = (1, -1, 2, -2, inf, -inf)


def _over_axes(data: Tensor, flag: int, order: float, axes: list[int], keepdims: bool) -> Tensor:
    if flag == _FROBENIUS or len(axes) == 1:
        vector_order = 2 if flag == _FROBENIUS else order
        if flag == _NUCLEAR:
            raise MXNetError(f"{_NAME}: expected two axes for the nuclear norm, got {axes}")
        norm: Tensor = torch.linalg.vector_norm(data, vector_order, axes, keepdims)
        return norm
    if flag == _NUCLEAR:
        norm = torch.linalg.matrix_norm(data, "nuc", axes, keepdims)
        return norm
    if order not in _MATRIX_ORDERS:
        raise MXNetError(f"{_NAME}: expected one of the orders {_MATRIX_ORDERS}, got {order}")
    norm = torch.linalg.matrix_norm(data, order, axes, keepdims)
    return norm


def _reduced(shape: Sequence[int], axes: Sequence[int], keepdims: bool) -> list[int]:
    lengths = [1 if axis in axes else length for axis, length in enumerate(shape)]
    return lengths if keepdims else [s for i, s in enumerate(lengths) if i not in axes]


@op(_NAME, traits=Traits(labels=Labels(outputs=("output0", "output1", "output2", "output3"))))
def norm(
    data: Tensor,
    *,
    ord: float = 2.0,
    axis: Shape | None = None,
    keepdims: bool = False,
    flag: int = _BY_ORDER,
) -> Tensor:
    """Computes a norm of vectors or matrices.

    Args:
        data: The array.
        ord: Order of the norm, which `flag` may override.
        axis: One axis along which vectors lie or two that matrices have. By default vectors and
            matrices are whole, and matrices are the last two axes of what has more.
        keepdims: Whether the axes stay, with length 1.
        flag: -1 for the norm of order `ord`, -2 for the 2-norm of all elements, 1 for the Frobenius
            norm, 2 for the nuclear norm.
    """
    if flag == _FLAT:
        axes = list(range(data.ndim))
    elif axis is None:
        axes = axes_of(_NAME, (-1,) if data.ndim < 2 else (-2, -1), data.ndim)
    else:
        axes = axes_of(_NAME, axis, data.ndim)
    if not (1 <= len(axes) <= 2 or flag == _FLAT):
        raise MXNetError(f"{_NAME}: expected one or two axes, got {axis}")
    if not data.numel():
        return data.new_zeros(_reduced(data.shape, axes, keepdims))
    exact = data if data.is_floating_point() else data.double()
    if flag == _FLAT:
        result: Tensor = torch.linalg.vector_norm(exact, 2, keepdim=keepdims)
    else:
        result = _over_axes(exact, flag, ord, axes, keepdims)
    return result.to(data.dtype)
