"""Limits of elements, and the larger and smaller of two, with gradients that are defined here.

At a tie the whole gradient belongs to the data, or to the left of two arrays. Releases of torch
have given it to both, to one and to none, so that none of its own gradients is used: `torch.where`
passes a gradient to the side that it takes, which leaves nothing to define.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mxnet.ops.scalars import in_range

_MANY = 1 << 16
"""Elements from which memory costs more than a function of Python that torch calls."""


def clamp(data: Tensor, low: float, high: float) -> Tensor:
    """Limits elements from below and above; those at a limit keep their gradient."""
    low, high = in_range(low, data.dtype), in_range(high, data.dtype)
    if not data.requires_grad:
        return _between(data, low, high)
    if data.numel() >= _MANY and not torch.compiler.is_compiling():
        result: Tensor = _Clamp.apply(data, low, high)  # type: ignore[no-untyped-call]
        return result
    limited = _between(data.detach(), low, high)
    return torch.where(limited == data.detach(), data, limited)


def clamp_min(data: Tensor, low: float) -> Tensor:
    """Limits elements from below; those at the limit keep their gradient."""
    return clamp(data, low, math.inf)


def clamp_max(data: Tensor, high: float) -> Tensor:
    """Limits elements from above; those at the limit keep their gradient."""
    return clamp(data, -math.inf, high)


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


class _Clamp(torch.autograd.Function):
    """Limits many elements in one pass, and leaves the rest of the work to the backward pass."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, low: float, high: float) -> Tensor:
        ctx.save_for_backward(data)
        ctx.limits = low, high
        return _between(data, low, high)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (data,) = ctx.saved_tensors
        low, high = ctx.limits
        if high == math.inf:
            kept = data >= low
        elif low == -math.inf:
            kept = data <= high
        else:
            kept = (data >= low).logical_and_(data <= high)
        return torch.where(kept, gradient, 0), None, None
