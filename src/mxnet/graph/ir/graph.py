"""A graph: outputs of nodes, with everything that follows from them found once."""

from __future__ import annotations

from collections.abc import Iterable

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
