"""The first run of a graph, in which parameters learn the shapes that they wait for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor

from mxnet.gluon._parameter import Parameter, ParameterError
from mxnet.graph.calls import Call
from mxnet.graph.graph import Graph
from mxnet.graph.interpreter import Interpreter
from mxnet.graph.lower import LoweredGraph
from mxnet.graph.node import Node
from mxnet.ops.core.inference import shapes_from_data, tells_input_shapes


def may_run_first(graph: Graph, waiting: Mapping[str, Parameter]) -> bool:
    """Returns whether the operators of a graph say what shape each waiting parameter has.

    Args:
        graph: The graph.
        waiting: Parameters by the name of their variable.
    """
    open_names = set(waiting)
    for node in graph.nodes:
        read = {entry.node.name for entry in node.inputs if entry.node.op is None}
        told = open_names & read
        if told and not _tells_shapes(node, told):
            return False
        open_names -= told
    return not open_names


def _tells_shapes(node: Node, names: set[str]) -> bool:
    if node.op is None or node.op.variadic or node.inputs[0].node.name in names:
        return False
    return tells_input_shapes(node.op)


def run_first(
    module: LoweredGraph, values: Sequence[Any], read: Callable[[Parameter], Tensor]
) -> list[Tensor]:
    """Computes a graph of which some inputs are parameters without a value yet.

    Args:
        module: The graph, before any pass.
        values: Tensors, and parameters that wait for their shape.
        read: Returns the tensor of a parameter that has a value.
    """

    def resolve(call: Call, node: Node, known: dict[Call, Any]) -> None:
        if any(isinstance(known[item], Parameter) for item in call.all_input_nodes):
            _resolve(call, node, known, read)

    outputs: list[Tensor] = Interpreter(module, resolve=resolve).run(*values)
    return outputs


def _resolve(
    call: Call, node: Node, known: dict[Call, Any], read: Callable[[Parameter], Tensor]
) -> None:
    """Initializes the parameters that an operator is about to read."""
    op: Any = node.op  # no variable has a call
    shapes = shapes_from_data(op, tuple(known[call.all_input_nodes[0]].shape), node.settings)
    for item, argument in zip(op.inputs, call.args, strict=True):
        parameter = known[argument] if isinstance(argument, Call) else None
        if not isinstance(parameter, Parameter):
            continue
        if parameter._deferred_init:
            if item.name not in shapes:
                raise ParameterError(
                    f"node {node.name!r} does not tell the shape of {parameter.name!r}"
                )
            parameter.shape = tuple(shapes[item.name])
            parameter._finish_deferred_init()
        known[argument] = read(parameter)
