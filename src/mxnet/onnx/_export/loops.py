"""Loops and branches: nodes of ONNX with graphs of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mxnet.onnx._export.builder import Builder, Subgraph, Value
from mxnet.ops.core.attrs import Shape


def write_body(
    b: Builder, inputs: Sequence[Value], write: Callable[[], Sequence[Value]]
) -> Subgraph:
    """Returns what a function writes as a graph of its own, which may read values outside of it.

    Args:
        b: The graph.
        inputs: What the body is given in each run.
        write: Writes the nodes and returns the outputs.
    """
    outer, b.nodes = b.nodes, []
    try:
        # An output has to be computed inside.
        outputs = [b.op("Identity", item, shape=item.shape) for item in write()]
        return Subgraph(b.nodes, inputs, outputs)
    finally:
        b.nodes = outer


def placeholder(b: Builder, name: str, dtype: str, shape: Shape | None) -> Value:
    """Returns an input of a body."""
    return Value(b, b.new_name(name), dtype, shape)


def repeat_until_settled(
    b: Builder, start: Value, step: Callable[[Value], tuple[Value, Value]]
) -> Value:
    """Repeats a step until it says that nothing has changed.

    Args:
        b: The graph.
        start: What the first step is given.
        step: Returns whether something has changed, and what the next step is given.
    """
    counter = placeholder(b, "iteration", "int64", ())
    proceed = placeholder(b, "proceed", "bool", ())
    state = placeholder(b, "state", start.dtype, start.shape)
    body = write_body(b, [counter, proceed, state], lambda: step(state))
    go = b.constant(True, "bool")
    return b.op("Loop", None, go, start, dtype=start.dtype, body=body)
