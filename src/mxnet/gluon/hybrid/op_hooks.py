"""Shows what the operators of a hybridized block compute to a function of the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from mxnet._dialect import make_array
from mxnet.context import Context
from mxnet.graph.interpreter import Interpreter
from mxnet.graph.lower import LoweredGraph
from mxnet.graph.node import Node
from mxnet.ops.core.registry import as_tuple

Hook = Callable[..., Any]


class Watch:
    """Shows what the operators of a graph read and compute to a function of the user.

    Args:
        hook: Called with the name of a value and of its operator, both as bytes, and an array.
        show_inputs: Whether it is also called with what operators read.
        ctx: Context of the arrays.
    """

    def __init__(self, hook: Hook, show_inputs: bool, ctx: Context) -> None:
        self._hook, self._show_inputs, self._ctx = hook, show_inputs, ctx

    def run(self, module: LoweredGraph, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes a graph, before any pass, one operator at a time."""
        before = self._show_arguments if self._show_inputs else None
        run = Interpreter(module, before=before, after=self._show_results)
        outputs: list[Tensor] = run.run(*tensors)
        return outputs

    def _show_arguments(self, node: Node, args: tuple[Any, ...]) -> tuple[Any, ...]:
        values = [value for value in args if isinstance(value, Tensor)]
        for name, value in zip(node.shown_input_names, values, strict=False):
            self._show(node, name, value)
        return args

    def _show_results(self, node: Node, result: Any) -> None:
        named = node.op is not None and node.op.traits.labels.names_outputs
        for index, value in enumerate(as_tuple(result)[: node.num_outputs]):
            name = node.output_name(index).removeprefix(f"{node.name}_")
            self._show(node, name if named else str(index), value)

    def _show(self, node: Node, label: str, tensor: Tensor) -> None:
        operator = "" if node.op is None else node.op.name
        array = make_array(tensor.detach().clone(), self._ctx)
        self._hook(f"{node.name}_{label}".encode(), operator.encode(), array)
