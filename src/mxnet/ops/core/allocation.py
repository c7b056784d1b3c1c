"""Checks the size of a result against `mx.limits` before memory is allocated.

Operators whose attributes set the size of the result call these functions first: an attribute may
come from a file, and an allocator may promise more memory than the machine has. Where the size
follows from the inputs, the allocator raises (`failures.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch
from torch import Tensor

from mxnet import limits
from mxnet.ops.core.kernel_errors import naming_shortage


def check_size(
    where: str, shape: Sequence[int], dtype: torch.dtype, device: torch.device | str = "cpu"
) -> None:
    """Raises if an array would take more memory than `mx.limits` allows.

    Args:
        where: What makes the array, for the message: the operator, the parameter, the file.
        shape: Shape of the array.
        dtype: Type of its elements.
        device: Its device; on `meta` nothing is allocated.

    Raises:
        LimitExceededError: if it is too large.
    """
    amount = prod(shape) * dtype.itemsize
    if amount > limits.get("array_bytes") and str(device) != "meta":
        limits.check("array_bytes", amount, where)


def check_growth(where: str, factor: int, data: Tensor) -> None:
    """Raises if an array `factor` times as large as `data` exceeds the limit."""
    amount = data.nbytes * factor
    if amount > limits.get("array_bytes") and not data.is_meta:
        limits.check("array_bytes", amount, where)


def check_like(where: str, shape: Sequence[int], data: Tensor) -> None:
    """Raises if an array of a shape, with dtype and device of `data`, exceeds the limit."""
    check_size(where, shape, data.dtype, data.device)


def make_zeros(
    where: str, shape: Sequence[int], dtype: torch.dtype, device: torch.device | str = "cpu"
) -> Tensor:
    """Allocates zeros; errors name `where`.

    The arguments are those of `check_size`.

    Raises:
        AllocationError: if there is not enough memory.
        LimitExceededError: if more is asked for than `mx.limits` allows.
    """
    check_size(where, shape, dtype, device)
    with naming_shortage(where):
        return torch.zeros(tuple(shape), dtype=dtype, device=device)
