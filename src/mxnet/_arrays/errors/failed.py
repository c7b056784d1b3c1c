"""Tensors whose elements could not be computed, and the errors that say why.

See `delayed` for what they are good for.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor

from mxnet._start import line_of_program, without_internal

_unread: deque[Failure] = deque(maxlen=16)
"""The last failures whose errors have not been raised to the program, for `raise_unread`."""
_lock = threading.Lock()
"""Held while `_unread` is changed."""
_numbers = itertools.count(1)
_MOST_CAUSES = 8
"""How far the causes of an error are followed."""


class _Elements:
    """Stands for the elements that a failure has left."""

    __slots__ = ("__weakref__",)


class Failure:
    """Why some elements could not be computed. Reading any of them raises its error.

    Args:
        error: The error. It keeps alive nothing of the package, but says which line of the program
            made the call.
    """

    _last_dropped: ClassVar = 0
    """Number of the last failure when the program waited for all arrays."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self._elements: weakref.ref[_Elements] | None = None
        self._number = next(_numbers)
        self._raised = False
        self._source = _find_source(error)
        line = line_of_program()
        if line and hasattr(error, "add_note"):  # since Python 3.11
            error.add_note(f"The call that failed: {line}")
        error.__traceback__ = None  # and all that it keeps alive
        cause = error.__cause__
        if cause is not None:  # an operator in Python shows where it has failed
            cause.__traceback__ = without_internal(cause.__traceback__)
        with _lock:
            _unread.append(self)

    @property
    def is_told(self) -> bool:
        """Whether it was raised to the program, or dropped when that waited for all arrays."""
        if self._raised or self._number <= Failure._last_dropped:
            return True
        return self._source is not None and self._source.is_told

    def make_error(self) -> Exception:
        """Returns the error to raise: a new one for each time, since threads may do so at once.

        Inside of the package it may be caught again; `tell` is for what the program gets.
        """
        kind = type(self._error)
        error: Exception = kind.__new__(kind, *self._error.args)
        error.__dict__.update(self._error.__dict__, mx_failure=self)
        if hasattr(error, "__notes__"):
            error.__notes__ = [*error.__notes__]
        error.__cause__ = self._error.__cause__
        return error

    def tell(self) -> Exception:
        """Returns the error to raise to the program, which knows of it by that."""
        self.note_told()
        return self.make_error()

    def note_told(self) -> None:
        """Notes that the program knows of the error.

        It then also knows that something went wrong before: earlier failures of arrays that are
        gone, which cannot be read any more, are not raised to it later.
        """
        self._raised = True
        if self._source is not None:
            self._source.note_told()
        with _lock:
            left = [item for item in _unread if item._number > self._number or item.has_elements]
            _unread.clear()
            _unread.extend(item for item in left if item is not self)

    @property
    def has_elements(self) -> bool:
        """Whether there are elements that could not be computed, and may be read."""
        return self._elements is not None and self._elements() is not None

    def hold_elements(self) -> _Elements:
        """Returns what tensors keep as long as they have elements that could not be computed."""
        with _lock:
            held = None if self._elements is None else self._elements()
            if held is None:
                held = _Elements()
                self._elements = weakref.ref(held)
            return held


def failure_of(error: BaseException) -> Failure | None:
    """Returns the failure that an error was made for, None if there is none."""
    return getattr(error, "mx_failure", None)


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


def raise_unread() -> None:
    """Raises the oldest error that has not been raised to the program; it knows of all then.

    `waitall` calls it.
    """
    with _lock:
        oldest = _unread[0] if _unread else None
        if oldest is not None:
            Failure._last_dropped = next(_numbers)
            _unread.clear()
    if oldest is not None:
        raise oldest.tell()


class _Gap:
    """Elements that are missing, until others are written in their place.

    Args:
        failure: Why they are missing.
        whole: The gap that they are a part of, None for a tensor of its own.
    """

    __slots__ = ("_elements", "failure", "is_filled", "whole")

    def __init__(self, failure: Failure, whole: _Gap | None = None) -> None:
        self.failure, self.whole = failure, whole
        self._elements = failure.hold_elements()
        self.is_filled = False

    @property
    def is_open(self) -> bool:
        """Whether none of what was written since has replaced all of the elements."""
        gap: _Gap | None = self
        while gap is not None:
            if gap.is_filled:
                return False
            gap = gap.whole
        return True


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
_FILLING = frozenset({Tensor.fill_, Tensor.zero_, Tensor.copy_, Tensor.set_})
"""What replaces all elements of the first tensor."""
_WRITING = frozenset({*_FILLING, Tensor.__setitem__, Tensor.add_, Tensor.mul_})
"""What changes elements of the first tensor."""


class FailedTensor(Tensor):
    """A tensor whose elements could not be computed: computing with it raises the error.

    Parts and copies of it are failed, too. Once the program knows of the error, writing all of the
    elements makes it a tensor like others; before that, the error remains, as in the original.
    """

    gap: _Gap

    @classmethod
    def make(cls, shape: Sequence[int], dtype: torch.dtype, device: Any, failure: Failure) -> Any:
        """Makes a tensor for the result of a computation that has failed."""
        return cls.on_memory_of(torch.zeros(tuple(shape), dtype=dtype, device=device), failure)

    @classmethod
    def on_memory_of(cls, tensor: Tensor, failure: Failure) -> FailedTensor:
        """Makes a failed tensor on the memory of another one."""
        return cls._with_gap(tensor, _Gap(failure))

    @classmethod
    def _with_gap(cls, tensor: Tensor, gap: _Gap) -> FailedTensor:
        failed = tensor.as_subclass(cls)
        failed.gap = gap
        return failed

    @property
    def failure(self) -> Failure:
        """Why the elements are missing."""
        return self.gap.failure

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Answers questions about the shape and hands out parts and copies; raises for all else."""
        if func in _DESCRIPTIONS:
            return super().__torch_function__(func, types, args, kwargs)  # type: ignore[no-untyped-call]
        kwargs = kwargs or {}
        failed = find_failed((*args, *kwargs.values()))
        if failed is None:
            return func(*plain(args), **{k: plain(item) for k, item in kwargs.items()})
        if not args or failed is not args[0]:
            raise failed.failure.make_error()
        if func in _WRITING:
            func(*plain(args), **kwargs)
            if func in _FILLING and failed.failure.is_told and find_failed(args[1:]) is None:
                failed.gap.is_filled = True
            return failed
        if func in _KEEPING_ELEMENTS:
            return _mark(func(*plain(args), **kwargs), failed)
        raise failed.failure.make_error()


def plain(value: Any) -> Any:
    """Returns tensors, or those in lists and tuples, without their errors."""
    if type(value) is FailedTensor:
        return value.as_subclass(Tensor)
    if isinstance(value, (list, tuple)):
        return type(value)(plain(item) for item in value)
    return value


def _mark(result: Any, source: FailedTensor) -> Any:
    """Makes failed tensors of some elements of another one: parts on its memory, or copies."""
    if isinstance(result, tuple):
        return tuple(_mark(item, source) for item in result)
    if result.untyped_storage()._cdata != source.untyped_storage()._cdata:
        return FailedTensor.on_memory_of(result, source.failure)
    is_all = result.numel() == source.numel()
    return FailedTensor._with_gap(
        result, source.gap if is_all else _Gap(source.failure, source.gap)
    )


def find_failed(values: Any) -> FailedTensor | None:
    """Returns a tensor among values and inside of lists whose elements are missing, or None."""
    for value in values:
        if type(value) is FailedTensor and value.gap.is_open:
            return value
        if isinstance(value, (list, tuple)):
            inside = find_failed(value)
            if inside is not None:
                return inside
    return None


def raise_failed(tensor: Tensor) -> None:
    """Raises the error of a failed tensor, before code of torch gets it that would see its memory.

    Args:
        tensor: Any tensor.
    """
    if type(tensor) is FailedTensor and tensor.gap.is_open:
        raise tensor.failure.make_error()


class _FailedNode(torch.autograd.Function):
    """Joins a tensor that has failed to the graph; a backward pass through it raises the error."""

    @staticmethod
    def forward(ctx: Any, failure: Failure, result: Tensor, *_: Tensor) -> Tensor:
        ctx.failure = failure
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> Any:
        raise ctx.failure.make_error()


def join_failed(tensor: FailedTensor, inputs: Sequence[Tensor]) -> FailedTensor:
    """Returns a failed tensor as a result that depends on some inputs."""
    joined = _FailedNode.apply(tensor.failure, plain(tensor), *plain(inputs))  # type: ignore[no-untyped-call]
    return FailedTensor.on_memory_of(joined, tensor.failure)
