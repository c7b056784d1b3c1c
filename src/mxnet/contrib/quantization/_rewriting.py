"""Turns a graph on floats into one on integers.

Operators that are quantized read integers and write integers; between them and the others stand
nodes which convert. Parameters are converted once, before: variables named `..._quantize`, with
their ranges in `..._quantize_min` and `..._quantize_max`, take their places.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mxnet.contrib.quantization._calibration import Log
from mxnet.errors import ArgumentValueError, MXNetError
from mxnet.graph.ir import Entry, Graph, Node, OwningOp, rewrite
from mxnet.ndarray import NDArray, array, load
from mxnet.ndarray import contrib as nd_contrib
from mxnet.ops.core.registry import get_op
from mxnet.ops.rules.quantizing import NORMALIZATION, Quantization
from mxnet.symbol import Symbol
from mxnet.symbol import load as load_symbol

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
    """The forms of an output in the graph that is made, None for those without a reader.

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
        # Readers of an unchanged output get the same object, by which it is recognized.
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


_log = logging.getLogger("mxnet.contrib.quantization")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What of a graph is to be quantized.

    Attributes:
        mode: `full` for all that can be; `smart` for operators that lead and what stands between
            them, which saves conversions.
        excluded_names: Names of nodes that stay as they are, or that have such a node inside.
        excluded_operators: Names of operators of which all nodes stay as they are.
        channel_wise: Whether weights have a range for each channel where operators support it.
        on_gpu: Whether the graph is for a GPU.
    """

    mode: str = "smart"
    excluded_names: Collection[str] = ()
    excluded_operators: Collection[str] = ()
    channel_wise: bool = False
    on_gpu: bool = False


def mark(graph: Graph, choice: Choice) -> dict[Node, Quantization]:
    """Returns the nodes that are to be quantized, and how.

    Args:
        graph: The graph.
        choice: What is to be quantized.

    Raises:
        MXNetError: if there is no such mode.
    """
    if choice.mode not in ("full", "smart"):
        raise MXNetError(f"quantize_mode: expected `full` or `smart`, got {choice.mode!r}")
    candidates = {
        node: rule for node in graph.nodes if (rule := _find_rule(node, choice)) is not None
    }
    if choice.mode == "full":
        return candidates
    leading = [node for node, rule in candidates.items() if rule.leads]
    read = {node: [entry.node for entry in node.inputs] for node in graph.nodes}
    readers: dict[Node, list[Node]] = {node: [] for node in graph.nodes}
    for node, sources in read.items():
        for source in sources:
            readers[source].append(node)
    between = _reach(leading, read, candidates) & _reach(leading, readers, candidates)
    return {node: rule for node, rule in candidates.items() if rule.leads or node in between}


def _reach(
    leading: Iterable[Node], neighbours: dict[Node, list[Node]], candidates: Collection[Node]
) -> set[Node]:
    """Returns the candidates that are reached from leading ones by way of candidates."""
    pending, reached = list(leading), set[Node]()
    while pending:
        for node in neighbours[pending.pop()]:
            if node in candidates and node not in reached:
                reached.add(node)
                pending.append(node)
    return reached


def _find_rule(node: Node, choice: Choice) -> Quantization | None:
    """Returns how a node is quantized, None if it is not."""
    rule = None if node.op is None else node.op.traits.quantization
    if rule is None or node.op is None or _is_excluded(node, choice):
        return None
    if choice.on_gpu and not rule.on_gpu:
        _log.info("%s stays in float32: %s is not quantized on GPUs", node.name, node.op.name)
        return None
    refusal = _find_refusal(node, rule)
    if refusal:
        _log.warning("%s stays in float32: %s", node.name, refusal)
        return None
    return rule.channel_wise or rule if choice.channel_wise else rule


def _find_refusal(node: Node, rule: Quantization) -> str:
    """Returns why a node cannot be quantized, empty if it can."""
    refusal = None if rule.refusal is None else rule.refusal(**node.settings)
    if refusal is not None or rule.operator is None:
        return refusal or ""
    try:
        _ = Node(get_op(rule.operator), node.name, {**node.attrs, **rule.attrs}).kind
    except MXNetError as error:
        return str(error)
    return ""


def _is_excluded(node: Node, choice: Choice) -> bool:
    if node.op is None or node.op.name in choice.excluded_operators:
        return True
    return any(name in choice.excluded_names for name in _names_of(node))


def _names_of(node: Node) -> Iterable[str]:
    """Yields the names of a node and of those in the graphs that it runs."""
    yield node.name
    if isinstance(node.op, OwningOp):
        for subgraph in node.op.subgraphs:
            for inner in subgraph.nodes:
                yield from _names_of(inner)


Params: TypeAlias = dict[str, NDArray]

_ENDING = "_quantize"


def quantize_params(
    qsym: Symbol, params: Mapping[str, NDArray], th_dict: Mapping[str, Sequence[Any]]
) -> Params:
    """Returns the parameters of a quantized graph.

    Args:
        qsym: The graph. Of its arguments, `w_quantize` stands for the integers of the parameter
            `w`, `w_quantize_min` and `w_quantize_max` for their range.
        params: Parameters of the graph on floats by name.
        th_dict: Ranges by name, for arguments that are ends of a range.

    Raises:
        KeyError: if the parameter behind integers is not among them.
    """
    quantized: Params = {}
    for name in qsym.list_arguments():
        if name.endswith(("weight_quantize", "bias_quantize")) or _stands_for(name, params):
            values = params[name.removesuffix(_ENDING)]
            numbers = values.asnumpy()
            ends = (numbers.min(), numbers.max())
            low, high = (array([number], ctx=values.context) for number in ends)
            integers, low, high = nd_contrib.quantize(  # type: ignore[attr-defined]  # generated
                data=values, min_range=low, max_range=high, out_type="int8"
            )
            quantized[name] = integers
            quantized[f"{name}_min"], quantized[f"{name}_max"] = low, high
        elif name in params:
            quantized[name] = params[name]
        else:
            for place, ending in enumerate(("_min", "_max")):
                known = th_dict.get(name.removesuffix(ending))
                if name.endswith(ending) and known is not None:
                    quantized[name] = array([known[place]])
    return quantized


def _stands_for(name: str, params: Mapping[str, NDArray]) -> bool:
    return name.endswith(_ENDING) and name.removesuffix(_ENDING) in params


def load_sym(sym: Symbol | str | os.PathLike[str], logger: Log = None) -> Symbol:
    """Returns a symbol, which may be given as the name of its file.

    Raises:
        ValueError: if it is neither.
    """
    if isinstance(sym, (str, os.PathLike)):
        path = os.path.abspath(sym)
        if logger:
            logger.info(f"Loading symbol from file {path}")
        return load_symbol(path)
    if isinstance(sym, Symbol):
        return sym
    raise ArgumentValueError(f"_load_sym: expected a Symbol or the path of a file, got {type(sym)}")


def load_params(
    params: str | os.PathLike[str] | tuple[Params, Params] | list[Params], logger: Log = None
) -> tuple[Params, Params]:
    """Returns parameters and auxiliary states, which may be given as the name of their file.

    Raises:
        ValueError: if they are neither.
    """
    if isinstance(params, (str, os.PathLike)):
        path = os.path.abspath(params)
        if logger:
            logger.info(f"Loading params from file {path}")
        args: Params = {}
        states: Params = {}
        loaded = load(path)
        if not isinstance(loaded, dict):
            raise ArgumentValueError(
                f"_load_params: expected arrays with names in {path}, got a list"
            )
        for key, value in loaded.items():
            kind, _, name = key.partition(":")
            if kind == "arg":
                args[name] = value
            if kind == "aux":
                states[name] = value
        return args, states
    if isinstance(params, (tuple, list)) and len(params) == 2:
        return params[0], params[1]
    raise ArgumentValueError(
        f"_load_params: expected the path of a file or two dictionaries, got {type(params)}"
    )
