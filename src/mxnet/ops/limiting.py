"""Limits of elements, and the larger and smaller of two, with gradients that are defined here.

At a tie the whole gradient belongs to the data, or to the left of two arrays. Releases of torch
have given it to both, to one and to none, so that gradients of its own are used only where they
leave nothing open: `torch.where` passes a gradient to the side that it takes, and a function that
has none *at* its limits passes it there if they are moved outwards by one number.
"""

from __future__ import annotations

import math
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.ops.scalars import in_range

_DENORMAL = 5e-324
"""The least positive number, which compares as zero in a thread that flushes denormal ones."""


def clamp(data: Tensor, low: float, high: float) -> Tensor:
    """Limits elements from below and above; those at a limit, and NaN, keep their gradient."""
    low, high = in_range(low, data.dtype), in_range(high, data.dtype)
    if not data.requires_grad:
        return _between(data, low, high)
    # The kernels of a CPU forget the gradient of most NaN, and pass that of some.
    if -math.inf < low <= high < math.inf and _can_move_limits(data, or_on_cuda=True):
        limited = F.hardtanh(data, *_move_outwards(low, high, data.dtype))
        limited.detach().clamp_(low, high)  # what is kept for the gradient is the data
        return limited
    plain = data.detach()
    return torch.where((plain < low) | (plain > high), _between(plain, low, high), data)


def clamp_min(data: Tensor, low: float) -> Tensor:
    """Limits elements from below; those at the limit keep their gradient, NaN has none."""
    low = in_range(low, data.dtype)
    if not data.requires_grad:
        return torch.clamp_min(data, low)
    if math.isfinite(low) and _can_move_limits(data):
        return F.threshold(data, _move_outwards(low, low, data.dtype)[0], low)
    plain = data.detach()
    return torch.where(plain >= low, data, torch.clamp_min(plain, low))


def clamp_max(data: Tensor, high: float) -> Tensor:
    """Limits elements from above; those at the limit keep their gradient, NaN has none."""
    high = in_range(high, data.dtype)
    if not data.requires_grad:
        return torch.clamp_max(data, high)
    if math.isfinite(high) and _can_move_limits(data):
        return -F.threshold(-data, -_move_outwards(high, high, data.dtype)[1], -high)
    plain = data.detach()
    return torch.where(plain <= high, data, torch.clamp_max(plain, high))


def maximum(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the larger of two; of equal ones the left gets the gradient, of NaN none."""
    if lhs.requires_grad or rhs.requires_grad:
        return torch.where(lhs >= rhs, lhs, torch.where(lhs < rhs, rhs, math.nan))
    return torch.maximum(lhs, rhs)


def minimum(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the smaller of two; of equal ones the left gets the gradient, of NaN none."""
    if lhs.requires_grad or rhs.requires_grad:
        return torch.where(lhs <= rhs, lhs, torch.where(lhs > rhs, rhs, math.nan))
    return torch.minimum(lhs, rhs)


def _between(data: Tensor, low: float, high: float) -> Tensor:
    if low > high:  # the upper limit is looked at first
        return torch.where(data > high, high, torch.clamp_min(data, low))
    return torch.clamp(data, low, high)


def _can_move_limits(data: Tensor, or_on_cuda: bool = False) -> bool:
    """Returns whether one kernel of torch does, with limits moved outwards, what is defined here.

    On a CPU `torch.where` takes ten times as long as such a kernel. NaN is told by the sum, which
    may be NaN without it too.

    Args:
        data: What is to be limited.
        or_on_cuda: Whether a kernel of CUDA does it too.
    """
    if torch.compiler.is_compiling() or not _DENORMAL > 0:
        return False
    if data.is_cpu:
        return not math.isnan(data.detach().sum().item())
    return or_on_cuda and data.is_cuda


@lru_cache(maxsize=256)  # a function of its arguments, so that nothing invalidates it
def _move_outwards(low: float, high: float, dtype: torch.dtype) -> tuple[float, float]:
    """Returns the number below a limit and the number above another one, in an element type."""
    limits = torch.tensor([low, high], dtype=dtype)
    below, above = torch.nextafter(limits, torch.tensor([-math.inf, math.inf], dtype=dtype))
    return below.item(), above.item()
