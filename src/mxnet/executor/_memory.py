"""Arrays of zeros for executors, whose shapes come from files."""

from __future__ import annotations

from math import prod

import numpy as np
import torch
from torch import Tensor

from mxnet import limits
from mxnet.errors import MXNetError

_SMALL = 1 << 16
"""Bytes below which there is nothing to gain."""
_ALIGNMENT = 64
"""Where memory begins that kernels read fastest, as torch has it."""


def zeros(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device, where: str) -> Tensor:
    """Makes a tensor of zeros.

    Large ones on the CPU are on memory that the system clears when it is first used: parameters
    and gradients are overwritten as a whole, and some outputs never read.

    Args:
        shape: Its shape.
        dtype: Type of its elements.
        device: Where it is.
        where: Who asks, as it stands in a message.

    Raises:
        LimitExceededError: if it is larger than `mx.limits` allows.
        MXNetError: if there is not enough memory.
    """
    size = prod(shape) * dtype.itemsize
    limits.check("array_bytes", size, where)
    try:
        return _zeros(shape, dtype, device, size)
    except (MemoryError, RuntimeError) as error:
        raise MXNetError(f"{where}: {size:,} bytes cannot be allocated on {device}") from error


def _zeros(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device, size: int) -> Tensor:
    if device.type != "cpu" or size < _SMALL:
        return torch.zeros(shape, dtype=dtype, device=device)
    raw = np.zeros(size + _ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT
    return torch.from_numpy(raw[start : start + size]).view(dtype).view(shape)
