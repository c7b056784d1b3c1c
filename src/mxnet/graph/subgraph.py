"""Operators that run graphs of their own: the bodies of loops and the branches of conditions.

The graphs belong to the operator of the one node that runs them, so that whatever copies, infers
or runs nodes treats such a node as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mxnet.errors import MXNetError
from mxnet.graph.graph import Graph
from mxnet.graph.node import Node
from mxnet.ops.registry import Op


@dataclass(frozen=True, slots=True, eq=False)
class SubgraphOp(Op):
    """An operator with graphs of its own.

    Attributes:
        subgraphs: The graphs, whose variables are their arguments; the operator knows what each is
            for.
    """

    subgraphs: tuple[Graph, ...] = ()


class Wire(NamedTuple):
    """Says which input of a node an argument of a subgraph comes from."""

    subgraph: int
    argument: int
    source: int
    sliced: bool = False
    """Whether the argument is one slice of the input along the first axis."""


def list_wires(name: str, attrs: Mapping[str, Any]) -> list[Wire]:
    """Lists where the arguments of the subgraphs of an operator come from."""
    if name == "_foreach":
        data, states, rest = (
            attrs[key] for key in ("in_data_locs", "in_state_locs", "remain_locs")
        )
        return [
            Wire(0, argument, source, source < len(data))
            for source, argument in enumerate((*data, *states, *rest))
        ]
    keys = {
        "_while_loop": ("cond_input_locs", "func_input_locs"),
        "_cond": ("cond_input_locs", "then_input_locs", "else_input_locs"),
    }[name]
    return [
        Wire(number, argument, source)
        for number, key in enumerate(keys)
        for argument, source in enumerate(attrs[key])
    ]


def depends_on_values(nodes: Iterable[Node]) -> bool:
    """Returns whether values decide what is computed, so that a capture would not hold."""
    return any(
        node.op.name != "_foreach" or any(depends_on_values(g.nodes) for g in node.op.subgraphs)
        for node in nodes
        if isinstance(node.op, SubgraphOp)
    )


def arrange(wires: Sequence[Wire], number: int, values: Sequence[Any]) -> list[Any]:
    """Puts the inputs of a node in the order of the arguments of one of its subgraphs."""
    chosen = sorted((wire for wire in wires if wire.subgraph == number), key=lambda w: w.argument)
    return [values[wire.source] for wire in chosen]


def check(node: Node, op: SubgraphOp) -> None:
    """Checks that a node fits its subgraphs.

    Raises:
        MXNetError: if numbers or positions do not agree.
    """
    attrs = node.parsed
    wires = list_wires(op.name, attrs)
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
    count = attrs["num_outputs"]
    if op.name == "_cond":
        expected = [1, count, count]
        steps = True
    else:
        expected = [count] if op.name == "_foreach" else [1, count]
        variables = attrs["in_state_locs" if op.name == "_foreach" else "func_var_locs"]
        steps = count == attrs["num_out_data"] + len(variables) and attrs["num_out_data"] >= 0
        if op.name == "_while_loop":
            known = range(len(attrs["func_input_locs"]))
            steps = steps and all(position in known for position in variables)
    counts = [len(subgraph.heads) for subgraph in op.subgraphs]
    if counts != expected or not steps:
        raise MXNetError(
            f"node {node.name!r}: {count} outputs do not fit subgraphs that give {counts}"
        )
