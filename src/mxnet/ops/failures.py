"""What kernels raise, worded with the operator, its inputs and the memory that it asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from mxnet import _dtypes
from mxnet.errors import (
    AllocationError,
    IndexOutOfBoundsError,
    LimitExceededError,
    MXNetError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ops.registry import Op

KERNEL_ERRORS = (
    RuntimeError,
    IndexError,
    ValueError,
    TypeError,
    ArithmeticError,
    MemoryError,
    AssertionError,
)
"""What a kernel raises for inputs and attributes that do not fit; torch's meta kernels assert."""

_MOST_SHOWN = 10
"""Inputs whose shapes stand in a message."""

_AMOUNT = re.compile(r"tried to allocate (\d+) bytes")
_READABLE_AMOUNT = re.compile(r"(?:tried to|unable to) allocate ([\d.]+ [KMGTPE]?i?B)", re.I)
_TOO_LARGE = re.compile(
    r"(storage size calculation|stride calculation|numel: integer multiplication) overflow"
    r"|overflow when unpacking long|invalid shape dimension|invalid size, possible overflow"
    r"|array is too big|maximum allowed dimension exceeded",
    re.I,
)


def explain(op: Op, tensors: Sequence[Tensor | None], error: Exception) -> Exception:
    """Returns an error for what torch raised, which names the operator and its inputs."""
    if isinstance(error, MXNetError):
        raise error
    mistake = find_mixed_dtypes(op, tensors)
    if mistake is not None:
        return MXNetError(mistake)
    given = _describe([item for item in tensors if isinstance(item, Tensor)])
    shortage = explain_shortage(op.name, error)
    if shortage is not None:
        return AllocationError(f"{shortage}; inputs: {given}")
    error_class = next(
        (error_class for base, error_class in _KINDS if isinstance(error, base)), MXNetError
    )
    return error_class(f"{op.name}: {error}; inputs: {given}")


def _describe(tensors: Sequence[Tensor]) -> str:
    shown = [f"{tuple(i.shape)} {_dtypes.name_of(i.dtype)}" for i in tensors[:_MOST_SHOWN]]
    more = len(tensors) - len(shown)
    return ", ".join(shown + [f"and {more} more"] * (more > 0)) or "none"


_KINDS: tuple[tuple[type[Exception], type[MXNetError]], ...] = (
    (IndexError, IndexOutOfBoundsError),
    (ValueError, ShapeMismatchError),
    (TypeError, UnsupportedTypeError),
)


def find_mixed_dtypes(op: Op, tensors: Sequence[Tensor | None]) -> str | None:
    """Returns which input has another dtype than those before it, if one has, as a message."""
    expected = None
    for position, tensor in enumerate(tensors):
        if tensor is None or tensor.dtype is expected:
            continue
        if op.inputs[0 if op.variadic else position].name in op.any_dtype:
            continue
        if expected is not None:
            return (
                f"{op.name}: incompatible dtypes at input {position}: "
                f"expected {_dtypes.name_of(expected)}, got {_dtypes.name_of(tensor.dtype)}"
            )
        expected = tensor.dtype
    return None


def explain_shortage(where: str, error: BaseException) -> AllocationError | None:
    """Returns the error to raise if another one says that memory is short, else None.

    Args:
        where: Who asked for memory.
        error: What an allocator raised: of torch on any device, of NumPy or of Python.
    """
    text = str(error)
    amount = _AMOUNT.search(text)
    if amount is not None:
        return AllocationError(f"{where}: cannot allocate {int(amount[1]):,} bytes of memory")
    readable = _READABLE_AMOUNT.search(text)
    if readable is not None:
        return AllocationError(f"{where}: cannot allocate {readable[1]} of memory")
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return AllocationError(f"{where}: there is not enough memory")
    if _TOO_LARGE.search(text):
        reason = text.partition("\n")[0]
        return AllocationError(f"{where}: asks for more memory than can be addressed: {reason}")
    return None


def raise_shortage(where: str, error: Exception) -> None:
    """Raises an error that names who asked for memory, if another one says that it is short."""
    shortage = None if isinstance(error, MXNetError) else explain_shortage(where, error)
    if shortage is not None:
        raise shortage from error


@contextmanager
def naming_shortage(where: str) -> Iterator[None]:
    """Names who asked for memory, should it not be had within the `with` block.

    Args:
        where: Who asks: the method, the parameter, the file.

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
