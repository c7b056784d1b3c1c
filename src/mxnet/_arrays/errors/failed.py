"""Tensors whose elements could not be computed, and the errors that say why.

See `delayed` for what they are good for.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import torch
from torch import Tensor

from mxnet._start import line_of_program, without_internal

_unread: deque[Failure] = deque(maxlen=16)
"""The last failures whose errors have not been raised to the program."""
_numbers = itertools.count(1)
_MOST_CAUSES = 8
"""How far the causes of an error are followed."""


class Failure:
    """An error that has not been raised to the program yet.

    Args:
        error: The error to raise. It keeps alive nothing of the package, but says which line of
            the program made the call.
    """

    _last_dropped: ClassVar = 0
    """Number of the last failure when the program waited for all arrays."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self._number = next(_numbers)
        self._raised = False
        self._source = _find_source(error)
        line = line_of_program()
        if line and hasattr(error, "add_note"):  # since Python 3.11
            error.add_note(f"The call that failed: {line}")
        self.forget_way()
        cause = error.__cause__
        if cause is not None:  # an operator in Python shows where it has failed
            cause.__traceback__ = without_internal(cause.__traceback__)
        _unread.append(self)

    def forget_way(self) -> None:
        """Removes from the error where it has been raised, with all that this keeps alive."""
        self.error.__traceback__ = None

    @property
    def is_told(self) -> bool:
        """Whether it was raised, or dropped when the program waited for all arrays."""
        if self._raised or self._number <= Failure._last_dropped:
            return True
        return self._source is not None and self._source.is_told

    def tell(self) -> Exception:
        """Returns the error to raise, which is not raised again after that; others are."""
        self._raised = True
        if self._source is not None:
            self._source.tell()
        with suppress(ValueError):  # of so many unread ones the oldest are dropped
            _unread.remove(self)
        self.forget_way()
        return self.error


def _find_source(error: BaseException) -> Failure | None:
    """Returns the failure that another error comes from, None for one of its own."""
    cause = error.__cause__
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return None
        source = failure_of(cause)
        if source is not None:
            return source
        cause = cause.__cause__ or getattr(cause, "internal_cause", None)
    return None


_DESCRIPTIONS = frozenset(
    {
        *(
            getattr(Tensor, name).__get__
            for name in ("shape", "dtype", "device", "layout", "ndim", "requires_grad", "grad_fn")
        ),
        *(
            getattr(Tensor, name).__get__
            for name in ("is_leaf", "is_cuda", "is_meta", "is_sparse", "_base", "output_nr")
        ),
        *(Tensor.size, Tensor.dim, Tensor.numel, Tensor.is_floating_point, Tensor.is_contiguous),
        *(Tensor.is_complex, Tensor._is_view, Tensor.element_size, Tensor.stride),
        *(Tensor.untyped_storage, Tensor.data_ptr, Tensor.storage_offset),
        *(Tensor.requires_grad_, Tensor.register_post_accumulate_grad_hook),
        *(Tensor.grad.__get__, Tensor.grad.__set__, Tensor.grad.__delete__),  # type: ignore[union-attr]
    }
)
"""What can be asked of a tensor, or said to it, without its elements."""
_KEEPING_ELEMENTS = frozenset(
    {
        *(Tensor.__getitem__, Tensor.select, Tensor.narrow, Tensor.as_strided, Tensor.unbind),
        *(Tensor.split, Tensor.chunk, Tensor.view, Tensor.view_as, Tensor.reshape, Tensor.flatten),
        *(Tensor.squeeze, Tensor.unsqueeze, Tensor.expand, Tensor.broadcast_to, Tensor.permute),
        *(Tensor.transpose, Tensor.t, Tensor.flip, Tensor.contiguous, Tensor.clone, Tensor.detach),
        *(torch.select, torch.narrow, torch.unbind, torch.split, torch.chunk, torch.reshape),
        *(torch.flatten, torch.squeeze, torch.unsqueeze, torch.broadcast_to, torch.permute),
        *(torch.transpose, torch.t, torch.flip, torch.clone, torch.detach, Tensor.to),
        *(getattr(Tensor, name).__get__ for name in ("data", "T", "mT")),
        torch.zeros_like,  # as an array for a gradient is made
    }
)
"""What returns some or all elements of a tensor, on the same memory or as a copy."""
_WRITING = frozenset(
    {
        *(Tensor.__setitem__, Tensor.fill_, Tensor.zero_, Tensor.copy_, Tensor.set_),
        *(Tensor.add_, Tensor.mul_),
    }
)
"""What changes elements of the first tensor; the original keeps the error all the same."""


class FailedTensor(Tensor):
    """A tensor whose elements could not be computed: computing with it raises the error.

    Parts and copies of it are failed, too. Once the error has been raised to the program it is a
    tensor like others.
    """

    failure: Failure

    @classmethod
    def make(cls, shape: Sequence[int], dtype: torch.dtype, device: Any, failure: Failure) -> Any:
        """Makes a tensor for the result of a computation that has failed."""
        return cls.on_memory_of(torch.zeros(tuple(shape), dtype=dtype, device=device), failure)

    @classmethod
    def on_memory_of(cls, tensor: Tensor, failure: Failure) -> FailedTensor:
        """Makes a failed tensor on the memory of another one."""
        failed = tensor.as_subclass(cls)
        failed.failure = failure
        return failed

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Answers questions about the shape and hands out parts and copies; raises for all else."""
        if func in _DESCRIPTIONS:
            return super().__torch_function__(func, types, args, kwargs)  # type: ignore[no-untyped-call]
        failed = find_failed((*args, *(kwargs or {}).values()))
        if failed is None:
            return func(*plain(args), **{k: plain(item) for k, item in (kwargs or {}).items()})
        if not args or type(args[0]) is not FailedTensor:
            raise failed.failure.error
        if func in _WRITING:
            func(*plain(args), **(kwargs or {}))
            return args[0]
        if func in _KEEPING_ELEMENTS:
            return _mark(func(*plain(args), **(kwargs or {})), failed.failure)
        raise failed.failure.error


def plain(value: Any) -> Any:
    """Returns tensors, or those in lists and tuples, without their errors."""
    if type(value) is FailedTensor:
        return value.as_subclass(Tensor)
    if isinstance(value, (list, tuple)):
        return type(value)(plain(item) for item in value)
    return value


def _mark(result: Any, failure: Failure) -> Any:
    if isinstance(result, tuple):
        return tuple(_mark(item, failure) for item in result)
    return FailedTensor.on_memory_of(result, failure)


def find_failed(values: Any) -> FailedTensor | None:
    """Returns a tensor among values and inside of lists whose error is not raised yet, or None."""
    for value in values:
        if type(value) is FailedTensor and not value.failure.is_told:
            return value
        if isinstance(value, (list, tuple)):
            inside = find_failed(value)
            if inside is not None:
                return inside
    return None


class _FailedNode(torch.autograd.Function):
    """Joins a tensor that has failed to the graph; a backward pass through it raises the error.

    Once the error has been raised to the program the gradients are zeros.
    """

    @staticmethod
    def forward(ctx: Any, failure: Failure, result: Tensor, *inputs: Tensor) -> Tensor:
        ctx.failure, ctx.like = failure, [(tuple(x.shape), x.dtype, x.device) for x in inputs]
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> tuple[Tensor | None, ...]:
        if not ctx.failure.is_told:
            raise ctx.failure.error
        like = ctx.like
        return None, None, *(torch.zeros(x, dtype=y, device=z) for x, y, z in like)


def join_failed(tensor: FailedTensor, inputs: Sequence[Tensor]) -> FailedTensor:
    """Returns a failed tensor as a result that depends on some inputs."""
    joined = _FailedNode.apply(tensor.failure, plain(tensor), *plain(inputs))  # type: ignore[no-untyped-call]
    return FailedTensor.on_memory_of(joined, tensor.failure)


def failure_of(error: BaseException) -> Failure | None:
    """Returns the failure of an error, None if it has none or was raised to the program."""
    return next((failure for failure in _unread if failure.error is error), None)


def raise_unread() -> None:
    """Raises the oldest error that has not been raised to the program, and drops the others.

    `waitall` calls it.
    """
    if _unread:
        error = _unread[0].tell()
        Failure._last_dropped = next(_numbers)
        _unread.clear()
        raise error
