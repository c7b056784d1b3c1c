"""Memory of results: how much one may take, and errors for what allocators raise.

Operators whose result has a size that an attribute chooses check it before any of it is allocated:
the attribute may come from a file, and an allocator may promise more than the machine has. Results
whose size follows from the inputs find out from the allocator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod

import torch
from torch import Tensor

from mxnet import limits
from mxnet.errors import AllocationError, LimitExceededError, MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import KERNEL_ERRORS

ON_SHORTAGE = "Use smaller batches, or free arrays that are no longer needed."
"""What messages advise when memory is short."""

_AMOUNT = re.compile(r"tried to allocate (\d+) bytes")
_READABLE_AMOUNT = re.compile(r"(?:tried to|unable to) allocate ([\d.]+ [KMGTPE]?i?B)", re.I)
_REST = re.compile(r"GPU (\d+) has a total capacity of ([\d.]+ \w+) of which ([\d.]+ \w+) is free")
_TOO_LARGE = re.compile(
    r"(storage size calculation|stride calculation|numel: integer multiplication) overflow"
    r"|overflow when unpacking long|invalid shape dimension|invalid size, possible overflow"
    r"|array is too big|maximum allowed dimension exceeded",
    re.I,
)


def explain_shortage(where: str, error: BaseException) -> AllocationError | None:
    """Returns the error to raise if another one says that memory is short, else None.

    Args:
        where: What asked for memory.
        error: What an allocator raised: of torch on any device, of NumPy or of Python.
    """
    text = str(error)
    amount = _AMOUNT.search(text)
    if amount is not None:
        return AllocationError(f"{where}: cannot allocate {int(amount[1]):,} bytes of memory")
    readable = _READABLE_AMOUNT.search(text)
    if readable is not None:
        rest = _REST.search(text)
        on_gpu = f" on gpu({rest[1]}), where {rest[3]} of {rest[2]} are free" if rest else ""
        return AllocationError(f"{where}: cannot allocate {readable[1]} of memory{on_gpu}")
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return AllocationError(f"{where}: there is not enough memory")
    if _TOO_LARGE.search(text):
        reason = text.partition("\n")[0]
        return AllocationError(f"{where}: asks for more memory than can be addressed: {reason}")
    return None


def raise_shortage(where: str, error: Exception) -> None:
    """Raises an error that names what asked for memory, if another one says that it is short."""
    shortage = None if isinstance(error, MXNetError) else explain_shortage(where, error)
    if shortage is not None:
        raise shortage from error


@contextmanager
def naming_shortage(where: str) -> Iterator[None]:
    """Makes errors of allocators within the `with` block name `where`.

    Args:
        where: What asks for memory: the method, the parameter, the file.

    Raises:
        AllocationError: if memory is short, or an array would have too many elements to count.
        LimitExceededError: if more is asked for than `mx.limits` allows.
    """
    try:
        yield
    except (AllocationError, LimitExceededError) as error:
        raise type(error)(f"{where}: {error}") from error
    except KERNEL_ERRORS as error:
        raise_shortage(where, error)
        raise


def check_size(
    where: str, shape: Sequence[int], dtype: torch.dtype, device: torch.device | str = "cpu"
) -> None:
    """Raises if an array would take more memory than `mx.limits` allows.

    Args:
        where: What makes the array: the operator, the parameter, the file.
        shape: Shape of the array.
        dtype: Type of its elements.
        device: Its device; on `meta` nothing is allocated.

    Raises:
        LimitExceededError: if it is too large.
    """
    amount = prod(shape) * dtype.itemsize
    # Without a call of Python, since most arrays are small: limits of a block are compared below.
    may_exceed = amount > limits._values["array_bytes"] or limits._open_blocks
    if may_exceed and str(device) != "meta":
        limits.check("array_bytes", amount, where)


def check_growth(where: str, factor: int, data: Tensor) -> None:
    """Raises if an array `factor` times as large as `data` exceeds the limit."""
    amount = data.nbytes * factor
    may_exceed = amount > limits._values["array_bytes"] or limits._open_blocks
    if may_exceed and not data.is_meta:
        limits.check("array_bytes", amount, where)


def check_like(where: str, shape: Sequence[int], data: Tensor) -> None:
    """Raises if an array of a shape, with dtype and device of `data`, exceeds the limit."""
    check_size(where, shape, data.dtype, data.device)


def checked_shape(
    op_name: str, shape: Shape | None, dtype: torch.dtype, device: torch.device
) -> Shape:
    """Returns the shape of an array to make.

    Raises:
        MXNetError: if there is none, or the array takes more memory than is allowed.
    """
    if shape is None:
        raise MXNetError(f"{op_name}: expected a shape, got {shape}")
    check_size(op_name, shape, dtype, device)
    return shape


def make_zeros(
    where: str, shape: Sequence[int], dtype: torch.dtype, device: torch.device | str = "cpu"
) -> Tensor:
    """Allocates zeros; errors name `where`, see `check_size`.

    Raises:
        AllocationError: if there is not enough memory.
        LimitExceededError: if more is asked for than `mx.limits` allows.
    """
    check_size(where, shape, dtype, device)
    try:
        return torch.zeros(tuple(shape), dtype=dtype, device=device)
    except KERNEL_ERRORS as error:
        raise_shortage(where, error)
        raise
