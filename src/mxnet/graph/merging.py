"""A pass for every setting: chains of operators for which torch has one."""

from __future__ import annotations

from typing import Any

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.graph.calls import Call, CallGraph
from mxnet.graph.passes import attribute, note_merged, operator_of
from mxnet.ops.core.registry import Op, get_op
from mxnet.ops.nn.softmax import cross_entropy

_CROSS_ENTROPY: tuple[dict[Op, dict[str, Any]], ...] = (
    {get_op("mean"): {"axis": (0,), "exclude": True, "keepdims": False}},
    {get_op("_mul_scalar"): {"scalar": -1.0}, get_op("_npi_negative"): {}},  # of the two dialects
    {get_op("pick"): {"axis": -1, "keepdims": True, "mode": "clip"}},
    {get_op("log_softmax"): {"axis": -1, "temperature": None, "dtype": None}},
)
"""The operators of the chain, the last one first, and the attributes that they must have."""


def merge_cross_entropy(graph: CallGraph) -> None:
    """Makes one call of the chain of the softmax cross entropy loss with integer labels."""
    for node in graph.calls_of(lambda op: op in _CROSS_ENTROPY[0]):
        chain = _find_chain(node)
        if chain is None:
            continue
        probabilities, picked, *_ = chain
        with graph.inserting_before(node):
            merged = graph.call_function(cross_entropy, (probabilities.args[0], picked.args[1]))
        note_merged(merged, chain)
        node.replace_all_uses_with(merged)
        for item in reversed(chain):
            graph.erase_node(item)


def _find_chain(last: Call) -> list[Call] | None:
    """Returns the nodes of a cross entropy that ends with a node, in order."""
    chain: list[Call] = []
    node: Any = last
    for alternatives in _CROSS_ENTROPY:
        op = operator_of(node)
        attrs = None if op is None else alternatives.get(op)
        if attrs is None or (chain and len(node.users) > 1):
            return None
        if any(attribute(node, key) != value for key, value in attrs.items()):
            return None
        chain.insert(0, node)
        node = node.args[0]
    return chain
