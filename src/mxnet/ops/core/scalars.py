"""Python's numbers as elements of arrays, elements as whole numbers, and limits of elements.

A number beside an array is a double in the original, where 2**53 + 1 loses its one. Here a whole
number that a double cannot hold stays an int (`as_number`), so that int64 arrays are exact. What
an element type cannot hold becomes what the original's conversion in C makes of it
(`as_integer`), which is also what `Cast` gives on arrays.

Limits, and the larger and smaller of two, have gradients that are defined here: at a tie the whole
gradient belongs to the data, or to the left of two arrays. Releases of torch have given it to both,
to one and to none, so that gradients of its own are used only where they leave nothing open:
`torch.where` passes a gradient to the side that it takes, and a function that has none *at* its
limits passes it there if they are moved outwards by one number.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import UnsupportedTypeError

EXACT = 1 << 53
"""Whole numbers up to this size are the same as a double."""

_MAX_HALF = 65504.0
"""The largest number that every floating-point type can hold."""

_EXACT_FLOAT32 = 1 << 24
"""Whole numbers up to this size are the same as a float32."""

_FAR = 2.0**62
"""Beyond every axis, and exact in all floats but float16."""

_INT32, _INT64 = torch.iinfo(torch.int32), torch.iinfo(torch.int64)


class NumberRangeError(UnsupportedTypeError, OverflowError):
    """A whole number is too large even for a double."""


def as_number(value: Any) -> int | float:
    """Converts a real number to a float, or to an int if that is the only way to hold it.

    Raises:
        NumberRangeError: if a whole number exceeds the doubles.
    """
    try:
        number = float(value)
    except OverflowError:
        digits = f"{value.bit_length()} bits" if isinstance(value, int) else type(value).__name__
        raise NumberRangeError(f"expected a number in the range of doubles, got {digits}") from None
    if -EXACT < number < EXACT or not math.isfinite(number):
        return number
    whole = int(value)
    return number if whole == number else whole


def in_range(value: float, dtype: torch.dtype) -> float:
    """Brings a limit into the range of an element type, outside of which torch refuses it."""
    if dtype.is_floating_point:
        if abs(value) > _MAX_HALF and abs(value) > torch.finfo(dtype).max:
            return math.copysign(math.inf, value)
        return float(value)
    limits = torch.iinfo(dtype)
    return int(min(max(value, limits.min), limits.max))


def as_element(value: float, dtype: torch.dtype) -> float:
    """Converts a number to what an element type holds, whatever the number is."""
    if dtype.is_floating_point:
        return in_range(value, dtype)
    return bool(value) if dtype is torch.bool else as_integer(value, dtype)


def as_integer(value: float, dtype: torch.dtype) -> int:
    """Converts a number to an integer type as x86 processors do: drops the fraction.

    What int32 or int64 cannot hold, nan included, becomes the least number of that type. A
    narrower type takes the low bits of the int32.
    """
    limits = torch.iinfo(dtype)
    if limits.min <= value <= limits.max:  # False for nan
        return int(value)
    wide = _INT32 if limits.bits < 32 or dtype is torch.int32 else _INT64
    whole = int(value) if wide.min <= value <= wide.max else int(wide.min)
    return (whole - int(limits.min)) % (1 << limits.bits) + int(limits.min)


def as_positions(indices: Tensor) -> Tensor:
    """Converts indices of any type to int64; fractions are cut off.

    Infinities and numbers that int64 cannot hold stay far beyond every axis on their side, where
    the conversion alone would make all of them negative. Nan is far below zero.
    """
    if not indices.dtype.is_floating_point:
        return indices.long()
    wide = indices if indices.dtype is torch.float64 else indices.float()
    return wide.clamp(-_FAR, _FAR).long()


def clip_positions(indices: Tensor, size: int) -> Tensor:
    """Converts indices of any type to positions along an axis, of which the nearest is taken.

    Nan is the first one.
    """
    if indices.dtype is torch.float32 and size < _EXACT_FLOAT32:  # the usual ones, in less time
        return indices.clamp(0, size - 1).long().clamp_min_(0)
    return as_positions(indices).clamp(0, size - 1)


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
