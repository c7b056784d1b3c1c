"""Shows every value that a graph computes to a function of the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from mxnet._frontend.dialect import make_array
from mxnet.context import Context
from mxnet.graph.ir import Entry, Graph, Node, rewrite
from mxnet.graph.lower import Interpreter, LoweredGraph, Setting
from mxnet.graph.run import Program
from mxnet.ndarray import NDArray
from mxnet.ops.core.registry import as_tuple

Callback = Callable[[bytes, NDArray], object]

_STATISTICS = "output_mean_var"
"""Option of normalizations that has them return what monitors of the original always see."""


def _with_statistics(graph: Graph) -> Graph:
    """Returns a graph whose normalizations give the mean and the variance as well."""

    def show(node: Node, inputs: list[Entry]) -> Node | None:
        if node.custom is not None:
            made = Node(node.op, node.name, node.attrs, inputs)
            made.custom = node.custom
            return made
        if node.op is None or node.settings.get(_STATISTICS, True):
            return None
        return Node(node.op, node.name, {**node.attrs, _STATISTICS: "True"}, inputs)

    has_statistics = any(
        node.op is not None and node.custom is None and not node.settings.get(_STATISTICS, True)
        for node in graph.nodes
    )
    return rewrite(graph, show) if has_statistics else graph


class Watch:
    """Runs a graph and calls a function with what its operators compute, forward and backward.

    Args:
        program: Runs the graph.
        callback: Function of a name, as bytes, and an array.
        show_inputs: Whether it is also called with what operators read.
        ctx: Context of the arrays.
    """

    def __init__(
        self, program: Program, callback: Callback, show_inputs: bool, ctx: Context
    ) -> None:
        self.callback, self.show_inputs, self._ctx = callback, show_inputs, ctx
        graph = _with_statistics(program.graph)
        is_same = graph is program.graph
        self._program = program if is_same else Program(graph, program.names)
        self._nodes = graph.nodes
        self._lowered: dict[Setting, LoweredGraph] = {}
        """By mode, as device, generator and shapes are those of the executor; never invalid."""
        self._gradients: dict[tuple[Node, int], Tensor] = {}
        self._inputs: dict[tuple[Node, int], Tensor] = {}

    def run(self, tensors: Sequence[Tensor], setting: Setting) -> list[Tensor]:
        """Computes the outputs of the graph in a setting."""
        if setting not in self._lowered:
            self._lowered[setting] = self._program.lower(setting, tensors)
        self._gradients.clear()
        self._inputs.clear()
        run = Interpreter(
            self._lowered[setting], before=self._show_arguments, after=self._show_results
        )
        outputs: list[Tensor] = run.run(*tensors)
        return outputs

    def show(self, name: str, tensor: Tensor) -> None:
        """Calls the function with a copy of a value."""
        self.callback(name.encode(), make_array(tensor.detach().clone(), self._ctx))

    def _show_arguments(self, node: Node, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Shows what a node reads, and returns it in a form that tells the gradients."""
        values = [value for value in args if value is not None]
        if self.show_inputs:
            for name, entry, value in zip(node.shown_input_names, node.inputs, values, strict=True):
                if entry.node.op is None:
                    self.show(entry.node.name, value)
                self.show(f"{node.name}_{name}", value)
        positions = iter(range(len(values)))
        return tuple(
            None if value is None else self._listen(node, next(positions), value) for value in args
        )

    def _show_results(self, node: Node, result: Any) -> None:
        for index, value in enumerate(as_tuple(result)[: node.num_counted]):
            self.show(node.output_name(index), value)

    def _listen(self, node: Node, position: int, value: Any) -> Any:
        """Returns an input of a node in a form that tells the gradient it gets there."""
        if not isinstance(value, Tensor):
            return value
        key = (node, position)
        self._inputs[key] = value.detach()
        if not value.requires_grad:
            return value
        alias = value.view_as(value)
        alias.register_hook(partial(self._gradients.__setitem__, key))  # type: ignore[no-untyped-call]
        return alias

    def show_gradients(self, heads: Sequence[Tensor | None]) -> None:
        """Calls the function with the gradients of the last backward.

        Args:
            heads: Gradients of the outputs that were asked for.
        """
        for number, head in enumerate(heads):
            if head is not None:
                self.show(f"_head_grad_{number}_id_output", head)
        for item in self._backward_order():
            if isinstance(item, Entry):
                self._show_sum(item)
            elif item.op is not None and item.op.traits.labels.shows_gradient:
                self._show_node(item, item.op.traits.labels.gradient)

    def _backward_order(self) -> list[Node | Entry]:
        """Lists nodes, and values read more than once, in the order in which gradients come."""
        readers: dict[Entry, list[Node]] = {}
        for node in self._nodes:
            for position, entry in enumerate(node.inputs):
                if (node, position) in self._gradients:
                    readers.setdefault(entry, []).append(node)
        ordered: dict[Node | Entry, None] = {}
        pending: list[tuple[Node | Entry, bool]] = [
            (Entry(node), False) for node in reversed(self._nodes) if node.op is None
        ]
        while pending:
            item, expanded = pending.pop()
            if expanded:
                ordered[item] = None
            elif item not in ordered:
                following: Sequence[Node | Entry] = (
                    readers.get(item, [])[::-1]
                    if isinstance(item, Entry)
                    else [Entry(item, index) for index in range(item.num_outputs)]
                )
                pending.append((item, True))
                pending.extend((each, False) for each in reversed(following))
        return list(ordered)

    def _show_node(self, node: Node, label: str) -> None:
        count = sum(not node.updates(position) for position in range(len(node.inputs)))
        for position in range(count):
            gradient = self._gradients.get((node, position))
            if gradient is None:
                gradient = torch.zeros_like(self._inputs[node, position])
            number = str(position) if count > 1 else ""
            self.show(f"{node.name}_backward_{label}{number}", gradient)

    def _show_sum(self, entry: Entry) -> None:
        """Shows the gradient of a value that several operators read."""
        gradients = [
            self._gradients[node, position]
            for node in self._nodes
            for position, read in enumerate(node.inputs)
            if read == entry and (node, position) in self._gradients
        ]
        if len(gradients) > 1:
            self.show("sum_grad_output", torch.stack(gradients).sum(0))
