"""Which operators of a graph OpenVINO can compute, and graphs in which it computes these alone."""

from __future__ import annotations

import operator
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.graph.calls import Call, CallGraph, map_calls
from mxnet.graph.code import compile_graph
from mxnet.graph.interpreter import Interpreter
from mxnet.graph.lower import LoweredGraph
from mxnet.graph.openvino.config import Config
from mxnet.graph.openvino.region import Region
from mxnet.graph.passes import operator_of, remove_dead, role_of
from mxnet.graph.subgraph import SubgraphOp

_LONGEST_REASON = 300
"""Characters of an error that a warning quotes."""


def find_refused(
    module: LoweredGraph, tensors: Sequence[Tensor], config: Config
) -> dict[Call, str]:
    """Returns the calls of operators that OpenVINO cannot compute, with reasons.

    Each operator is tried by itself, once for calls that are alike.

    Args:
        module: The graph, lowered for prediction.
        tensors: Inputs of the graph.
        config: How networks are compiled.
    """
    values: dict[Call, Any] = {}
    with torch.no_grad():
        Interpreter(module, note=lambda node, value: _note(values, node, value)).run(*tensors)
    refused: dict[Call, str] = {}
    known: dict[Any, str | None] = {}
    for node in module.graph.nodes:
        if operator_of(node) is None:
            continue
        reason = explain_exclusion(node)
        if reason is None:
            alone = _Members(module, [node, *_parts_of(node)])
            inputs = [values[item] for item in alone.inputs]
            key = (node.target, str(node.kwargs), *((v.shape, v.dtype) for v in inputs))
            if key not in known:
                known[key] = _try(alone.function, inputs, config)
            reason = known[key]
        if reason is not None:
            refused[node] = reason
    return refused


def explain_exclusion(node: Call) -> str | None:
    """Returns why a call must be left to its kernel, None if it need not."""
    op = operator_of(node)
    if isinstance(op, SubgraphOp):
        return "it runs graphs of its own"
    if op is None or role_of(node) == "normalization":  # which reads its states only
        return None
    changes = op.aux or op.mutates or op.traits.runs_program
    return "it writes to arrays or runs a program" if changes else None


def _note(values: dict[Call, Any], node: Call, value: Any) -> None:
    """Keeps shape and dtype of a value; untouched memory takes no space."""
    if isinstance(value, Tensor):
        values[node] = torch.empty(value.shape, dtype=value.dtype)


def _parts_of(node: Call) -> list[Call]:
    """Returns the nodes that take single outputs of a call with several."""
    return [user for user in node.users if user.target is operator.getitem]


def _try(
    function: Callable[..., list[Tensor]], inputs: Sequence[Tensor], config: Config
) -> str | None:
    """Returns why OpenVINO does not compute a function, None if it does."""
    try:
        Region(function, len(inputs), (), config)(*inputs)
    except Exception as error:  # noqa: BLE001 - of torch, OpenVINO or the kernel
        return textwrap.shorten(f"{type(error).__name__}: {error}", _LONGEST_REASON)
    return None


def join_regions(
    module: LoweredGraph, constants: Collection[int], refused: Collection[Call], config: Config
) -> CallGraph:
    """Returns a graph in which neighbouring operators that OpenVINO computes are one call.

    Args:
        module: The graph, lowered for prediction.
        constants: Positions of the inputs that are parameters.
        refused: Calls that are left to their kernels.
        config: How networks are compiled.
    """
    nodes = list(module.graph.nodes)
    inputs = [node for node in nodes if node.op == "placeholder"]
    fixed = {inputs[position] for position in constants}
    stages = _number_stages(nodes, refused)
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
            _add_region(joined, copies, _Members(module, members), fixed, config)
    joined.output(map_calls(nodes[-1].args[0], copies.__getitem__))
    remove_dead(joined)
    return joined


def _number_stages(nodes: Sequence[Call], refused: Collection[Call]) -> Mapping[Call, int]:
    """Numbers calls so that inputs have no greater number: odd where the kernel is to run."""
    stages: dict[Call, int] = {}
    for node in nodes:
        if node.op != "call_function":
            continue
        source = node.args[0] if operator_of(node) is None else node
        parity = int(source in refused)
        before = [stages[item] for item in node.all_input_nodes if item in stages]
        stages[node] = max((s + (s % 2 != parity) for s in before), default=parity)
    return stages


class _Members:
    """The calls of a region as a graph of their own.

    Args:
        module: What they belong to.
        members: The calls, in order.

    Attributes:
        inputs: Nodes outside that they read.
        outputs: Those of them that are read outside.
        function: Computes the outputs.
    """

    def __init__(self, module: LoweredGraph, members: Sequence[Call]) -> None:
        inside = {*members}
        read = dict.fromkeys(item for node in members for item in node.all_input_nodes)
        self.inputs = [item for item in read if item not in inside and item.op != "get_attr"]
        self.outputs = [node for node in members if any(user not in inside for user in node.users)]
        graph = CallGraph()
        copies = {node: graph.placeholder(f"input_{i}") for i, node in enumerate(self.inputs)}
        copies.update((node, graph.node_copy(node)) for node in read if node.op == "get_attr")
        for node in members:
            copies[node] = graph.node_copy(node, copies.__getitem__)
        graph.output([copies[node] for node in self.outputs])
        self.function = compile_graph(graph, module)


def _add_region(
    joined: CallGraph,
    copies: dict[Call, Call],
    members: _Members,
    fixed: Collection[Call],
    config: Config,
) -> None:
    """Adds the call of a region, and notes where its outputs are."""
    constants = [i for i, node in enumerate(members.inputs) if node in fixed]
    region = Region(members.function, len(members.inputs), constants, config)

    def run_region(*tensors: Tensor) -> list[Tensor]:  # a name that source can have
        return region(*tensors)

    call = joined.call_function(run_region, tuple(copies[node] for node in members.inputs))
    for position, node in enumerate(members.outputs):
        copies[node] = joined.call_function(operator.getitem, (call, position))
