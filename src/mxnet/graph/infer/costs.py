"""What each node of a graph costs: operations, parameters and memory, from shapes alone.

Operators say in their declaration how many floating-point operations they need (`Traits.flops`);
one that says nothing needs one for each element. Loops, conditions and operators written in Python
are not looked into: what they need is unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import torch

from mxnet.graph.infer.shapes import Shapes, infer_shapes
from mxnet.graph.infer.types import Types, infer_types
from mxnet.graph.ir import Entry, Graph, Node, SubgraphOp
from mxnet.ops.core.attrs import CLASSIC_SHAPES, Shape, ShapeRules, shape_is_known
from mxnet.ops.core.registry import Op
from mxnet.ops.rules.flops import each_element, nothing

_MOVING = frozenset({"movement", "dropout", "ones", "selection", "split"})
"""Roles of operators that compute nothing when a network predicts."""


@dataclass(frozen=True)
class NodeCost:
    """What one node costs.

    Attributes:
        node: The node.
        inputs: Shapes of what it reads, None where they are unknown.
        outputs: Shapes of its outputs.
        dtype: Element type of the first output, None if it is unknown.
        flops: Floating-point operations of the forward pass, None if they are unknown.
        num_parameters: Elements of the parameters that it is the first to read.
        parameter_bytes: Their memory.
        output_bytes: Memory of its outputs, None if a shape is unknown.
    """

    node: Node
    inputs: tuple[Shape | None, ...]
    outputs: tuple[Shape | None, ...]
    dtype: torch.dtype | None
    flops: int | None
    num_parameters: int
    parameter_bytes: int
    output_bytes: int | None


@dataclass(frozen=True)
class Costs:
    """What a graph costs.

    Attributes:
        rows: Costs of the nodes that are operators, each after what it reads.
        peak_bytes: Most memory that data and results need at a time when the network predicts and
            each result is freed after its last use.
    """

    rows: tuple[NodeCost, ...]
    peak_bytes: int

    @cached_property
    def flops(self) -> int:
        """Operations of all nodes, without those that are unknown."""
        return sum(row.flops or 0 for row in self.rows)

    @cached_property
    def num_parameters(self) -> int:
        """Elements of all parameters."""
        return sum(row.num_parameters for row in self.rows)

    @cached_property
    def parameter_bytes(self) -> int:
        """Memory of all parameters."""
        return sum(row.parameter_bytes for row in self.rows)

    @cached_property
    def output_bytes(self) -> int:
        """Memory of all results together, most of which training keeps for the backward pass."""
        return sum(row.output_bytes or 0 for row in self.rows)

    @cached_property
    def unknown(self) -> tuple[Node, ...]:
        """Nodes whose operations or shapes are unknown; the totals are without them."""
        return tuple(row.node for row in self.rows if row.flops is None or row.output_bytes is None)


def count_flops(
    op: Op, inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Mapping[str, object]
) -> int | None:
    """Returns the floating-point operations of one call of an operator.

    Args:
        op: The operator.
        inputs: Shapes of its inputs.
        outputs: Shapes of its outputs.
        attrs: All attributes, completed by the defaults.

    Returns:
        Their number; None for operators that run graphs or programs of their own.
    """
    traits = op.traits
    if traits.runs_program or isinstance(op, SubgraphOp):
        return None
    rule = traits.flops
    if rule is None:
        moves = (
            traits.role in _MOVING
            or traits.types.casts_precision
            or traits.fusion.passes_through is True
        )
        rule = nothing if moves or not inputs else each_element
    return rule(inputs, outputs, attrs)


def measure(
    graph: Graph,
    shapes: Mapping[str, Sequence[int]],
    dtypes: Mapping[str, torch.dtype] | None = None,
    data_names: Collection[str] | None = None,
    rules: ShapeRules = CLASSIC_SHAPES,
) -> Costs:
    """Finds out what the nodes of a graph cost.

    Args:
        graph: The graph.
        shapes: Shapes of variables by name, from which the others follow.
        dtypes: Element types of variables by name; float32 is assumed where nothing tells another.
        data_names: Variables that are data, those of `shapes` if not given; the others are
            parameters.
        rules: How the dialect of the graph writes shapes.

    Raises:
        MXNetError: if the shapes do not fit.
    """
    types = infer_types(graph.nodes, dict(dtypes or {}))
    inferred = infer_shapes(graph.nodes, shapes, types, rules)
    data = frozenset(shapes if data_names is None else data_names)
    measurement = _Measurement(inferred, types, data)
    rows = tuple(measurement.row(node) for node in graph.nodes if node.op is not None)
    return Costs(rows, _peak_memory(graph, measurement))


class _Measurement:
    """Looks up shapes and sizes; a parameter counts for the first node that reads it."""

    def __init__(self, shapes: Shapes, types: Types, data: frozenset[str]) -> None:
        self._shapes, self._types, self._data = shapes, types, data
        self._counted: set[Node] = set()

    def shape(self, entry: Entry) -> Shape | None:
        shape = self._shapes.get(entry)
        return shape if shape is not None and shape_is_known(shape) else None

    def num_bytes(self, entry: Entry) -> int | None:
        shape = self.shape(entry)
        if shape is None:
            return None
        return prod(shape) * (self._types.get(entry) or torch.float32).itemsize

    def is_parameter(self, node: Node) -> bool:
        return node.op is None and node.name not in self._data

    def row(self, node: Node) -> NodeCost:
        inputs = tuple(map(self.shape, node.inputs))
        entries = [Entry(node, index) for index in range(node.num_outputs)]
        outputs = tuple(map(self.shape, entries))
        sizes = [self.num_bytes(entry) for entry in entries]
        parameters = [
            entry
            for entry in dict.fromkeys(node.inputs)
            if self.is_parameter(entry.node) and entry.node not in self._counted
        ]
        self._counted.update(entry.node for entry in parameters)
        return NodeCost(
            node=node,
            inputs=inputs,
            outputs=outputs,
            dtype=self._types.get(entries[0]),
            flops=_flops(node, inputs, outputs),
            num_parameters=sum(prod(self.shape(entry) or (0,)) for entry in parameters),
            parameter_bytes=sum(self.num_bytes(entry) or 0 for entry in parameters),
            output_bytes=None if None in sizes else sum(size or 0 for size in sizes),
        )


def _flops(
    node: Node, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None]
) -> int | None:
    known_inputs = [shape for shape in inputs if shape is not None]
    known_outputs = [shape for shape in outputs if shape is not None]
    if node.op is None or len(known_inputs) < len(inputs) or len(known_outputs) < len(outputs):
        return None
    return count_flops(node.op, known_inputs, known_outputs, node.settings)


def _peak_memory(graph: Graph, sizes: _Measurement) -> int:
    """Returns the most memory that is in use at a time; see `Costs.peak_bytes`."""
    last_use: dict[Entry, int] = {}
    for place, node in enumerate(graph.nodes):
        last_use.update(dict.fromkeys(node.inputs, place))
    last_use.update(dict.fromkeys(graph.heads, len(graph.nodes)))
    in_use = peak = 0
    for place, node in enumerate(graph.nodes):
        if sizes.is_parameter(node):
            continue
        made = [Entry(node, index) for index in range(node.num_outputs)]
        in_use += sum(sizes.num_bytes(entry) or 0 for entry in made)
        peak = max(peak, in_use)
        freed = {
            *(entry for entry in node.inputs if last_use[entry] == place),
            *(entry for entry in made if entry not in last_use),
        }
        in_use -= sum(
            sizes.num_bytes(entry) or 0 for entry in freed if not sizes.is_parameter(entry.node)
        )
    return peak
