"""Straight ways from arrays to kernels, for calls that leave nothing to sort out.

A small operator costs little more than its dispatch. What an operator needs is known when it is
declared, so a function is built for each that does this and no more; what a call needs beside it
is left to `_invoke.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from torch import Tensor

from mxnet._array import Array, finish, new, origin_of
from mxnet._invoke import finish_one, invoke
from mxnet._modes import modes
from mxnet._roles import NO_ATTRS
from mxnet._sharing import shares_base
from mxnet.ops.failures import KERNEL_ERRORS, explain
from mxnet.ops.precision import in_force
from mxnet.ops.registry import Op

Function: TypeAlias = Callable[..., Any]
Run: TypeAlias = Callable[[Sequence[Any], Mapping[str, Any]], Any]


def with_fast_path(op: Op, cls: type[Array], general: Function) -> Function:
    """Builds a function that goes straight to the kernel if it is called with arrays alone.

    Args:
        op: The operator, which takes one array, or two, if there is such a way.
        cls: Class of the arrays.
        general: What takes all other calls, and what is returned for other operators.
    """
    if _is_simple(op, 1):
        return _unary(op, cls, general)
    if _is_simple(op, 2) and not op.any_dtype:
        return _binary(op, cls, general)
    return general


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

    def call(data: Any = None, *rest: Any, **kwargs: Any) -> Any:
        if rest or kwargs or detours or type(data) is not cls:
            return general(data, *rest, **kwargs)
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

    def call(first: Any = None, second: Any = None, *rest: Any, **kwargs: Any) -> Any:
        if rest or kwargs or detours or type(first) is not cls or type(second) is not cls:
            return general(first, second, *rest, **kwargs)
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
    """Builds the function that runs an operator on arrays of a class, one or more, and attributes.

    Args:
        op: The operator.
        cls: Class of the arrays and of the result.
    """
    if op.supplied or op.aux or op.mutates or op.any_dtype or not op.differentiable:
        return _run_generally(op, cls)
    if op.num_outputs != 1 or op.visible_outputs is not None or op.returns_tuple:
        return _run_generally(op, cls)
    return _run_straight(op, cls)


def _run_generally(op: Op, cls: type[Array]) -> Run:
    def run(arrays: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        return invoke(op, arrays, attrs, cls)

    return run


def _run_straight(op: Op, cls: type[Array]) -> Run:
    kernel, fresh, detours, arrange = op.kernel, op.fresh, op.detours, op.traits.arrange
    wrap_node = cls._wrap_node
    mixes = not op.strict_dtypes and (op.variadic or len(op.inputs) > 1)

    def run(arrays: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        if detours or in_force or modes.tracer is not None:
            return invoke(op, arrays, attrs, cls)
        tensors = []
        plain = True
        for array in arrays:
            if array._node is None:
                tensors.append(array._data)
            else:
                tensors.append(array._read())
                plain = False
        if mixes and _have_mixed_dtypes(tensors):
            return invoke(op, arrays, attrs, cls)
        try:
            arranged = tensors if arrange is None else arrange(tensors, attrs)
            result = kernel(*arranged, **attrs)
        except KERNEL_ERRORS as error:
            raise explain(op, tensors, error) from error
        ctx = arrays[0]._ctx.results
        if plain:
            if fresh or (result.is_contiguous() and not shares_base(result, tensors)):
                array = new(cls)  # as in `_unary`
                array._node = array._role = None
                array._aliased = array._fresh = False
                array._data, array._ctx = result, ctx
                return array
        elif result.requires_grad and (fresh or not shares_base(result, tensors)):
            origins = tuple([origin_of(array) for array in arrays])
            return wrap_node(result, ctx, (op, origins, attrs, 0))
        return finish_one(op, arrays, attrs, result, tensors, cls, ctx)

    return run


def _have_mixed_dtypes(tensors: Sequence[Tensor]) -> bool:
    dtype = tensors[0].dtype
    for tensor in tensors:  # noqa: SIM110 - a generator takes longer than all the rest
        if tensor.dtype is not dtype:
            return True
    return False
