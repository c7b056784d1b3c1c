"""Operators that run graphs of their own: the bodies of loops and the branches of conditions.

The graphs belong to the operator of the one node that runs them, so that whatever copies, infers
or runs nodes treats such a node as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.graph.ir.graph import Graph, Node
from mxnet.ops.core.registry import Op


class Wire(NamedTuple):
    """Says which input of a node an argument of a subgraph comes from."""

    subgraph: int
    argument: int
    source: int
    sliced: bool = False
    """Whether the argument is one slice of the input along the first axis."""


class Body(NamedTuple):
    """What a kernel of control flow has to run."""

    run: Callable[[int, Sequence[Tensor]], list[Tensor]]
    """Runs a subgraph, by its number, on what the inputs of the node are in this step."""
    where: str
    """Operator and subgraph, as they stand in messages."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Control:
    """What is known of an operator of control flow, whatever graphs it runs.

    Attributes:
        name: Name of the operator.
        compute: Computes the outputs from the graphs, the inputs of the node and the attributes.
        attrs: Annotations of the attributes by name.
        num_subgraphs: Number of the graphs.
        bodies: Numbers of the graphs whose outputs are those of the node; each of the others is
            a condition, of one output.
        list_wires: Lists where the arguments of the graphs come from, by the attributes.
        carried: Attribute of a loop that lists the arguments of its body that the last outputs
            of a step replace; empty if it is not a loop.
        limit: Attribute of a loop that is its largest number of steps; empty if it takes a step
            for each row of the data.
        is_call: Whether the graph is run once, on all inputs, and files have it as a text in the
            attribute `subgraph`.
    """

    name: str
    compute: Callable[[Body, Sequence[Tensor], Mapping[str, Any]], list[Tensor]]
    attrs: Mapping[str, Any]
    num_subgraphs: int
    bodies: tuple[int, ...]
    list_wires: Callable[[Mapping[str, Any]], list[Wire]]
    carried: str = ""
    limit: str = ""
    is_call: bool = False

    @property
    def has_condition(self) -> bool:
        """Whether values decide what is run."""
        return len(self.bodies) < self.num_subgraphs


@dataclass(frozen=True, slots=True, eq=False)
class OwningOp(Op):
    """An operator with graphs of its own, which files keep with its node.

    Attributes:
        subgraphs: The graphs, whose variables are their arguments.
    """

    subgraphs: tuple[Graph, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SubgraphOp(OwningOp):
    """An operator of control flow.

    Attributes:
        control: What each of its graphs is for.
    """

    control: Control = field(kw_only=True)


def depends_on_values(nodes: Iterable[Node]) -> bool:
    """Returns whether values decide what is computed, so that a capture would not hold."""
    return any(
        node.op.control.has_condition or any(depends_on_values(g.nodes) for g in node.op.subgraphs)
        for node in nodes
        if isinstance(node.op, SubgraphOp)
    )


def runs_program(nodes: Iterable[Node]) -> bool:
    """Returns whether a program of the user computes a node, which a capture would run once."""
    return any(
        node.op.traits.runs_program
        or (
            isinstance(node.op, SubgraphOp)
            and any(runs_program(g.nodes) for g in node.op.subgraphs)
        )
        for node in nodes
        if node.op is not None
    )


def arrange(wires: Sequence[Wire], number: int, values: Sequence[Any]) -> list[Any]:
    """Puts the inputs of a node in the order of the arguments of one of its subgraphs."""
    chosen = sorted((wire for wire in wires if wire.subgraph == number), key=lambda w: w.argument)
    return [values[wire.source] for wire in chosen]


def check_subgraphs(node: Node, op: SubgraphOp) -> None:
    """Checks that a node fits its subgraphs.

    Raises:
        MXNetError: if numbers or positions do not agree.
    """
    if op.control.is_call:
        return  # the inputs are those of the graph
    attrs = node.parsed
    wires = op.control.list_wires(attrs)
    for number, subgraph in enumerate(op.subgraphs):
        names = subgraph.input_names
        if len(set(names)) != len(names):
            raise MXNetError(f"node {node.name!r}: names in a subgraph are not unique: {names}")
        positions = sorted(wire.argument for wire in wires if wire.subgraph == number)
        if positions != list(range(len(names))):
            raise MXNetError(
                f"node {node.name!r}: subgraph {number} takes {len(names)} arguments, "
                f"but positions {positions} are given"
            )
    if not all(0 <= wire.source < len(node.inputs) for wire in wires):
        raise MXNetError(f"node {node.name!r}: a subgraph reads an input that is not there")
    _check_outputs(node, op, attrs)


def _check_outputs(node: Node, op: SubgraphOp, attrs: Mapping[str, Any]) -> None:
    control, count = op.control, attrs["num_outputs"]
    expected = [count if number in control.bodies else 1 for number in range(control.num_subgraphs)]
    counts = [len(subgraph.heads) for subgraph in op.subgraphs]
    if counts != expected or (control.carried and not _is_complete_step(op, attrs)):
        raise MXNetError(
            f"node {node.name!r}: {count} outputs do not fit subgraphs that give {counts}"
        )


def _is_complete_step(op: SubgraphOp, attrs: Mapping[str, Any]) -> bool:
    """Returns whether the outputs of a loop are those of a step and the values that it carries."""
    num_out_data, carried = attrs["num_out_data"], attrs[op.control.carried]
    arguments = range(len(op.subgraphs[op.control.bodies[0]].input_names))
    fits = num_out_data >= 0 and attrs["num_outputs"] == num_out_data + len(carried)
    return fits and all(position in arguments for position in carried)
