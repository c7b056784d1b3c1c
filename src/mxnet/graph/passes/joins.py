"""Results without a derivative in graphs that are differentiated.

torch forgets where such a result comes from. In the original its inputs have a gradient, which is
zero; so the result is joined to its inputs again. That takes longer than most operators, and it
makes torch record everything that is computed from the result. It changes nothing where the same
variables have a gradient anyway: a mask of the shape of a hidden state, for example, depends on
the weights that the state depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch

from mxnet.graph.ir.subgraph import SubgraphOp
from mxnet.graph.lower.calls import Call, CallGraph, find_calls
from mxnet.graph.lower.lower import without_gradient


def remove_joins(graph: CallGraph) -> None:
    """Takes out the joins whose inputs have a gradient from every output that reads the join.

    Sets of inputs of the graph are integers, with a bit for each input.

    Args:
        graph: The graph, lowered for recording.
    """
    calls = graph.nodes
    joins = [call for call in calls if call.target is without_gradient]
    if not joins:
        return
    reached: dict[Call, int] = {}
    differentiated: dict[Call, int] = {}
    for place, call in enumerate(calls):
        if call.op == "placeholder":
            reached[call] = differentiated[call] = 1 << place
        else:
            connected = _find_connected(call)
            reached[call] = _unite(reached, connected)
            differentiated[call] = _unite(differentiated, _find_differentiated(call, connected))
    common = _find_common(calls, differentiated)
    for join in joins:
        if not reached[join] & ~common.get(join, -1):
            join.replace_all_uses_with(join.args[0])
            graph.erase_node(join)


def _unite(sets: dict[Call, int], calls: Iterable[Call]) -> int:
    union = 0
    for call in calls:
        union |= sets[call]
    return union


def _find_connected(call: Call) -> Sequence[Call]:
    """Lists the inputs of a call that torch may connect the result with: all but indices."""
    op = call.operator
    if op is None or op.variadic or op.aux or not op.any_dtype:
        return call.all_input_nodes
    pairs = zip(op.inputs, call.args, strict=False)
    return find_calls(value for item, value in pairs if item.name not in op.any_dtype)


def _find_differentiated(call: Call, connected: Sequence[Call]) -> Sequence[Call]:
    """Lists those of the connected inputs to which torch hands a gradient for sure."""
    op = call.operator
    if op is None:
        return () if call.target is without_gradient else connected
    may_stop = op.traits.ignores_head or op.traits.runs_program or isinstance(op, SubgraphOp)
    dtype = call.kwargs.get("dtype")
    is_integral = isinstance(dtype, torch.dtype) and not dtype.is_floating_point
    if may_stop or is_integral or op.aux or not op.differentiable:
        return ()
    return connected


def _find_common(calls: Sequence[Call], differentiated: dict[Call, int]) -> dict[Call, int]:
    """Returns the inputs that have a gradient from every output that a call leads to."""
    common: dict[Call, int] = {}
    for call in reversed(calls):
        if call.op == "output":
            common.update((item, differentiated[item]) for item in call.all_input_nodes)
            continue
        own = common.get(call, -1)
        for item in call.all_input_nodes:
            common[item] = common.get(item, -1) & own
    return common
