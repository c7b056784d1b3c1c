"""Straight ways from arrays to kernels, for calls that leave nothing to sort out.

A small operator costs little more than its dispatch. What an operator needs is known when it is
declared, so a function is built for each that does this and no more; what a call needs beside it
is left to `_arrays/invoke.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import torch
from torch import Tensor

from mxnet._arrays.aliases import shares_base
from mxnet._arrays.array import Array, finish, is_recorded_integer, new, note_conversion, origin_of
from mxnet._arrays.errors.delayed import delay
from mxnet._arrays.invoke import finish_call, invoke, supply, take_visible
from mxnet._arrays.roles import NO_ATTRS
from mxnet._start import hide_frames, passes_arguments
from mxnet._state import modes
from mxnet.context import Context, resolve
from mxnet.ops.core.kernel_errors import explain
from mxnet.ops.core.precision import in_force
from mxnet.ops.core.registry import KERNEL_ERRORS, Op

Function: TypeAlias = Callable[..., Any]
Run: TypeAlias = Callable[[Sequence[Any], Mapping[str, Any], Context | None], Any]


_ABSENT = object()
"""In the place of an argument that was not given, or by name."""


Known: TypeAlias = dict[Any, tuple[dict[str, Any], Context | None]]
"""What calls of a known form mean: attributes, and a context if one was given."""

_UNKNOWN = (None, None)


def _given(*values: Any) -> tuple[Any, ...]:
    """Returns the arguments that were given by position."""
    return tuple(value for value in values if value is not _ABSENT)


def with_fast_path(
    op: Op, cls: type[Array], general: Function, attrs: Mapping[str, Any] = NO_ATTRS
) -> Function:
    """Builds a function that goes straight to the kernel if it is called with arrays alone.

    Args:
        op: The operator, which takes one array, or two, if there is such a way.
        cls: Class of the arrays.
        general: What takes all other calls, and what is returned for other operators.
        attrs: Attributes that the function gives an operator of one array.
    """
    if _is_simple(op, 1, attrs):
        function = _unary(op, cls, general, attrs)
    elif _is_simple(op, 2, attrs) and op.differentiable and not (op.any_dtype or attrs):
        function = _binary(op, cls, general)
    else:
        return general
    function.__wrapped__ = general  # type: ignore[attr-defined]  # has its signature
    return passes_arguments(function)


def _is_simple(op: Op, num_inputs: int, given: Mapping[str, Any]) -> bool:
    """Returns whether a call with some attributes alone can go straight to the kernel."""
    return (
        len(op.inputs) == num_inputs
        and not any(item.optional for item in op.inputs)
        and not any(attr.required and attr.name not in given for attr in op.attrs.values())
        and not (op.supplied or op.variadic or op.aux or op.mutates)
        and op.num_outputs == 1
    )


def _unary(  # noqa: C901 - as `_operators._operator`
    op: Op, cls: type[Array], general: Function, attrs: Mapping[str, Any]
) -> Function:
    kernel, fresh, detours = op.kernel, op.fresh, op.detours
    is_differentiable, attrs = op.differentiable, op.parse_attrs(attrs)
    if attrs:
        kernel = partial(kernel, **attrs)

    def call(data: Any = _ABSENT, *rest: Any, **kwargs: Any) -> Any:
        try:
            if rest or kwargs or detours or type(data) is not cls:
                return general(*_given(data), *rest, **kwargs)
            tensor = data._data
            if data._node is not None:
                if not is_differentiable:
                    return general(data)
                tensor = data._read()
            try:
                result = kernel(tensor)
                if fresh and data._node is None:
                    # As Array._wrap does, whose call takes a share of a small operator.
                    array = new(cls)
                    array._node = array._role = None
                    array._aliased = array._fresh = False
                    array._data, array._ctx = result, data._ctx.results
                    return array
                array = finish(result, (tensor,), cls, data._ctx.results)
            except KERNEL_ERRORS as error:  # or a copy of a view finds no memory
                return delay(op, (tensor,), error, attrs, cls, data._ctx.results)
            if array._role is not None:
                array._role.origin = (op, (origin_of(data),), attrs, 0)
            elif data._node is not None and is_recorded_integer(array):
                return general(data)
        except Exception as error:
            hide_frames(error)
            raise
        return array

    return call


def _binary(op: Op, cls: type[Array], general: Function) -> Function:
    kernel, fresh, detours = op.kernel, op.fresh, op.detours
    mixes = not op.strict_dtypes

    def call(first: Any = _ABSENT, second: Any = _ABSENT, *rest: Any, **kwargs: Any) -> Any:
        try:
            if rest or kwargs or detours or type(first) is not cls or type(second) is not cls:
                return general(*_given(first, second), *rest, **kwargs)
            plain = first._node is None and second._node is None
            a: Any = first._data if plain else first._read()
            b: Any = second._data if plain else second._read()
            if mixes and a.dtype is not b.dtype:
                return general(first, second)
            try:
                result = kernel(a, b)
                if plain and fresh:
                    array = new(cls)  # as in `_unary`
                    array._node = array._role = None
                    array._aliased = array._fresh = False
                    array._data, array._ctx = result, first._ctx.results
                    return array
                array = finish(result, (a, b), cls, first._ctx.results)
            except KERNEL_ERRORS as error:
                return delay(op, (a, b), error, NO_ATTRS, cls, first._ctx.results)
            if array._role is not None:
                array._role.origin = (op, (origin_of(first), origin_of(second)), NO_ATTRS, 0)
            elif not plain and is_recorded_integer(array):
                return general(first, second)
        except Exception as error:
            hide_frames(error)
            raise
        return array

    return call


def make_run(op: Op, cls: type[Array]) -> Run:
    """Builds the function that runs an operator.

    It takes arrays, attributes and a context, which counts if there are no arrays. It returns None
    if an array is of another class.

    Args:
        op: The operator.
        cls: Class of the arrays and of the result.
    """
    return _run_straight(op, cls) if _has_straight_way(op) else _run_generally(op, cls)


def _has_straight_way(op: Op) -> bool:
    """Returns whether a kernel can be run with little ado: it changes the last inputs at most."""
    names = tuple(item.name for item in op.inputs)
    is_last = op.aux == names[len(names) - len(op.aux) :]
    return is_last and not op.mutates


def _run_generally(op: Op, cls: type[Array]) -> Run:
    def run(arrays: Sequence[Any], attrs: Mapping[str, Any], ctx: Context | None) -> Any:
        for array in arrays:
            if type(array) is not cls:
                return None
        return invoke(op, arrays, attrs, cls, ctx=None if arrays else ctx or resolve())

    return run


def _run_straight(op: Op, cls: type[Array]) -> Run:
    kernel, detours, is_supplied = op.kernel, op.detours, op.supplied
    arrange = op.traits.fusion.arrange
    wrap, has_states, first_state = _make_wrap(op, cls), op.aux, len(op.inputs) - len(op.aux)
    alike = sum(item.name not in op.any_dtype for item in op.inputs)
    looks_at_dtypes = not op.strict_dtypes and (op.variadic or alike > 1)

    def run(arrays: Sequence[Any], attrs: Mapping[str, Any], ctx: Context | None) -> Any:
        tensors = []
        dtype, general, plain = None, bool(detours), True
        for array in arrays:
            if type(array) is not cls:
                return None
            tensor: Any = array._data  # None for some that have a node
            if array._node is not None:
                tensor, plain = array._read(), False
            if looks_at_dtypes and tensor.dtype is not dtype:
                dtype, general = tensor.dtype, general or dtype is not None
            tensors.append(tensor)
        ctx = arrays[0]._ctx.results if arrays else ctx or resolve()
        if has_states and not plain:
            general = general or any(state._node is not None for state in arrays[first_state:])
        if general or in_force or modes.tracer is not None:
            return invoke(op, arrays, attrs, cls, ctx=ctx)
        try:
            arranged = tensors if arrange is None else arrange(tensors, attrs)
            if is_supplied:
                result = kernel(*arranged, **attrs, **supply(op, ctx))
            else:
                result = kernel(*arranged, **attrs)
        except KERNEL_ERRORS as error:
            return delay(op, tensors, error, attrs, cls, ctx)
        return wrap(result, tensors, plain, arrays, attrs, ctx)

    return run


def make_call_on_one(  # noqa: C901 - as `_unary`
    op: Op,
    cls: type[Array],
    known: Known,
    parse_call: Function,
    *,
    takes_name: bool = True,
    may_be_alone: bool = True,
) -> Function:
    """Builds the function of an operator of a single array and attributes.

    Args:
        op: The operator.
        cls: Class of the array and of the result.
        known: Attributes of calls of a known form.
        parse_call: What takes all other calls.
        takes_name: Whether it takes `name`, which NumPy's functions do not.
        may_be_alone: Whether the operator gets no attributes if none are given.
    """
    kernel, detours, is_supplied, wrap = op.kernel, op.detours, op.supplied, _make_wrap(op, cls)
    is_straight = _has_straight_way(op)
    may_be_alone = may_be_alone and op.check_attrs is None and op.active_inputs is None
    may_be_alone = may_be_alone and not any(attr.required for attr in op.attrs.values())

    def call(
        data: Any = _ABSENT, *rest: Any, name: Any = _ABSENT, out: Any = None, **kwargs: Any
    ) -> Any:
        if name is not _ABSENT and not takes_name:
            kwargs["name"] = name  # which is refused; arrays, unlike graphs, have no names
        try:
            attrs: Any = NO_ATTRS
            if rest or kwargs or not may_be_alone:
                try:
                    attrs, _ = known.get(
                        (1 + len(rest), *rest, *kwargs, *kwargs.values()), _UNKNOWN
                    )
                except TypeError:  # a list among the attributes
                    attrs = None
            if attrs is None or out is not None or type(data) is not cls:
                if out is not None:
                    kwargs["out"] = out
                return parse_call(*_given(data), *rest, **kwargs)
            if not is_straight or detours or in_force or modes.tracer is not None:
                return invoke(op, (data,), attrs, cls)
            plain = data._node is None
            tensor = data._data if plain else data._read()
            ctx = data._ctx.results
            try:
                if is_supplied:
                    result = kernel(tensor, **attrs, **supply(op, ctx))
                else:
                    result = kernel(tensor, **attrs)
            except KERNEL_ERRORS as error:
                return delay(op, (tensor,), error, attrs, cls, ctx)
            return wrap(result, (tensor,), plain, (data,), attrs, ctx)
        except Exception as error:
            hide_frames(error)
            raise

    return call


def _make_wrap(op: Op, cls: type[Array]) -> Callable[..., Any]:
    """Builds the function that makes an array of what the kernel of an operator has returned.

    Its arguments are those of `finish_call`; and `plain`, whether no input has a node.
    """
    fresh, wrap_node, is_joined = op.fresh, cls._wrap_node, op.differentiable
    converts = op.traits.types.converts
    # Inputs like indices, which torch would not join to the graph; `_tape.join_indices` does.
    has_indices = not (op.aux or op.variadic)
    indices = [place for place, item in enumerate(op.inputs) if item.name in op.any_dtype]
    indices = indices if has_indices else []

    def wrap(
        result: Any,
        tensors: Sequence[Any],
        plain: bool,
        arrays: Sequence[Any],
        attrs: Mapping[str, Any],
        ctx: Context,
    ) -> Any:
        if type(result) is tuple:
            result = take_visible(op, attrs, result)
        elif plain or not modes.recording:
            if not fresh and shares_base(result, tensors):
                result = _copy(op, result, tensors)
            if fresh or result.is_contiguous():
                array = new(cls)  # as in `_unary`
                array._node = array._role = None
                array._aliased = array._fresh = False
                array._data, array._ctx = result, ctx
                return array
        elif is_joined and result.requires_grad and (fresh or not shares_base(result, tensors)):
            for place in indices:
                if place < len(tensors) and tensors[place].requires_grad:
                    break
            else:
                origins = [origin_of(array) for array in arrays]
                array = wrap_node(result, ctx, (op, tuple(origins), attrs, 0))
                if converts:
                    note_conversion(array, arrays[0])
                return array
        return finish_call(op, arrays, attrs, result, tensors, cls, ctx)

    return wrap


def _copy(op: Op, result: Tensor, tensors: Sequence[Tensor]) -> Tensor:
    """Copies a result that lies on the memory of an input."""
    try:
        return result.clone(memory_format=torch.contiguous_format)
    except KERNEL_ERRORS as error:  # there is not enough memory
        raise explain(op, tensors, error) from error
