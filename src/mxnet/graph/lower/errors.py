"""Errors of a graph that runs: they name the node."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from mxnet._start import level_of_program
from mxnet.errors import AllocationError, ExecutionValueError, LimitExceededError, MXNetError
from mxnet.graph.ir import Node
from mxnet.ops.core.allocation import ON_SHORTAGE, explain_shortage
from mxnet.ops.core.kernel_errors import (
    describe_inputs,
    find_misfit,
    find_mixed_dtypes,
    insert_inputs,
)
from mxnet.ops.core.registry import Op


class NodeError(MXNetError):
    """An operator of a graph fails; the message names the node.

    Attributes:
        node: Name of the node.
    """

    node: str = ""


class NodeValueError(NodeError, ValueError):
    """An operator of a graph fails for values, where the original raises `ValueError`."""


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
        warnings.warn(message, stacklevel=level_of_program())


class NodeLimitError(NodeError, LimitExceededError):
    """An operator of a graph asks for more than `mx.limits` allows."""


class NodeAllocationError(NodeError, AllocationError):
    """An operator of a graph asks for memory that is not to be had."""


def name_node(node: Node, op: Op, error: Exception, tensors: Sequence[Tensor | None]) -> NodeError:
    """Returns the error to raise for what the operator of a node raised.

    Args:
        node: The node.
        op: Its operator.
        error: What its kernel raised.
        tensors: The inputs that it got.
    """
    named = _word(node, op, error, tensors)
    named.node = node.name
    return named


def _word(node: Node, op: Op, error: Exception, tensors: Sequence[Tensor | None]) -> NodeError:
    where = f"node {node.name!r}: {op.name}"
    if isinstance(error, LimitExceededError):
        return NodeLimitError(f"node {node.name!r}: {error}")
    shortage = explain_shortage(where, error)
    if shortage is not None:
        given = describe_inputs(op, tensors)
        return NodeAllocationError(f"{shortage}\n  inputs: {given}\n  {ON_SHORTAGE}")
    mixed = find_mixed_dtypes(op, tensors)
    if mixed is not None:
        return NodeError(f"node {node.name!r}: {mixed}")
    given = describe_inputs(op, tensors)
    misfit = find_misfit(op, tensors, error, node.parsed)
    if misfit is not None:
        return NodeError(f"{where}: {insert_inputs(misfit, given)}")
    reason = str(error).removeprefix(f"{op.name}: ")
    error_class = NodeValueError if isinstance(error, ExecutionValueError) else NodeError
    return error_class(f"{where}: {reason}\n  inputs: {given}")
