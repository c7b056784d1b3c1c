"""How nodes are made: inputs that are not given, names, attributes; graphs put into graphs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from mxnet import limits
from mxnet._dtypes import name_of
from mxnet.attribute import AttrScope
from mxnet.errors import AttributeValueError, MXNetError, UnsupportedTypeError
from mxnet.graph.graph import Graph
from mxnet.graph.node import Entry, Node, hide, is_user_key
from mxnet.graph.rewrite import rewrite
from mxnet.name import NameManager
from mxnet.ops.core.precision import AMP_CAST, AMP_MULTICAST, in_force, is_kept
from mxnet.ops.core.registry import Op

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
    scoped = AttrScope._current.value.get(user_attrs)
    given = _in_order(op, attrs, scoped)
    # A call that fails has used up a name too.
    node_name = NameManager._current.value.get(name, hint)
    if not isinstance(node_name, str):
        raise UnsupportedTypeError(f"{op.name}: name takes a str, got {node_name!r}")
    node = Node(op, node_name, {hide(key): str(value) for key, value in given.items()})
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
    dtype = {"dtype": name_of(rule.dtype)}
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
    """Tells variables that an operator starts in a certain way how to, if nobody else did."""
    if not op.traits.variables.initializers:
        return
    for key, entry in zip(node.input_names, node.inputs, strict=True):
        initializer = op.traits.variables.initializers.get(key)
        if initializer is not None and entry.node.op is None:
            entry.node.attrs.setdefault("__init__", initializer)


def substitute(
    graph: Graph,
    given: Mapping[str, Entry],
    *,
    skip_casts: bool = False,
    copy_variables: bool = False,
) -> Graph:
    """Copies a graph with other outputs in the place of some variables.

    Args:
        graph: The graph.
        given: What replaces variables, by name.
        skip_casts: Whether to leave out the casts of mixed precision, except as outputs of the
            graph; each output stands for the input at the same place.
        copy_variables: Whether variables are copied too; shared ones stay one parameter.
    """

    def copy(node: Node, inputs: list[Entry]) -> Node | list[Entry]:
        if node.op is not None:
            read = [_before_casts(entry) for entry in inputs] if skip_casts else inputs
            return Node(node.op, node.name, node.attrs, read)
        if node.name in given:
            return [given[node.name]]
        return Node(None, node.name, node.attrs) if copy_variables else node

    return rewrite(graph, copy)


def _before_casts(entry: Entry) -> Entry:
    """Returns what the casts of mixed precision have made an entry of."""
    while entry.node.op is not None and entry.node.op.traits.types.casts_precision:
        entry = entry.node.inputs[entry.output]
    return entry
