"""Puts conversions of a quantized graph into the layers before them, as the original does.

A layer that knows the range of its result returns bytes, or floats where floats are wanted, and no
int32 that others convert. What is joined gets one range, so that joining is copying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mxnet.graph.fused.op import FusedOp
from mxnet.graph.ir import Entry, Graph, Node, rewrite
from mxnet.ops.core.registry import get_op

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


def merge_conversions(graph: Graph) -> Graph:
    """Returns a quantized graph with fewer conversions; another graph stays as it is."""
    if not graph.nodes.ops & {_REQUANTIZE, _JOIN}:
        return graph
    return _align_joined(_merge(graph))


def _find_readers(graph: Graph) -> dict[Node, set[Node | None]]:
    """Returns the readers of each node; None stands for the outputs of the graph."""
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
    """Gives arrays that are joined one range, except for those that others read, too."""
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
