"""How much memory a result may take, checked before any of it is allocated.

Operators whose result has a size that an attribute chooses ask here first: the attribute may come
from a file, and an allocator may promise more than the machine has. Results whose size follows from
the inputs find out from the allocator (`failures.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch
from torch import Tensor

from mxnet import limits
from mxnet.ops.failures import naming_shortage


def check_size(
    where: str, shape: Sequence[int], dtype: torch.dtype, device: torch.device | str = "cpu"
) -> None:
    """Raises if an array would take more memory than `mx.limits` allows.

    Args:
        where: Who makes the array: the operator, the parameter, the file.
        shape: Shape of the array.
        dtype: Type of its elements.
        device: Where it would lie; on `meta` nothing is allocated.

    Raises:
        LimitExceededError: if it is too large.
    """
    amount = prod(shape) * dtype.itemsize
    if amount > limits.get("array_bytes") and str(device) != "meta":
        limits.check("array_bytes", amount, where)


def check_growth(where: str, factor: int, data: Tensor) -> None:
    """Raises if an array that many times as large as another one would be too large."""
    amount = data.nbytes * factor
    if amount > limits.get("array_bytes") and not data.is_meta:
        limits.check("array_bytes", amount, where)


def check_like(where: str, shape: Sequence[int], data: Tensor) -> None:
    """Raises if an array of the type and on the device of another one would be too large."""
    check_size(where, shape, data.dtype, data.device)


def make_zeros(
    where: str, shape: Sequence[int], dtype: torch.dtype, device: torch.device | str = "cpu"
) -> Tensor:
    """Makes zeros on behalf of somebody whom an error names; see `check_size`.

    Raises:
        AllocationError: if there is not enough memory.
        LimitExceededError: if more is asked for than `mx.limits` allows.
    """
    check_size(where, shape, dtype, device)
    with naming_shortage(where):
        return torch.zeros(tuple(shape), dtype=dtype, device=device)
