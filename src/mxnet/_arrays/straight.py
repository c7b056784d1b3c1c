"""The generator of the functions that run an operator on arrays.

A small operator costs little more than its dispatch, and one more call of Python takes a share of
that. What an operator needs is known when it is declared: how many arrays, whether attributes or a
number, whether the kernel returns memory of its own. So all functions and methods of operators are
closures that `make_call` chooses among five bodies: `_on_array` and `_on_arrays` for calls of one
array or two alone, `_on_operands` for Python's operators, `_on_array_and_attributes` and
`_on_arguments` for calls with attributes. `_make_settle` is what they do after a kernel has run;
what none of them does is left to `invoke.py`.

None of them calls `make_array` or runs inside of `public_call`: `expand` writes both into them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import torch
from torch import Tensor

from mxnet._arrays.array import (
    NO_ATTRS,
    Array,
    Origin,
    Related,
    lies_on,
    make_array,
    make_recorded,
    note_conversion,
    origin_of,
    read_on,
)
from mxnet._arrays.errors.delayed import delay
from mxnet._arrays.invoke import finish_call, invoke, supply, take_visible
from mxnet._start import expand, passes_arguments, public_call
from mxnet._state import Tape, modes
from mxnet.context import Context, resolve
from mxnet.ops.core.attrs import REQUIRED
from mxnet.ops.core.kernel_errors import explain
from mxnet.ops.core.precision import in_force
from mxnet.ops.core.registry import KERNEL_ERRORS, Op
from mxnet.ops.core.scalars import EXACT, as_number

Function: TypeAlias = Callable[..., Any]
Known: TypeAlias = dict[Any, tuple[dict[str, Any], Context | None]]
"""What calls of a known form mean: attributes, and a context if one was given."""

_ABSENT: Any = object()
"""In the place of an argument that was not given by position."""
_UNKNOWN = (None, None)


def with_fast_path(
    op: Op, cls: type[Array], general: Function, attrs: Mapping[str, Any] = NO_ATTRS
) -> Function:
    """Builds a function that goes straight to the kernel if it is called with arrays alone.

    Args:
        op: The operator, which takes one array, or two, if there is such a way.
        cls: Class of the arrays.
        general: Takes all other calls; it is returned for other operators.
        attrs: Attributes that the function gives an operator of one array.
    """
    count = count_plain(op, attrs)
    return general if count is None else make_call(op, cls, general, count, attrs=attrs)


def count_plain(op: Op, given: Mapping[str, Any] = NO_ATTRS) -> int | None:
    """Returns of how many arrays alone a kernel is called directly: one, two, None for neither.

    Args:
        op: The operator.
        given: Attributes that each call has.
    """
    count = len(op.inputs)
    is_pair = count == 2 and op.differentiable and not (op.any_dtype or given)
    if op.num_outputs != 1 or not (count == 1 or is_pair):
        return None
    if op.supplied or op.variadic or op.aux or op.mutates or _needs_attrs(op, given):
        return None
    return None if [item for item in op.inputs if item.optional] else count


def _needs_attrs(op: Op, given: Mapping[str, Any] = NO_ATTRS) -> bool:
    """Returns whether calls of an operator must have other attributes than those given."""
    needed = [name for name, attr in op.attrs.items() if attr.default is REQUIRED]
    return not given.keys() >= {*needed}


def make_call(
    op: Op,
    cls: type[Array],
    general: Function,
    count: int | None,
    *,
    attrs: Mapping[str, Any] = NO_ATTRS,
    scalar: Op | None = None,
    known: Known | None = None,
    strict: bool = False,
    may_be_alone: bool = True,
) -> Function:
    """Builds a function of an operator.

    Args:
        op: The operator.
        cls: Class of the arrays and of the result.
        general: Takes the calls that nothing below describes.
        count: How many arrays a call has that has nothing else; see `count_plain`.
        attrs: Attributes of such a call of one array.
        scalar: The operator for an array and a number; both compute in fresh memory.
        known: Attributes and context of calls of a known form.
        strict: Whether `general` sorts out names of arrays, and `name`.
        may_be_alone: Whether a call of an array alone has no attributes.
    """
    call = general
    if known is not None:
        has_one = op.attrs and len(op.inputs) == 1 and not (op.variadic or op.inputs[0].optional)
        if has_one:
            call = _on_array_and_attributes(op, cls, general, known, strict, may_be_alone)
        else:
            call = _on_arguments(op, cls, general, known)
    if scalar is not None:
        call = passes_arguments(_on_operands(op, scalar, cls, call))
    elif count == 1:
        fixed = op.parse_attrs(attrs) if attrs else NO_ATTRS
        call = passes_arguments(_on_array(op, cls, call, fixed))
    elif count == 2:
        call = passes_arguments(_on_arrays(op, cls, call))
    call.__wrapped__ = general  # type: ignore[attr-defined]  # has its signature
    return call


@expand
def _on_array(op: Op, cls: type[Array], general: Function, attrs: Mapping[str, Any]) -> Function:
    """Builds a function for calls of one array alone."""
    kernel = partial(op.kernel, **attrs) if attrs else op.kernel
    fresh, detours, joins = op.fresh, op.detours, op.differentiable
    settle = _make_settle(op, cls, general)

    @public_call
    def call(data: Any = _ABSENT, *rest: Any, **kwargs: Any) -> Any:
        if rest or kwargs or detours or type(data) is not cls:
            return general(*_given(data), *rest, **kwargs)
        tape = None
        if data._node is None:
            tensor: Any = data._data
        elif joins:
            tape = modes.tape if modes.recording else None
            tensor = read_on(data, tape)
        else:
            return general(data)
        try:
            result = kernel(tensor)
        except KERNEL_ERRORS as error:
            return delay(op, (tensor,), error, attrs, cls, data._ctx.results)
        if fresh and tape is None:
            return make_array(cls, result, data._ctx.results)
        return settle(result, (tensor,), tape, (data,), attrs, data._ctx.results)

    return call


@expand
def _on_arrays(op: Op, cls: type[Array], general: Function) -> Function:
    """Builds a function for calls of two arrays alone, of a differentiable operator."""
    kernel, fresh, detours, mixes = op.kernel, op.fresh, op.detours, not op.strict_dtypes
    settle = _make_settle(op, cls, general)

    @public_call
    def call(first: Any = _ABSENT, second: Any = _ABSENT, *rest: Any, **kwargs: Any) -> Any:
        if rest or kwargs or detours or type(first) is not cls or type(second) is not cls:
            return general(*_given(first, second), *rest, **kwargs)
        tape = None
        a: Any = first._data
        b: Any = second._data
        if first._node is not None or second._node is not None:
            tape = modes.tape if modes.recording else None
            a = read_on(first, tape)
            b = read_on(second, tape)
        if mixes and a.dtype is not b.dtype:
            return general(first, second)
        try:
            result = kernel(a, b)
        except KERNEL_ERRORS as error:
            return delay(op, (a, b), error, NO_ATTRS, cls, first._ctx.results)
        if fresh and tape is None:
            return make_array(cls, result, first._ctx.results)
        return settle(result, (a, b), tape, (first, second), NO_ATTRS, first._ctx.results)

    return call


@expand
def _on_operands(  # noqa: C901 - a call of another function takes a share of a small operator
    op: Op, scalar: Op, cls: type[Array], general: Function
) -> Function:
    """Builds a method for an array and another one, or a number; both compute in fresh memory."""
    kernel, scalar_kernel, joins = op.kernel, scalar.kernel, op.differentiable
    detours, scalar_detours = op.detours, scalar.detours

    @public_call
    def operate(self: Any, other: Any) -> Any:  # noqa: C901
        kind = type(other)
        tape = None
        if kind is cls and not detours:
            a, b = self._data, other._data
            if self._node is not None or other._node is not None:
                if not joins:
                    return general(self, other)
                tape = modes.tape if modes.recording else None
                a = read_on(self, tape)
                b = read_on(other, tape)
            if a.dtype is not b.dtype:
                return general(self, other)
            try:
                result = kernel(a, b)
            except KERNEL_ERRORS as error:
                return delay(op, (a, b), error, NO_ATTRS, cls, self._ctx.results)
        elif (kind is float or kind is int) and not scalar_detours:
            a = self._data
            if self._node is not None:
                if not joins:
                    return general(self, other)
                tape = modes.tape if modes.recording else None
                a = read_on(self, tape)
            small = kind is float or -EXACT < other < EXACT
            number = float(other) if small else as_number(other)
            try:
                result = scalar_kernel(a, scalar=number)
            except KERNEL_ERRORS as error:
                return delay(scalar, (a,), error, {"scalar": number}, cls, self._ctx.results)
        else:
            return general(self, other)
        if tape is None:
            return make_array(cls, result, self._ctx.results)
        if not result.requires_grad:
            return general(self, other)  # integers, which torch does not join to graphs
        role = self._role  # it mostly has the origin, for which a call would take longer
        first = role.origin if role is not None and role.origin else origin_of(self)
        if kind is cls:
            role = other._role
            second = role.origin if role is not None and role.origin else origin_of(other)
            origin: Origin = (op, (first, second), NO_ATTRS, 0)
        else:
            origin = (scalar, (first,), {"scalar": number}, 0)
        return make_recorded(cls, result, self._ctx.results, origin, tape)

    return operate


@expand
def _on_array_and_attributes(  # noqa: C901 - as `_on_operands`
    op: Op, cls: type[Array], parse_call: Function, known: Known, strict: bool, may_be_alone: bool
) -> Function:
    """Builds what `_on_arguments` does, for an operator of one array."""
    kernel, detours, is_supplied, settle = op.kernel, op.detours, op.supplied, _make_settle(op, cls)
    is_straight = _find_states(op) >= 0
    may_be_alone = may_be_alone and op.check_attrs is None and op.active_inputs is None
    may_be_alone = may_be_alone and not _needs_attrs(op)
    array_name = _ABSENT if strict else op.inputs[0].name

    @public_call
    def call(  # noqa: C901 - as `_on_operands`
        data: Any = _ABSENT, /, *rest: Any, name: Any = _ABSENT, out: Any = None, **kwargs: Any
    ) -> Any:
        if data is _ABSENT and array_name in kwargs:
            data = kwargs.pop(array_name)
        if strict and name is not _ABSENT:
            kwargs["name"] = name  # which is refused; arrays, unlike graphs, have no names
        attrs: Any = NO_ATTRS
        if rest or kwargs or not may_be_alone:
            try:
                key = (1 + len(rest), *rest, *kwargs, *kwargs.values())
                attrs, _ = known.get(key, _UNKNOWN)
            except TypeError:  # a list among the attributes
                attrs = None
        if attrs is None or out is not None or type(data) is not cls:
            if out is not None:
                kwargs["out"] = out
            return parse_call(*_given(data), *rest, **kwargs)
        if not is_straight or detours or in_force or modes.tracer is not None:
            return invoke(op, (data,), attrs, cls)
        tape, ctx, tensor = None, data._ctx.results, data._data
        if data._node is not None:
            tape = modes.tape if modes.recording else None
            tensor = read_on(data, tape)
        try:
            if is_supplied:
                result = kernel(tensor, **attrs, **supply(op, ctx))
            else:
                result = kernel(tensor, **attrs)
        except KERNEL_ERRORS as error:
            return delay(op, (tensor,), error, attrs, cls, ctx)
        return settle(result, (tensor,), tape, (data,), attrs, ctx)

    return call


@expand
def _on_arguments(  # noqa: C901 - as `_on_operands`
    op: Op, cls: type[Array], parse_call: Function, known: Known
) -> Function:
    """Builds a function for calls with attributes, of which `parse_call` knows the meaning."""
    kernel, detours, supplied = op.kernel, op.detours, op.supplied
    count, arrange = sys.maxsize if op.variadic else len(op.inputs), op.traits.fusion.arrange
    first_state, looks_at_dtypes, settle = _find_states(op), _mixes(op), _make_settle(op, cls)
    invokes, most_missing = first_state < 0, 0 if op.variadic else count

    @public_call
    def call(*args: Any, name: Any = None, out: Any = None, **kwargs: Any) -> Any:  # noqa: C901
        del name  # only graphs have names
        while args and args[-1] is None and len(args) <= most_missing:
            args = args[:-1]
        try:
            key = (len(args), *args[count:], *kwargs, *kwargs.values())
            attrs, ctx = known.get(key, _UNKNOWN)
        except TypeError:  # a list among the attributes
            attrs = ctx = None
        if attrs is None or out is not None:
            if out is not None:
                kwargs["out"] = out
            return parse_call(*args, **kwargs)
        arrays = args[:count]
        tensors: list[Any] = []
        odd: Any = invokes or detours
        dtype, tape, looked = None, None, False
        for array in arrays:
            if type(array) is not cls:
                return parse_call(*args, **kwargs)
            tensor: Any = array._data  # None for some that have a node
            if array._node is not None:
                if not looked:
                    tape, looked = modes.tape if modes.recording else None, True
                tensor = read_on(array, tape)
                odd = odd or len(tensors) >= first_state
            if looks_at_dtypes and tensor.dtype is not dtype:
                dtype, odd = tensor.dtype, odd or dtype is not None
            tensors.append(tensor)
        ctx = arrays[0]._ctx.results if arrays else ctx or resolve()
        if odd or in_force or modes.tracer is not None:
            return invoke(op, arrays, attrs, cls, ctx=ctx)
        try:
            given = tensors if arrange is None else arrange(tensors, attrs)
            if supplied:
                result = kernel(*given, **attrs, **supply(op, ctx))
            else:
                result = kernel(*given, **attrs)
        except KERNEL_ERRORS as error:
            return delay(op, tensors, error, attrs, cls, ctx)
        return settle(result, tensors, tape, arrays, attrs, ctx)

    return call


@expand
def _make_settle(  # noqa: C901 - as `_on_operands`
    op: Op, cls: type[Array], general: Function | None = None
) -> Callable[..., Any]:
    """Builds the function that makes an array of what the kernel of an operator has returned.

    Its arguments are those of `finish_call`; and `tape`, which it is recorded on, None if it is
    not: outside of `record()`, or if no input has a node. `general` takes calls of arrays alone
    with integers as a result, which torch does not join to graphs.
    """
    fresh, is_joined = op.fresh, op.differentiable
    converts, indices = op.traits.types.converts, _find_indices(op)

    def settle(  # noqa: C901
        result: Any,
        tensors: Sequence[Any],
        tape: Tape | None,
        arrays: Sequence[Any],
        attrs: Mapping[str, Any],
        ctx: Context,
    ) -> Any:
        shares = False
        if type(result) is tuple:
            result = take_visible(op, attrs, result)
        elif tape is None:
            if not fresh:
                shares = lies_on(result, tensors)
            if shares:
                result = _copy(op, result, tensors)
            if fresh or result.is_contiguous():
                return make_array(cls, result, ctx)
        elif is_joined and result.requires_grad:
            for place in indices:
                if place < len(tensors) and tensors[place].requires_grad:
                    break
            else:
                if not fresh:
                    shares = lies_on(result, tensors)
                if shares and not result._is_view():
                    result = result.view_as(result)
                origins = []
                for item in arrays:
                    role = item._role  # as in `_on_operands`
                    origins.append((role and role.origin) or origin_of(item))
                array = make_recorded(cls, result, ctx, (op, tuple(origins), attrs, 0), tape)
                if shares:
                    related = array._role = Related.of(array._role)  # type: ignore[arg-type]
                    related.borrowed = True
                elif converts:
                    note_conversion(array, arrays[0])
                return array
        elif general is not None and not (result.requires_grad or result.is_floating_point()):
            return general(*arrays)
        return finish_call(op, arrays, attrs, result, tensors, cls, ctx)

    return settle


def _copy(op: Op, result: Tensor, tensors: Sequence[Tensor]) -> Tensor:
    """Copies a result that lies on the memory of an input."""
    try:
        return result.clone(memory_format=torch.contiguous_format)
    except KERNEL_ERRORS as error:  # there is not enough memory
        raise explain(op, tensors, error) from error


def _given(*values: Any) -> tuple[Any, ...]:
    """Returns the arguments that were given by position."""
    return tuple([value for value in values if value is not _ABSENT])


def _mixes(op: Op) -> bool:
    """Returns whether calls can mix dtypes that must not be mixed."""
    if op.strict_dtypes or op.variadic or len(op.inputs) < 2:
        return op.variadic and not op.strict_dtypes
    return len([item for item in op.inputs if item.name not in op.any_dtype]) > 1


def _find_states(op: Op) -> int:
    """Returns the place of the first state, which recorded graphs hold as a constant.

    It is negative for a kernel that changes other inputs than the last ones.
    """
    if op.mutates:
        return -1
    if not op.aux:
        return sys.maxsize
    place = len(op.inputs) - len(op.aux)
    return place if tuple([item.name for item in op.inputs[place:]]) == op.aux else -1


def _find_indices(op: Op) -> list[int]:
    """Returns the places of inputs like indices, which torch would not join to the graph.

    `tape.join_indices` does.
    """
    if op.aux or op.variadic or not op.any_dtype:
        return []
    return [place for place, item in enumerate(op.inputs) if item.name in op.any_dtype]
