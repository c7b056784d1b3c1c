"""Public functions on arrays, derived from operator declarations.

Every function accepts what the original's does: arrays by position or name, then attributes by
position or name, `out=` and `name=`. Operators of one or two arrays without attributes get a
closure with nothing to parse, because a small operator costs little more than its dispatch.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mxnet._array import Array, finish, is_operand, new, origin_of, remedy_for
from mxnet._bounded import remember
from mxnet._invoke import invoke
from mxnet._roles import NO_ATTRS
from mxnet.context import Context, resolve
from mxnet.errors import ArgumentTypeError, MXNetError, UnsupportedTypeError
from mxnet.ops.attrs import is_constant
from mxnet.ops.failures import KERNEL_ERRORS, explain
from mxnet.ops.public import LateSignature
from mxnet.ops.registry import MAX_CACHED_CALLS, Op

Function: TypeAlias = Callable[..., Any]

_IGNORED = frozenset({"name", "attr"})
"""Arguments that mean something in a symbolic graph and nothing on arrays."""


def as_function(op: Op, public_name: str, cls: type[Array], module: str) -> Function:
    """Builds the function of an operator for one array class."""
    function = _variadic(op, cls) if op.variadic else with_fast_path(op, cls, _general(op, cls))
    function.__name__ = function.__qualname__ = public_name
    function.__module__ = module
    function.__doc__ = op.doc
    function.__signature__ = LateSignature.of(op, cls, ("out", "name"))  # type: ignore[attr-defined]
    return function


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


def _general(op: Op, cls: type[Array]) -> Function:
    count = len(op.inputs)
    # Attributes by how they were given, of which they are a function: nothing invalidates them.
    known: dict[Any, dict[str, Any]] = {}
    parse_call = _parse_call(op, cls, known)

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > count:
            return parse_call(*args, **kwargs)
        while args and args[-1] is None:
            args = args[:-1]
        kwargs.pop("name", None)  # only graphs have names
        if "out" in kwargs and kwargs["out"] is None:
            del kwargs["out"]
        try:
            attrs = known.get((len(args), *kwargs.items()))
        except TypeError:  # a list among the attributes
            attrs = None
        if attrs is None:
            return parse_call(*args, **kwargs)
        for array in args:
            if type(array) is not cls:
                return parse_call(*args, **kwargs)
        if not args:
            return invoke(op, args, attrs, cls, ctx=resolve(None))
        return invoke(op, args, attrs, cls)

    return call


def _parse_call(op: Op, cls: type[Array], known: dict[Any, dict[str, Any]]) -> Function:
    """Builds the function that sorts out any call, and notes the plain ones in `known`."""
    input_names = tuple(item.name for item in op.inputs)
    attr_names = tuple(op.attrs)
    count = len(input_names)
    limit = count + len(attr_names)

    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if len(args) > limit:
            raise UnsupportedTypeError(
                f"{op.name}: takes at most {limit} arguments, got {len(args)}"
            )
        inputs = list(args[:count])
        given = dict(kwargs)
        attrs = dict(zip(attr_names, args[count:], strict=False))
        _take_inputs(inputs, input_names, given)
        twice = attrs.keys() & given.keys()
        if twice:
            raise UnsupportedTypeError(f"{op.name}: got {', '.join(sorted(twice))} twice")
        attrs.update((name, value) for name, value in given.items() if name not in _IGNORED)
        ctx = _check_inputs(op, inputs, attrs, cls)
        parsed = op.parse_attrs(attrs)
        if op.active_inputs is not None:
            inputs = _assign_active(op, inputs, parsed)
        plain = out is None and attrs == kwargs and _same(args, inputs) and "ctx" not in attrs
        plain = plain and all(type(item) is cls for item in args)
        if plain and all(map(is_constant, kwargs.values())):
            remember(known, (len(args), *kwargs.items()), parsed, MAX_CACHED_CALLS)
        return _invoke(op, inputs, parsed, cls, out, ctx)

    return call


def _invoke(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: dict[str, Any],
    cls: type[Array],
    out: Any,
    ctx: Context | None,
) -> Any:
    """Runs an operator, in the way of an input's class if that has one."""
    for item in inputs:
        if item is not None and item._override is not None:
            return item._override(op, inputs, attrs, cls, out=out, ctx=ctx)
    return invoke(op, inputs, attrs, cls, out=out, ctx=ctx)


def _assign_active(
    op: Op, inputs: Sequence[Array | None], parsed: dict[str, Any]
) -> list[Array | None]:
    """Assigns each array to the next input that these attributes switch on.

    So `CTCLoss(data, label, lengths, use_label_lengths=True)` gets its lengths, whichever they are.
    """
    given = [item for item in inputs if item is not None]
    active = op.input_names(parsed)
    if len(given) != len(active):
        raise MXNetError(
            f"{op.name}: expects {len(active)} inputs ({', '.join(active)}), got {len(given)}"
        )
    by_name = dict(zip(active, given, strict=True))
    assigned = [by_name.get(item.name) for item in op.inputs]
    while assigned and assigned[-1] is None:
        assigned.pop()
    return assigned


def _same(args: Sequence[Any], inputs: Sequence[Any]) -> bool:
    return len(args) == len(inputs) and all(map(operator.is_, args, inputs))


def _take_inputs(inputs: list[Any], names: Sequence[str], kwargs: dict[str, Any]) -> None:
    """Moves arrays that were given by name to their position."""
    for position, name in enumerate(names):
        if name in kwargs:
            inputs.extend([None] * (position + 1 - len(inputs)))
            inputs[position] = kwargs.pop(name)


def _check_inputs(
    op: Op, inputs: Sequence[Any], attrs: dict[str, Any], cls: type[Array]
) -> Context | None:
    """Checks the arrays of a call; returns the context if there is no array to take it from."""
    for position, value in enumerate(inputs):
        if value is not None and not is_operand(value, cls):
            name = op.inputs[0 if op.variadic else position].name
            raise ArgumentTypeError(
                f"{op.name}: argument {name} must be {cls.__name__}, got "
                f"{type(value).__name__}{remedy_for(value, cls)}"
            )
    given = sum(value is not None for value in inputs)
    if op.variadic:
        if not given and "device" not in op.supplied:
            raise MXNetError(f"{op.name}: expects at least one input, got none")
        return None if given else resolve(None)
    for position, item in enumerate(op.inputs):
        if not item.optional and (position >= len(inputs) or inputs[position] is None):
            required = sum(not each.optional for each in op.inputs)
            raise MXNetError(
                f"{op.name}: expects {required} inputs, got {given}; `{item.name}` is missing"
            )
    return None if given else _context_attr(attrs)


def _context_attr(attrs: dict[str, Any]) -> Context:
    """Reads the `ctx` of a creation operator, which may be a context or its printed form."""
    given = attrs.pop("ctx", None)
    ctx = resolve(given or None)
    if given:
        attrs["ctx"] = str(ctx)
    return ctx


def _variadic(op: Op, cls: type[Array]) -> Function:
    is_counted = "num_args" in op.attrs  # the number of arrays is that of the outputs, too

    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        attrs = {k: v for k, v in kwargs.items() if k not in _IGNORED and k != "num_args"}
        if is_counted:
            attrs["num_args"] = len(args)
        ctx = _check_inputs(op, args, attrs, cls)
        return _invoke(op, args, op.parse_attrs(attrs), cls, out, ctx)

    return call
