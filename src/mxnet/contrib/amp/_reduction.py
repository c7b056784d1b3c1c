"""Rewrites a graph for mixed precision: finds out what computes in which, and adds conversions.

Outputs of nodes are sorted into those in low precision, those in float32 and those of which nothing
is known, which are variables and what is computed from them alone. An operator of the first list
reads all in low precision, one of the second in float32; an operator that takes the widest reads
float32 if something has a float32 form already, else low precision, and where something is unknown
it gets an `amp_multicast`. All others read what is there. Results are converted to float32.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from mxnet._dtypes import BY_TORCH, name_of
from mxnet.graph.graph import Graph
from mxnet.graph.infer_types import infer_types
from mxnet.graph.node import Entry, Node, sort_nodes
from mxnet.graph.subgraph import OwningOp
from mxnet.ops.core.precision import AMP_CAST, AMP_MULTICAST


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """What computes in which precision, by the names of operators.

    Attributes:
        low: Operators in low precision.
        full: Operators in float32.
        widest: Operators in the widest precision among their inputs.
        conditional: Operators in float32 if an attribute has one of some values.
        excluded: Names of nodes that compute in float32 whatever their operator.
    """

    low: Collection[str]
    full: Collection[str]
    widest: Collection[str]
    conditional: Mapping[str, tuple[str, Collection[str]]]
    excluded: Collection[str]

    def wants_full(self, node: Node) -> bool:
        """Returns whether a node is to compute in float32."""
        op = node.op
        if op is None:
            return False
        if node.name in self.excluded or op.name in self.full or isinstance(op, OwningOp):
            return True
        attribute, values = self.conditional.get(op.name, ("", ()))
        return node.attrs.get(attribute) in values


@dataclass(slots=True)
class _Value:
    """An output of the graph that is made.

    Attributes:
        entry: The output as its node computes it.
        name: What conversions of it are named after.
        low: Its form in low precision, None as long as there is none.
        full: Its form in float32.
        counts_as_low: Whether those who read it take it for low precision.
        is_low: Whether it is.
    """

    entry: Entry
    name: str
    low: Entry | None = None
    full: Entry | None = None
    counts_as_low: bool = False
    is_low: bool = False

    @property
    def is_known(self) -> bool:
        return self.counts_as_low or self.full is not None


@dataclass(slots=True)
class _Reduction:
    lists: Lists
    dtype: torch.dtype
    parameters: Collection[str]
    offline: bool
    values: dict[Entry, _Value] = field(default_factory=dict)
    converted: set[str] = field(default_factory=set)
    """Parameters that are to be saved in low precision."""

    def visit(self, node: Node) -> None:
        """Makes the node that stands for another one."""
        if node.op is None:
            variable = Node(None, node.name, node.attrs)
            self.values[Entry(node)] = _Value(Entry(variable), node.name)
            return
        inputs = [self.values[entry] for entry in node.inputs]
        if self.lists.wants_full(node):
            self._add_full(node, inputs)
        elif node.op.name in self.lists.low:
            self._add(node, self._low_inputs(node, inputs), self.dtype)
        elif node.op.name in self.lists.widest and inputs:
            self._visit_widest(node, inputs)
        elif _disagree(node, inputs, self.parameters):  # where the original fails
            self._add_full(node, inputs)
        else:
            self._visit_neutral(node, inputs)

    def _add_full(self, node: Node, inputs: Sequence[_Value]) -> None:
        self._add(node, [self._full_input(value) for value in inputs], torch.float32)

    def _visit_widest(self, node: Node, inputs: Sequence[_Value]) -> None:
        if not all(value.is_known for value in inputs):
            attrs = {"num_outputs": str(len(inputs))}
            name = f"{inputs[0].name}_amp_multicast"
            cast = Node(AMP_MULTICAST, name, attrs, [value.entry for value in inputs])
            self._add(node, [Entry(cast, place) for place in range(len(inputs))], None)
        elif any(value.full is not None for value in inputs):
            self._add(node, [self.as_full(value) for value in inputs], torch.float32)
        else:
            self._add(node, [self.as_low(value) for value in inputs], self.dtype)

    def _visit_neutral(self, node: Node, inputs: Sequence[_Value]) -> None:
        """Adds a node that computes in what its first input is."""
        new = Node(node.op, node.name, node.attrs, [value.entry for value in inputs])
        claimed: list[torch.dtype | None] = [None] * node.num_outputs
        if inputs and inputs[0].is_known:
            first = self.dtype if inputs[0].counts_as_low else torch.float32
            claimed = _infer_outputs(node, first)
        for output, dtype in enumerate(claimed):
            value = self._new_value(node, new, output)
            value.counts_as_low = dtype is self.dtype
            # What has a form in low precision counts as low, even where float32 is read.
            value.is_low = value.counts_as_low and inputs[0].is_low
            value.low = value.entry if value.is_low else None
            value.full = value.entry if dtype is torch.float32 else None

    def _add(self, node: Node, inputs: Sequence[Entry], dtype: torch.dtype | None) -> None:
        """Adds a node whose outputs all have a dtype; None if that is not known."""
        new = Node(node.op, node.name, node.attrs, inputs)
        for output in range(node.num_outputs):
            value = self._new_value(node, new, output)
            if dtype is self.dtype:
                value.low, value.counts_as_low, value.is_low = value.entry, True, True
            elif dtype is not None:
                value.full = value.entry

    def _new_value(self, node: Node, new: Node, output: int) -> _Value:
        value = _Value(Entry(new, output), _name_of_output(node, output))
        self.values[Entry(node, output)] = value
        return value

    def _low_inputs(self, node: Node, inputs: Sequence[_Value]) -> list[Entry]:
        """Returns what a node in low precision reads; states and statistics stay."""
        kept = () if node.op is None else node.op.traits.types.statistics
        return [
            value.entry if node.updates(place) or name in kept else self.as_low(value)
            for place, (name, value) in enumerate(zip(node.input_names, inputs, strict=True))
        ]

    def _full_input(self, value: _Value) -> Entry:
        return value.entry if value.entry.node.op is None else self.as_full(value)

    def as_low(self, value: _Value) -> Entry:
        """Returns a value in low precision, which a parameter may have from the start."""
        if value.low is None:
            variable = value.entry.node
            if self.offline and variable.op is None and variable.name in self.parameters:
                self.converted.add(variable.name)
                value.low, value.is_low = value.entry, True
            else:
                value.low = _cast(value, self.dtype)
            value.counts_as_low = True
        return value.low

    def as_full(self, value: _Value) -> Entry:
        """Returns a value in float32."""
        if value.full is None:
            value.full = _cast(value, torch.float32)
        return value.full


def reduce_precision(
    graph: Graph,
    dtype: torch.dtype,
    lists: Lists,
    data_names: Collection[str],
    cast_optional_params: bool,
) -> Graph:
    """Returns a graph for mixed precision that computes what a graph in float32 does.

    Args:
        graph: The graph.
        dtype: The low precision.
        lists: What computes in which.
        data_names: Variables that stay in float32; all others are parameters.
        cast_optional_params: Whether parameters that are only converted to low precision are to be
            saved in it. Parameters say what they are to be saved in by `__dtype__`.
    """
    names = {node.name for node in graph.nodes if node.op is None}
    parameters = names - set(data_names)
    reduction = _Reduction(lists, dtype, parameters, cast_optional_params)
    for node in graph.nodes:
        reduction.visit(node)
    heads = [reduction.as_full(reduction.values[head]) for head in graph.heads]
    _declare_types(heads, reduction, names)
    return Graph(heads)


def _declare_types(heads: Sequence[Entry], reduction: _Reduction, names: Collection[str]) -> None:
    """Writes the types of parameters into their variables, as the rest of the graph wants them."""
    nodes = sort_nodes(heads)
    variables = [node for node in nodes if node.op is None]
    for node in variables:
        if node.name in reduction.parameters:
            node.attrs.pop("__dtype__", None)
    given = dict.fromkeys(set(names) - set(reduction.parameters), torch.float32)
    given |= dict.fromkeys(reduction.converted, reduction.dtype)
    types = infer_types(nodes, given)
    for node in variables:
        if node.name in reduction.parameters:
            dtype = types.get(Entry(node), torch.float32)
            node.attrs["__dtype__"] = str(BY_TORCH[dtype].code)


def _cast(value: _Value, dtype: torch.dtype) -> Entry:
    name = name_of(dtype)
    node = Node(AMP_CAST, f"{value.name}_amp_cast_{name}", {"dtype": name}, [value.entry])
    return Entry(node)


def _name_of_output(node: Node, output: int) -> str:
    """Returns the name of an output as the original builds it, often with a number."""
    if node.op is None or node.op.traits.labels.names_outputs:
        return node.output_name(output)
    return f"{node.name}_{output}"


def _disagree(node: Node, inputs: Sequence[_Value], parameters: Collection[str]) -> bool:
    """Returns whether only some inputs of one dtype are in low precision; parameters adapt."""
    op = node.op
    if op is None or op.traits.types.casts_precision or len(inputs) < 2:
        return False
    apart = {*op.any_dtype, *op.traits.types.statistics, *op.traits.types.assumed, *op.aux}
    if op.traits.types.dtype_input is not None or (op.variadic and op.any_dtype):
        return False
    low = {
        value.is_low
        for name, value in zip(node.input_names, inputs, strict=True)
        if name not in apart
        and not (value.entry.node.op is None and value.entry.node.name in parameters)
    }
    return len(low) > 1


def _infer_outputs(node: Node, dtype: torch.dtype) -> list[torch.dtype | None]:
    """Returns the dtypes of the outputs of a node, as far as that of its first input tells them."""
    variables = [Node(None, f"input{place}") for place in range(len(node.inputs))]
    alone = Node(node.op, node.name, node.attrs, [Entry(item) for item in variables])
    entries = [Entry(alone, output) for output in range(node.num_outputs)]
    types = infer_types(sort_nodes(entries), {variables[0].name: dtype})
    return [types.get(entry) for entry in entries]
