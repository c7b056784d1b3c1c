"""Errors of values, which appear when a result is read.

The original computes beside the program. A call whose inputs have shapes and dtypes that do not
fit raises at once; one whose values do not, such as a matrix without a Cholesky factor, returns an
array, and whoever waits for that array or reads it gets the error. Programs rely on it: they put
the waiting into a `try` block, not the call.

So a kernel that fails for values gives arrays of a tensor that has a shape, but raises in place of
every computation. What is computed from such an array is again one, and so is an array to which it
is written. Whoever reads one of them gets the error, and with it the program knows of all errors up
to then: these arrays can be used after that. Their elements are zeros, or what was there before.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor

from mxnet._array import A, Array, check_fit
from mxnet._modes import modes
from mxnet._tracebacks import line_of_program
from mxnet.context import Context, torch_device
from mxnet.errors import ExecutionError, MXNetError
from mxnet.ops.failures import explain
from mxnet.ops.inference import infer
from mxnet.ops.registry import Op

_AT_ONCE = os.environ.get("MXNET_ENGINE_TYPE") == "NaiveEngine"
"""Whether errors appear where they happen, as with this engine of the original."""
_OF_VALUES = (ExecutionError, torch.linalg.LinAlgError, IndexError)  # type: ignore[attr-defined]
"""What kernels raise for values; an axis out of range is found when shapes are inferred."""
_MOST_CAUSES = 8
_unread: deque[Failure] = deque(maxlen=16)
"""The last failures of which nobody has been told."""
_numbers = itertools.count(1)


class Failure:
    """What went wrong, until somebody has been told.

    Args:
        error: The error to raise. It keeps nothing alive, but says which line of the program made
            the call.
    """

    _last_told: ClassVar = 0
    """Number of the last failure when somebody was told of one."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self._number = next(_numbers)
        line = line_of_program()
        if line and hasattr(error, "add_note"):  # since Python 3.11
            error.add_note(f"The call that failed: {line}")
        self.forget_way()
        if error.__cause__ is not None:
            error.__cause__.__traceback__ = None
        _unread.append(self)

    def forget_way(self) -> None:
        """Removes from the error where it has been raised, with all that this keeps alive."""
        self.error.__traceback__ = None

    @property
    def is_told(self) -> bool:
        """Whether the program knows of the error, so that nobody raises it again."""
        return self._number <= Failure._last_told

    def tell(self) -> Exception:
        """Returns the error to raise; no failure up to now is raised again after that."""
        Failure._last_told = next(_numbers)
        _unread.clear()
        return self.error


_DESCRIPTIONS = frozenset(
    {
        *(
            getattr(Tensor, name).__get__
            for name in ("shape", "dtype", "device", "layout", "ndim", "requires_grad", "grad_fn")
        ),
        *(
            getattr(Tensor, name).__get__
            for name in ("is_leaf", "is_cuda", "is_meta", "is_sparse", "_base")
        ),
        *(Tensor.size, Tensor.dim, Tensor.numel, Tensor.is_floating_point, Tensor.is_contiguous),
        *(Tensor.is_complex, Tensor._is_view, Tensor.element_size, Tensor.stride),
        *(Tensor.untyped_storage, Tensor.data_ptr, Tensor.storage_offset),
    }
)
"""What can be asked of a tensor without its elements."""
_KEEPING_ELEMENTS = frozenset(
    {
        getattr(owner, name)
        for owner in (Tensor, torch)
        for name in (
            *("__getitem__", "select", "narrow", "as_strided", "unbind", "split", "chunk", "flip"),
            *("view", "view_as", "reshape", "flatten", "squeeze", "unsqueeze", "expand"),
            *("permute", "transpose", "t", "broadcast_to", "contiguous", "clone", "detach", "to"),
        )
        if hasattr(owner, name)
    }
    | {getattr(Tensor, name).__get__ for name in ("data", "T", "mT")}
)
"""What returns some or all elements of a tensor, on the same memory or as a copy."""
_WRITING = frozenset(
    {Tensor.__setitem__, Tensor.fill_, Tensor.zero_, Tensor.copy_, Tensor.set_},
)
"""What changes elements of the first tensor; the original keeps the error all the same."""


class FailedTensor(Tensor):
    """A tensor whose elements could not be computed: computing with it raises the error.

    Parts and copies of it are failed, too. When somebody has been told of the error it is a tensor
    like others.
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
        failed = _find_failed((*args, *(kwargs or {}).values()))
        if failed is None:
            return func(*_plain(args), **{k: _plain(item) for k, item in (kwargs or {}).items()})
        if type(args[0]) is not FailedTensor:
            raise failed.failure.error
        if func in _WRITING:
            func(*_plain(args), **(kwargs or {}))
            return args[0]
        if func in _KEEPING_ELEMENTS:
            return _mark(func(*_plain(args), **(kwargs or {})), failed.failure)
        raise failed.failure.error


def _plain(value: Any) -> Any:
    """Returns tensors, or those in lists and tuples, without their errors."""
    if type(value) is FailedTensor:
        return value.as_subclass(Tensor)
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(item) for item in value)
    return value


def _mark(result: Any, failure: Failure) -> Any:
    if isinstance(result, tuple):
        return tuple(_mark(item, failure) for item in result)
    return FailedTensor.on_memory_of(result, failure)


def _find_failed(values: Any) -> FailedTensor | None:
    for value in values:
        if type(value) is FailedTensor and not value.failure.is_told:
            return value
        if isinstance(value, (list, tuple)):
            inside = _find_failed(value)
            if inside is not None:
                return inside
    return None


def find_failure(error: BaseException) -> Exception | None:
    """Returns the error among the causes of another one that is about values, None if none is."""
    if _AT_ONCE or modes.tracer is not None:
        return None
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if isinstance(cause, _OF_VALUES):
            return cause
        if cause is None:
            return None
        cause = cause.__cause__ or getattr(cause, "internal_cause", None)
    return None


def delay(
    op: Op,
    tensors: Sequence[Tensor | None],
    error: Exception,
    attrs: Mapping[str, Any],
    cls: type[A],
    ctx: Context,
) -> A | list[A]:
    """Returns arrays that raise when they are read, for what a kernel has raised about values.

    Args:
        op: The operator.
        tensors: What the kernel got.
        error: What it raised.
        attrs: Its attributes.
        cls: Class of the arrays.
        ctx: Their context.

    Raises:
        MXNetError: at once, if the inputs do not fit the operator.
    """
    failure, outputs = _failure_of_call(op, tensors, error, attrs)
    arrays = make_failed(failure, outputs, cls, ctx)
    return arrays[0] if len(arrays) == 1 else arrays


def delay_writing(
    op: Op,
    tensors: Sequence[Tensor | None],
    error: Exception,
    attrs: Mapping[str, Any],
    targets: Sequence[Array],
) -> None:
    """Makes arrays raise when they are read, because what was to be written has not been computed.

    Args:
        op: The operator.
        tensors: What the kernel got.
        error: What it raised about values.
        attrs: Its attributes.
        targets: The arrays to write to.

    Raises:
        MXNetError: at once, if inputs or targets do not fit the operator, or others share the
            memory of a target, which would not know of the error.
    """
    failure, outputs = _failure_of_call(op, tensors, error, attrs)
    if len(outputs) != len(targets) or not all(map(can_fail, targets)):
        raise failure.tell()
    for target, (shape, dtype) in zip(targets, outputs, strict=True):
        result = torch.empty(tuple(shape), dtype=dtype, device="meta")
        check_fit(op.name, target._plain.shape, target._plain.dtype, result)
    for target in targets:
        mark_failed(target, failure)


def can_fail(array: Array) -> bool:
    """Returns whether an array can take an error: alone on its memory, and not recorded."""
    return array._node is None and not array._aliased


def mark_failed(array: Array, failure: Failure) -> None:
    """Makes an array raise an error when it is read."""
    array._data = FailedTensor.on_memory_of(_plain(array._plain), failure)


def failure_of(tensor: Any) -> Failure | None:
    """Returns the error of a tensor of which nobody has been told, None if there is none."""
    return tensor.failure if _find_failed((tensor,)) is not None else None


def _failure_of_call(
    op: Op, tensors: Sequence[Tensor | None], error: Exception, attrs: Mapping[str, Any]
) -> tuple[Failure, Sequence[tuple[Any, torch.dtype]]]:
    """Returns the error of a call, and shapes and dtypes of what it would have returned.

    Raises:
        MXNetError: if the error is not about values, or the inputs do not fit the operator.
    """
    outputs = None if find_failure(error) is None else _find_outputs(op, tensors, attrs)
    if outputs is None:
        raise explain(op, tensors, error, attrs) from error
    failed = _find_failed(tensors)
    if failed is None:
        failure = _explained(op, tensors, error, attrs)
    else:
        failure = failed.failure
        failure.forget_way()
    return failure, outputs[: op.count_outputs(attrs)]


def make_failed(
    failure: Failure,
    outputs: Sequence[tuple[Sequence[int], torch.dtype]],
    cls: type[A],
    ctx: Context,
) -> list[A]:
    """Makes arrays of given shapes and dtypes that raise when they are read."""
    device = torch_device(ctx)
    return [cls._wrap(FailedTensor.make(*output, device, failure), ctx) for output in outputs]


def _explained(
    op: Op, tensors: Sequence[Tensor | None], error: Exception, attrs: Mapping[str, Any]
) -> Failure:
    try:
        raise explain(op, tensors, error, attrs) from error
    except MXNetError as explained:
        return Failure(explained)


def _find_outputs(
    op: Op, tensors: Sequence[Tensor | None], attrs: Mapping[str, Any]
) -> list[tuple[Any, torch.dtype]] | None:
    """Finds shapes and dtypes of outputs, None if the inputs do not fit."""
    shapes = [None if tensor is None else tuple(tensor.shape) for tensor in tensors]
    dtypes = [None if tensor is None else tensor.dtype for tensor in tensors]
    try:
        return [*infer(op, shapes, dtypes, attrs)]
    except MXNetError:
        return None


def raise_if_failed(array: Any) -> None:
    """Raises the error of an array that could not be computed, once.

    Args:
        array: The array that somebody waits for or reads.
    """
    tensor = array._data
    if type(tensor) is FailedTensor:
        array._data = _plain(tensor)
        if not tensor.failure.is_told:
            raise tensor.failure.tell()


def raise_unread() -> None:
    """Raises the error of an array that nobody has read, if there is one, and forgets the others.

    It is for who waits for all arrays.
    """
    if _unread:
        raise _unread[0].tell()
