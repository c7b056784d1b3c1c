"""Walks over a graph and lets converters write its nodes; loops and branches become subgraphs."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from mxnet._formats import element_types
from mxnet.errors import MXNetError
from mxnet.graph.infer import Shapes, Types, infer_shapes, infer_types
from mxnet.graph.ir import Entry, Graph, Node, SubgraphOp, arrange
from mxnet.onnx import _recurrent  # noqa: F401 - fills the table of converters
from mxnet.onnx._export import (  # noqa: F401 - they fill the table of converters
    convolution,
    creation,
    detection,
    elementwise,
    images,
    indexing,
    layers,
    linear,
    reduction,
    shaping,
)
from mxnet.onnx._export.builder import Builder, Value, placeholder, write_body
from mxnet.onnx._table import EXPORTS, NotExportableError, Out
from mxnet.ops.core.attrs import UNKNOWN, Shape, ShapeRules

Values: TypeAlias = Sequence[Value]

_LOGGER = logging.getLogger("mxnet.onnx")


class GraphWriter:
    """Writes the nodes of a graph.

    Args:
        builder: What the nodes are written to.
        graph: The graph.
        shapes: Shapes of everything in it, as far as they are known.
        types: Dtypes of everything in it.
        rules: How its dialect writes shapes.
    """

    def __init__(
        self, builder: Builder, graph: Graph, shapes: Shapes, types: Types, rules: ShapeRules
    ) -> None:
        self.builder, self.graph, self._rules = builder, graph, rules
        self.values: dict[Entry, Value] = {}
        self._shapes, self._types = shapes, types

    def dtype(self, entry: Entry) -> str:
        """Returns the name of the dtype of an output; float32 if nothing tells another."""
        dtype = self._types.get(entry)
        return "float32" if dtype is None else element_types.name_of(dtype)

    def shape(self, entry: Entry) -> Shape | None:
        """Returns what is known of the shape of an output."""
        return self._shapes.get(entry)

    def write(self) -> None:
        """Writes all nodes; `values` has those of the variables."""
        check_operators(self.graph)
        for node in self.graph.nodes:
            if node.op is not None:
                _LOGGER.debug("converting %s (%s)", node.name, node.op.name)
                self._convert(node)

    def _convert(self, node: Node) -> None:
        outputs = [Entry(node, index) for index in range(node.num_outputs)]
        out = Out(tuple(map(self.shape, outputs)), tuple(map(self.dtype, outputs)))
        start = len(self.builder.nodes)
        try:
            with self.builder.scope(node.name):
                results = self._run(node, out)
        except MXNetError as error:
            raise _refusal(node, str(error)) from error
        for entry, value in zip(outputs, results, strict=False):
            shape = self.shape(entry)
            # Of what depends on data no dtype is inferred, but the converter knows it.
            is_inferred = shape is not None or value.shape is None
            result = self.builder.cast(value, self.dtype(entry)) if is_inferred else value
            result = self.builder.rename(result, node.output_name(entry.output), start)
            shape = value.shape if shape is None else shape
            self.values[entry] = Value(self.builder, result.name, result.dtype, shape, result.array)

    def _run(self, node: Node, out: Out) -> Sequence[Value]:
        op = node.op
        if op is None:
            return ()
        if isinstance(op, SubgraphOp):
            values = [self.values[entry] for entry in node.inputs]
            return CONTROL[op.name](self, op, values, node, out)
        row = EXPORTS[op.name]
        given = [self.values.get(entry) for entry in node.inputs]
        if op.variadic:
            return row.run(self.builder, given, node.settings, out)
        by_name = dict(zip(node.input_names, given, strict=False))
        inputs = [by_name.get(item.name) for item in op.inputs if item.name not in row.ignores]
        return row.run(self.builder, inputs, node.settings, out)

    def inline(self, graph: Graph, values: Sequence[Value]) -> list[Value]:
        """Writes the nodes of a graph whose variables have values, and returns its outputs.

        Args:
            graph: The body of a loop, a condition or a branch.
            values: What its variables are, in their order.
        """
        named = dict(zip(graph.input_names, values, strict=True))
        shapes = {name: value.shape for name, value in named.items()}
        dtypes = {name: value.dtype for name, value in named.items()}
        inferred = infer_graph(graph, shapes, dtypes, self._rules)
        writer = GraphWriter(self.builder, graph, *inferred, self._rules)
        for node in graph.inputs:
            writer.values[Entry(node)] = named[node.name]
        writer.write()
        return [writer.values[head] for head in graph.heads]


def _refusal(node: Node, reason: str) -> NotExportableError:
    operator = "" if node.op is None else node.op.name
    attrs = ", ".join(f"{key}={value}" for key, value in node.attrs.items()) or "no attributes"
    return NotExportableError(
        f"export_model: node {node.name!r} (operator {operator} with {attrs}) "
        f"cannot be written in ONNX: {reason}"
    )


def check_operators(graph: Graph) -> None:
    """Checks that there is a converter for every node.

    Raises:
        NotExportableError: if not; it lists all operators without one.
    """
    missing: dict[str, str] = {}
    for node in graph.nodes:
        if node.op is not None and not (node.op.name in EXPORTS or node.op.name in CONTROL):
            missing.setdefault(node.op.name, node.name)
    if missing:
        places = ", ".join(f"{op} (node {name!r})" for op, name in missing.items())
        raise NotExportableError(
            f"export_model: there is no converter for {places}; replace them by operators that "
            "mx.onnx.get_operator_support() lists, or compute them outside of the model"
        )


def read_variables(graph: Graph) -> list[Node]:
    """Lists the variables that the exported nodes read; labels of losses are not among them."""
    used: set[Node] = {head.node for head in graph.heads}
    for node in graph.nodes:
        row = None if node.op is None else EXPORTS.get(node.op.name)
        ignored = row.ignores if row is not None else ()
        names = node.input_names
        used.update(
            entry.node
            for position, entry in enumerate(node.inputs)
            if position >= len(names) or names[position] not in ignored
        )
    return [node for node in graph.inputs if node in used]


def infer_graph(
    graph: Graph, shapes: Mapping[str, Shape | None], dtypes: Mapping[str, str], rules: ShapeRules
) -> tuple[Shapes, Types]:
    """Infers shapes and dtypes of everything in a graph.

    Args:
        graph: The graph.
        shapes: Shapes of variables, lengths that are not known being `UNKNOWN`.
        dtypes: Names of the dtypes of variables.
        rules: How the dialect of the graph writes shapes.
    """
    types = infer_types(
        graph.nodes, {name: element_types.to_torch(dtype) for name, dtype in dtypes.items()}
    )
    given = {name: rules.write(shape) or () for name, shape in shapes.items() if shape is not None}
    return infer_shapes(graph.nodes, given, types, rules), types


def infer_open_graph(
    graph: Graph,
    shapes: Mapping[str, Shape | None],
    example: Mapping[str, Shape],
    dtypes: Mapping[str, str],
    rules: ShapeRules,
) -> tuple[Shapes, Types]:
    """Infers shapes and dtypes of a graph in which lengths of inputs are open.

    Open lengths of different axes need not be equal, but often depend on each other. So shapes are
    inferred for an example, and for one with open lengths twice as long; what differs is open.

    Args:
        graph: The graph.
        shapes: Shapes of variables, open lengths being `UNKNOWN`.
        example: Shapes of the same variables that fit each other.
        dtypes: Names of the dtypes of variables.
        rules: How the dialect of the graph writes shapes.
    """
    if not example:
        return infer_graph(graph, shapes, dtypes, rules)
    twice = {
        name: tuple(
            2 * length if shapes[name][axis] == UNKNOWN else length  # type: ignore[index]
            for axis, length in enumerate(shape)
        )
        for name, shape in example.items()
    }
    try:
        first, types = infer_graph(graph, {**shapes, **example}, dtypes, rules)
        second, _ = infer_graph(graph, {**shapes, **twice}, dtypes, rules)
    except MXNetError:  # a reshape to given lengths, perhaps
        return infer_graph(graph, shapes, dtypes, rules)
    entries = [Entry(node, index) for node in graph.nodes for index in range(node.num_outputs)]
    merged = {entry: _merge(first.get(entry), second.get(entry)) for entry in entries}
    return {entry: shape for entry, shape in merged.items() if shape is not None}, types


def _merge(first: Shape | None, second: Shape | None) -> Shape | None:
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(one if one == other else UNKNOWN for one, other in zip(first, second, strict=True))


def write_parameters(writer: GraphWriter, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Makes constants of the variables that are parameters."""
    for node in writer.graph.inputs:
        array = arrays.get(node.name)
        if array is not None:
            name = writer.builder.new_name(node.name)
            writer.values[Entry(node)] = writer.builder.parameter(name, array)


def _foreach(writer: GraphWriter, op: SubgraphOp, inputs: Values, node: Node, out: Out) -> Values:
    b, attrs = writer.builder, node.settings
    wires = op.control.list_wires(attrs)
    num_data, num_states = len(attrs["in_data_locs"]), len(attrs["in_state_locs"])
    data, states = inputs[:num_data], inputs[num_data : num_data + num_states]
    rest, num_out = inputs[num_data + num_states :], attrs["num_out_data"]
    shapes = [None if item.shape is None else item.shape[1:] for item in data]
    rows = [
        placeholder(b, "row", item.dtype, shape) for item, shape in zip(data, shapes, strict=True)
    ]
    held = [placeholder(b, "state", item.dtype, item.shape) for item in states]

    def step() -> Values:
        # A step of a vector has one element, not no axis.
        items = [
            b.op("Unsqueeze", row, b.ints([0]), shape=(1,)) if row.shape == () else row
            for row in rows
        ]
        results = writer.inline(op.subgraphs[0], arrange(wires, 0, [*items, *held, *rest]))
        return [*results[num_out:], *results[:num_out]]

    body = write_body(b, [*held, *rows], step)
    dtypes = [item.dtype for item in body.outputs]
    results = b.ops("Scan", *states, *data, dtypes=dtypes, body=body, num_scan_inputs=num_data)
    return [*results[num_states:], *results[:num_states]]


def _cond(writer: GraphWriter, op: SubgraphOp, inputs: Values, node: Node, out: Out) -> Values:
    b, wires = writer.builder, op.control.list_wires(node.settings)

    def run(number: int) -> Values:
        return writer.inline(op.subgraphs[number], arrange(wires, number, inputs))

    (test,) = run(0)
    first, second = (write_body(b, [], partial(run, number)) for number in (1, 2))
    is_true = b.cast(b.reshape(test, b.ints([])), "bool")
    dtypes = [item.dtype for item in first.outputs]
    return b.ops("If", is_true, dtypes=dtypes, then_branch=first, else_branch=second)


def _while_loop(
    writer: GraphWriter, op: SubgraphOp, inputs: Values, node: Node, out: Out
) -> Values:
    b, attrs = writer.builder, node.settings
    wires = op.control.list_wires(attrs)
    num_out, limit = attrs["num_out_data"], attrs["max_iterations"]
    places = [attrs["func_input_locs"][position] for position in attrs["func_var_locs"]]
    counter = placeholder(b, "iteration", "int64", ())
    proceed = placeholder(b, "proceed", "bool", ())
    held = [placeholder(b, "state", inputs[place].dtype, inputs[place].shape) for place in places]

    def test(values: Values) -> Value:
        (result,) = writer.inline(op.subgraphs[0], arrange(wires, 0, values))
        return b.cast(b.reshape(result, b.ints([])), "bool")

    def step() -> Values:
        current = _replace(inputs, places, held)
        results = writer.inline(op.subgraphs[1], arrange(wires, 1, current))
        states = [b.cast(item, held[index].dtype) for index, item in enumerate(results[num_out:])]
        return [test(_replace(inputs, places, states)), *states, *results[:num_out]]

    body = write_body(b, [counter, proceed, *held], step)
    given = [b.ints(limit), test(inputs), *(inputs[place] for place in places)]
    dtypes = [item.dtype for item in body.outputs[1:]]
    results = b.ops("Loop", *given, dtypes=dtypes, body=body)
    states, steps = results[: len(places)], results[len(places) :]
    padded = [_pad_steps(b, *pair, limit) for pair in zip(steps, out.shapes, strict=False)]
    return [*padded, *states]


def _replace(values: Sequence[Value], places: Sequence[int], new: Sequence[Value]) -> list[Value]:
    result = list(values)
    for place, value in zip(places, new, strict=True):
        result[place] = value
    return result


def _pad_steps(b: Builder, steps: Value, shape: Shape | None, limit: int) -> Value:
    """Adds rows of zeros for the steps that were not taken."""
    if shape is None or UNKNOWN in shape[1:]:
        raise NotExportableError("the shapes of the outputs of a step must be known")
    missing = b.ints([limit]) - b.gather(b.op("Shape", steps, dtype="int64"), b.ints([0]), 0)
    widths = b.concat([b.ints([0] * len(shape)), missing, b.ints([0] * (len(shape) - 1))], 0)
    return b.op("Pad", steps, widths, b.constant(0, steps.dtype))


CONTROL = {"_foreach": _foreach, "_cond": _cond, "_while_loop": _while_loop}
"""Converters of operators that run graphs of their own."""
