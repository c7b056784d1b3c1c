"""Lowering: a graph becomes one function of tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from mxnet import _tape
from mxnet.errors import MXNetError
from mxnet.graph.infer import infer_shapes, infer_types
from mxnet.graph.node import Entry, Node, sort_nodes
from mxnet.ops.registry import Op, as_tuple

_ERRORS = (RuntimeError, IndexError, ValueError, TypeError)


@dataclass(frozen=True, slots=True)
class _Step:
    """One operator of a lowered graph; slots say where its inputs and outputs are kept."""

    node: Node
    op: Op
    attrs: Mapping[str, Any]
    inputs: tuple[int | None, ...]
    first_output: int
    num_outputs: int
    finished: tuple[int, ...]
    """Slots that nobody reads after this step, whose memory can go."""


class Program:
    """A graph that runs on tensors.

    Operators run one after the other on what autograd of torch records, or not, as the tensors
    ask for it. Auxiliary states are updated in place.

    Args:
        heads: What to compute.
        input_names: Names of the variables in the order in which their tensors are given.
    """

    def __init__(self, heads: Sequence[Entry], input_names: Sequence[str]) -> None:
        nodes = sort_nodes(heads)
        positions = {name: position for position, name in enumerate(input_names)}
        starts: dict[Node, int] = {}
        count = len(input_names)
        for node in nodes:
            if node.op is None:
                if node.name not in positions:
                    raise MXNetError(f"graph: no value for the variable {node.name!r}")
                starts[node] = positions[node.name]
            else:
                starts[node] = count
                count += node.num_outputs
        self._size = count
        self._num_inputs = len(input_names)
        for head in heads:
            if head.output >= head.node.num_outputs:
                raise MXNetError(f"graph: {head.node.name!r} has no output {head.output}")
        self._heads = tuple(starts[head.node] + head.output for head in heads)
        self._steps = self._plan(nodes, starts)
        self._nodes, self._names = nodes, tuple(input_names)
        self._is_open = any(0 in node.parsed.get("shape", ()) for node in nodes if not node.inputs)
        self._sizes: dict[Any, dict[Node, dict[str, Any]]] = {}
        self._without_effect = _find_without_effect(nodes, starts)

    def _plan(self, nodes: Sequence[Node], starts: Mapping[Node, int]) -> list[_Step]:
        last: dict[int, Node] = {}
        for node in nodes:
            for entry in node.inputs:
                last[starts[entry.node] + entry.output] = node
        kept = {*range(self._num_inputs), *self._heads}
        finished: dict[Node, list[int]] = {}
        for slot, node in last.items():
            if slot not in kept:
                finished.setdefault(node, []).append(slot)
        return [
            _Step(
                node,
                node.op,
                node.parsed,
                _arrange(node, node.op, starts),
                starts[node],
                node.num_outputs,
                tuple(finished.get(node, ())),
            )
            for node in nodes
            if node.op is not None
        ]

    def __call__(self, tensors: Sequence[Tensor], supplied: Mapping[str, Any]) -> list[Tensor]:
        """Computes the heads.

        Args:
            tensors: Values of the variables, as the names were given.
            supplied: Values of `training`, `generator` and `device` for kernels that ask.

        Raises:
            MXNetError: if an operator fails; it names the node.
        """
        slots: list[Tensor | None] = [*tensors, *([None] * (self._size - len(tensors)))]
        sizes = self._find_sizes(tensors) if self._is_open else {}
        for step in self._steps:
            values = [None if slot is None else slots[slot] for slot in step.inputs]
            results = _run(step, values, supplied, sizes.get(step.node, step.attrs))
            for position in range(step.num_outputs):
                slots[step.first_output + position] = results[position]
            for slot in step.finished:
                slots[slot] = None
        found: list[Tensor] = [slots[slot] for slot in self._heads]  # type: ignore[misc]  # computed
        if self._without_effect:
            unused = [tensors[position] for position in self._without_effect]
            found = [_tape.join_without_effect(item, unused) for item in found]
        return found

    def _find_sizes(self, tensors: Sequence[Tensor]) -> dict[Node, dict[str, Any]]:
        """Completes the attributes of constants whose shape depends on the data: first states."""
        key = tuple(tensor.shape for tensor in tensors)
        if key not in self._sizes:
            given = {name: tuple(t.shape) for name, t in zip(self._names, tensors, strict=True)}
            shapes = infer_shapes(self._nodes, given, infer_types(self._nodes, {}))
            self._sizes[key] = {
                node: {**node.parsed, "shape": shapes[Entry(node)]}
                for node in self._nodes
                if not node.inputs and 0 in node.parsed.get("shape", ())
            }
        return self._sizes[key]


def _find_without_effect(nodes: Sequence[Node], starts: Mapping[Node, int]) -> list[int]:
    """Finds the variables that all nodes which read them ignore."""
    ignored: set[Node] = set()
    used: set[Node] = set()
    for node in nodes:
        for position, entry in enumerate(node.inputs):
            (ignored if node.ignores(position) else used).add(entry.node)
    return [starts[node] for node in nodes if node.op is None and node in ignored - used]


def _arrange(node: Node, op: Op, starts: Mapping[Node, int]) -> tuple[int | None, ...]:
    """Gives the slots of the kernel's arguments, None for an input that is not in use."""
    slots = [starts[entry.node] + entry.output for entry in node.inputs]
    for entry in node.inputs:
        if entry.output >= entry.node.num_outputs:
            raise MXNetError(
                f"graph: {node.name!r} reads output {entry.output} of {entry.node.name!r}, "
                "which is not computed"
            )
    if op.variadic:
        return tuple(slots)
    by_name = dict(zip(node.input_names, slots, strict=True))
    return tuple(by_name.get(item.name) for item in op.inputs)


def _run(
    step: _Step,
    values: Sequence[Tensor | None],
    supplied: Mapping[str, Any],
    attrs: Mapping[str, Any],
) -> tuple[Tensor, ...]:
    op = step.op
    given = {name: supplied[name] for name in op.supplied}
    try:
        results = as_tuple(op.kernel(*values, **attrs, **given))
    except _ERRORS as error:
        shapes = [tuple(item.shape) for item in values if item is not None]
        raise MXNetError(
            f"node {step.node.name!r}: {op.name}: {error}; inputs: {shapes}"
        ) from error
    if op.differentiable:
        return results
    return tuple(
        _tape.join_without_gradient(item, values) if item.is_floating_point() else item
        for item in results
    )
