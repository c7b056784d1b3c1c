"""Products of arrays with NumPy's rules: scalars of shape `()`, stacks of matrices, chosen axes."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import torch
from torch import Tensor, matmul, mm

from mxnet._dtypes import name_of
from mxnet.errors import MXNetError
from mxnet.ops import flops
from mxnet.ops.attrs import Shape
from mxnet.ops.np.axes import axes_of
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like
from mxnet.ops.traits import Labels, Traits

_PRODUCT = Traits(low_precision=True, flops=flops.product)


def _require_floats(name: str, a: Tensor) -> None:
    if not a.is_floating_point():
        raise MXNetError(f"{name}: expected floating-point arrays, got {name_of(a.dtype)}")


def _of_one_dtype(name: str, a: Tensor, b: Tensor) -> Tensor:
    if a.dtype is not b.dtype:
        raise MXNetError(
            f"{name}: expected arrays of one dtype, got {name_of(a.dtype)} and {name_of(b.dtype)}"
        )
    return b


@op("_np_dot", strict_dtypes=True, fresh=True, traits=_PRODUCT)
def dot(a: Tensor, b: Tensor) -> Tensor:
    """Multiplies two arrays over the last axis of the first and the last but one of the second.

    Of vectors this is the inner product, of matrices the product; a scalar multiplies all elements.

    Args:
        a: First array.
        b: Second array, of the same dtype.

    Example:
        >>> from mxnet import np
        >>> print(np.dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
        11.0
    """
    if not a.is_floating_point():
        _require_floats("_np_dot", a)
    if a.ndim == 2 == b.ndim:
        return mm(a, b)
    if not (a.ndim and b.ndim):
        return a * _of_one_dtype("_np_dot", a, b)
    if b.ndim <= 2:
        return matmul(a, b)
    product: Tensor = torch.tensordot(a, b, dims=([-1], [-2]))
    return product


@op(
    "_npi_matmul",
    strict_dtypes=True,
    fresh=True,
    traits=replace(_PRODUCT, labels=Labels(outputs=("out",))),
)
def matrix_product(a: Tensor, b: Tensor) -> Tensor:
    """Multiplies matrices or stacks of them, which broadcast against each other.

    Args:
        a: Matrices of shape `(..., m, k)`, or a vector of `k` elements, taken as a row.
        b: Matrices of shape `(..., k, n)`, or a vector of `k` elements, taken as a column.
    """
    if not a.is_floating_point():
        _require_floats("_npi_matmul", a)
    if not (a.ndim and b.ndim):
        raise MXNetError(
            "_npi_matmul: expected vectors or matrices, got a scalar; multiply with * instead"
        )
    return matmul(a, b)


def _sum_over(name: str, a: Tensor, b: Tensor, a_axes: list[int], b_axes: list[int]) -> Tensor:
    _require_floats(name, a)
    lengths = [a.shape[axis] for axis in a_axes], [b.shape[axis] for axis in b_axes]
    if lengths[0] != lengths[1]:
        raise MXNetError(
            f"{name}: expected equal lengths of the axes to sum over, "
            f"got {lengths[0]} and {lengths[1]}"
        )
    summed = prod(lengths[0])
    if summed:
        check_like(name, (a.numel() // summed, b.numel() // summed), a)
    product: Tensor = torch.tensordot(a, b, dims=(a_axes, b_axes))
    return product


@op("_npi_tensordot", traits=replace(_PRODUCT, flops=flops.product_over("a_axes_summed")))
def tensordot(a: Tensor, b: Tensor, *, a_axes_summed: Shape, b_axes_summed: Shape) -> Tensor:
    """Multiplies two arrays and sums over pairs of axes.

    Args:
        a: First array.
        b: Second array, of the same dtype.
        a_axes_summed: Axes of `a` to sum over.
        b_axes_summed: The axis of `b` that belongs to each of them.
    """
    name = "_npi_tensordot"
    if len(a_axes_summed) != len(b_axes_summed):
        raise MXNetError(
            f"{name}: expected as many axes of each array, got {a_axes_summed} and {b_axes_summed}"
        )
    a_axes, b_axes = axes_of(name, a_axes_summed, a.ndim), axes_of(name, b_axes_summed, b.ndim)
    return _sum_over(name, a, b, a_axes, b_axes)


@op("_npi_tensordot_int_axes", traits=replace(_PRODUCT, flops=flops.product_over("axes")))
def tensordot_int_axes(a: Tensor, b: Tensor, *, axes: int) -> Tensor:
    """Multiplies two arrays and sums over the last axes of the first, the first of the second.

    Args:
        a: First array.
        b: Second array, of the same dtype.
        axes: How many axes to sum over; 0, like any number below, gives the outer product.
    """
    name, count = "_npi_tensordot_int_axes", max(axes, 0)
    if count > min(a.ndim, b.ndim):
        raise MXNetError(
            f"{name}: expected at most {min(a.ndim, b.ndim)} axes to sum over, got {axes}"
        )
    return _sum_over(name, a, b, list(range(a.ndim - count, a.ndim)), list(range(count)))
