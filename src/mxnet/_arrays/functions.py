"""Public functions on arrays, derived from operator declarations.

Every function accepts what the original's does: arrays by position or name, then attributes by
position or name, then `out` and `name`. What a call comes to is remembered by how its attributes
were given, so that only the first of its form is parsed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeAlias

from mxnet._arrays.array import NO_ATTRS, Array, is_operand, remedy_for
from mxnet._arrays.invoke import invoke
from mxnet._arrays.straight import Known, count_plain, make_call
from mxnet._start import type_name
from mxnet._state import remember
from mxnet.context import Context, resolve
from mxnet.errors import ArgumentTypeError, MXNetError, UnsupportedTypeError
from mxnet.ops.core.attrs import is_constant
from mxnet.ops.core.public import LateSignature, advise_unpacking, take_options
from mxnet.ops.core.registry import MAX_CACHED_CALLS, Op

Function: TypeAlias = Callable[..., Any]

_OPTIONS = ("out", "name")
"""What can follow the attributes by position."""
_IGNORED = frozenset({"name", "attr"})
"""Arguments that mean something in a symbolic graph and nothing on arrays."""


def as_function(
    op: Op, public_name: str, cls: type[Array], module: str, renamed: Mapping[str, str] = NO_ATTRS
) -> Function:
    """Builds the function of an operator for one array class.

    Args:
        op: The operator.
        public_name: Name of the function.
        cls: Class of the arrays.
        module: Name of its module.
        renamed: Other names that it takes, with those of arrays and attributes.
    """
    # Attributes and a context by how they were given, of which they are a function: nothing
    # invalidates them.
    known: Known = {}
    has_form = op.variadic or (op.attrs and len(op.inputs) == 1 and not op.inputs[0].optional)
    count = None if has_form else count_plain(op)
    parse_call = _parse_variadic(op, cls, known) if op.variadic else _parse_call(op, cls, known)
    if renamed:
        parse_call = rename(parse_call, renamed)
    function = make_call(op, cls, parse_call, count, known=known)
    function.__name__ = function.__qualname__ = public_name
    function.__module__ = module
    function.__doc__ = op.doc
    function.__signature__ = LateSignature.of(op, cls, _OPTIONS)  # type: ignore[attr-defined]
    return function


def rename(function: Function, renamed: Mapping[str, str]) -> Function:
    """Returns a function that takes arguments under other names, too."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not renamed.keys().isdisjoint(kwargs):
            kwargs = {renamed.get(name, name): value for name, value in kwargs.items()}
        return function(*args, **kwargs)

    return call


def _parse_call(op: Op, cls: type[Array], known: Known | None) -> Function:
    """Builds the function that sorts out any call, and notes the plain ones in `known`, if any."""
    input_names = tuple([item.name for item in op.inputs])
    # No call for most of two thousand functions.
    attr_names = op.attrs_by_position(cls._is_np) if op.later_attrs else tuple(op.attrs)
    count = len(input_names)
    limit = count + len(attr_names)

    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if len(args) > limit:
            options = take_options(op, args[limit:], _OPTIONS, {"out": out})
            args, out = args[:limit], options["out"]
        inputs = list(args[:count])
        given = dict(kwargs)
        attrs = dict(zip(attr_names, args[count:], strict=False))
        _take_inputs(op, inputs, input_names, given)
        twice = attrs.keys() & given.keys()
        if twice:
            raise UnsupportedTypeError(f"{op.name}: got {', '.join(sorted(twice))} twice")
        attrs.update((name, value) for name, value in given.items() if name not in _IGNORED)
        ctx = _check_inputs(op, inputs, attrs, cls)
        parsed = op.parse_attrs(attrs)
        if op.active_inputs is not None:
            inputs = _assign_active(op, inputs, parsed)
        if known is None:
            return _invoke(op, inputs, parsed, cls, out, ctx)
        arrays, values = args[:count], (*args[count:], *kwargs.values())
        plain = len(values) == len(attrs) and _same(arrays, inputs)
        if plain and all(type(item) is cls for item in arrays) and _are_constant(values):
            key = (len(args), *args[count:], *kwargs, *kwargs.values())
            found = (parsed, ctx if "ctx" in attrs else None)
            remember(known, key, found, MAX_CACHED_CALLS)
        return _invoke(op, inputs, parsed, cls, out, ctx)

    return call


def _are_constant(values: Iterable[Any]) -> bool:
    """Returns whether values of attributes never change, so that what they mean can be kept."""
    return all(is_constant(value) or isinstance(value, Context) for value in values)


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


def _take_inputs(op: Op, inputs: list[Any], names: Sequence[str], kwargs: dict[str, Any]) -> None:
    """Moves arrays that were given by name to their position."""
    for position, name in enumerate(names):
        if name in kwargs:
            inputs.extend([None] * (position + 1 - len(inputs)))
            if inputs[position] is not None:
                raise UnsupportedTypeError(f"{op.name}: got {name} twice")
            inputs[position] = kwargs.pop(name)


def _check_inputs(
    op: Op, inputs: Sequence[Any], attrs: dict[str, Any], cls: type[Array]
) -> Context | None:
    """Checks the arrays of a call; returns the context if there is no array to take it from."""
    for position, value in enumerate(inputs):
        if value is not None and not is_operand(value, cls):
            name = op.inputs[0 if op.variadic else position].name
            remedy = advise_unpacking(op, value, Array) or remedy_for(value, cls)
            raise ArgumentTypeError(
                f"{op.name}: argument {name} must be {cls.__name__}, got {type_name(value)}{remedy}"
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
    if given:
        if isinstance(attrs.get("ctx"), Context):
            attrs["ctx"] = str(attrs["ctx"])
        return None
    return _context_attr(attrs)


def _context_attr(attrs: dict[str, Any]) -> Context:
    """Reads the `ctx` of a creation operator, which may be a context or its printed form."""
    given = attrs.pop("ctx", None)
    ctx = resolve(given or None)
    if given:
        attrs["ctx"] = str(ctx)
    return ctx


def _parse_variadic(op: Op, cls: type[Array], known: Known) -> Function:
    """Builds what `_parse_call` builds, for an operator of any number of arrays."""
    is_counted = "num_args" in op.attrs  # the kernel has to know it, or it is not that of arrays

    def call(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        attrs = {k: v for k, v in kwargs.items() if k not in _IGNORED and k != "num_args"}
        plain = args and not op.open_attrs and len(attrs) == len(kwargs)
        if is_counted:
            attrs["num_args"] = kwargs.get("num_args", len(args))
        ctx = _check_inputs(op, args, attrs, cls)
        parsed = op.parse_attrs(attrs)
        if plain and _are_constant(kwargs.values()):
            key = (len(args), *kwargs, *kwargs.values())
            remember(known, key, (parsed, None), MAX_CACHED_CALLS)
        return _invoke(op, args, parsed, cls, out, ctx)

    return call
