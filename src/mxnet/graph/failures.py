"""Errors of a graph that runs: they name the node."""

from __future__ import annotations

from mxnet.errors import LimitExceededError, MXNetError
from mxnet.graph.node import Node
from mxnet.ops.failures import explain_shortage


def name_node(node: Node, error: Exception, inputs: str = "") -> MXNetError:
    """Returns the error to raise for what the operator of a node raised.

    Args:
        node: The node.
        error: What its kernel raised.
        inputs: What is known of its inputs, as the end of the message.
    """
    where = f"node {node.name!r}: {'' if node.op is None else node.op.name}"
    if isinstance(error, LimitExceededError):
        return LimitExceededError(f"node {node.name!r}: {error}")
    return explain_shortage(where, error) or MXNetError(f"{where}: {error}{inputs}")
