"""Arrays of zeros for executors, whose shapes come from files."""

from __future__ import annotations

from math import prod

import numpy as np
import torch
from torch import Tensor

from mxnet.ops.core.allocation import check_size, make_zeros, naming_shortage

_SMALL = 1 << 16
"""Bytes below which there is nothing to gain."""
_ALIGNMENT = 64
"""Where memory begins that kernels read fastest, as torch has it."""


def make_lazy_zeros(
    where: str, shape: tuple[int, ...], dtype: torch.dtype, device: torch.device
) -> Tensor:
    """Makes a tensor of zeros, on behalf of somebody whom an error names.

    Large ones on the CPU are on memory that the system clears when it is first used: parameters
    and gradients are overwritten as a whole, and some outputs never read.

    Args:
        where: Who asks, as it stands in a message.
        shape: Its shape.
        dtype: Type of its elements.
        device: Where it is.

    Raises:
        AllocationError: if there is not enough memory.
        LimitExceededError: if it is larger than `mx.limits` allows.
    """
    size = prod(shape) * dtype.itemsize
    if device.type != "cpu" or size < _SMALL:
        return make_zeros(where, shape, dtype, device)
    check_size(where, shape, dtype, device)
    with naming_shortage(where):
        raw = np.zeros(size + _ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT
    return torch.from_numpy(raw[start : start + size]).view(dtype).view(shape)
