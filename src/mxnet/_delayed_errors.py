"""Errors of values, which appear when a result is read.

The original computes beside the program. A call whose inputs have shapes and dtypes that do not
fit raises at once; one whose values do not, such as a matrix without a Cholesky factor, returns an
array, and whoever waits for that array or reads it gets the error. Programs rely on it: they put
the waiting into a `try` block, not the call.

So a kernel that fails for values gives arrays of a tensor that has a shape, but raises in place of
every computation. What is computed from such an array is again one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._array import A
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


class Failure:
    """What went wrong, until somebody has been told.

    Args:
        error: The error to raise. It keeps nothing alive, but says which line of the program made
            the call.
    """

    def __init__(self, error: Exception) -> None:
        self.error = error
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

    def tell(self) -> Exception:
        """Returns the error to raise; waiting for all arrays does not raise again after that."""
        _unread.clear()
        return self.error


_DESCRIPTIONS = frozenset(
    {
        *(
            getattr(Tensor, name).__get__
            for name in ("shape", "dtype", "device", "layout", "ndim", "requires_grad", "grad_fn")
        ),
        *(getattr(Tensor, name).__get__ for name in ("is_leaf", "is_cuda", "is_meta", "is_sparse")),
        *(Tensor.size, Tensor.dim, Tensor.numel, Tensor.is_floating_point, Tensor.is_contiguous),
        *(Tensor.is_complex, Tensor._is_view, Tensor.element_size, Tensor.stride),
    }
)
"""What can be asked of a tensor without its elements."""


class FailedTensor(Tensor):
    """A tensor whose elements could not be computed: it raises the error in place of every use."""

    failure: Failure

    @classmethod
    def make(cls, shape: Sequence[int], dtype: torch.dtype, device: Any, failure: Failure) -> Any:
        """Makes a tensor for the result of a computation that has failed."""
        tensor = torch.empty(tuple(shape), dtype=dtype, device=device).as_subclass(cls)
        tensor.failure = failure
        return tensor

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Answers questions about the shape, and raises for all else."""
        if func in _DESCRIPTIONS:
            return super().__torch_function__(func, types, args, kwargs)  # type: ignore[no-untyped-call]
        failed = _find_failed((*args, *(kwargs or {}).values()))
        raise MXNetError("a computation has failed") if failed is None else failed.failure.error


def _find_failed(values: Any) -> FailedTensor | None:
    for value in values:
        if type(value) is FailedTensor:
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
    outputs = None if find_failure(error) is None else _find_outputs(op, tensors, attrs)
    if outputs is None:
        raise explain(op, tensors, error, attrs) from error
    failed = _find_failed(tensors)
    if failed is None:
        failure = _explained(op, tensors, error, attrs)
    else:
        failure = failed.failure
        failure.forget_way()
    arrays = make_failed(failure, outputs[: op.count_outputs(attrs)], cls, ctx)
    return arrays[0] if len(arrays) == 1 else arrays


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
    """Raises the error of an array that could not be computed; after that its elements are zeros.

    Args:
        array: The array that somebody waits for or reads.
    """
    tensor = array._data
    if type(tensor) is FailedTensor:
        array._data = torch.zeros(tuple(tensor.shape), dtype=tensor.dtype, device=tensor.device)
        raise tensor.failure.tell()


def raise_unread() -> None:
    """Raises the error of an array that nobody has read, if there is one, and forgets the others.

    It is for who waits for all arrays.
    """
    if _unread:
        error = _unread[0].error
        _unread.clear()
        raise error
