"""Limits of elements, and the larger and smaller of two, with gradients that are defined here.

At a tie the whole gradient belongs to the data, or to the left of two arrays. Releases of torch
have given it to both, to one and to none, so that none of its own gradients is used: `torch.where`
passes a gradient to the side that it takes, which leaves nothing to define.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.ops.scalars import in_range


def clamp(data: Tensor, low: float, high: float) -> Tensor:
    """Limits elements from below and above; those at a limit keep their gradient."""
    low, high = in_range(low, data.dtype), in_range(high, data.dtype)
    if not data.requires_grad:
        return _between(data, low, high)
    return _where_kept(data, _between(data.detach(), low, high))


def clamp_min(data: Tensor, low: float) -> Tensor:
    """Limits elements from below; those at the limit keep their gradient."""
    low = in_range(low, data.dtype)
    if not data.requires_grad:
        return torch.clamp_min(data, low)
    return _where_kept(data, torch.clamp_min(data.detach(), low))


def clamp_max(data: Tensor, high: float) -> Tensor:
    """Limits elements from above; those at the limit keep their gradient."""
    high = in_range(high, data.dtype)
    if not data.requires_grad:
        return torch.clamp_max(data, high)
    return _where_kept(data, torch.clamp_max(data.detach(), high))


def maximum(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the larger of two elements; of equal ones the left gets the gradient."""
    if lhs.requires_grad or rhs.requires_grad:
        return torch.where((lhs >= rhs) | lhs.isnan(), lhs, rhs)
    return torch.maximum(lhs, rhs)


def minimum(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the smaller of two elements; of equal ones the left gets the gradient."""
    if lhs.requires_grad or rhs.requires_grad:
        return torch.where((lhs <= rhs) | lhs.isnan(), lhs, rhs)
    return torch.minimum(lhs, rhs)


def _between(data: Tensor, low: float, high: float) -> Tensor:
    if low > high:  # the upper limit is looked at first
        return torch.where(data > high, high, torch.clamp_min(data, low))
    return torch.clamp(data, low, high)


def _where_kept(data: Tensor, limited: Tensor) -> Tensor:
    """Returns limited data with the gradient of the elements that no limit has changed.

    Comparing results takes one pass where comparing with two limits takes three.
    """
    return torch.where(limited == data.detach(), data, limited)
