"""Errors of values, which appear when a result is read.

The original computes beside the program. A call whose inputs have shapes and dtypes that do not
fit raises at once; one whose values do not, such as a matrix without a Cholesky factor, returns an
array, and waiting for that array or reading it raises the error. Programs rely on it: they put
the waiting into a `try` block, not the call.

So a kernel that fails for values gives arrays of a tensor that has a shape, but raises in place of
every computation. What is computed from such an array is again one, and so is an array to which it
is written. Reading one of them raises the error, every time: the original clears it then, and gives
whatever is in the memory to the next one that reads. Once the program knows of the error, writing
all elements of an array makes it one like others. Waiting for all arrays raises the oldest error
that the program does not know of.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._arrays.array import A, Array, check_fit
from mxnet._arrays.errors.failed import (
    FailedTensor,
    Failure,
    failure_of,
    find_failed,
    join_failed,
    plain,
)
from mxnet._state import modes
from mxnet.context import Context, torch_device
from mxnet.errors import ExecutionError, MXNetError
from mxnet.ops.core.kernel_errors import explain
from mxnet.ops.core.registry import Op
from mxnet.ops.meta import infer

_AT_ONCE = os.environ.get("MXNET_ENGINE_TYPE") == "NaiveEngine"
"""Whether errors appear where they happen, as with this engine of the original."""
_OF_VALUES = (ExecutionError, torch.linalg.LinAlgError, IndexError)  # type: ignore[attr-defined]
"""What kernels raise for values; an axis out of range is found when shapes are inferred."""
_MOST_CAUSES = 8


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
    arrays = make_failed(failure, outputs, cls, ctx, tensors)
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
    array._data = FailedTensor.on_memory_of(plain(array._plain), failure)


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
    failed = find_failed(tensors)
    failure = _explained(op, tensors, error, attrs) if failed is None else failed.failure
    return failure, outputs[: op.count_outputs(attrs)]


def make_failed(
    failure: Failure,
    outputs: Sequence[tuple[Sequence[int], torch.dtype]],
    cls: type[A],
    ctx: Context,
    tensors: Sequence[Tensor | None],
) -> list[A]:
    """Makes arrays that raise when they are read.

    Args:
        failure: What they raise.
        outputs: Their shapes and dtypes.
        cls: Their class.
        ctx: Their context.
        tensors: What they would have been computed from. While recording, a backward pass through
            an array reaches those of them that have a history.
    """
    device = torch_device(ctx)
    inputs = [x for x in tensors if x is not None and x.requires_grad] if modes.recording else []
    arrays = []
    for shape, dtype in outputs:
        tensor = FailedTensor.make(shape, dtype, device, failure)
        if inputs and dtype.is_floating_point:
            tensor = join_failed(tensor, inputs)
        arrays.append(cls._wrap_recorded(tensor, ctx, None))
    return arrays


def delay_gradients(error: Exception, gradients: Sequence[Array]) -> bool:
    """Makes gradients raise when they are read, if a backward pass has failed for values.

    Args:
        error: What the pass has raised.
        gradients: The gradient arrays that it would have reached.

    Returns:
        Whether they will raise; otherwise the pass has to raise the error itself.
    """
    if find_failure(error) is None or not gradients or not all(map(can_fail, gradients)):
        return False
    failure = failure_of(error) or Failure(error)
    for gradient in gradients:
        mark_failed(gradient, failure)
        gradient._fresh = True  # an update with it is to raise, not to be left out
    return True


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
    """Raises the error of an array that could not be computed.

    Args:
        array: The array that is waited for or read.
    """
    tensor = array._data
    if tensor is None and type(array._node) is FailedTensor:
        tensor = array._plain
    if type(tensor) is FailedTensor:
        if tensor.gap.is_open:
            raise tensor.failure.tell()
        array._data = plain(tensor)
