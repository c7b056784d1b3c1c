"""Fuses layers with what follows them, as the original's oneDNN backends do.

The result is a graph for prediction: normalizations use their moving statistics, dropout is left
out. Its nodes, their names and attributes are those of the original's graph.

In a quantized graph, conversions are put into the layers before them: a layer that knows the range
of its result returns bytes, or floats where floats are wanted, and no int32 that others convert.
What is joined gets one range, so that joining is copying.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import NamedTuple

from mxnet.graph.fused.op import CONVOLUTION, DENSE, SCORES, SUMS, FusedOp, Fusion, make_fused_op
from mxnet.graph.fused.parts import activation_of, sums_values
from mxnet.graph.ir import Entry, Graph, Node, rewrite
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
_REQUANTIZE, _DEQUANTIZE = get_op("_contrib_requantize"), get_op("_contrib_dequantize")
_JOIN, _POOL = get_op("_contrib_quantized_concat"), get_op("_contrib_quantized_pooling")
_WITH_RANGE = (
    get_op("_contrib_quantize_v2"),
    get_op("_contrib_quantized_elemwise_add"),
    get_op("_contrib_quantized_elemwise_mul"),
)
"""Operators that know the range of their result, beside fused layers."""
_ENDS = ("min_calib_range", "max_calib_range")
_FLOATS = "enable_float_output"


def fuse_layers(graph: Graph, *, for_quantization: bool) -> Graph:
    """Returns a graph in which convolutions and dense layers contain what follows them.

    Args:
        graph: The graph.
        for_quantization: Whether it is to be quantized: a layer then contains only activations of
            which there are int8 forms. A graph that is quantized loses conversions.
    """
    graph = _without_identities(graph)
    if for_quantization:
        graph = _merge_conversions(graph)
    graph = _Fuser(graph, CONVOLUTION, _CONVOLUTION_RULES[for_quantization]).run()
    graph = _Fuser(graph, DENSE, _DENSE_RULES[for_quantization]).run()
    return _fuse_attention(graph)


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


def _make_variable(name: str, counts: Counter[str]) -> Node:
    """Makes a variable of a subgraph: the name of what it stands for, numbered."""
    counts[name] += 1
    return Node(None, f"{name}{counts[name] - 1}")


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
        return _make_variable(name, counts)

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


def _fuse_attention(graph: Graph) -> Graph:
    """Returns a graph in which products of self-attention are fused operators."""
    numbers = count()

    def change(node: Node, inputs: list[Entry]) -> Node | None:
        sums = sums_values(node)
        if sums is None:
            return None
        fusion = SUMS if sums else SCORES
        counts = Counter[str]()
        variables = [
            Entry(_make_variable(entry.node.output_name(entry.output), counts)) for entry in inputs
        ]
        part = Node(node.op, node.name, node.attrs, variables)
        heads = str(node.settings["heads"])
        attrs = {"enable_float_output": "False", "heads": heads, "quantized": "False"}
        name = f"{fusion.name[1:]}_{next(numbers)}"
        return Node(make_fused_op(fusion, [Graph([Entry(part)])]), name, attrs, inputs)

    return rewrite(graph, change)


def _merge_conversions(graph: Graph) -> Graph:
    """Returns a quantized graph with fewer conversions; another graph stays as it is."""
    if not graph.nodes.ops & {_REQUANTIZE, _JOIN}:
        return graph
    return _align_joined(_merge(graph))


def _find_readers(graph: Graph) -> dict[Node, set[Node | None]]:
    """Returns what reads each node; None stands for the outputs of the graph."""
    readers: dict[Node, set[Node | None]] = {node: set() for node in graph.nodes}
    for node in graph.nodes:
        for entry in node.inputs:
            readers[entry.node].add(node)
    for head in graph.heads:
        readers[head.node].add(None)
    return readers


def _merge(graph: Graph) -> Graph:
    """Puts ranges of requantized results into the layers that compute them."""
    readers = _find_readers(graph)
    changed: dict[Node, dict[str, str]] = {}
    bypassed: dict[Node, Node] = {}
    for node in graph.nodes:
        if node.op is not _REQUANTIZE or not _has_range(node):
            continue
        source = node.inputs[0].node
        if source.op is None or _ENDS[0] not in source.op.attrs or readers[source] != {node}:
            continue
        bypassed[node] = source
        (reader, *others) = readers[node]
        wants_floats = reader is not None and reader.op is _DEQUANTIZE and not others
        if reader is not None and wants_floats and _FLOATS in source.op.attrs:
            bypassed[reader] = source
            changed[source] = {_FLOATS: "True"}
        else:
            changed[source] = {key: node.attrs[key] for key in _ENDS}
    places: dict[Node, Node] = {}

    def change(node: Node, inputs: list[Entry]) -> Node | list[Entry] | None:
        if node in bypassed:
            place = places[bypassed[node]]
            return [Entry(place, output) for output in range(3)]
        if node not in changed:
            return None
        places[node] = Node(node.op, node.name, {**node.attrs, **changed[node]}, inputs)
        return places[node]

    return rewrite(graph, change)


def _has_range(node: Node) -> bool:
    return all(node.settings[key] is not None for key in _ENDS)


def _align_joined(graph: Graph) -> Graph:
    """Sets one range for arrays that are joined, except for those that others read, too."""
    readers = _find_readers(graph)
    ranges: dict[Node, Mapping[str, str]] = {}
    done: set[Node] = set()
    for node in reversed(graph.nodes):
        if node.op is not _JOIN or node in done:
            continue
        reached = [*_walk_back(node, readers)]
        done.update(reached)
        sources = [item for item in reached if item.op not in (_JOIN, _POOL)]
        if not sources:
            continue
        low, high = (
            pick(source.settings[key] for source in sources)
            for pick, key in zip((min, max), _ENDS, strict=True)
        )
        common = {key: f"{end + 0.0:f}" for key, end in zip(_ENDS, (low, high), strict=True)}
        ranges.update(dict.fromkeys(sources, common))

    def change(node: Node, inputs: list[Entry]) -> Node | None:
        if node not in ranges:
            return None
        return Node(node.op, node.name, {**node.attrs, **ranges[node]}, inputs)

    return rewrite(graph, change)


def _walk_back(node: Node, readers: Mapping[Node, set[Node | None]]) -> Iterator[Node]:
    """Yields what is joined, and what it passes on its way, but not what keeps its own range."""
    pending = [node]
    for reader in pending:
        count = len(reader.inputs) // 3
        for entry in reader.inputs[:count]:
            source = entry.node
            if readers[source] != {reader}:
                continue
            if source.op in (_JOIN, _POOL):
                pending.append(source)
                yield source
            elif _knows_range(source):
                yield source


def _knows_range(node: Node) -> bool:
    if not (isinstance(node.op, FusedOp) or node.op in _WITH_RANGE):
        return False
    return _has_range(node)
