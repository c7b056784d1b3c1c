"""Parts of a lowered graph that a compiler computes, around calls that stay as they are."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from torch import Tensor

from mxnet.graph.lower import Call, CallGraph, map_calls


class Members:
    """Some calls of a graph as a graph of their own.

    Args:
        members: The calls, in order.

    Attributes:
        inputs: Calls outside that they read.
        outputs: Those of them that are read outside.
        graph: Computes the outputs from the inputs.
    """

    def __init__(self, members: Sequence[Call]) -> None:
        inside = {*members}
        read = dict.fromkeys(item for node in members for item in node.all_input_nodes)
        self.inputs = [item for item in read if item not in inside and item.op != "get_attr"]
        self.outputs = [node for node in members if any(user not in inside for user in node.users)]
        self.graph = CallGraph()
        copies = {node: self.graph.placeholder(f"input_{i}") for i, node in enumerate(self.inputs)}
        copies.update((node, self.graph.node_copy(node)) for node in read if node.op == "get_attr")
        for node in members:
            copies[node] = self.graph.node_copy(node, copies.__getitem__)
        self.graph.output([copies[node] for node in self.outputs])


def join_stages(
    graph: CallGraph, apart: Collection[Call], make: Callable[[Members], Callable[..., Any]]
) -> CallGraph:
    """Returns a graph in which the calls between those that stay apart are few calls.

    Args:
        graph: The graph.
        apart: Calls of operators that stay as they are.
        make: Returns the function that computes the outputs of some calls from their inputs.
    """
    nodes = list(graph.nodes)
    stages = _number_stages(nodes, apart)
    joined = CallGraph()
    copies: dict[Call, Call] = {}
    for node in nodes:
        if node.op in ("placeholder", "get_attr"):
            copies[node] = joined.node_copy(node)
    for stage in sorted({*stages.values()}):
        members = [node for node in nodes if stages.get(node) == stage]
        if stage % 2:
            for node in members:
                copies[node] = joined.node_copy(node, copies.__getitem__)
        else:
            _add_stage(joined, copies, Members(members), make)
    joined.output(map_calls(nodes[-1].args[0], copies.__getitem__))
    for node in joined.nodes:
        if node.op == "get_attr" and not node.users:  # which only stages read
            joined.erase_node(node)
    return joined


def _number_stages(nodes: Sequence[Call], apart: Collection[Call]) -> Mapping[Call, int]:
    """Numbers calls so that inputs have no greater number: odd for those that stay apart."""
    stages: dict[Call, int] = {}
    for node in nodes:
        if node.op != "call_function":
            continue
        source = node.args[0] if node.operator is None else node
        parity = int(source in apart)
        before = [stages[item] for item in node.all_input_nodes if item in stages]
        stages[node] = max((s + (s % 2 != parity) for s in before), default=parity)
    return stages


def _add_stage(
    joined: CallGraph,
    copies: dict[Call, Call],
    members: Members,
    make: Callable[[Members], Callable[..., Any]],
) -> None:
    """Adds the call of a stage, and notes where its outputs are."""
    function = make(members)

    def run_stage(*tensors: Tensor) -> Sequence[Tensor]:  # a name that source can have
        results: Sequence[Tensor] = function(*tensors)
        return results

    call = joined.call_function(run_stage, tuple(copies[node] for node in members.inputs))
    for position, node in enumerate(members.outputs):
        copies[node] = joined.call_function(operator.getitem, (call, position))
