"""Straight ways from arrays to kernels, for calls that leave nothing to sort out.

A small operator costs little more than its dispatch. What an operator needs is known when it is
declared, so a function is built for each that does this and no more; what a call needs beside it
is left to `_invoke.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import torch

from mxnet._array import Array, finish, new, origin_of
from mxnet._invoke import finish_one, invoke, supply
from mxnet._modes import modes
from mxnet._roles import NO_ATTRS
from mxnet._sharing import shares_base
from mxnet.context import Context, resolve
from mxnet.ops.failures import KERNEL_ERRORS, explain
from mxnet.ops.precision import in_force
from mxnet.ops.registry import Op

Function: TypeAlias = Callable[..., Any]
Run: TypeAlias = Callable[[Sequence[Any], Mapping[str, Any], Context | None], Any]


def with_fast_path(op: Op, cls: type[Array], general: Function) -> Function:
    """Builds a function that goes straight to the kernel if it is called with arrays alone.

    Args:
        op: The operator, which takes one array, or two, if there is such a way.
        cls: Class of the arrays.
        general: What takes all other calls, and what is returned for other operators.
    """
    if _is_simple(op, 1):
        function = _unary(op, cls, general)
    elif _is_simple(op, 2) and not op.any_dtype:
        function = _binary(op, cls, general)
    else:
        return general
    function.__wrapped__ = general  # type: ignore[attr-defined]  # has its signature
    return function


def _is_simple(op: Op, num_inputs: int) -> bool:
    """Returns whether a call without attributes can go straight to the kernel."""
    return (
        len(op.inputs) == num_inputs
        and not any(item.optional for item in op.inputs)
        and not any(attr.required for attr in op.attrs.values())
        and not (op.supplied or op.variadic or op.aux or op.mutates)
        and op.differentiable
        and op.num_outputs == 1
    )


def _unary(op: Op, cls: type[Array], general: Function) -> Function:
    kernel, fresh, detours = op.kernel, op.fresh, op.detours

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or detours or len(args) != 1 or type(args[0]) is not cls:
            return general(*args, **kwargs)
        data = args[0]
        tensor = data._data if data._node is None else data._read()
        try:
            result = kernel(tensor)
        except KERNEL_ERRORS as error:
            raise explain(op, (tensor,), error) from error
        if fresh and data._node is None:
            array = new(cls)  # as Array._wrap does, whose call takes a share of a small operator
            array._node = array._role = None
            array._aliased = array._fresh = False
            array._data, array._ctx = result, data._ctx.results
            return array
        try:
            array = finish(result, (tensor,), cls, data._ctx.results)
        except KERNEL_ERRORS as error:  # a copy of a view finds no memory
            raise explain(op, (tensor,), error) from error
        if array._role is not None:
            array._role.origin = (op, (origin_of(data),), NO_ATTRS, 0)
        return array

    return call


def _binary(op: Op, cls: type[Array], general: Function) -> Function:
    kernel, fresh, detours = op.kernel, op.fresh, op.detours
    mixes = not op.strict_dtypes

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or detours or len(args) != 2:
            return general(*args, **kwargs)
        first, second = args
        if type(first) is not cls or type(second) is not cls:
            return general(first, second)
        plain = first._node is None and second._node is None
        a: Any = first._data if plain else first._read()
        b: Any = second._data if plain else second._read()
        if mixes and a.dtype is not b.dtype:
            return general(first, second)
        try:
            result = kernel(a, b)
        except KERNEL_ERRORS as error:
            raise explain(op, (a, b), error) from error
        if plain and fresh:
            array = new(cls)  # as in `_unary`
            array._node = array._role = None
            array._aliased = array._fresh = False
            array._data, array._ctx = result, first._ctx.results
            return array
        try:
            array = finish(result, (a, b), cls, first._ctx.results)
        except KERNEL_ERRORS as error:
            raise explain(op, (a, b), error) from error
        if array._role is not None:
            array._role.origin = (op, (origin_of(first), origin_of(second)), NO_ATTRS, 0)
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
    """Returns whether the kernel returns one tensor and changes no input."""
    is_single = op.num_outputs == 1 and op.visible_outputs is None and not op.returns_tuple
    return is_single and not (op.aux or op.mutates)


def _run_generally(op: Op, cls: type[Array]) -> Run:
    def run(arrays: Sequence[Any], attrs: Mapping[str, Any], ctx: Context | None) -> Any:
        for array in arrays:
            if type(array) is not cls:
                return None
        return invoke(op, arrays, attrs, cls, ctx=None if arrays else ctx or resolve())

    return run


def _run_straight(op: Op, cls: type[Array]) -> Run:
    kernel, fresh, detours, arrange = op.kernel, op.fresh, op.detours, op.traits.arrange
    wrap_node, is_supplied = cls._wrap_node, bool(op.supplied)
    is_joined = op.differentiable and not op.any_dtype  # to the graph by torch itself
    alike = sum(item.name not in op.any_dtype for item in op.inputs)
    looks_at_dtypes = not op.strict_dtypes and (op.variadic or alike > 1)

    def run(arrays: Sequence[Any], attrs: Mapping[str, Any], ctx: Context | None) -> Any:
        tensors = []
        dtype, mixed, plain = None, False, True
        for array in arrays:
            if type(array) is not cls:
                return None
            tensor: Any = array._data  # None for some that have a node
            if array._node is not None:
                tensor, plain = array._read(), False
            if looks_at_dtypes and tensor.dtype is not dtype:
                dtype, mixed = tensor.dtype, dtype is not None
            tensors.append(tensor)
        ctx = arrays[0]._ctx.results if arrays else ctx or resolve()
        if mixed or detours or in_force or modes.tracer is not None:
            return invoke(op, arrays, attrs, cls, ctx=ctx)
        try:
            supplied = supply(op, ctx) if is_supplied else NO_ATTRS
            arranged = tensors if arrange is None else arrange(tensors, attrs)
            result = kernel(*arranged, **attrs, **supplied)
        except KERNEL_ERRORS as error:
            raise explain(op, tensors, error) from error
        if plain and (fresh or (result.is_contiguous() and not shares_base(result, tensors))):
            array = new(cls)  # as in `_unary`
            array._node = array._role = None
            array._aliased = array._fresh = False
            array._data, array._ctx = result, ctx
            return array
        if is_joined and result.requires_grad and (fresh or not shares_base(result, tensors)):
            origins = tuple([origin_of(array) for array in arrays])
            return wrap_node(result, ctx, (op, origins, attrs, 0))
        return finish_one(op, arrays, attrs, result, tensors, cls, ctx)

    return run


def make_run_on_one(op: Op, cls: type[Array]) -> Callable[[Any, Mapping[str, Any]], Any]:
    """Builds the function that runs an operator of a single array; see `make_run`."""
    if not _has_straight_way(op):
        return lambda data, attrs: invoke(op, (data,), attrs, cls)
    kernel, fresh, detours, is_supplied = op.kernel, op.fresh, op.detours, bool(op.supplied)
    wrap_node, is_joined = cls._wrap_node, op.differentiable and not op.any_dtype

    def run(data: Any, attrs: Mapping[str, Any]) -> Any:
        if detours or in_force or modes.tracer is not None:
            return invoke(op, (data,), attrs, cls)
        ctx = data._ctx.results
        plain = data._node is None
        tensor = data._data if plain else data._read()
        try:
            supplied = supply(op, ctx) if is_supplied else NO_ATTRS
            result = kernel(tensor, **attrs, **supplied)
            own = fresh or not (
                result is tensor or (result._is_view() and shares_base(result, (tensor,)))
            )
            if plain and not own:
                result = result.clone(memory_format=torch.contiguous_format)
        except KERNEL_ERRORS as error:
            raise explain(op, (tensor,), error) from error
        if plain and (fresh or result.is_contiguous()):
            array = new(cls)  # as in `_unary`
            array._node = array._role = None
            array._aliased = array._fresh = False
            array._data, array._ctx = result, ctx
            return array
        if own and is_joined and result.requires_grad:
            return wrap_node(result, ctx, (op, (origin_of(data),), attrs, 0))
        return finish_one(op, (data,), attrs, result, (tensor,), cls, ctx)

    return run
