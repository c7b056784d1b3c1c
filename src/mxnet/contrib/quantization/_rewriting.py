"""Turns a graph on floats into one on integers.

Operators that are quantized read integers and write integers; between them and the others stand
nodes which convert. Parameters are converted once, before: variables named `..._quantize`, with
their ranges in `..._quantize_min` and `..._quantize_max`, take their places.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mxnet.contrib.quantization._marking import Choice, mark
from mxnet.graph.graph import Graph
from mxnet.graph.node import Entry, Node
from mxnet.graph.rewrite import rewrite
from mxnet.ops.core.registry import get_op
from mxnet.ops.rules.quantizing import NORMALIZATION, Quantization

_QUANTIZE = get_op("_contrib_quantize_v2")
_REQUANTIZE = get_op("_contrib_requantize")
_DEQUANTIZE = get_op("_contrib_dequantize")


class _Integers(NamedTuple):
    """A quantized array and its range."""

    data: Entry
    low: Entry
    high: Entry


@dataclass(slots=True)
class _Value:
    """The forms of an output in the graph that is made, None as long as nobody reads one.

    Attributes:
        source: The output in the graph on floats.
        floats: Its form on floats.
        integers: Its form on integers.
    """

    source: Entry
    floats: Entry | None = None
    integers: _Integers | None = None


@dataclass(slots=True)
class _Rewriting:
    """A graph in the making.

    Attributes:
        rules: How nodes are quantized; others stay.
        parameters: Names of variables that are converted before.
        dtype: What integers are: `int8`, `uint8`, or `auto` for what a range allows.
        values: What outputs of the graph on floats have become.
    """

    rules: Mapping[Node, Quantization]
    parameters: Collection[str]
    dtype: str
    values: dict[Entry, _Value] = field(default_factory=dict)

    def visit(self, node: Node) -> None:
        """Makes what stands for a node."""
        rule = self.rules.get(node)
        if rule is None:
            self._keep(node)
        else:
            self._quantize_node(node, rule)

    def _keep(self, node: Node) -> None:
        inputs = [self.read_floats(entry) for entry in node.inputs]
        changed = any(new is not old for new, old in zip(inputs, node.inputs, strict=True))
        new = Node(node.op, node.name, node.attrs, inputs) if changed else node
        for output in range(node.num_counted):
            source = Entry(node, output)
            self.values[source] = _Value(source, Entry(new, output))

    def _quantize_node(self, node: Node, rule: Quantization) -> None:
        inputs: list[Entry] = []
        ranges: list[Entry] = []
        for name, entry in zip(node.input_names, node.inputs, strict=True):
            if name in rule.float_inputs:
                inputs.append(self.read_floats(entry))
            else:
                data, low, high = self._read_integers(entry)
                inputs.append(data)
                ranges += (low, high)
        op = node.op if rule.operator is None else get_op(rule.operator)
        attrs = {**node.attrs, **rule.attrs}
        new = Node(op, f"quantized_{node.name}", attrs, [*inputs, *ranges])
        for output in range(node.num_outputs):
            self._add_output(node, new, output, rule)

    def _add_output(self, node: Node, new: Node, output: int, rule: Quantization) -> None:
        source = Entry(node, output)
        first_range = node.num_outputs + 2 * output
        places = (output, first_range, first_range + 1)
        integers = _Integers(*(Entry(new, place) for place in places))
        if rule.requantized:
            name, attrs = f"requantize_{node.name}", {"out_type": self.dtype}
            integers = _outputs_of(Node(_REQUANTIZE, name, attrs, integers))
        self.values[source] = _Value(source, integers=integers)

    def read_floats(self, entry: Entry) -> Entry:
        """Returns an output as floats."""
        value = self.values[entry]
        if value.floats is None:
            name = f"{entry.node.name}_dequantize"
            value.floats = Entry(Node(_DEQUANTIZE, name, {}, value.integers or ()))
        # Who reads what has not changed gets the same object, by which it is recognized.
        return entry if value.floats == entry else value.floats

    def _read_integers(self, entry: Entry) -> _Integers:
        value = self.values[entry]
        if value.integers is None:
            value.integers = self._convert(entry)
        return value.integers

    def _convert(self, entry: Entry) -> _Integers:
        name = _name_of_quantized(entry)
        if entry.node.op is None and entry.node.name in self.parameters:
            variables = (Node(None, f"{name}{ending}") for ending in ("", "_min", "_max"))
            return _Integers(*(Entry(variable) for variable in variables))
        attrs = {"out_type": self.dtype}
        return _outputs_of(Node(_QUANTIZE, name, attrs, [self.read_floats(entry)]))


def _outputs_of(node: Node) -> _Integers:
    return _Integers(Entry(node, 0), Entry(node, 1), Entry(node, 2))


def _name_of_quantized(entry: Entry) -> str:
    """Returns what a quantized output is called, which the original takes from how it lists it."""
    node, output = entry
    if node.op is None or node.op.traits.labels.names_outputs:
        return f"{node.output_name(output)}_quantize"
    return f"{node.name}_{output}_quantize"


def quantize(
    graph: Graph, choice: Choice, parameters: Collection[str], dtype: str
) -> tuple[Graph, list[str]]:
    """Returns a graph on integers that computes about what a graph on floats does.

    Args:
        graph: The graph on floats.
        choice: What of it is to be quantized.
        parameters: Names of variables that are converted before.
        dtype: What integers are: `int8`, `uint8` or `auto`.

    Returns:
        The graph, and names of outputs of the one on floats whose ranges data are to tell.
    """
    rewriting = _Rewriting(mark(graph, choice), parameters, dtype)
    for node in graph.nodes:
        rewriting.visit(node)
    heads = [rewriting.read_floats(head) for head in graph.heads]
    quantized = Graph(heads)
    calibrated = [name for node in quantized.nodes if (name := _name_of_range(node))]
    return quantized, calibrated


def calibrate(graph: Graph, ranges: Mapping[str, Sequence[float]]) -> Graph:
    """Returns a quantized graph whose nodes know the ranges of what they convert.

    Args:
        graph: The graph.
        ranges: Smallest and largest number by name of the output in the graph on floats.
    """

    def set_range(node: Node, inputs: list[Entry]) -> Node | None:
        known = ranges.get(_name_of_range(node))
        if known is None:
            return None
        low, high = (f"{np.asarray(bound, np.float32).item():f}" for bound in known)
        attrs = {**node.attrs, "min_calib_range": low, "max_calib_range": high}
        return Node(node.op, node.name, attrs, inputs)

    return rewrite(graph, set_range)


def _name_of_range(node: Node) -> str:
    """Returns the name of the output of the graph on floats whose range a node is to know."""
    if node.op is _QUANTIZE:
        source, output = node.inputs[0]
        return source.output_name(output)
    if node.op is _REQUANTIZE:
        return f"{node.name.removeprefix('requantize_')}_output"
    if node.op is not None and node.op.name == NORMALIZATION.operator:
        return f"{node.name.removeprefix('quantized_')}_output"
    return ""
