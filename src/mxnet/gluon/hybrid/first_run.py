"""The first run of a graph, in which parameters learn the shapes that they wait for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor, fx

from mxnet.errors import MXNetError
from mxnet.gluon._parameter import Parameter, ParameterError
from mxnet.graph.failures import name_node
from mxnet.graph.lower import LoweredGraph
from mxnet.graph.node import Entry, Node, sort_nodes
from mxnet.ops.failures import KERNEL_ERRORS


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


class FirstRun(fx.Interpreter):
    """Runs a lowered graph in which some inputs are parameters without a value yet.

    Args:
        module: The graph, before any pass.
        read: Gives the tensor of a parameter that has a value.
    """

    def __init__(self, module: LoweredGraph, read: Callable[[Parameter], Tensor]) -> None:
        super().__init__(module)
        self.extra_traceback = False
        self._read = read

    def run_node(self, n: fx.Node) -> Any:
        """Runs a node, after the parameters that it reads have got their values."""
        node: Node | None = n.meta.get("source")
        if node is None or node.op is None:
            return super().run_node(n)
        if any(isinstance(self.env[item], Parameter) for item in n.all_input_nodes):
            self._resolve(n, node)
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        try:
            return self.call_function(n.target, args, kwargs)
        except MXNetError:
            raise
        except KERNEL_ERRORS as error:
            raise name_node(node, error) from error

    def _resolve(self, n: fx.Node, node: Node) -> None:
        data = self.env[n.all_input_nodes[0]]
        shapes = _shapes_of_inputs(node, tuple(data.shape))
        inputs = () if node.op is None else node.op.inputs
        for item, argument in zip(inputs, n.args, strict=True):
            if not isinstance(argument, fx.Node):
                continue
            parameter = self.env[argument]
            if isinstance(parameter, Parameter):
                if parameter._deferred_init:
                    if item.name not in shapes:
                        raise ParameterError(
                            f"node {node.name!r} does not tell the shape of {parameter.name!r}"
                        )
                    parameter.shape = tuple(shapes[item.name])
                    parameter._finish_deferred_init()
                self.env[argument] = self._read(parameter)


def _shapes_of_inputs(node: Node, shape: tuple[int, ...]) -> Mapping[str, Sequence[int]]:
    """Returns what a node says of the shapes of its inputs for data of a shape."""
    op = node.op
    if op is None or op.fill_shapes is None:
        return dict.fromkeys(node.input_names, shape)
    try:
        return dict(op.fill_shapes(shape, **op.with_defaults(node.parsed)))
    except (IndexError, ValueError) as error:
        raise ParameterError(f"{op.name}: does not take data of shape {shape}: {error}") from error
