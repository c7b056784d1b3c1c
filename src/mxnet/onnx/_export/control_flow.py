"""Loops over rows, loops under a condition, and branches of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from mxnet.graph.graph import Graph
from mxnet.graph.subgraph import SubgraphOp, arrange
from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.loops import placeholder, write_body
from mxnet.onnx._export.table import NotExportableError, Out
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.shapes import UNKNOWN


class Writer(Protocol):
    """What writes the nodes of a subgraph."""

    builder: Builder

    def inline(self, graph: Graph, values: Sequence[Value]) -> list[Value]:
        """Writes the nodes of a graph whose variables have values, and returns its outputs."""


Convert: TypeAlias = Callable[
    [Writer, SubgraphOp, Sequence[Value], Mapping[str, Any], Out], Sequence[Value]
]


def _tail(shape: Shape | None) -> Shape | None:
    return None if shape is None else shape[1:]


def _foreach(
    writer: Writer, op: SubgraphOp, inputs: Sequence[Value], attrs: Mapping[str, Any], out: Out
) -> Sequence[Value]:
    b, wires = writer.builder, op.control.list_wires(attrs)
    num_data, num_states = len(attrs["in_data_locs"]), len(attrs["in_state_locs"])
    data, states = inputs[:num_data], inputs[num_data : num_data + num_states]
    rest, num_out = inputs[num_data + num_states :], attrs["num_out_data"]
    rows = [placeholder(b, "row", item.dtype, _tail(item.shape)) for item in data]
    held = [placeholder(b, "state", item.dtype, item.shape) for item in states]

    def step() -> Sequence[Value]:
        # A step of a vector has one element, not no axis.
        items = [_as_vector(b, row) for row in rows]
        results = writer.inline(op.subgraphs[0], arrange(wires, 0, [*items, *held, *rest]))
        return [*results[num_out:], *results[:num_out]]

    body = write_body(b, [*held, *rows], step)
    results = b.ops(
        "Scan",
        *states,
        *data,
        dtypes=[item.dtype for item in body.outputs],
        body=body,
        num_scan_inputs=num_data,
    )
    return [*results[num_states:], *results[:num_states]]


def _as_vector(b: Builder, row: Value) -> Value:
    if row.shape != ():
        return row
    return b.op("Unsqueeze", row, b.ints([0]), shape=(1,))


def _cond(
    writer: Writer, op: SubgraphOp, inputs: Sequence[Value], attrs: Mapping[str, Any], out: Out
) -> Sequence[Value]:
    b, wires = writer.builder, op.control.list_wires(attrs)
    (test,) = writer.inline(op.subgraphs[0], arrange(wires, 0, inputs))
    branches = [
        write_body(
            b,
            [],
            lambda number=number: writer.inline(  # type: ignore[misc]  # mypy has no type for it
                op.subgraphs[number], arrange(wires, number, inputs)
            ),
        )
        for number in (1, 2)
    ]
    is_true = b.cast(b.reshape(test, b.ints([])), "bool")
    return b.ops(
        "If",
        is_true,
        dtypes=[item.dtype for item in branches[0].outputs],
        then_branch=branches[0],
        else_branch=branches[1],
    )


def _while_loop(
    writer: Writer, op: SubgraphOp, inputs: Sequence[Value], attrs: Mapping[str, Any], out: Out
) -> Sequence[Value]:
    b, wires = writer.builder, op.control.list_wires(attrs)
    num_out, limit = attrs["num_out_data"], attrs["max_iterations"]
    places = [attrs["func_input_locs"][position] for position in attrs["func_var_locs"]]
    counter = placeholder(b, "iteration", "int64", ())
    proceed = placeholder(b, "proceed", "bool", ())
    held = [placeholder(b, "state", inputs[place].dtype, inputs[place].shape) for place in places]

    def test(values: Sequence[Value]) -> Value:
        (result,) = writer.inline(op.subgraphs[0], arrange(wires, 0, values))
        return b.cast(b.reshape(result, b.ints([])), "bool")

    def step() -> Sequence[Value]:
        current = _replace(inputs, places, held)
        results = writer.inline(op.subgraphs[1], arrange(wires, 1, current))
        states = [b.cast(item, held[index].dtype) for index, item in enumerate(results[num_out:])]
        return [test(_replace(inputs, places, states)), *states, *results[:num_out]]

    body = write_body(b, [counter, proceed, *held], step)
    results = b.ops(
        "Loop",
        b.ints(limit),
        test(inputs),
        *(inputs[place] for place in places),
        dtypes=[item.dtype for item in body.outputs[1:]],
        body=body,
    )
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


CONTROL: dict[str, Convert] = {"_foreach": _foreach, "_cond": _cond, "_while_loop": _while_loop}
"""Converters of operators that run graphs of their own."""
