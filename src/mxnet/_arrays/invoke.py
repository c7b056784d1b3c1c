"""Running an operator on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._arrays.array import (
    A,
    Array,
    Origin,
    Recorded,
    check_fit,
    finish,
    note_conversion,
    note_origin,
    origin_of,
    tie,
    unshare_source,
)
from mxnet._arrays.autograd import tape
from mxnet._arrays.errors.delayed import can_fail, delay, delay_writing, mark_failed
from mxnet._arrays.errors.failed import FailedTensor
from mxnet._state import modes, rng
from mxnet.context import Context, torch_device
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.ops.core.carriers import join_results
from mxnet.ops.core.interposing import interposers, kernel_of
from mxnet.ops.core.kernel_errors import explain, find_mixed_dtypes
from mxnet.ops.core.precision import AMP_CAST, in_force
from mxnet.ops.core.registry import KERNEL_ERRORS, Op, as_tuple


def invoke(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: Mapping[str, Any],
    cls: type[A],
    *,
    out: A | Sequence[A] | None = None,
    ctx: Context | None = None,
) -> A | Sequence[A]:
    """Runs an operator on arrays.

    Args:
        op: The operator.
        inputs: Its array inputs, None for a missing optional one.
        attrs: Parsed attributes.
        cls: Class of the result.
        out: Array or arrays to write the result into.
        ctx: Context of the result of an operator without inputs.

    Returns:
        `out` if there is one, or else one array or a list of the visible outputs.
    """
    if modes.tracer is not None:
        return modes.tracer.call(op, inputs, attrs, ctx, out, cls)  # type: ignore[no-any-return]
    if in_force:
        inputs, attrs = follow_policy(op, inputs, attrs, _cast)
    tensors = _read_inputs(op, inputs)
    if ctx is None:
        first = inputs[0]
        ctx = (_first(inputs) if first is None else first)._ctx.results
    supplied = supply(op, ctx) if op.supplied else {}
    try:
        kernel = kernel_of(op) if interposers else op.kernel
        arrange = op.traits.fusion.arrange
        arranged = tensors if arrange is None else arrange(tensors, attrs)
        result = kernel(*arranged, **attrs, **supplied)
    except KERNEL_ERRORS as error:
        if out is None:
            return delay(op, tensors, error, attrs, cls, ctx)
        delay_writing(op, tensors, error, attrs, _targets_of(op, out))
        return out
    if isinstance(result, tuple):
        result = take_visible(op, attrs, result)
    if out is None:
        return finish_call(op, inputs, attrs, result, tensors, cls, ctx)
    if modes.recording:
        result = _join_to_graph(op, result, tensors)
    return _write_out(op, inputs, attrs, result, out)


def take_visible(
    op: Op, attrs: Mapping[str, Any], results: tuple[Tensor, ...]
) -> Tensor | tuple[Tensor, ...]:
    """Returns the outputs that a caller sees, without a tuple if there is one."""
    visible = results
    if op.visible_outputs is not None:
        visible = results[: op.count_outputs(attrs)]
    return visible[0] if len(visible) == 1 else visible


def finish_call(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: Mapping[str, Any],
    result: Any,
    tensors: Sequence[Tensor | None],
    cls: type[A],
    ctx: Context,
) -> A | list[A]:
    """Wraps what a kernel has returned.

    Args:
        op: The operator.
        inputs: Its array inputs, None for a missing one.
        attrs: Parsed attributes.
        result: The outputs that a caller sees, a tensor or a tuple; see `take_visible`.
        tensors: The tensors that the kernel read.
        cls: Class of the arrays.
        ctx: Their context.
    """
    if not isinstance(result, Tensor):
        return _finish_several(op, inputs, attrs, result, tensors, cls, ctx)
    recording = modes.recording
    if recording and (op.any_dtype or not op.differentiable):
        result = _join_to_graph(op, result, tensors)
    if recording and not (result.requires_grad or op.supplied) and op.differentiable:
        result = join_results(result, op.kernel, attrs, tensors, op.traits.types.integer_slopes)
    try:
        array = finish(result, tensors, cls, ctx)
    except KERNEL_ERRORS as error:  # a copy of a view finds no memory
        raise explain(op, tensors, error) from error
    if recording:
        role = array._role
        if role is not None:
            role.origin = (op, tuple([origin_of(item) for item in inputs]), attrs, 0)
            if op.traits.types.converts:
                note_conversion(array, inputs[0])  # type: ignore[arg-type]  # it has one input
    return array


def _first(inputs: Sequence[Array | None]) -> Array:
    """Returns the first array that is there."""
    return next(array for array in inputs if array is not None)


def runs_plainly() -> bool:
    """Returns whether a call computes at once what it says, unseen and in the given precision."""
    return modes.tracer is None and not interposers and not in_force


def invoke_chain(
    op: Op, kernel: Callable[..., Tensor], inputs: Sequence[A], origin_from: Callable[..., Origin]
) -> A:
    """Runs one kernel in the place of a chain of operators; see `runs_plainly`.

    Args:
        op: The operator of the chain that messages name.
        kernel: Computes the result.
        inputs: Its arrays, of one class and context.
        origin_from: Returns how the chain comes to its result, of the origins of the inputs.
    """
    (array,) = invoke_chains(
        op, lambda *tensors: (kernel(*tensors),), inputs, lambda *origins: (origin_from(*origins),)
    )
    return array


def invoke_chains(
    op: Op,
    kernel: Callable[..., tuple[Tensor, ...]],
    inputs: Sequence[A],
    origins_from: Callable[..., Sequence[Origin]],
) -> list[A]:
    """Runs one kernel in the place of operators that have several results; see `invoke_chain`."""
    tensors = [array._read() for array in inputs]
    first, arrays = inputs[0], []
    try:
        for result in kernel(*tensors):
            arrays.append(finish(result, tensors, type(first), first._ctx.results))
    except KERNEL_ERRORS as error:
        raise explain(op, tensors, error) from error
    if modes.recording and arrays[0]._role is not None:
        origins = origins_from(*map(origin_of, inputs))
        for array, origin in zip(arrays, origins, strict=True):
            if array._role is not None:
                array._role.origin = origin
    return arrays


def _note_origins(
    arrays: Sequence[Array], op: Op, inputs: Sequence[Array | None], attrs: Mapping[str, Any]
) -> None:
    """Notes how several recorded results were computed, and that they belong together."""
    if len(arrays) > 1:
        tie(arrays)
    note_origin(arrays, op, inputs, attrs)


def _finish_several(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: Mapping[str, Any],
    results: tuple[Tensor, ...],
    tensors: Sequence[Tensor | None],
    cls: type[A],
    ctx: Context,
) -> list[A]:
    """Wraps the results of a call."""
    if modes.recording:
        results = as_tuple(_join_to_graph(op, results, tensors))
        joined = all([item.requires_grad for item in results])  # as those of floats mostly are
        if op.differentiable and not (joined or op.supplied):
            results = join_results(
                results, op.kernel, attrs, tensors, op.traits.types.integer_slopes
            )
    arrays = []
    try:
        for item in results:  # a comprehension takes a call
            arrays.append(finish(item, tensors, cls, ctx))
    except KERNEL_ERRORS as error:  # a copy of a view finds no memory
        raise explain(op, tensors, error) from error
    if modes.recording:
        _note_origins(arrays, op, inputs, attrs)
    return arrays


def follow_policy(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: Mapping[str, Any],
    cast: Callable[[Array, torch.dtype], Array],
) -> tuple[Sequence[Array | None], Mapping[str, Any]]:
    """Returns the inputs and attributes of a call as mixed precision wants them.

    Args:
        op: The operator.
        inputs: Its array inputs.
        attrs: Parsed attributes.
        cast: Converts an array.
    """
    policy = in_force[0]
    if op in policy.losses:
        scale = attrs.get("grad_scale", 1.0) * policy.loss_scale()
        attrs = {**attrs, "grad_scale": scale}
    rule = policy.rule_for(op, attrs)
    if rule is None and len(inputs) < 2:
        return inputs, attrs
    dtypes = [None if array is None else array._plain.dtype for array in inputs]
    if rule is None:
        rule = policy.rule_for_mixed(op, dtypes)
    if rule is None:
        return inputs, attrs
    target = policy.target(rule, op, dtypes)
    converted = list(inputs)
    for position, array in enumerate(inputs):
        dtype = target(position)
        if array is not None and dtype is not None:
            converted[position] = cast(array, dtype)
    return converted, attrs


def _cast(array: Array, dtype: torch.dtype) -> Array:
    if array._override is not None:  # a sparse array, whose operators have no lower precision
        return array
    result = invoke(AMP_CAST, (array,), {"dtype": dtype}, type(array))
    return result  # type: ignore[return-value]  # it has one output


def _join_to_graph(
    op: Op, result: Tensor | tuple[Tensor, ...], tensors: Sequence[Tensor | None]
) -> Tensor | tuple[Tensor, ...]:
    """Joins results to the graph where torch does not."""
    if op.differentiable:
        indexed = op.any_dtype and isinstance(result, Tensor)
        return tape.join_indices(op, result, tensors) if indexed else result  # type: ignore[arg-type]
    joined = tuple(
        tape.join_without_gradient(item, tensors) if item.is_floating_point() else item
        for item in as_tuple(result)
    )
    return joined if isinstance(result, tuple) else joined[0]


def _read_inputs(op: Op, inputs: Sequence[Array | None]) -> list[Tensor | None]:
    """Returns the tensors to compute with: outside of any graph for states, alike in dtype."""
    constant = op.aux or op.mutates
    tensors: list[Tensor | None] = []
    dtype, mixed = None, False
    for position, array in enumerate(inputs):
        if array is None:
            tensors.append(None)
            continue
        tensor: Any
        if array._node is None:
            tensor = array._data  # which is set then; the property would take a call
        elif constant and op.inputs[0 if op.variadic else position].name in (*op.aux, *op.mutates):
            tensor = array._plain
        else:
            tensor = array._read()
        if tensor.dtype is not dtype:
            dtype, mixed = tensor.dtype, dtype is not None
        tensors.append(tensor)
    if mixed and not op.strict_dtypes:
        mistake = find_mixed_dtypes(op, tensors)
        if mistake is not None:
            raise MXNetError(mistake)
    return tensors


def supply(op: Op, ctx: Context) -> dict[str, Any]:
    """Returns what a kernel takes beside tensors and attributes."""
    values: dict[str, Any] = {}
    for name in op.supplied:
        if name == "training":
            values[name] = modes.training
        elif name == "generator":
            first = not ctx.device_id  # whose generator is torch's own
            values[name] = None if first else rng.generator_for(ctx.device_type, ctx.device_id)
        else:
            values[name] = torch_device(ctx)
    return values


def _targets_of(op: Op, out: A | Sequence[A]) -> list[A]:
    """Returns the arrays to write to."""
    targets: list[Any] = list(out) if isinstance(out, (list, tuple)) else [out]
    for target in targets:
        if not isinstance(target, Array):
            hint = (
                "; several numbers for one attribute are a tuple" if isinstance(target, int) else ""
            )
            raise UnsupportedTypeError(
                f"{op.name}: out takes arrays, got {type(target).__name__}{hint}"
            )
    return targets


def _write_out(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: Mapping[str, Any],
    result: Tensor | tuple[Tensor, ...],
    out: A | Sequence[A],
) -> A | Sequence[A]:
    targets = _targets_of(op, out)
    results = as_tuple(result)
    if len(targets) != len(results):
        raise MXNetError(f"{op.name}: out takes {len(results)} arrays, got {len(targets)}")
    if op.traits.combine_out is not None:
        results = (op.traits.combine_out(results[0], targets[0]._plain, attrs),)
    origins: tuple[Origin | None, ...] = ()
    if modes.recording and any(item.requires_grad for item in results):
        origins = tuple(map(origin_of, inputs))  # before one of them is written to
    for number, (item, target) in enumerate(zip(results, targets, strict=True)):
        store(op.name, inputs, item, target, (op, origins, attrs, number))
    if modes.recording and len(targets) > 1:
        tie(targets)
    return out


def store(
    where: str, inputs: Sequence[Array | None], result: Tensor, out: Array, origin: Origin | None
) -> None:
    """Writes a result into an existing array, which joins the graph when the result is recorded.

    Args:
        where: What to begin messages with.
        inputs: The arrays that the result was computed from.
        result: The result.
        out: Array to write to.
        origin: How the result was computed; None if `autograd.get_symbol` cannot express that.

    Raises:
        MXNetError: if shape or dtype do not fit, or autograd forbids the assignment.
    """
    if modes.recording and result.requires_grad and any(item is out for item in inputs):
        taken = out._node is not None
        raise MXNetError(tape.ALREADY_IN_GRAPH if taken else tape.IN_PLACE_WHILE_RECORDING)
    plain = result.detach()
    if type(plain) is FailedTensor and can_fail(out):
        check_fit(where, out._plain.shape, out._plain.dtype, plain)
        mark_failed(out, plain.failure)
        return
    if result._is_view():  # maybe of the memory to write to: x.transpose() to x
        plain = unshare_source(plain, out._plain)
    target = out._overwrite(where, plain)
    if modes.recording and result.requires_grad:
        out._node, out._role = tape.tied_to_storage(result, target), Recorded(origin)
