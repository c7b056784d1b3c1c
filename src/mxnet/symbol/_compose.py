"""How nodes are made: inputs that are not given, names, attributes; graphs put into graphs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from mxnet.attribute import AttrScope
from mxnet.errors import MXNetError
from mxnet.graph.json import default_initializer
from mxnet.graph.node import Entry, Node, hide, sort_nodes
from mxnet.name import NameManager
from mxnet.ops.registry import Op


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
        inputs: What it reads: a list for an operator of any number, else by name.
        attrs: Attributes of the operator, as strings.
        name: Name that the user wants.
        user_attrs: Attributes that the user adds.
    """
    merged = {hide(key): value for key, value in AttrScope._current.value.get(user_attrs).items()}
    node = Node(op, "", merged | dict(attrs))
    node.name = hint
    known = node.input_names if not op.variadic else ()  # checks the attributes
    node.name = NameManager._current.value.get(name, hint)
    if not isinstance(inputs, Mapping):
        node.inputs = [entry for entry in inputs if entry is not None]
        node.attrs.setdefault("num_args", str(len(node.inputs)))
        return node
    for key in inputs:
        if key not in known:
            raise MXNetError(
                f"{op.name}: input {key!r} is not in use here; takes {', '.join(known)}"
            )
    node.inputs = [inputs.get(key) or Entry(_missing(node, op, key)) for key in known]
    return node


def _missing(node: Node, op: Op, key: str) -> Node:
    """Makes the variable of an input that was not given; it has the attributes of its node."""
    variable = Node(None, f"{node.name}_{key}", node.attrs)
    initializer = default_initializer(op, key)
    if initializer is not None:
        variable.attrs.setdefault("__init__", initializer)
    return variable


def substitute(
    heads: Sequence[Entry],
    given: Mapping[str, Entry],
    *,
    skip: Collection[str] = (),
    copy_variables: bool = False,
) -> list[Entry]:
    """Copies a graph with other outputs in the place of some variables.

    Args:
        heads: Outputs of the graph.
        given: What replaces variables, by name.
        skip: Operators to leave out; each output stands for the input at the same place.
        copy_variables: Whether variables are copied too; shared ones stay one parameter.
    """
    copies: dict[Node, Node] = {}
    replaced: dict[Entry, Entry] = {}

    def find(entry: Entry) -> Entry:
        other = replaced.get(entry)
        return other if other is not None else Entry(copies[entry.node], entry.output)

    for node in sort_nodes(heads):
        if node.op is None and node.name in given:
            replaced[Entry(node)] = given[node.name]
            continue
        inputs = [find(entry) for entry in node.inputs]
        if node.op is not None and node.op.name in skip:
            replaced.update((Entry(node, index), entry) for index, entry in enumerate(inputs))
            continue
        shared = node.op is None and not copy_variables
        copies[node] = node if shared else Node(node.op, node.name, node.attrs, inputs)
    return [find(head) for head in heads]
