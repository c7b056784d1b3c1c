"""The first run of a graph, in which parameters learn the shapes that they wait for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor, fx

from mxnet.gluon._parameter import Parameter, ParameterError
from mxnet.graph.interpreter import Interpreter
from mxnet.graph.lower import LoweredGraph
from mxnet.graph.node import Entry, Node, sort_nodes


def may_run_first(heads: Sequence[Entry], waiting: Mapping[str, Parameter]) -> bool:
    """Returns whether the operators of a graph say what shape each waiting parameter has.

    Args:
        heads: Outputs of the graph.
        waiting: Parameters by the name of their variable.
    """
    open_names = set(waiting)
    for node in sort_nodes(heads):
        read = {entry.node.name for entry in node.inputs if entry.node.op is None}
        found = open_names & read
        if found and not _tells_shapes(node, found):
            return False
        open_names -= found
    return not open_names


def _tells_shapes(node: Node, names: set[str]) -> bool:
    op = node.op
    if op is None or op.variadic or node.inputs[0].node.name in names:
        return False
    return op.fill_shapes is not None or not op.attrs


def run_first(
    module: LoweredGraph, values: Sequence[Any], read: Callable[[Parameter], Tensor]
) -> list[Tensor]:
    """Computes a graph of which some inputs are parameters without a value yet.

    Args:
        module: The graph, before any pass.
        values: Tensors, and parameters that wait for their shape.
        read: Returns the tensor of a parameter that has a value.
    """

    def resolve(call: fx.Node, node: Node, known: dict[fx.Node, Any]) -> None:
        if any(isinstance(known[item], Parameter) for item in call.all_input_nodes):
            _resolve(call, node, known, read)

    outputs: list[Tensor] = Interpreter(module, resolve=resolve).run(*values)
    return outputs


def _resolve(
    call: fx.Node, node: Node, known: dict[fx.Node, Any], read: Callable[[Parameter], Tensor]
) -> None:
    """Initializes the parameters that an operator is about to read."""
    shapes = _shapes_of_inputs(node, tuple(known[call.all_input_nodes[0]].shape))
    inputs = () if node.op is None else node.op.inputs
    for item, argument in zip(inputs, call.args, strict=True):
        parameter = known[argument] if isinstance(argument, fx.Node) else None
        if not isinstance(parameter, Parameter):
            continue
        if parameter._deferred_init:
            if item.name not in shapes:
                raise ParameterError(
                    f"node {node.name!r} does not tell the shape of {parameter.name!r}"
                )
            parameter.shape = tuple(shapes[item.name])
            parameter._finish_deferred_init()
        known[argument] = read(parameter)  # type: ignore[index]  # a parameter is a node's value


def _shapes_of_inputs(node: Node, shape: tuple[int, ...]) -> Mapping[str, Sequence[int]]:
    """Returns what a node says of the shapes of its inputs for data of a shape."""
    op = node.op
    if op is None or op.fill_shapes is None:
        return dict.fromkeys(node.input_names, shape)
    try:
        return dict(op.fill_shapes(shape, **op.with_defaults(node.parsed)))
    except (IndexError, ValueError) as error:
        raise ParameterError(f"{op.name}: does not take data of shape {shape}: {error}") from error
