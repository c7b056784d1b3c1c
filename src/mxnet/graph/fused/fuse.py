"""Fuses layers with what follows them, as the original's oneDNN backends do.

The result is a graph for prediction: normalizations use their moving statistics, dropout is left
out. Its nodes, their names and attributes are those of the original's graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import NamedTuple

from mxnet.graph.fused.attention import fuse_attention
from mxnet.graph.fused.conversions import merge_conversions
from mxnet.graph.fused.op import CONVOLUTION, DENSE, Fusion, make_fused_op
from mxnet.graph.fused.parts import activation_of
from mxnet.graph.graph import Graph
from mxnet.graph.node import Entry, Node
from mxnet.graph.rewrite import rewrite
from mxnet.ops.core.registry import get_op

_QUANTIZABLE = frozenset({"relu", "leaky", "gelu"})
_FLOATING = frozenset({"sigmoid", "tanh", "softrelu"})
"""Activations that are fused unless the graph is to be quantized."""


class _Rules(NamedTuple):
    """What may follow a layer."""

    activations: Collection[str]
    after_addition: Collection[str]
    """Activations that may follow an addition."""


_CONVOLUTION_RULES = (
    _Rules(_QUANTIZABLE | _FLOATING | {"clip"}, _QUANTIZABLE | _FLOATING | {"clip"}),
    _Rules(_QUANTIZABLE | {"clip"}, _QUANTIZABLE),
)
_DENSE_RULES = (
    _Rules(_QUANTIZABLE | _FLOATING | {"clip", "elu", "abs", "exponential", "squared", "sqrt"}, ()),
    _Rules(_QUANTIZABLE | {"clip", "elu", "abs"}, ()),
)
"""For graphs that stay as they are, and for those that are to be quantized."""

_IDENTITY = get_op("_copy")


def fuse_layers(graph: Graph, *, for_quantization: bool) -> Graph:
    """Returns a graph in which convolutions and dense layers contain what follows them.

    Args:
        graph: The graph.
        for_quantization: Whether it is to be quantized: a layer then contains only activations of
            which there are int8 forms. A graph that is quantized loses conversions.
    """
    graph = _without_identities(graph)
    if for_quantization:
        graph = merge_conversions(graph)
    graph = _Fuser(graph, CONVOLUTION, _CONVOLUTION_RULES[for_quantization]).run()
    graph = _Fuser(graph, DENSE, _DENSE_RULES[for_quantization]).run()
    return fuse_attention(graph)


BACKENDS: Mapping[str, Callable[[Graph], Graph]] = {
    "MKLDNN": partial(fuse_layers, for_quantization=False),
    "MKLDNN_QUANTIZE": partial(fuse_layers, for_quantization=True),
}
"""What makes the graph for a backend, by the name of the backend."""


def _without_identities(graph: Graph) -> Graph:
    """Takes out what has no effect in prediction, unless it reads a variable."""

    def change(node: Node, inputs: list[Entry]) -> list[Entry] | None:
        if node.op is None or not inputs or inputs[0].node.op is None:
            return None
        is_dropping = node.op.traits.role == "dropout" and node.settings["mode"] == "training"
        return inputs[:1] if is_dropping or node.op is _IDENTITY else None

    return rewrite(graph, change)


class _Group:
    """Nodes that become one.

    Args:
        layer: The layer that they begin with.
    """

    def __init__(self, layer: Node) -> None:
        self.layer = self.last = layer
        self.normalization: Node | None = None
        self.addition: Node | None = None
        self.activation: Node | None = None

    @property
    def nodes(self) -> list[Node]:
        """The nodes in the order of the graph."""
        steps = (self.layer, self.normalization, self.addition, self.activation)
        return [node for node in steps if node is not None]


class _Fuser:
    """Fuses the layers of one operator.

    Args:
        graph: The graph.
        fusion: The operator.
        rules: What may follow a layer.
    """

    def __init__(self, graph: Graph, fusion: Fusion, rules: _Rules) -> None:
        self._graph, self._fusion, self._rules = graph, fusion, rules
        self._users: dict[Node, list[tuple[Entry, Node | None]]] = {}
        for node in graph.nodes:
            for entry in node.inputs:
                self._users.setdefault(entry.node, []).append((entry, node))
        for head in graph.heads:
            self._users.setdefault(head.node, []).append((head, None))
        self._groups: dict[Node, _Group] = {}

    def run(self) -> Graph:
        """Returns the new graph."""
        groups: list[_Group] = []
        for node in self._graph.nodes:
            if self._can_start(node):
                group = self._grow(node)
                groups.append(group)
                self._groups.update(dict.fromkeys(group.nodes, group))
        if not groups:
            return self._graph
        fused = self._name_all(groups)
        sources: dict[Node, list[Entry]] = {}

        def change(node: Node, inputs: list[Entry]) -> Node | None:
            group = self._groups.get(node)
            if group is None:
                return None
            sources[node] = inputs
            return _connect(group, fused[group], sources) if node is group.last else None

        return rewrite(self._graph, change)

    def _can_start(self, node: Node) -> bool:
        if node.op is None or node.op.traits.role != self._fusion.role:
            return False
        return self._fusion is DENSE or len(node.settings["kernel"]) in (2, 3)

    def _follower(self, group: _Group) -> Node | None:
        """Returns the only node that reads what a group computes so far."""
        users = self._users.get(group.last, [])
        if len(users) != 1:
            return None
        entry, user = users[0]
        return None if entry.output or user in self._groups else user

    def _grow(self, layer: Node) -> _Group:
        group, rules = _Group(layer), self._rules
        allowed = rules.activations
        user = self._follower(group)
        if self._fusion is CONVOLUTION and user is not None and _normalizes(user, layer):
            group.last = group.normalization = user
            user = self._follower(group)
        if self._fusion is CONVOLUTION and user is not None and _has_role(user, "addition"):
            group.last = group.addition = user
            user, allowed = self._follower(group), rules.after_addition
        if user is not None and activation_of(user) in allowed:
            group.last = group.activation = user
        return group

    def _name_all(self, groups: list[_Group]) -> dict[_Group, tuple[str, Graph]]:
        """Returns name and subgraph of each group.

        The original replaces one group after the other, and a subgraph has the names that its
        inputs have when it is made.
        """
        names: dict[Node, str] = {}
        made = {}
        for number, group in enumerate(groups):
            name = f"{_name_prefix(self._fusion, group)}_{number}"
            made[group] = name, _make_subgraph(group, names)
            names[group.last] = name
        return made


def _has_role(node: Node, role: str | None) -> bool:
    return node.op is not None and node.op.traits.role == role


def _normalizes(node: Node, layer: Node) -> bool:
    """Returns whether a node normalizes the channels of a convolution."""
    if not _has_role(node, "normalization") or node.inputs[0].node is not layer:
        return False
    return node.settings["axis"] == 1 and not node.settings["output_mean_var"]


def _name_prefix(fusion: Fusion, group: _Group) -> str:
    if fusion is DENSE:
        words = {"sg_mkldnn_fully_connected": True, "eltwise": group.activation}
    else:
        followers = {"bn": group.normalization, "add": group.addition, "act": group.activation}
        words = {"sg_mkldnn_conv": True, **followers}
    return "_".join(word for word, has in words.items() if has is not None)


def _make_subgraph(group: _Group, names: Mapping[Node, str]) -> Graph:
    """Copies the nodes of a group, with variables for what they read.

    Args:
        group: The group.
        names: Names of nodes that have been replaced by others.
    """
    members = {*group.nodes}
    counts: Counter[str] = Counter()
    copies: dict[Node, Node] = {}

    def copy(node: Node) -> Node:
        inputs = [
            Entry(copy(entry.node)) if entry.node in members else Entry(variable(entry))
            for entry in node.inputs
        ]
        if node is group.addition and inputs[0].node.op is None:
            inputs.reverse()
        copies[node] = Node(node.op, node.name, node.attrs, inputs)
        return copies[node]

    def variable(entry: Entry) -> Node:
        new = names.get(entry.node)
        name = entry.node.output_name(entry.output) if new is None else f"{new}_output"
        counts[name] += 1
        return Node(None, f"{name}{counts[name] - 1}")

    return Graph([Entry(copy(group.last))])


def _connect(group: _Group, fused: tuple[str, Graph], sources: Mapping[Node, list[Entry]]) -> Node:
    """Makes the node of a group.

    Args:
        group: The group.
        fused: Name and subgraph of the node.
        sources: What each node of the group reads in the new graph.
    """
    name, subgraph = fused
    fusion = DENSE if _has_role(group.layer, DENSE.role) else CONVOLUTION
    entries = [*sources[group.layer]]
    if group.normalization is not None:
        entries += sources[group.normalization][1:]
    if group.addition is not None:
        inside = group.normalization or group.layer
        position = [entry.node for entry in group.addition.inputs].index(inside)
        entries.append(sources[group.addition][1 - position])
    op = make_fused_op(fusion, [subgraph])
    flags = {key: fusion.true for key, has in fusion.flags.items() if has(op.parts)}
    return Node(op, name, flags, entries)
