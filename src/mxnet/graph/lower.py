"""Lowering: a graph becomes a graph of calls of kernels on tensors.

Attributes are bound, with everything that a setting decides. Passes work on the result, `code.py`
turns it into straight Python code or a module of torch, which compilers of torch take.

Names of a graph may come from a file of a stranger, and names of inputs and of keyword arguments
are written into source. So inputs are called by their numbers here, and options of free names are
hidden inside of functions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mxnet import _tape
from mxnet.errors import MXNetError
from mxnet.graph.calls import Call, CallGraph
from mxnet.graph.graph import Graph
from mxnet.graph.interpreter import Interpreter
from mxnet.graph.node import Entry, Node
from mxnet.ops.registry import Op


class LoweredGraph(torch.nn.Module):
    """A graph of kernels, with what it reads beside its inputs.

    Attributes:
        graph: Gives a list of the outputs.
        generator: Random generator of the context.
    """

    def __init__(self, graph: CallGraph, generator: torch.Generator | None) -> None:
        super().__init__()
        self.graph, self.generator = graph, generator

    def forward(self, *tensors: Tensor) -> Any:
        """Computes the outputs, one node after the other; `compile_graph` gives faster code."""
        return Interpreter(self).run(*tensors)


class Setting(NamedTuple):
    """What a graph is lowered for."""

    training: bool
    """Whether operators behave as in training."""
    recording: bool
    """Whether gradients will be asked for."""
    device: torch.device
    generator: torch.Generator | None
    """Random generator of the context, None for torch's own."""


def lower(
    source: Graph,
    input_names: Sequence[str],
    setting: Setting,
    sizes: Mapping[Node, Mapping[str, Any]],
    labels: Sequence[str] | None = None,
) -> LoweredGraph:
    """Returns the graph of kernels that computes a graph from the values of its variables.

    Args:
        source: What to compute. `Program` has checked that its outputs exist.
        input_names: Names of all variables in the order in which their tensors are given.
        setting: What to lower for.
        sizes: Attributes of nodes that depend on the data, in place of their own.
        labels: What the inputs of the result are called, identifiers that are not reserved; they
            have numbers by default.

    Raises:
        MXNetError: if a node reads an output that does not exist.
    """
    if labels is None:
        labels = [f"input_{position}" for position in range(len(input_names))]
    lowering = _Lowering(dict(zip(labels, input_names, strict=True)), setting, sizes)
    for node in source.nodes:
        lowering.add(node)
    results = [lowering.values[head] for head in source.heads]
    if setting.recording:
        unused = [lowering.values[Entry(node)] for node in _find_without_effect(source.nodes)]
        if unused:
            join = _tape.join_without_effect
            results = [lowering.graph.call_function(join, (item, unused)) for item in results]
    lowering.graph.output(results)
    return LoweredGraph(lowering.graph, setting.generator)


class _Lowering:
    """A graph of kernels in the making."""

    def __init__(
        self,
        inputs: Mapping[str, str],
        setting: Setting,
        sizes: Mapping[Node, Mapping[str, Any]],
    ) -> None:
        self.graph = CallGraph()
        self.values: dict[Entry, Call] = {}
        self._setting = setting
        self._sizes = sizes
        self._inputs = {name: self.graph.placeholder(label) for label, name in inputs.items()}
        self._generator: Call | None = None

    def add(self, node: Node) -> None:
        """Adds a node, whose inputs have been added before."""
        if node.op is None:
            self.values[Entry(node)] = self._inputs[node.name]
            return
        inputs = self._arrange(node, node.op)
        attrs = self._sizes.get(node, node.parsed)
        kernel, supplied = node.op.kernel, self._supply(node.op)
        if node.op.open_attrs:
            kernel, attrs = _bind_options(kernel, attrs), {}
        if supplied:  # else calls that are alike share their attributes and are recognized by them
            attrs = {**attrs, **supplied}
        call = self.graph.call_function(kernel, inputs, attrs)
        call.meta.update(op=node.op, source=node)
        if node.op.count_outputs(node.parsed, visible=False) == 1 and not node.op.returns_tuple:
            outputs = [call]
        else:
            outputs = [
                self.graph.call_function(operator.getitem, (call, index))
                for index in range(node.num_outputs)
            ]
        if self._setting.recording and not node.op.differentiable:
            outputs = [
                self.graph.call_function(without_gradient, (item, inputs)) for item in outputs
            ]
        self.values.update((Entry(node, index), item) for index, item in enumerate(outputs))

    def _arrange(self, node: Node, op: Op) -> tuple[Call | None, ...]:
        """Returns the kernel's arguments, None for an input that is not in use."""
        for entry in node.inputs:
            if entry.output >= entry.node.num_outputs:
                raise MXNetError(
                    f"graph: {node.name!r} reads output {entry.output} of {entry.node.name!r}, "
                    "which is not computed"
                )
        values = [self.values[entry] for entry in node.inputs]
        if op.variadic or (op.active_inputs is None and len(values) == len(op.inputs)):
            return tuple(values)
        by_name = dict(zip(node.input_names, values, strict=True))
        return tuple(by_name.get(item.name) for item in op.inputs)

    def _supply(self, op: Op) -> dict[str, Any]:
        """Returns the keyword arguments of a kernel that are not attributes."""
        values: dict[str, Any] = {}
        for name in op.supplied:
            if name != "generator":
                values[name] = getattr(self._setting, name)
            elif self._setting.generator is None:
                values[name] = None
            else:
                if self._generator is None:
                    self._generator = self.graph.get_attr("generator")
                values[name] = self._generator
        return values


def _bind_options(kernel: Callable[..., Any], options: Mapping[str, Any]) -> Callable[..., Any]:
    """Returns a kernel with attributes of any names: keywords of a call would be source."""

    def bound(*data: Tensor, **supplied: Any) -> Any:
        return kernel(*data, **{**options, **supplied})

    return bound


def without_gradient(result: Tensor, inputs: Sequence[Tensor | None]) -> Tensor:
    """Joins the result of an operator that has no derivative to torch's graph."""
    if not result.is_floating_point():
        return result
    return _tape.join_without_gradient(result, inputs)


def _find_without_effect(nodes: Sequence[Node]) -> list[Node]:
    """Finds the variables that all nodes which read them ignore."""
    ignored: set[Node] = set()
    used: set[Node] = set()
    for node in nodes:
        for position, entry in enumerate(node.inputs):
            (ignored if node.ignores(position) else used).add(entry.node)
    return [node for node in nodes if node.op is None and node in ignored - used]
