"""What the subgraph of a fused layer consists of.

A fused layer is a convolution or a dense layer and what follows it: a normalization, an activation,
an addition and another activation, of which each may be missing. Files have it as a node with a
subgraph of these operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from mxnet.errors import FileFormatError
from mxnet.graph.graph import Graph
from mxnet.graph.node import Entry, Node
from mxnet.ops.core.registry import Op, get_op

_Rule: TypeAlias = "str | Callable[[Mapping[str, Any]], str | None]"


def _of_leaky(settings: Mapping[str, Any]) -> str | None:
    act_type: str = settings["act_type"]
    return act_type if act_type in ("leaky", "elu", "gelu") else None


def _of_activation(settings: Mapping[str, Any]) -> str | None:
    act_type: str = settings["act_type"]
    return None if act_type == "softsign" else act_type


_ACTIVATIONS: dict[Op, _Rule] = {
    get_op("Activation"): _of_activation,
    get_op("LeakyReLU"): _of_leaky,
    get_op("clip"): lambda settings: "clip" if settings["a_min"] == 0 else None,
    get_op("exp"): "exponential",
    get_op("square"): "squared",
    get_op("sqrt"): "sqrt",
    get_op("abs"): "abs",
}
"""The operators that can be the activation of a fused layer, with the name of the function."""


def activation_of(node: Node) -> str | None:
    """Returns the name of the activation that a node is, None if it is none."""
    rule = None if node.op is None else _ACTIVATIONS.get(node.op)
    return rule(node.settings) if callable(rule) else rule


class Parts(NamedTuple):
    """The operators of a fused layer, in the order in which they run."""

    layer: Node
    """The convolution or dense layer."""
    normalization: Node | None
    activation: Node | None
    """What follows layer and normalization; it is after the addition if there is one."""
    addition: Node | None
    addend: Node | None
    """The variable of the subgraph that is added."""

    @property
    def arguments(self) -> list[Node]:
        """The variables of the subgraph in the order of the inputs of the fused node."""
        entries = [*self.layer.inputs]
        if self.normalization is not None:
            entries += self.normalization.inputs[1:]
        return [entry.node for entry in entries] + ([self.addend] if self.addend else [])

    @property
    def nodes(self) -> list[Node]:
        """The operators."""
        steps = (self.layer, self.normalization, self.addition, self.activation)
        return [node for node in steps if node is not None]


def read_parts(graph: Graph, role: str, name: str) -> Parts:
    """Finds the parts of a fused layer in its subgraph.

    Args:
        graph: The subgraph, which may be a stranger's.
        role: What passes treat the layer as: "convolution" or "dense".
        name: Name of the operator, for messages.

    Raises:
        FileFormatError: if it is not such a layer.
    """
    reader = _Reader(graph, name)
    parts = reader.read()
    layer = parts.layer
    if layer.op is None or layer.op.traits.role != role:
        raise reader.error(f"a {role} layer expected, got {layer.name!r}")
    if role == "dense" and (parts.normalization or parts.addition):
        raise reader.error("a dense layer is followed by an activation alone")
    variables = parts.arguments
    if any(node.op is not None for node in variables):
        raise reader.error("parts read variables of the subgraph alone")
    if len(set(variables)) != len(variables) or {*variables, *parts.nodes} != {*graph.nodes}:
        raise reader.error("each variable is read once")
    return parts


class _Reader:
    """Walks through the subgraph of a fused layer, from the end."""

    def __init__(self, graph: Graph, name: str) -> None:
        self._graph, self._name = graph, name

    def error(self, reason: str) -> FileFormatError:
        """Returns the error for a subgraph that is not a fused layer."""
        return FileFormatError(f"{self._name}: the subgraph is no fused layer: {reason}")

    def read(self) -> Parts:
        """Finds the parts; what the layer is and reads is for the caller to check."""
        if len(self._graph.heads) != 1:
            raise self.error(f"one output expected, got {len(self._graph.heads)}")
        node = self._first(self._graph.heads[0])
        activation = addition = addend = normalization = None
        if activation_of(node) is not None:
            activation, node = node, self._first(node.inputs[0])
        if node.op is not None and node.op.traits.role == "addition":
            addition = node
            node, addend = self._split(node)
        if node.op is not None and node.op.traits.role == "normalization":
            normalization, node = node, self._first(node.inputs[0])
        return Parts(node, normalization, activation, addition, addend)

    def _first(self, entry: Entry) -> Node:
        if entry.output:
            raise self.error(f"output {entry.output} of {entry.node.name!r} is read")
        return entry.node

    def _split(self, addition: Node) -> tuple[Node, Node]:
        """Returns the operator and the variable that are added."""
        first, second = map(self._first, addition.inputs)
        if (first.op is None) == (second.op is None):
            raise self.error(f"{addition.name!r} adds something else than a layer and a variable")
        return (second, first) if first.op is None else (first, second)
