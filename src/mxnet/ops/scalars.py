"""Python's numbers as elements of arrays, and elements of any type as whole numbers.

A number beside an array is a double in the original, where 2**53 + 1 loses its one. Here a whole
number that a double cannot hold stays an int (`as_number`), so that int64 arrays are exact. What
an element type cannot hold becomes what the original's conversion in C makes of it
(`as_integer`), which is also what `Cast` gives on arrays.
"""

from __future__ import annotations

import math
from typing import Any

import torch
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
