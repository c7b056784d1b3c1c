"""A pass that runs convolutional networks with the channels last in memory.

Weights and data are brought into the order before the first convolution, what keeps the order
passes it on, and what leaves a graph is in the ordinary order again. `ops/nn/memory_order.py` says
on which devices.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from torch import Tensor

from mxnet.graph.calls import Call, CallGraph, map_calls
from mxnet.graph.passes import attribute, operator_of, role_of
from mxnet.ops.nn.memory_order import put_channels_last


def order_channels_last(graph: CallGraph) -> None:
    """Runs convolutions over images, and what lies between them, with channels last in memory."""
    last: set[Call] = set()
    for node in list(graph.nodes):
        before = [each for each in node.all_input_nodes if each in last]
        if _convolves(node):
            _convert(
                graph, node, [each for each in node.args[:2] if each not in last], put_channels_last
            )
            last.add(node)
        elif before and _keeps_layout(node):
            if role_of(node) not in ("normalization", "pooling"):  # which have one such input
                others = [each for each in node.all_input_nodes if each not in last]
                _convert(graph, node, others, put_channels_last)
            last.add(node)
        elif before:
            _convert(graph, node, before, Tensor.contiguous)


def _convolves(node: Call) -> bool:
    """Returns whether a call convolves images whose shape has the channels before the rows."""
    if role_of(node) != "convolution" or len(attribute(node, "kernel")) != 2:
        return False
    return not str(attribute(node, "layout")).endswith("C")


def _keeps_layout(node: Call) -> bool:
    """Returns whether a call gives channels-last results of channels-last data."""
    if node.target is operator.getitem:
        return True
    op, role = operator_of(node), role_of(node)
    if op is None:
        return False
    if role == "normalization":
        axis: Any = node.kwargs.get("axis", 1)
        return bool(axis == 1)
    if role == "pooling":
        return not str(attribute(node, "layout")).endswith("C")
    if "generator" in op.supplied and not op.traits.keeps_layout:
        return False  # random numbers are drawn in the order of memory
    return op.traits.keeps_layout or op.traits.same_shape is True


def _convert(graph: CallGraph, node: Call, inputs: Sequence[Call], function: Any) -> None:
    """Lets a call read inputs through a function."""
    with graph.inserting_before(node):
        converted = {each: graph.call_function(function, (each,)) for each in inputs}
    node.args = map_calls(node.args, lambda call: converted.get(call, call))
