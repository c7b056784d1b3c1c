"""What the subgraph of a fused layer consists of.

A fused layer is a convolution or a dense layer and what follows it: a normalization, an addition
and an activation, of which each may be missing. Files have it as a node with a subgraph of these
operators. A fused product of self-attention is a node with that operator alone in its subgraph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from mxnet.errors import FileFormatError, MXNetError
from mxnet.graph.ir import Entry, Graph, Node
from mxnet.ops.core.registry import Op, get_op

STATES = ("moving_mean", "moving_var")
_NORMALIZATION = ("gamma", "beta", *STATES)
PROJECTIONS, WEIGHTS = "queries_keys_values", "attention"
"""Inputs of products of self-attention."""

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
    """The convolution, dense layer or product of self-attention."""
    normalization: Node | None = None
    activation: Node | None = None
    """What follows layer and normalization; it is after the addition if there is one."""
    addition: Node | None = None
    addend: Node | None = None
    """The variable of the subgraph that is added."""

    @property
    def op(self) -> Op:
        """The operator of the layer."""
        return op_of(self.layer)

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the inputs of the fused node without ranges, in order."""
        names = [*self.layer.input_names]
        if self.normalization is not None:
            names += _NORMALIZATION
        return (*names, "addend") if self.addition is not None else tuple(names)

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


def op_of(node: Node) -> Op:
    """Returns the operator of a part of a fused layer."""
    if node.op is None:
        raise MXNetError(f"fused layer: an operator expected, got the variable {node.name!r}")
    return node.op


def sums_values(node: Node) -> bool | None:
    """Returns whether a product of self-attention sums values; None for all other nodes."""
    attention = None if node.op is None else node.op.traits.fusion.attention
    if attention is None or PROJECTIONS not in node.input_names:
        return None
    return attention.split_scores is None


def read_product(graph: Graph, name: str, *, sums: bool) -> Parts:
    """Finds the product of self-attention in its subgraph.

    Args:
        graph: The subgraph, which may be a stranger's.
        name: Name of the operator, for messages.
        sums: Whether it sums values, otherwise it computes scores.

    Raises:
        FileFormatError: if it is not such a product.
    """
    operators = [node for node in graph.nodes if node.op is not None]
    if len(operators) != 1 or sums_values(operators[0]) is not sums:
        raise FileFormatError(f"{name}: the subgraph is no product of self-attention")
    if [*graph.heads] != [Entry(operators[0])]:
        raise FileFormatError(f"{name}: one output expected, got {len(graph.heads)}")
    variables = [entry.node for entry in operators[0].inputs]
    if len(set(variables)) != len(variables) or len(graph.nodes) != len(variables) + 1:
        raise FileFormatError(f"{name}: each variable of the subgraph is to be read once")
    return Parts(operators[0])


def read_parts(graph: Graph, name: str, *, role: str) -> Parts:
    """Finds the parts of a fused layer in its subgraph.

    Args:
        graph: The subgraph, which may be a stranger's.
        name: Name of the operator, for messages.
        role: What passes treat the layer as: "convolution" or "dense".

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
