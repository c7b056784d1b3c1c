"""Infers shapes and dtypes of nodes that run subgraphs, by inference inside of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import torch

from mxnet.graph.ir import Control, Entry, Graph, Node, SubgraphOp, Wire
from mxnet.ops.core.attrs import UNKNOWN, Shape, ShapeRules, shapes_agree

Shapes: TypeAlias = Mapping[Entry, Shape]
Types: TypeAlias = Mapping[Entry, torch.dtype]
InferShapes: TypeAlias = Callable[[Graph, Mapping[str, Shape], Mapping[str, torch.dtype]], Shapes]
InferTypes: TypeAlias = Callable[[Graph, Mapping[str, torch.dtype]], Types]


def find_shapes(
    node: Node, op: SubgraphOp, shapes: Shapes, types: Types, infer: InferShapes, rules: ShapeRules
) -> list[tuple[Entry, Shape]]:
    """Infers shapes of inputs and outputs of a node from those known so far.

    Args:
        node: The node.
        op: Its operator.
        shapes: Shapes as far as they are known.
        types: Element types as far as they are known.
        infer: Infers the shapes of a subgraph from shapes and element types of its inputs.
        rules: How the dialect of the graph writes shapes.
    """
    control = op.control
    wires = control.list_wires(node.parsed)
    learned: list[tuple[Entry, Shape]] = []
    heads: list[list[Shape | None]] = []
    for number, graph in enumerate(op.subgraphs):
        own = [wire for wire in wires if wire.subgraph == number]
        given = {}
        for wire in own:
            shape = shapes.get(node.inputs[wire.source])
            if shape is not None:
                inside = (shape[1:] or rules.element) if wire.sliced else shape
                given[graph.input_names[wire.argument]] = inside
        inner = infer(graph, given, _types_of(node, graph, own, types))
        learned += _learn_inputs(node, graph, own, inner, shapes)
        heads.append([inner.get(head) for head in graph.heads])
    of_bodies = [heads[number] for number in control.bodies]
    if control.carried:
        outputs = _outputs_of_loop(node, control, wires, of_bodies[0], shapes)
    else:
        outputs = [
            one if all(other == one for other in others) else None
            for one, *others in zip(*of_bodies, strict=True)
        ]
    learned += [
        (Entry(node, index), shape) for index, shape in enumerate(outputs) if shape is not None
    ]
    return learned


def _types_of(
    node: Node, graph: Graph, wires: Sequence[Wire], types: Types
) -> dict[str, torch.dtype]:
    entries = {graph.input_names[wire.argument]: node.inputs[wire.source] for wire in wires}
    return {name: types[entry] for name, entry in entries.items() if entry in types}


def _learn_inputs(
    node: Node, graph: Graph, wires: Sequence[Wire], inner: Shapes, outer: Shapes
) -> list[tuple[Entry, Shape]]:
    """Returns shapes of arguments, such as weights, that inference inside of a subgraph found."""
    learned = []
    for wire in wires:
        shape = inner.get(Entry(graph.inputs[wire.argument]))
        entry = node.inputs[wire.source]
        if shape is None:
            continue
        if wire.sliced:
            before = outer.get(entry)
            if before is None or len(before) == 1:
                continue
            shape = (before[0], *shape)
        learned.append((entry, shape))
    return learned


def _outputs_of_loop(
    node: Node,
    control: Control,
    wires: Sequence[Wire],
    heads: Sequence[Shape | None],
    shapes: Shapes,
) -> list[Shape | None]:
    attrs = node.parsed
    if control.limit:
        length = attrs[control.limit]
    else:
        data = next((shapes.get(node.inputs[wire.source]) for wire in wires if wire.sliced), None)
        length = data[0] if data else UNKNOWN
    count = attrs["num_out_data"]
    outputs: list[Shape | None] = [
        None if shape is None else (length, *shape) for shape in heads[:count]
    ]
    sources = {wire.argument: wire.source for wire in wires if wire.subgraph in control.bodies}
    for argument, shape in zip(attrs[control.carried], heads[count:], strict=True):
        before = shapes.get(node.inputs[sources[argument]])
        # The last shape of a variable that grows from step to step depends on the data.
        same = before is None or shape is None or shapes_agree(before, shape)
        outputs.append(shape if same else None)
    return outputs


def find_types(
    node: Node, op: SubgraphOp, types: Types, infer: InferTypes
) -> list[tuple[Entry, torch.dtype]]:
    """Infers dtypes of inputs and outputs of a node from those known so far."""
    wires = op.control.list_wires(node.parsed)
    learned: list[tuple[Entry, torch.dtype]] = []
    for number, graph in enumerate(op.subgraphs):
        own = [wire for wire in wires if wire.subgraph == number]
        inner = infer(graph, _types_of(node, graph, own, types))
        for wire in own:
            dtype = inner.get(Entry(graph.inputs[wire.argument]))
            if dtype is not None:
                learned.append((node.inputs[wire.source], dtype))
        if number in op.control.bodies:
            learned += [
                (Entry(node, index), inner[head])
                for index, head in enumerate(graph.heads)
                if head in inner
            ]
    return learned
