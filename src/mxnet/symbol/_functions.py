"""Public functions on symbols, derived from operator declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from mxnet._formats import element_types
from mxnet._start import public_call
from mxnet.errors import ArgumentTypeError, MXNetError, UnsupportedTypeError
from mxnet.graph.ir import Entry, Node, hide_keys
from mxnet.ops.core.attrs import DType, Shape, codec_for, write
from mxnet.ops.core.public import LateSignature, take_options
from mxnet.ops.core.registry import Op
from mxnet.symbol._compose import make_node
from mxnet.symbol.symbol import Symbol, is_operand, remedy_for

Function: TypeAlias = Callable[..., Symbol]

_OPTIONS = ("name", "attr", "out")
_TYPE_CODECS = (codec_for(DType), codec_for(DType | None))
_INT_CODECS = tuple(codec_for(kind) for kind in (int, int | None, Shape, Shape | None))


def as_function(op: Op, public_name: str, module: str, cls: type[Symbol] = Symbol) -> Function:
    """Builds the function of an operator for one class of symbols."""
    hint = public_name.lower()
    function = public_call((_variadic if op.variadic else _general)(op, hint, cls))
    function.__name__ = function.__qualname__ = public_name
    function.__module__ = module
    function.__doc__ = op.doc
    function.__signature__ = LateSignature.of(op, cls, _OPTIONS)  # type: ignore[attr-defined]
    return function


def _entry(op: Op, label: str, value: Any, cls: type[Symbol]) -> Entry:
    if value.__class__ is cls and len(heads := value._graph.heads) == 1:
        only: Entry = heads[0]
        return only
    if not is_operand(value, cls):
        raise ArgumentTypeError(
            f"{op.name}: argument {label} must be {cls.__name__}, got "
            f"{type(value).__name__}{remedy_for(value, cls)}"
        )
    if len(value) != 1:
        raise MXNetError(
            f"{op.name}: argument {label} is {value!r} with {len(value)} outputs; pick one of them"
        )
    entry: Entry = value._heads[0]
    return entry


def _general(op: Op, hint: str, cls: type[Symbol]) -> Function:
    names = tuple(item.name for item in op.inputs)
    attr_names = tuple(op.attrs)
    limit = len(names) + len(attr_names)

    def call(
        *args: Any, name: str | None = None, attr: Any = None, out: Any = None, **kwargs: Any
    ) -> Symbol:
        if len(args) > limit:
            named = {"name": name, "attr": attr, "out": out}
            options = take_options(op, args[limit:], _OPTIONS, named)
            args, name, attr = args[:limit], options["name"], options["attr"]
        del out  # symbols are not written into
        given = dict(zip((*names, *attr_names), args, strict=False))
        twice = given.keys() & kwargs.keys()
        if twice:
            raise UnsupportedTypeError(f"{op.name}: got {', '.join(sorted(twice))} twice")
        given.update(kwargs)
        inputs = {
            key: _entry(op, key, given[key], cls) for key in names if given.get(key) is not None
        }
        attrs = {key: value for key, value in given.items() if key not in names}
        return cls._of_node(_make(op, hint, inputs, attrs, name, attr))

    return call


def _variadic(op: Op, hint: str, cls: type[Symbol]) -> Function:
    def call(
        *args: Any, name: str | None = None, attr: Any = None, out: Any = None, **kwargs: Any
    ) -> Symbol:
        del out
        named = {key: value for key, value in kwargs.items() if isinstance(value, Symbol)}
        if args and named:
            raise UnsupportedTypeError(
                f"{op.name}: takes its symbols by position or by name, got {', '.join(named)} too"
            )
        attrs = {key: value for key, value in kwargs.items() if key not in named}
        free = op.active_inputs or "device" in op.supplied or "num_args" in attrs
        if not (args or named or free):
            raise MXNetError(f"{op.name}: expects at least one input, got none")
        if named:
            inputs: Any = {key: _entry(op, key, value, cls) for key, value in named.items()}
        else:
            inputs = [_entry(op, f"arg{i}", value, cls) for i, value in enumerate(args)]
        if "num_args" in op.attrs:
            attrs.setdefault("num_args", len(inputs))
        return cls._of_node(_make(op, hint, inputs, attrs, name, attr))

    return call


def _make(
    op: Op,
    hint: str,
    inputs: Sequence[Entry] | Mapping[str, Entry],
    attrs: Mapping[str, Any],
    name: str | None,
    user_attrs: Any,
) -> Node:
    text: dict[str, str] = {}
    for key, value in attrs.items():
        declared = op.attrs.get(key)
        text[key] = _write(value, declared.codec.expects if declared is not None else "")
    return make_node(op, hint, inputs, hide_keys(text), name, user_attrs)


def _write(value: Any, expects: str) -> str:
    """Writes an attribute as a file has it: as it was given, types by their name."""
    if expects in _TYPE_WORDS and value not in (None, "None"):
        return element_types.element_type(value).name
    if value is None or value.__class__ is int or isinstance(value, str):
        return str(value)
    return write(_whole(value) if expects in _INT_WORDS else value)


def _whole(value: Any) -> Any:
    """Makes ints of whole numbers of other types, which the original does not read in a file."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_whole, value))
    if isinstance(value, (bool, float, np.floating)) and float(value).is_integer():
        return int(value)
    return value


_TYPE_WORDS = frozenset(codec.expects for codec in _TYPE_CODECS)
_INT_WORDS = frozenset(codec.expects for codec in _INT_CODECS)
