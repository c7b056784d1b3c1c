"""Public functions on symbols: those of declared operators, variables, groups and constants."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from mxnet import limits
from mxnet._formats import element_types
from mxnet._start import expand, public_call, type_name
from mxnet.attribute import AttrScope
from mxnet.errors import ArgumentTypeError, AttributeValueError, MXNetError, UnsupportedTypeError
from mxnet.graph.ir import Entry, Node, hide_keys, is_user_key
from mxnet.name import NameManager
from mxnet.ops.core.attrs import DType, Shape, codec_for, write
from mxnet.ops.core.precision import AMP_CAST, AMP_MULTICAST, in_force, is_kept
from mxnet.ops.core.public import LateSignature, PublicFunctions, advise_unpacking, take_options
from mxnet.ops.core.registry import Op, get_op
from mxnet.ops.core.scalars import as_number
from mxnet.ops.core.spellings import CLASSIC, SPARSE_CONTRIB
from mxnet.symbol.symbol import Symbol, is_operand, remedy_for

Function: TypeAlias = Callable[..., Symbol]

_OPTIONS = ("name", "attr", "out")
_TYPE_CODECS = (codec_for(DType), codec_for(DType | None))
_INT_CODECS = tuple(codec_for(kind) for kind in (int, int | None, Shape, Shape | None))


def as_function(op: Op, public_name: str, module: str, cls: type[Symbol] = Symbol) -> Function:
    """Builds the function of an operator for one class of symbols."""
    hint = public_name.lower()
    function = (_variadic if op.variadic else _general)(op, hint, cls)
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
        remedy = advise_unpacking(op, value, Symbol) or remedy_for(value, cls)
        raise ArgumentTypeError(
            f"{op.name}: argument {label} must be {cls.__name__}, got {type_name(value)}{remedy}"
        )
    if len(value) != 1:
        raise MXNetError(
            f"{op.name}: argument {label} is {value!r} with {len(value)} outputs; pick one of them"
        )
    entry: Entry = value._heads[0]
    return entry


@expand
def _general(op: Op, hint: str, cls: type[Symbol]) -> Function:
    names = tuple([item.name for item in op.inputs])
    # No call for most of two thousand functions.
    attr_names = op.attrs_by_position(cls._is_np) if op.later_attrs else tuple(op.attrs)
    limit = len(names) + len(attr_names)

    @public_call
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
        if not attrs.keys() <= op.attrs.keys():
            attrs = _without_symbols(op, attrs)
        return cls._of_node(_make(op, hint, inputs, attrs, name, attr))

    return call


def _without_symbols(op: Op, attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the attributes of a call without symbols under names that an operator does not know.

    An operator that takes no symbols at all leaves them out of the graph, as the original does:
    `random.randn` gets `data` where a program calls it like `random.normal_like`.
    """
    extra = [key for key in attrs if key not in op.attrs and isinstance(attrs[key], Symbol)]
    if extra and op.inputs:
        known = ", ".join(item.name for item in op.inputs)
        raise MXNetError(f"{op.name}: takes {known}, got a symbol for {extra[0]!r}")
    return {key: value for key, value in attrs.items() if key not in extra}


@expand
def _variadic(op: Op, hint: str, cls: type[Symbol]) -> Function:
    @public_call
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


_COUNTS = frozenset({"num_arrays", "num_outputs", "num_tensors", "num_weights"})
"""Attributes that tell the number of inputs where `num_args` does not."""


def make_node(
    op: Op,
    hint: str,
    inputs: Sequence[Entry | None] | Mapping[str, Entry],
    attrs: Mapping[str, str],
    name: str | None,
    user_attrs: Mapping[str, str] | None,
) -> Node:
    """Makes the node of a call.

    Args:
        op: The operator.
        hint: What an automatic name starts with.
        inputs: What it reads, in order or by name; what is missing becomes a variable.
        attrs: Attributes of the operator, as strings.
        name: Name that the user wants.
        user_attrs: Attributes that the user adds.
    """
    scoped = _in_scope(user_attrs)
    given = _in_order(op, attrs, scoped)
    # A call that fails has used up a name too.
    node_name = NameManager._current.value.get(name, hint)
    if not isinstance(node_name, str):
        raise UnsupportedTypeError(f"{op.name}: name takes a str, got {node_name!r}")
    node = Node(op, node_name, hide_keys({key: str(value) for key, value in given.items()}))
    known = node.named_inputs if op.variadic else node.input_names  # checks the attributes
    if attrs and not op.attrs and not op.variadic:
        # Files may have attributes where an operator takes none; in a program it is a mistake.
        op.parse_attrs({key: value for key, value in attrs.items() if not is_user_key(key)})
    if op.variadic and not op.traits.runs_program:
        count = node.attrs.get("num_args", str(len(inputs)))
        if not _COUNTS & op.attrs.keys():
            node.attrs["num_args"] = count
        known = known or _numbered(op, count)
    if not isinstance(inputs, Mapping):
        if len(inputs) > len(known):
            raise MXNetError(f"{op.name}: takes {len(known)} inputs, got {len(inputs)}")
        inputs = {key: entry for key, entry in zip(known, inputs, strict=False) if entry}
    in_use = frozenset(known)
    for key in inputs:
        if key not in in_use:
            raise MXNetError(
                f"{op.name}: input {key!r} is not in use here; takes {', '.join(known)}"
            )
    # A variable that is made for an input has the attributes of its node.
    node.inputs = [
        inputs.get(key) or Entry(Node(None, f"{node.name}_{key}", node.attrs)) for key in known
    ]
    _set_initializers(node, op)
    if in_force:
        _follow_policy(node, op, inputs)
    return node


class AtomicSymbol(Symbol):
    """An operator with its attributes and nothing to read yet; a call of it makes a node.

    Args:
        symbol: Has the operator and the attributes.

    Raises:
        MXNetError: if the symbol is a variable.
    """

    __slots__ = ("_made", "_op")

    def __init__(self, symbol: Symbol) -> None:
        node = symbol._heads[0].node
        if node.op is None:
            raise MXNetError(f"_gen_atomic_symbol: {symbol!r} is a variable, which has no operator")
        atom = Node(node.op, "", node.attrs)
        super().__init__([Entry(atom, index) for index in range(atom.num_outputs)])
        self._made, self._op = type(symbol), node.op

    def __call__(self, /, *args: Any, name: str | None = None, **kwargs: Any) -> Symbol:
        """Returns the outputs of the operator on symbols.

        Args:
            *args: What it reads, in order.
            name: Name of the node.
            **kwargs: What it reads, by name.
        """
        atom = self._heads[0].node
        op = self._op
        if args and kwargs:
            raise UnsupportedTypeError("compose: symbols are given by position or by name")
        inputs: Any = [_entry(op, f"arg{i}", item, self._made) for i, item in enumerate(args)]
        if kwargs:
            inputs = {key: _entry(op, key, item, self._made) for key, item in kwargs.items()}
        return self._made._of_node(make_node(op, op.name.lower(), inputs, atom.attrs, name, None))


def _in_scope(attrs: Mapping[str, str] | None) -> dict[str, str]:
    """Returns the attributes of a symbol: those of the scope that it is made in, and its own."""
    scope: AttrScope = AttrScope._current.value
    if attrs is None and scope.__class__ is AttrScope and not scope._attr:
        return {}
    return scope.get(attrs)


def _follow_policy(node: Node, op: Op, given: Collection[str]) -> None:
    """Adds the conversions of mixed precision in front of a node.

    Args:
        node: The node.
        op: Its operator.
        given: Names of the inputs that the caller gave; others are new variables.
    """
    policy = in_force[0]
    if op in policy.losses:
        policy.warn(op.name)
    rule = policy.rule_for(op, node.parsed)
    if rule is None:
        return
    names = node.input_names
    if rule.dtype is None:
        places = [place for place, name in enumerate(names) if name in given]
        if not places:
            return
        count = {"num_outputs": str(len(places))}
        found = [node.inputs[place] for place in places]
        casts = make_node(AMP_MULTICAST, AMP_MULTICAST.name, found, count, None, None)
        for output, place in enumerate(places):
            node.inputs[place] = Entry(casts, output)
        return
    dtype = {"dtype": element_types.name_of(rule.dtype)}
    for place, (name, entry) in enumerate(zip(names, node.inputs, strict=True)):
        if not (node.updates(place) or is_kept(op, rule, name)):
            cast = make_node(AMP_CAST, AMP_CAST.name, [entry], dtype, None, None)
            node.inputs[place] = Entry(cast)


@lru_cache(maxsize=1024)  # operators do not change
def _order_of(op: Op) -> tuple[str, ...]:
    return tuple(sorted(op.attrs, key="dtype".__eq__))


def _in_order(op: Op, attrs: Mapping[str, str], scoped: Mapping[str, str]) -> dict[str, str]:
    """Joins attributes in the order of the original.

    Those of the operator come last, in the order of its signature but for a `dtype` at the end.
    """
    if op.variadic:
        return {**attrs, **scoped}
    if not attrs:
        return dict(scoped)
    known = _order_of(op)
    declared = {key: attrs[key] for key in known if key in attrs and key not in scoped}
    others = {key: value for key, value in attrs.items() if key not in declared}
    return {**others, **scoped, **declared}


def _numbered(op: Op, count: str) -> tuple[str, ...]:
    """Returns the names of the inputs of an operator of any number."""
    if not count.isdigit():
        raise AttributeValueError(f"{op.name}: num_args takes a number, got {count!r}")
    limits.check("node_inputs", int(count), f"{op.name}: attribute `num_args`")
    return tuple(f"arg{position}" for position in range(int(count)))


def _set_initializers(node: Node, op: Op) -> None:
    """Sets the initializers that an operator declares on its variables that have none."""
    if not op.traits.variables.initializers:
        return
    for key, entry in zip(node.input_names, node.inputs, strict=True):
        initializer = op.traits.variables.initializers.get(key)
        if initializer is not None and entry.node.op is None:
            entry.node.attrs.setdefault("__init__", initializer)


FUNCTIONS = PublicFunctions(CLASSIC, "mxnet.symbol", as_function)
populate = FUNCTIONS.populate


def make_sparse_functions(module: str) -> dict[str, Callable[..., Any]]:
    """Returns the functions of `mx.sym.sparse`, which is the given module, by name."""
    own = {
        name: as_function(get_op(f"_sparse_{name}"), name, module) for name in CLASSIC.sparse_own
    }
    shared = {name: FUNCTIONS["op"][name] for name in CLASSIC.sparse}
    shared |= {f"_contrib_{name}": FUNCTIONS["contrib"][name] for name in SPARSE_CONTRIB}
    return dict(sorted({**shared, **own}.items()))


_STORAGE_CODES = {"default": "0", "row_sparse": "1", "csr": "2"}


def var(
    name: str,
    attr: Mapping[str, str] | None = None,
    shape: Sequence[int] | None = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    profiler_scope: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Makes a variable: a named input of a graph.

    Args:
        name: Name of the variable.
        attr: Attributes, strings by name.
        shape: Shape; 0 stands for an unknown length.
        lr_mult: Factor on the learning rate.
        wd_mult: Factor on the weight decay.
        dtype: Element type.
        init: Initializer, or its name.
        stype: Storage type.
        profiler_scope: Scope in which a profiler counts its memory, the attribute
            `__profiler_scope__`.
        **kwargs: More attributes, of names between double underscores.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x", shape=(2, 3))
        >>> print(x.name, (x + 1).infer_shape()[1])
        x [(2, 3)]
    """
    if not isinstance(name, str):
        raise UnsupportedTypeError(f"var: a name is a string, got {name!r}")
    attrs = _in_scope(attr)
    for key, value in attrs.items():
        if not isinstance(value, str):
            raise AttributeValueError(f"var: attribute {key} takes a string, got {value!r}")
    given = (("__shape__", shape), ("__lr_mult__", lr_mult), ("__wd_mult__", wd_mult))
    attrs.update([(key, write(number)) for key, number in given if number is not None])
    if dtype is not None:
        attrs["__dtype__"] = str(element_types.element_type(dtype).code)
    if init is not None:
        attrs["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        attrs["__storage_type__"] = _STORAGE_CODES[stype]
    if profiler_scope is not None:
        kwargs["__profiler_scope__"] = profiler_scope
    for key, value in kwargs.items():
        if not is_user_key(key):
            raise AttributeValueError(
                f"var: attribute {key} is not known; names of one's own begin and end with __"
            )
        attrs[key] = write(value)
    return Symbol([Entry(Node(None, name, hide_keys(attrs)))])


Variable = var


def Group(  # noqa: N802 - the name the interface gives
    symbols: Sequence[Symbol], create_fn: type[Symbol] = Symbol
) -> Symbol:
    """Joins symbols to one with all their outputs.

    Args:
        symbols: The symbols.
        create_fn: Class of the result.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> both = mx.sym.Group([mx.sym.exp(x, name="e"), mx.sym.log(x, name="l")])
        >>> print(both.list_outputs())
        ['e_output', 'l_output']
    """
    listed = list(symbols) if symbols is not None else []
    if not listed or not all(isinstance(item, Symbol) for item in listed):
        raise UnsupportedTypeError("Group: takes a list of symbols")
    return create_fn([head for item in listed for head in item._heads])


def zeros(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a constant of zeros.

    Example:
        >>> import mxnet as mx
        >>> print(mx.sym.zeros((2,)).eval()[0].asnumpy())
        [0. 0.]
    """
    return FUNCTIONS["_internal"]["_zeros"](shape=shape, dtype=dtype or "float32", **kwargs)


def ones(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a constant of ones.

    Example:
        >>> import mxnet as mx
        >>> print(mx.sym.ones((2,)).eval()[0].asnumpy())
        [1. 1.]
    """
    return FUNCTIONS["_internal"]["_ones"](shape=shape, dtype=dtype or "float32", **kwargs)


def full(shape: Any, val: float, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a constant of one value.

    Example:
        >>> import mxnet as mx
        >>> print(mx.sym.full((2,), 7).eval()[0].asnumpy())
        [7. 7.]
    """
    create = FUNCTIONS["_internal"]["_full"]
    return create(shape=shape, dtype=dtype or "float32", value=as_number(val), **kwargs)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """Makes evenly spaced values; see `mx.nd.arange`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.sym.arange(0, 6, 2).eval()[0].asnumpy())
        [0. 2. 4.]
    """
    return FUNCTIONS["_internal"]["_arange"](
        start=start,
        stop=stop,
        step=step,
        repeat=repeat,
        infer_range=infer_range,
        name=name,
        dtype=dtype or "float32",
    )


def eye(N: int, M: int = 0, k: int = 0, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a matrix with ones on a diagonal; see `mx.nd.eye`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.sym.eye(2, 3).eval()[0].asnumpy())
        [[1. 0. 0.]
         [0. 1. 0.]]
    """
    return FUNCTIONS["_internal"]["_eye"](N=N, M=M, k=k, dtype=dtype or "float32", **kwargs)


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """Makes a number of evenly spaced values; see `mx.nd.linspace`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.sym.linspace(0, 1, 5).eval()[0].asnumpy())
        [0.   0.25 0.5  0.75 1.  ]
    """
    return FUNCTIONS["_internal"]["_linspace"](
        start=start, stop=stop, num=num, endpoint=endpoint, name=name, dtype=dtype or "float32"
    )


@public_call  # also a method
def split_v2(
    ary: Symbol, indices_or_sections: int | Sequence[int], axis: int = 0, squeeze_axis: bool = False
) -> Symbol:
    """Splits into parts along an axis; see `mx.nd.split_v2`.

    Example:
        >>> import mxnet as mx
        >>> parts = mx.sym.split_v2(mx.sym.var("x"), (1, 4))
        >>> print([part.shape for part in parts.eval(x=mx.nd.arange(6))])
        [(1,), (3,), (2,)]
    """
    if isinstance(indices_or_sections, int):
        indices, sections = [], indices_or_sections
    else:
        indices, sections = [0, *indices_or_sections], 0
    split = FUNCTIONS["_internal"]["_split_v2"]
    return split(ary, indices=indices, axis=axis, squeeze_axis=squeeze_axis, sections=sections)


def histogram(a: Symbol, bins: Any = 10, range: Any = None, **kwargs: Any) -> Symbol:
    """Counts the elements in each of several intervals; see `mx.nd.histogram`.

    Args:
        a: The elements.
        bins: Number of intervals, or a symbol of their borders.
        range: Lower and upper limit, needed with a number of intervals.
        **kwargs: `name` and `attr` of the node.

    Example:
        >>> import mxnet as mx
        >>> counts = mx.sym.histogram(mx.sym.var("x"), bins=3, range=(0, 6))[0]
        >>> print(counts.eval(x=mx.nd.array([1, 2, 2, 4]))[0].asnumpy())
        [1 2 1]
    """
    count = FUNCTIONS["_internal"]["_histogram"]
    if isinstance(bins, Symbol):
        return count(a, bins, **kwargs)
    if not isinstance(bins, int) or range is None:
        raise AttributeValueError(
            f"histogram: bins takes a symbol, or an int along with a range, got {bins!r}, {range!r}"
        )
    return count(a, bin_cnt=bins, range=range, **kwargs)
