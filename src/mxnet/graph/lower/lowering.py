"""Lowering: a graph becomes a graph of calls of kernels on tensors.

Attributes are bound, with everything that a setting decides. Passes work on the result, `code.py`
turns it into straight Python code or a module of torch, which compilers of torch take. The
`Interpreter` runs it call by call, where each operator is looked at.

Names of a graph may come from a file of a stranger, and names of inputs and of keyword arguments
are written into source. So inputs are called by their numbers here, and options of free names are
hidden inside of functions.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from mxnet._arrays.autograd import tape
from mxnet._start import level_of_program
from mxnet.errors import AllocationError, ExecutionValueError, LimitExceededError, MXNetError
from mxnet.graph.ir import Graph, Kind, Node
from mxnet.graph.lower.calls import Call, CallGraph, map_calls
from mxnet.ops.core.allocation import ON_SHORTAGE, explain_shortage
from mxnet.ops.core.carriers import passing_integers
from mxnet.ops.core.interposing import interposers, kernel_of
from mxnet.ops.core.kernel_errors import (
    describe_inputs,
    find_misfit,
    find_mixed_dtypes,
    insert_inputs,
)
from mxnet.ops.core.registry import KERNEL_ERRORS, Op


class NodeError(MXNetError):
    """An operator of a graph fails; the message names the node.

    Attributes:
        node: Name of the node.
    """

    node: str = ""


class NodeValueError(NodeError, ValueError):
    """An operator of a graph fails for values, where the original raises `ValueError`."""


class PlanError(MXNetError):
    """A plan does not run as it was asked for, and the program wants to know."""


class Report(NamedTuple):
    """Says what happens to a plan, to be called with a sentence whose subject the plan is."""

    name: str
    """Name of the first output."""
    strict: bool
    """Whether it says so by an error, not by a warning."""

    def __call__(self, sentence: str, cause: Exception | None = None) -> None:
        """Warns, or raises a `PlanError`."""
        message = f"graph: the plan of {self.name!r} {sentence}"
        if self.strict:
            raise PlanError(message) from cause
        warnings.warn(message, stacklevel=level_of_program())


class NodeLimitError(NodeError, LimitExceededError):
    """An operator of a graph asks for more than `mx.limits` allows."""


class NodeAllocationError(NodeError, AllocationError):
    """An operator of a graph asks for memory that is not to be had."""


def name_node(node: Node, op: Op, error: Exception, tensors: Sequence[Tensor | None]) -> NodeError:
    """Returns the error to raise for what the operator of a node raised.

    Args:
        node: The node.
        op: Its operator.
        error: What its kernel raised.
        tensors: The inputs that it got.
    """
    named = _word(node, op, error, tensors)
    named.node = node.name
    return named


def _word(node: Node, op: Op, error: Exception, tensors: Sequence[Tensor | None]) -> NodeError:
    where = f"node {node.name!r}: {op.name}"
    if isinstance(error, LimitExceededError):
        return NodeLimitError(f"node {node.name!r}: {error}")
    shortage = explain_shortage(where, error)
    if shortage is not None:
        given = describe_inputs(op, tensors)
        return NodeAllocationError(f"{shortage}\n  inputs: {given}\n  {ON_SHORTAGE}")
    mixed = find_mixed_dtypes(op, tensors)
    if mixed is not None:
        return NodeError(f"node {node.name!r}: {mixed}")
    given = describe_inputs(op, tensors)
    misfit = find_misfit(op, tensors, error, node.parsed)
    if misfit is not None:
        return NodeError(f"{where}: {insert_inputs(misfit, given)}")
    reason = str(error).removeprefix(f"{op.name}: ")
    error_class = NodeValueError if isinstance(error, ExecutionValueError) else NodeError
    return error_class(f"{where}: {reason}\n  inputs: {given}")


ERRORS = (*KERNEL_ERRORS, AttributeError)
"""What the call of a kernel raises."""
_NESTED = (list, tuple)


class Interpreter:
    """Runs a lowered graph one call at a time; an error names the node whose operator fails.

    What one of the functions raises is raised as it is.

    Args:
        module: The lowered graph, before any pass.
        resolve: Called with the call of an operator, its node and the values computed so far,
            which it may replace before the call reads them.
        before: Called with a node and the arguments of its kernel; returns those to use.
        after: Called with a node and what its kernel returned.
        note: Called with each call, also those that belong to no node, and its value.
    """

    def __init__(
        self,
        module: nn.Module,
        *,
        resolve: Callable[[Call, Node, dict[Call, Any]], None] | None = None,
        before: Callable[[Node, tuple[Any, ...]], tuple[Any, ...]] | None = None,
        after: Callable[[Node, Any], None] | None = None,
        note: Callable[[Call, Any], None] | None = None,
    ) -> None:
        graph: CallGraph = module.graph  # type: ignore[assignment]  # a lowered graph has one
        self._module, self._calls = module, graph.nodes
        self._resolve, self._before, self._after, self._note = resolve, before, after, note
        self._last_reads: dict[Call, list[Call]] = {}
        last: dict[Call, Call] = {}
        for call in self._calls:
            last[call] = call
            if call.args or call.kwargs:
                last.update(dict.fromkeys(call.all_input_nodes, call))
        for read, call in last.items():
            self._last_reads.setdefault(call, []).append(read)
        self._values: dict[Call, Any] = {}

    def run(self, *tensors: Any) -> Any:
        """Computes the outputs from the values of the inputs."""
        given = iter(tensors)
        self._values = values = {}
        result = None
        for call in self._calls:
            result = next(given) if call.op == "placeholder" else self._run_call(call)
            values[call] = result
            if self._note is not None:
                self._note(call, result)
            for read in self._last_reads.get(call, ()):
                del values[read]
        return result

    def _run_call(self, call: Call) -> Any:
        node = call.source
        if node is not None and node.op is not None:
            return self._run_operator(call, node, node.op)
        if call.op == "get_attr":
            return getattr(self._module, call.target)
        args, kwargs = self._read_arguments(call)
        return args[0] if call.op == "output" else call.target(*args, **kwargs)

    def _read_arguments(self, call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
        values = self._values
        args = [
            values[item]
            if item.__class__ is Call
            else map_calls(item, values.__getitem__)
            if item.__class__ in _NESTED
            else item
            for item in call.args
        ]
        kwargs = dict(call.kwargs)
        for key, item in kwargs.items():
            if item.__class__ is Call:
                kwargs[key] = values[item]
            elif item.__class__ in _NESTED:
                kwargs[key] = map_calls(item, values.__getitem__)
        return tuple(args), kwargs

    def _run_operator(self, call: Call, node: Node, op: Op) -> Any:
        if self._resolve is not None:
            self._resolve(call, node, self._values)
        args, kwargs = self._read_arguments(call)
        if self._before is not None:
            args = self._before(node, args)
        try:
            kernel: Any = call.target
            if interposers and self._note is None:  # a run to note shapes is not the user's
                kernel = kernel_of(op, kernel)
            result = kernel(*args, **kwargs)
        except NodeError:
            raise  # of a loop's body, which has named its own node
        except ERRORS as error:
            tensors = [item if isinstance(item, Tensor) else None for item in args]
            raise name_node(node, op, error, tensors) from error
        if self._after is not None:
            self._after(node, result)
        return result


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
    integers: Collection[str] = (),
) -> LoweredGraph:
    """Returns the graph of kernels that computes a graph from the values of its variables.

    Args:
        source: What to compute. `Program` has checked that its outputs exist.
        input_names: Names of all variables in the order in which their tensors are given.
        setting: What to lower for.
        sizes: Attributes of nodes that depend on the data, in place of their own.
        labels: What the inputs of the result are called, identifiers that are not reserved; they
            have numbers by default.
        integers: Names of variables of integers that have a gradient.

    Raises:
        MXNetError: if a node reads an output that does not exist.
    """
    if labels is None:
        labels = [f"input_{position}" for position in range(len(input_names))]
    lowering = _Lowering(dict(zip(labels, input_names, strict=True)), setting, sizes, integers)
    lowering.add(source.nodes)
    results = [lowering.values[node][output] for node, output in source.heads]
    if setting.recording:
        unused = [lowering.values[node][0] for node in _find_without_effect(source.nodes)]
        if unused:
            join = tape.join_without_effect
            results = [lowering.graph.call_function(join, (item, unused)) for item in results]
    lowering.graph.output(results)
    return LoweredGraph(lowering.graph, setting.generator)


class _Recipe(NamedTuple):
    """How the nodes of a kind are called."""

    kernel: Callable[..., Any]
    attrs: Mapping[str, Any]
    places: Sequence[int | None] | None
    """For each argument the place of the input; None for the inputs as they are."""


def _find_places(kind: Kind) -> Sequence[int | None] | None:
    """Returns for each input of an operator the place at which a node reads it; see `_Recipe`."""
    names, inputs = kind.input_names, kind.op.inputs
    if len(names) == len(inputs):
        for name, item in zip(names, inputs, strict=True):
            if name != item.name:
                break
        else:
            return None
    by_name = {name: place for place, name in enumerate(names)}
    return [by_name.get(item.name) for item in inputs]


class _Lowering:
    """A graph of kernels in the making."""

    def __init__(
        self,
        inputs: Mapping[str, str],
        setting: Setting,
        sizes: Mapping[Node, Mapping[str, Any]],
        integers: Collection[str],
    ) -> None:
        self.graph = CallGraph()
        self.values: dict[Node, Sequence[Call]] = {}
        self._setting = setting
        self._sizes = sizes
        self._inputs: dict[str, Call] = {}
        for label, name in inputs.items():
            self._inputs[name] = self.graph.placeholder(label)
        self._generator: Call | None = None
        self._recipes: dict[Kind, _Recipe] = {}
        self._integer_names = integers
        self._integers: set[Node] = set()
        """Nodes that have integers, through which a gradient passes as the original's does."""

    def add(self, nodes: Iterable[Node]) -> None:
        """Adds nodes, each after what it reads."""
        for node in nodes:
            kind = None if node.op is None else node.kind
            if kind is not None:
                self._add_operator(node, kind)
                continue
            self.values[node] = (self._inputs[node.name],)
            if node.name in self._integer_names:
                self._integers.add(node)

    def _add_operator(self, node: Node, kind: Kind) -> None:
        recipe = self._recipes.get(kind)
        if recipe is None:
            recipe = self._recipes[kind] = self._make_recipe(kind)
        inputs = self._read(node, recipe)
        attrs = recipe.attrs
        if node in self._sizes:
            attrs = {**attrs, **self._sizes[node]}
        kernel, graph = recipe.kernel, self.graph
        if self._setting.recording and self._gives_integers(node, kind):
            self._integers.add(node)
            if kind.op.differentiable and not kind.op.traits.types.converts:
                kernel = passing_integers(kernel, kind.op.traits.types.integer_slopes)
        call = graph.call_function(kernel, inputs, attrs, kind.op, node)
        outputs = [call]
        if not kind.returns_one:
            indices = range(node.num_outputs)
            outputs = [graph.call_function(operator.getitem, (call, index)) for index in indices]
        if self._setting.recording and not kind.op.differentiable:
            outputs = [graph.call_function(without_gradient, (item, inputs)) for item in outputs]
        self.values[node] = outputs

    def _gives_integers(self, node: Node, kind: Kind) -> bool:
        """Returns whether a node computes integers, or computes with such."""
        dtype = kind.parsed.get("dtype") if node.inputs else None
        if kind.op.traits.types.converts:
            return not kind.parsed["dtype"].is_floating_point
        if kind.op.supplied:
            return False
        if isinstance(dtype, torch.dtype) and not dtype.is_floating_point:
            return True
        return bool(self._integers) and any(entry.node in self._integers for entry in node.inputs)

    def _make_recipe(self, kind: Kind) -> _Recipe:
        """Finds out how the nodes of a kind are called."""
        op, attrs = kind.op, kind.parsed
        kernel = op.traits.in_graphs or op.kernel
        if op.open_attrs:
            kernel, attrs = _bind_options(kernel, attrs), {}
        if op.supplied:  # else calls that are alike share their attributes, by which they are known
            attrs = {**attrs, **self._supply(op)}
        return _Recipe(kernel, attrs, None if op.variadic else _find_places(kind))

    def _read(self, node: Node, recipe: _Recipe) -> tuple[Call | None, ...]:
        """Returns the kernel's arguments, None for an input that is not in use."""
        values = self.values
        try:
            inputs = [values[child][output] for child, output in node.inputs]
        except IndexError:
            entry = next(entry for entry in node.inputs if entry.output >= len(values[entry.node]))
            raise MXNetError(
                f"graph: {node.name!r} reads output {entry.output} of {entry.node.name!r}, "
                "which is not computed"
            ) from None
        if recipe.places is None:
            return tuple(inputs)
        return tuple([None if place is None else inputs[place] for place in recipe.places])

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
    """Joins the result of an operator that has no derivative to torch's graph.

    Without inputs it is cut off from what the kernel may have recorded.
    """
    if not result.is_floating_point():
        return result
    if not inputs:
        return result.detach() if result.requires_grad else result
    return tape.join_without_gradient(result, inputs)


def _find_without_effect(nodes: Sequence[Node]) -> list[Node]:
    """Finds the variables that all nodes which read them ignore."""
    ignored: set[Node] = set()
    used: set[Node] = set()
    for node in nodes:
        for position, entry in enumerate(node.inputs):
            (ignored if node.ignores(position) else used).add(entry.node)
    return [node for node in nodes if node.op is None and node in ignored - used]
