"""Shapes of everything in a graph, from those of some variables.

A shape is known, known in part (some lengths are `UNKNOWN`) or not known at all (None).
Nodes are visited until nothing new is found (`work_list.py`): forward through the kernels on
tensors without data, sideways to the weights of an operator, and backward where inputs are shaped
like the output.

Some lengths of constants, such as those of the first states of a cell, follow from the data
(`find_open`); `trace_lengths` finds out which axes of the inputs have them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import torch

from mxnet import limits
from mxnet.errors import MXNetError, shown
from mxnet.graph.infer.kernels import (
    find_alike,
    find_quickly,
    in_operator,
    is_like_inputs,
    list_entries,
)
from mxnet.graph.infer.stand_ins import compute_shapes, fill_shapes
from mxnet.graph.infer.subgraph import find_shapes
from mxnet.graph.infer.types import Types, infer_inside, infer_types
from mxnet.graph.infer.work_list import Known, Session, Uniform, Visits, WorkList, is_constant
from mxnet.graph.ir import Entry, Graph, Node, NodeList, SubgraphOp
from mxnet.ops.core.attrs import (
    CLASSIC_SHAPES,
    PARAMETER_SHAPES,
    UNKNOWN,
    Shape,
    ShapeRules,
    codec_for,
    merge_shapes,
    shape_is_known,
)
from mxnet.ops.core.custom import Use
from mxnet.ops.core.registry import Op

Shapes: TypeAlias = Mapping[Entry, Shape]

_MAX_PARSED = 1024
_MAX_COMPARED = 64
"""Nodes of more inputs are visited each time, as their shapes would take much memory."""


def declared_shape(node: Node, rules: ShapeRules) -> Shape | None:
    """Reads the shape that a variable carries as an attribute.

    A length of 0 is unknown in every dialect: files of both may have that for a parameter.
    """
    text = node.attrs.get("__shape__")
    if text is None or text == "None":
        return None
    limits.check("attribute_text", len(text), f"variable {node.name!r}: __shape__")
    try:
        return _parse_shape(text, rules)
    except (ValueError, TypeError, OverflowError) as error:
        raise MXNetError(
            f"variable {node.name!r}: its shape (__shape__) takes a tuple of ints such as (2, 3), "
            f"got {shown(text)}"
        ) from error


@lru_cache(maxsize=_MAX_PARSED)  # never invalid; a network has few different shapes
def _parse_shape(text: str, rules: ShapeRules) -> Shape | None:
    return PARAMETER_SHAPES.read(rules.read(codec_for(Shape).parse(text)))


def infer_shapes(
    nodes: NodeList,
    given: Mapping[str, Sequence[int]],
    types: Types,
    rules: ShapeRules = CLASSIC_SHAPES,
) -> Shapes:
    """Finds out the shapes of all outputs of sorted nodes, as far as that is possible.

    Args:
        nodes: The nodes, each after what it reads.
        given: Shapes of variables by name, as the dialect writes them.
        types: Element types, as far as they are known.
        rules: How the dialect of the graph writes shapes. They hold for the results of kernels
            too: in the classic dialect an output of length 0 is one of unknown length.

    Raises:
        MXNetError: if the shapes do not fit; it names the node.
    """
    known = {name: rules.read(shape) for name, shape in given.items()}
    last: _Answer | None = nodes.last
    if last is not None and last.fits(nodes, known, types, rules):
        return last.shapes
    shapes = _Inference(nodes, types, Session(nodes), rules).run(known)
    variables = [Entry(node) for node in nodes.variables]
    if is_constant(nodes) and all(shape_is_known(shapes.get(entry)) for entry in variables):
        nodes.last = _Answer(Node.revision, types, rules, known, shapes)
    return shapes


class _Answer(NamedTuple):
    """Shapes that were found, for the same question or one with the shapes of all variables."""

    revision: int
    types: Types
    rules: ShapeRules
    given: Mapping[str, Shape | None]
    shapes: Shapes

    def fits(
        self, nodes: NodeList, given: Mapping[str, Shape | None], types: Types, rules: ShapeRules
    ) -> bool:
        """Returns whether inference from given shapes would find the same."""
        if self.revision != Node.revision or self.rules != rules:
            return False
        if self.types is not types and not _are_alike(self.types, types):
            return False
        if given == self.given:
            return True
        return all(self.shapes[Entry(node)] == given.get(node.name) for node in nodes.variables)


def _are_alike(one: Types, other: Types) -> bool:
    """Returns whether shapes that are inferred with some dtypes hold for others."""
    dtypes = _only_dtype(one), _only_dtype(other)
    return one == other if None in dtypes else dtypes[0] is dtypes[1]


def _only_dtype(types: Types) -> torch.dtype | None:
    """Returns the dtype of all entries, None if there are several."""
    if not types:
        return torch.float32  # which is assumed
    return types.value if isinstance(types, Uniform) else None


def _start(node: Node, given: Shape | None, rules: ShapeRules) -> Shape | None:
    """Chooses between the shape that is given for a variable and the one that it carries."""
    if shape_is_known(given):
        return given
    declared = declared_shape(node, rules)
    return given if declared is None else declared


class _Inference:
    """The shapes of one graph in the making.

    Args:
        nodes: The nodes, each after what it reads.
        types: Element types, as far as they are known.
        session: The question that this is a part of.
        rules: How the dialect of the graph writes shapes.
    """

    def __init__(self, nodes: NodeList, types: Types, session: Session, rules: ShapeRules) -> None:
        self._nodes, self._types, self._session, self._rules = nodes, types, session, rules
        self._work = WorkList(nodes)
        self._known: Known[Shape] = Known()
        self._others = types if _only_dtype(types) is None else None
        # For nodes without known outputs.
        self._visits = Visits(self._known, self._others)

    def run(self, given: Mapping[str, Shape | None]) -> Shapes:
        """Finds out all shapes from those of variables."""
        for node in self._nodes.variables:
            self._known.by_node[node] = (None,)
            self._learn(Entry(node), _start(node, given.get(node.name), self._rules))
        self._session.spend_round(self._nodes)
        for node in self._work.first_round(self._known, self._visits.told, self._others):
            self._visit_named(node)
        for node in self._work.later_rounds():
            self._session.spend(node)
            self._visit_named(node)
        return self._known

    def _visit_named(self, node: Node) -> None:
        try:
            self._visit(node)
        except MXNetError as error:
            raise in_operator(error, node) from error

    def _learn(self, entry: Entry, shape: Shape | None) -> None:
        before = self._known.get(entry)
        if shape is None or shape == before:
            return
        if not shape or self._rules.unknown in shape:
            shape = self._rules.read(shape)
        merged = merge_shapes(before, shape)
        if merged is not None and merged != before:
            self._known[entry] = merged
            self._work.wake(entry)

    def _visit(self, node: Node) -> None:
        op = node.op
        if op is None:
            return
        if node.custom is not None:
            self._visit_custom(node, node.custom)
        elif op.traits.types.casts_precision:
            self._visit_conversion(node)
        elif isinstance(op, SubgraphOp):
            if self._is_settled(node):
                return
            for entry, shape in find_shapes(
                node, op, self._known, self._types, self._infer_inside, self._rules
            ):
                self._learn(entry, shape)
        else:
            self._visit_like_before(node, op)

    def _visit_like_before(self, node: Node, op: Op) -> None:
        """Visits a node, or learns what the visit of one like it has told."""
        outputs = self._known.by_node.get(node, ())
        if len(node.inputs) > _MAX_COMPARED or outputs.count(None) < len(outputs):
            self._visit_operator(node, op)
            return
        key, before = self._visits.key_of(node)
        visit = self._visits.get(key)
        if visit is None:
            self._visit_operator(node, op)
            self._visits.note(key, node, before, self._is_settled(node))
            return
        visit.tell(node, before, self._learn)
        if visit.is_settled:
            self._work.settle()

    def _visit_operator(self, node: Node, op: Op) -> None:
        ready = op.traits.shapes.ready
        if ready is not None and not ready(list(map(self._known.get, node.inputs)), node.settings):
            return
        alike = find_alike(node, op)
        if alike:
            self._visit_alike(node, op, alike)
            return
        if self._is_settled(node):  # others have told all of it, which may not fit
            if not self._visit_quickly(node, op):
                self._learn_outputs(node, op)
            self._work.settle()
            return
        if not self._visit_quickly(node, op):
            self._learn_inputs(node, op)
            self._learn_outputs(node, op)
        if self._is_settled(node):
            self._work.settle()

    def _visit_quickly(self, node: Node, op: Op) -> bool:
        """Visits a node of known inputs if there is a rule for it, which also says if they fit."""
        if op.traits.shapes.quick is None:
            return False
        shapes = [self._known.get(entry) for entry in node.inputs]
        if not all(map(shape_is_known, shapes)):
            return False
        dtypes = [self._types.get(entry, torch.float32) for entry in node.inputs]
        shape = find_quickly(op, shapes, dtypes, node.settings)
        self._learn(Entry(node), shape)
        return shape is not None

    def _is_settled(self, node: Node) -> bool:
        """Returns whether the shapes of all inputs and outputs of a node are known."""
        known = self._known
        return (
            bool(node.inputs)
            and all(map(shape_is_known, known.outputs_of(node)))
            and all(shape_is_known(known.get(entry)) for entry in node.inputs)
        )

    def _visit_alike(self, node: Node, op: Op, alike: Sequence[Entry]) -> None:
        shapes, shape = self._known, None
        for entry in alike:
            known = shapes.get(entry)
            if known != shape:
                shape = merge_shapes(shape, known)
        for entry in alike:
            if shapes.get(entry) != shape:
                self._learn(entry, shape)
        dtypes = [self._types.get(entry, torch.float32) for entry in node.inputs]
        if not is_like_inputs(op, dtypes):
            self._learn_outputs(node, op)
        if shape_is_known(shape):
            self._work.settle()

    def _visit_conversion(self, node: Node) -> None:
        """Visits a node each of whose outputs has the shape of the input at the same place."""
        for place, entry in enumerate(node.inputs):
            output = Entry(node, place)
            self._learn(output, self._known.get(entry))
            self._learn(entry, self._known.get(output))
        if self._is_settled(node):
            self._work.settle()

    def _learn_outputs(self, node: Node, op: Op) -> None:
        """Asks the kernel for the shapes of the outputs."""
        inputs = [self._known.get(entry) for entry in node.inputs]
        computed = compute_shapes(node, op, inputs, self._types)
        for index, shape in enumerate(computed[: node.num_outputs]):
            self._learn(Entry(node, index), shape)

    def _visit_custom(self, node: Node, custom: Use) -> None:
        """Asks an operator written in Python for shapes."""
        count = len(custom.arguments)
        given = [self._known.get(entry) for entry in node.inputs[:count]]
        try:
            inferred = custom.infer_shapes(given)
        except MXNetError:
            if all(map(shape_is_known, given)):
                raise
            return  # it wants to know more
        for entry, shape in zip(list_entries(node, count), chain(*inferred), strict=False):
            self._learn(entry, shape)

    def _infer_inside(
        self, graph: Graph, given: Mapping[str, Shape], dtypes: Mapping[str, torch.dtype]
    ) -> Shapes:
        """Infers the shapes of a subgraph, unless that has been done for such inputs before."""
        key = ("shapes", graph, tuple(given.items()), tuple(dtypes.items()))
        shapes: Shapes | None = self._session.recall(key)
        if shapes is None:
            types = infer_inside(graph, dtypes, self._session)
            shapes = _Inference(graph.nodes, types, self._session, self._rules).run(given)
            self._session.keep(key, shapes)
        return shapes

    def _learn_inputs(self, node: Node, op: Op) -> None:
        """Learns shapes of weights from the data, and of the data from the outputs."""
        shapes = self._known
        known = [shapes.get(entry) for entry in node.inputs]
        outputs = shapes.outputs_of(node)
        rule = op.traits.shapes.inputs
        if rule is not None and any(shape is not None for shape in (*outputs, *known)):
            told = rule(known, outputs, node.settings)
            for entry, shape in zip(node.inputs, told, strict=False):
                self._learn(entry, shape)
        first = shapes.get(node.inputs[0]) if node.inputs else None
        if first is None or op.fill_shapes is None:
            return
        output = outputs[0]
        if op.traits.shapes.keeps_batch and output and first and first[0] == UNKNOWN:
            first = (output[0], *first[1:])
            self._learn(node.inputs[0], first)
        filled = fill_shapes(node, op, first)
        for name, entry in zip(node.input_names, node.inputs, strict=True):
            if name not in filled:
                continue
            if op.traits.shapes.exact or not shape_is_known(shapes.get(entry)):
                self._learn(entry, filled[name])


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
    return any(map(_is_open_length, node.parsed.get("shape") or ()))


def _is_open_length(length: int) -> bool:
    """Returns whether a length in an attribute is one to find out from the use of the result."""
    return length <= 0


def find_open(nodes: NodeList) -> list[Node]:
    """Lists the nodes that make constants whose shape their use may tell."""
    ops = {op for op in nodes.ops if op.traits.shapes.open_lengths}
    return [node for node in nodes if node.op in ops and _may_be_open(node, node.op)] if ops else []


def _may_be_open(node: Node, op: Op) -> bool:
    if op.traits.shapes.complete is not None:
        return op.traits.shapes.complete(1, node.settings) is not None
    shape = node.parsed.get("shape")
    return not shape or is_open(node)


def complete_attrs(node: Node, shape: Shape | None) -> dict[str, Any]:
    """Returns the attributes of a node that makes a constant, for the shape that its use tells.

    A shape that is not told remains as it is given.
    """
    if node.op is None or shape is None or not shape_is_known(shape):
        return dict(node.parsed)
    if node.op.traits.shapes.complete is not None:
        return node.op.traits.shapes.complete(shape[0], node.settings) or dict(node.parsed)
    return {**node.parsed, "shape": shape}


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
                sources.get((node, axis), usual[node, axis]) if _is_open_length(length) else length
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
            if _is_open_length(length):
                if found is None or found[axis] == 0:
                    raise MXNetError("the graph makes arrays whose shape is not known")
                lengths[node, axis] = found[axis]
    return lengths
