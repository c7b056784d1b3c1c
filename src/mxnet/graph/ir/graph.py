"""Graphs: outputs of nodes with what follows from them, and graphs made of other graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from mxnet.errors import MXNetError
from mxnet.graph.ir.node import Entry, Node, NodeList, find_auxiliary, sort_nodes


class Graph:
    """Outputs of nodes and all nodes under them.

    A graph does not change: what nodes read is fixed when they are made, so that their order holds.
    Attributes of a node may change (`Symbol._set_attr`), and with them which of the variables are
    auxiliary states; these are looked up again then.

    Args:
        heads: The outputs.
    """

    __slots__ = ("__weakref__", "_inputs", "_nodes", "_variables", "heads")

    def __init__(self, heads: Iterable[Entry]) -> None:
        self.heads = tuple(heads)
        self._nodes: NodeList | None = None
        self._inputs: list[Node] | None = None
        self._variables: tuple[int, list[Node], list[Node]] | None = None

    @property
    def nodes(self) -> NodeList:
        """Nodes, each after what it reads."""
        nodes = self._nodes
        if nodes is None:
            nodes = self._nodes = sort_nodes(self.heads)
        return nodes

    @property
    def inputs(self) -> list[Node]:
        """The variables, auxiliary states among them, as nodes read them first."""
        inputs = self._inputs
        if inputs is None:
            inputs = self._inputs = self.nodes.variables
        return inputs

    @property
    def variables(self) -> tuple[list[Node], list[Node]]:
        """The variables that are arguments, and those that are auxiliary states."""
        known = self._variables
        if known is None or known[0] != Node.revision:
            revision, states = Node.revision, find_auxiliary(self.nodes)
            inputs = self.inputs
            known = self._variables = (
                revision,
                [node for node in inputs if node not in states],
                [node for node in inputs if node in states],
            )
        return known[1], known[2]

    @property
    def input_names(self) -> list[str]:
        """Names of all variables."""
        return [node.name for node in self.inputs]

    @property
    def argument_names(self) -> list[str]:
        """Names of the variables that are not auxiliary states."""
        return [node.name for node in self.variables[0]]

    @property
    def state_names(self) -> list[str]:
        """Names of the variables that operators update, such as moving averages."""
        return [node.name for node in self.variables[1]]

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        return [head.node.output_name(head.output) for head in self.heads]


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
        >>> from mxnet.graph.ir.node import Node
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
