"""Constants some lengths of which follow from the data, such as the first states of a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from mxnet.errors import MXNetError
from mxnet.graph.graph import Graph
from mxnet.graph.infer import infer_shapes
from mxnet.graph.infer_types import infer_types
from mxnet.graph.node import Entry, Node
from mxnet.ops.core.shapes import CLASSIC_SHAPES

_STEP = 2
"""By how much an input is made longer; what follows it is longer by as much, not by half of it."""


class Axis(NamedTuple):
    """In the place of a length: that of an axis of an input."""

    name: str
    axis: int


def is_open(node: Node) -> bool:
    """Returns whether a node makes a constant with a length that is not known."""
    if node.op is None or not node.op.traits.shapes.open_lengths:
        return False
    return 0 in (node.parsed.get("shape") or ())


def trace_lengths(
    graph: Graph, inputs: Mapping[str, Sequence[int]], others: Mapping[str, Sequence[int]]
) -> dict[Node, dict[str, Any]]:
    """Finds out which axes of inputs the unknown lengths of constants are those of.

    Args:
        graph: The graph.
        inputs: Shapes of inputs by name, such as they may be.
        others: Shapes of other variables, which never change.

    Returns:
        Attributes of the nodes that make such constants, with an `Axis` for each unknown length.

    Raises:
        MXNetError: if a length is not that of an axis, and changes with the inputs.
    """
    nodes = [node for node in graph.nodes if is_open(node)]
    usual = _lengths(graph, nodes, {**others, **inputs})
    sources: dict[tuple[Node, int], Axis] = {}
    moving: set[tuple[Node, int]] = set()
    for name, shape in inputs.items():
        for axis, length in enumerate(shape):
            longer = (*shape[:axis], length + _STEP, *shape[axis + 1 :])
            with suppress(MXNetError):  # a length that the graph takes as it is
                found = _lengths(graph, nodes, {**others, **inputs, name: longer})
                for place, before in usual.items():
                    if found[place] == before + _STEP:
                        sources.setdefault(place, Axis(name, axis))
                    elif found[place] != before:
                        moving.add(place)
    if moving - set(sources):
        raise MXNetError("the graph makes arrays whose shape depends on the data")
    return {
        node: {
            "shape": tuple(
                sources.get((node, axis), usual[node, axis]) if length == 0 else length
                for axis, length in enumerate(node.parsed["shape"])
            )
        }
        for node in nodes
    }


def _lengths(
    graph: Graph, nodes: Sequence[Node], given: Mapping[str, Sequence[int]]
) -> dict[tuple[Node, int], int]:
    """Returns the lengths that are unknown otherwise, by node and axis."""
    shapes = infer_shapes(graph.nodes, given, infer_types(graph.nodes, {}))
    lengths = {}
    for node in nodes:
        found = CLASSIC_SHAPES.write(shapes[Entry(node)])
        for axis, length in enumerate(node.parsed["shape"]):
            if length == 0:
                if found is None or found[axis] == 0:
                    raise MXNetError("the graph makes arrays whose shape is not known")
                lengths[node, axis] = found[axis]
    return lengths
