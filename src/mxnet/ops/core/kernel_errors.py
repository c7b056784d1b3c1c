"""Errors for what kernels raise, which name the operator, its inputs and what does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from mxnet._formats import element_types
from mxnet.errors import (
    AllocationError,
    IndexOutOfBoundsError,
    LimitExceededError,
    MXNetError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ops.core.allocation import ON_SHORTAGE, explain_shortage
from mxnet.ops.core.registry import Op
from mxnet.ops.rules.misfits import Misfit, any_operator

NO_ATTRS: Mapping[str, Any] = MappingProxyType({})

_MOST_SHOWN = 10
"""Inputs whose shapes stand in a message."""


def explain(
    op: Op, tensors: Sequence[Tensor | None], error: Exception, attrs: Mapping[str, Any] = NO_ATTRS
) -> Exception:
    """Returns an error for what a kernel raised, which names the operator and its inputs.

    Args:
        op: The operator.
        tensors: What the kernel got.
        error: What it raised.
        attrs: Its attributes.

    Raises:
        MXNetError: the error itself, if it is one that says more.
    """
    misfit = find_misfit(op, tensors, error, attrs)
    if misfit is None and isinstance(error, MXNetError):
        _name_dtypes(error)
        raise error
    mistake = find_mixed_dtypes(op, tensors)
    if mistake is not None:
        return MXNetError(mistake)
    given = describe_inputs(op, tensors)
    shortage = explain_shortage(op.name, error)
    if shortage is not None:
        return AllocationError(f"{shortage}\n  inputs: {given}\n  {ON_SHORTAGE}")
    error_class = next(
        (error_class for base, error_class in _KINDS if isinstance(error, base)), MXNetError
    )
    if misfit is not None:
        return error_class(f"{op.name}: {insert_inputs(misfit, given)}")
    return error_class(f"{op.name}: {find_devices(tensors) or error}\n  inputs: {given}")


def _name_dtypes(error: MXNetError) -> None:
    """Calls dtypes in a message as programs do, not as torch does."""
    text = str(error)
    if "torch." in text and len(error.args) == 1:
        for dtype in element_types.BY_TORCH:
            text = text.replace(str(dtype), element_types.name_of(dtype))
        error.args = (text,)


def insert_inputs(misfit: Misfit, given: str) -> str:
    """Returns what does not fit, the inputs and what to do, each on a line."""
    return str(misfit._replace(fact=f"{misfit.fact}\n  inputs: {given}"))


def find_misfit(
    op: Op, tensors: Sequence[Tensor | None], error: Exception, attrs: Mapping[str, Any] = NO_ATTRS
) -> Misfit | None:
    """Returns what is wrong with the shapes of inputs for which a kernel has failed, if it is seen.

    Args:
        op: The operator.
        tensors: What the kernel got.
        error: What it raised.
        attrs: Its attributes.
    """
    look = op.traits.shapes.misfit
    if isinstance(error, (AllocationError, LimitExceededError)):
        return None
    if len(tensors) < sum(not item.optional for item in op.inputs):
        return None
    shapes = [None if item is None else tuple(item.shape) for item in tensors]
    settings = op.with_defaults(attrs)
    if look is not None:
        return look(shapes, settings)
    # What the package raises by itself says more.
    return None if isinstance(error, MXNetError) else any_operator(shapes, settings, op.variadic)


def describe_inputs(op: Op, tensors: Sequence[Tensor | None]) -> str:
    """Lists the inputs of an operator: names, shapes and dtypes."""
    names = [""] * len(tensors) if op.variadic else [f"{item.name} " for item in op.inputs]
    given = [
        (name, item) for name, item in zip(names, tensors, strict=False) if isinstance(item, Tensor)
    ]
    dtypes = {item.dtype for _, item in given}
    is_one = len(dtypes) == 1 and len(given) > 1
    shown = [
        f"{name}{tuple(item.shape)}" + ("" if is_one else f" {element_types.name_of(item.dtype)}")
        for name, item in given[:_MOST_SHOWN]
    ]
    more = len(given) - len(shown)
    listed = ", ".join(shown + [f"and {more} more"] * (more > 0)) or "none"
    return f"{listed}, all {element_types.name_of(dtypes.pop())}" if is_one else listed


def find_devices(tensors: Sequence[Tensor | None]) -> str | None:
    """Returns that inputs are on several devices, if they are, as a message."""
    devices = list(dict.fromkeys(str(item.device) for item in tensors if item is not None))
    if len(devices) < 2:
        return None
    return (
        f"inputs must be on one device, got {' and '.join(devices)}; "
        "move one of them with x.as_in_context(...)"
    )


_KINDS: tuple[tuple[type[Exception], type[MXNetError]], ...] = (
    (IndexError, IndexOutOfBoundsError),
    (ValueError, ShapeMismatchError),
    (TypeError, UnsupportedTypeError),
)


def find_mixed_dtypes(op: Op, tensors: Sequence[Tensor | None]) -> str | None:
    """Returns which input has another dtype than those before it, if one has, as a message."""
    if op.traits.types.rule is not None:  # inputs have dtypes of their own
        return None
    expected = None
    for position, tensor in enumerate(tensors):
        if tensor is None or tensor.dtype is expected:
            continue
        if op.inputs[0 if op.variadic else position].name in op.any_dtype:
            continue
        if expected is not None:
            return _describe_mixed(op, position, expected, tensor.dtype)
        expected = tensor.dtype
    return None


def _describe_mixed(op: Op, position: int, first: torch.dtype, other: torch.dtype) -> str:
    """Returns the message about an input that has another dtype than the first one."""
    expected, got = element_types.name_of(first), element_types.name_of(other)
    if op.variadic:
        return (
            f"{op.name}: incompatible dtypes at input {position}: expected {expected}, got {got}; "
            f"convert arrays with x.astype({expected!r})"
        )
    name, other_name = op.inputs[0].name, op.inputs[position].name
    operands = f"{name} is {expected}, {other_name} is {got}"
    fact = f"{op.name}: incompatible dtypes, expected {expected}, got {got}: {operands}"
    if other_name not in op.traits.variables.parameters:
        return f"{fact}\n  Convert one of them: x.astype({got!r}) or x.astype({expected!r})."
    or_cast = f", or the network: net.cast({expected!r})" * first.is_floating_point
    return f"{fact}\n  Convert the data: x.astype({got!r}){or_cast}."
