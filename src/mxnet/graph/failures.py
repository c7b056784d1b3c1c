"""Errors of a graph that runs: they name the node."""

from __future__ import annotations

import warnings
from typing import NamedTuple

from mxnet.errors import AllocationError, LimitExceededError, MXNetError
from mxnet.graph.node import Node
from mxnet.ops.failures import explain_shortage


class NodeError(MXNetError):
    """An operator of a graph fails; the message names the node."""


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
        warnings.warn(message, stacklevel=5)


class NodeLimitError(NodeError, LimitExceededError):
    """An operator of a graph asks for more than `mx.limits` allows."""


class NodeAllocationError(NodeError, AllocationError):
    """An operator of a graph asks for memory that is not to be had."""


def name_node(node: Node, error: Exception, inputs: str = "") -> NodeError:
    """Returns the error to raise for what the operator of a node raised.

    Args:
        node: The node.
        error: What its kernel raised.
        inputs: What is known of its inputs, as the end of the message.
    """
    where = f"node {node.name!r}: {'' if node.op is None else node.op.name}"
    if isinstance(error, LimitExceededError):
        return NodeLimitError(f"node {node.name!r}: {error}")
    shortage = explain_shortage(where, error)
    if shortage is not None:
        return NodeAllocationError(str(shortage))
    return NodeError(f"{where}: {error}{inputs}")
