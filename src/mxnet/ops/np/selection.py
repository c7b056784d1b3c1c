"""Operators of the NumPy dialect that choose, find or replace elements by a condition."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Number
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_element
from mxnet.ops.traits import SAME_SHAPE, Shapes, Traits


@op("_npi_where", any_dtype=("condition",))
def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Picks from `x` where the condition is not zero and from `y` elsewhere.

    Args:
        condition: The condition; the three arrays broadcast.
        x: Values where the condition holds.
        y: Values where it does not.
    """
    return torch.where(condition != 0, x, y)


def _pick(condition: Tensor, array: Tensor, number: Number, *, is_first: bool) -> Tensor:
    """Picks from an array or a number, which is converted to an element of the array."""
    hit = condition != 0
    # A tensor of one element: torch would promote the array beside a number of another kind.
    filled = array.new_full((), as_element(number, array.dtype))
    return torch.where(hit, filled, array) if is_first else torch.where(hit, array, filled)


@op("_npi_where_lscalar", any_dtype=("condition",))
def where_lscalar(condition: Tensor, x: Tensor, *, scalar: Number = 0.0) -> Tensor:
    """Picks a number where the condition is not zero and from an array elsewhere.

    Args:
        condition: The condition, which broadcasts with the array.
        x: Values where the condition does not hold.
        scalar: The number, converted to the type of the array.
    """
    return _pick(condition, x, scalar, is_first=True)


@op("_npi_where_rscalar", any_dtype=("condition",))
def where_rscalar(condition: Tensor, y: Tensor, *, scalar: Number = 0.0) -> Tensor:
    """Picks from an array where the condition is not zero and a number elsewhere.

    Args:
        condition: The condition, which broadcasts with the array.
        y: Values where the condition holds.
        scalar: The number, converted to the type of the array.
    """
    return _pick(condition, y, scalar, is_first=False)


@op("_npi_where_scalar2", differentiable=False, traits=Traits(shapes=SAME_SHAPE))
def where_scalar2(condition: Tensor, *, x: float = 0.0, y: float = 0.0) -> Tensor:
    """Picks one number where the condition is not zero and another elsewhere, as float32.

    Args:
        condition: The condition.
        x: Number where it holds.
        y: Number where it does not.
    """
    result = torch.full_like(condition, y, dtype=torch.float32)
    return result.masked_fill_(condition != 0, x)


@op("_npx_nonzero", aliases=("_npi_nonzero",), differentiable=False)
def nonzero(x: Tensor) -> Tensor:
    """Returns the coordinates of the elements that are not zero, one row for each.

    Args:
        x: Input array; a scalar counts as a vector of one element.
    """
    return (x if x.ndim else x.reshape(1)).nonzero()


def _full_mask(op_name: str, data: Tensor, mask: Tensor, start_axis: int) -> Tensor:
    """Returns a mask of truth values that has all axes of the data up to its own last one."""
    end = start_axis + mask.ndim
    if not 0 <= start_axis <= data.ndim or data.shape[start_axis:end] != mask.shape:
        raise MXNetError(
            f"{op_name}: expected a mask of the shape of axes from {start_axis} on of "
            f"{tuple(data.shape)}, got {tuple(mask.shape)}"
        )
    return (mask != 0).expand(data.shape[:end])


@op(
    "_npi_boolean_mask_assign_scalar",
    any_dtype=("mask",),
    traits=Traits(shapes=Shapes(same=("data",))),
)
def boolean_mask_assign_scalar(
    data: Tensor, mask: Tensor, *, value: Number = 0.0, start_axis: int = 0
) -> Tensor:
    """Copies an array with a number in place of what a mask names.

    Args:
        data: Array to copy.
        mask: Mask of some axes of the array; elements that are not zero name what is replaced.
        value: The number, converted to the type of the array.
        start_axis: First of the axes that the mask has.
    """
    hit = _full_mask("_npi_boolean_mask_assign_scalar", data, mask, start_axis)
    hit = hit.reshape(hit.shape + (1,) * (data.ndim - hit.ndim))
    return data.masked_fill(hit, as_element(value, data.dtype))


@op(
    "_npi_boolean_mask_assign_tensor",
    any_dtype=("mask",),
    traits=Traits(shapes=Shapes(same=("data",))),
)
def boolean_mask_assign_tensor(
    data: Tensor, mask: Tensor, value: Tensor, *, start_axis: int = 0
) -> Tensor:
    """Copies an array with the elements of another in place of what a mask names.

    Args:
        data: Array to copy.
        mask: Mask of some axes of the array; elements that are not zero name what is replaced.
        value: New elements, which broadcast to the shape of `data[mask]`.
        start_axis: First of the axes that the mask has.
    """
    hit = _full_mask("_npi_boolean_mask_assign_tensor", data, mask, start_axis)
    if data.is_meta:
        return data.clone()
    if start_axis == 0:
        return data.index_put((hit,), value)
    # The mask names positions along its own axes, in the same order at each place before them.
    result = data.clone()
    result[(slice(None),) * start_axis + (mask != 0).nonzero().unbind(-1)] = value
    return result
