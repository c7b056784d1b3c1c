"""Graphs made from graphs: each node is mapped to another one, and what stays is shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from mxnet.errors import MXNetError
from mxnet.graph.graph import Graph
from mxnet.graph.node import Entry, Node

Change: TypeAlias = Callable[[Node, list[Entry]], "Node | Sequence[Entry] | None"]
"""Takes a node and what it reads in the new graph, and returns what stands in its place.

That is a node, or an entry for each output of the node, or None to keep the node: it is copied then
if it reads something new, and shared with the old graph if not.
"""


def rewrite(graph: Graph, change: Change) -> Graph:
    """Returns a graph in which other nodes stand in the place of some.

    The graph itself stays as it is; nodes that are not changed belong to both.

    Args:
        graph: The graph.
        change: Called once with each node, after those that it reads.

    Raises:
        MXNetError: if an output is read in whose place nothing stands.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.graph.node import Node
        >>> from mxnet.ops.core.registry import get_op
        >>> def sigmoid_for_relu(node, inputs):
        ...     if node.op is not None and node.op.name == "relu":
        ...         return Node(get_op("sigmoid"), node.name, node.attrs, inputs)
        ...     return None
        >>> net = mx.sym.relu(mx.sym.var("x"), name="act")
        >>> rewrite(net._graph, sigmoid_for_relu).heads[0].node.op.name
        'sigmoid'
    """
    places: dict[Node, Node | Sequence[Entry]] = {}

    def find(entry: Entry) -> Entry:
        place = places[entry.node]
        if place is entry.node:
            return entry
        if isinstance(place, Node):
            return Entry(place, entry.output)
        if entry.output >= len(place):
            raise MXNetError(
                f"rewrite: output {entry.output} of {entry.node.name!r} is read, but there are "
                f"only {len(place)} outputs in its place"
            )
        return place[entry.output]

    for node in graph.nodes:
        inputs = [find(entry) for entry in node.inputs]
        place = change(node, inputs)
        if place is None:
            changed = any(new is not old for new, old in zip(inputs, node.inputs, strict=True))
            place = Node(node.op, node.name, node.attrs, inputs) if changed else node
        places[node] = place
    heads = [find(head) for head in graph.heads]
    unchanged = all(new is old for new, old in zip(heads, graph.heads, strict=True))
    return graph if unchanged else Graph(heads)
