"""What the inferences of shapes and of element types share: questions to a single node."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import torch

from mxnet.errors import LimitExceededError, MXNetError, ShapeMismatchError
from mxnet.graph.node import Entry, Node
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.inference import infer
from mxnet.ops.core.registry import Op

_MAX_SIZE = 2**56
"""More elements than any memory holds; files may ask for any number."""
_MAX_REMEMBERED = 64
"""Nodes of more inputs are asked each time, as their shapes would take much memory."""

Outputs = list[tuple[Shape, torch.dtype]]


class _Refusal(NamedTuple):
    """An error, without what it would keep alive."""

    error_class: type[MXNetError]
    message: str


def ask_kernel(
    op: Op,
    shapes: Sequence[Shape | None],
    dtypes: Sequence[torch.dtype | None],
    attrs: Mapping[str, Any],
) -> Outputs:
    """Runs a kernel without data; networks repeat themselves, and a run takes milliseconds.

    Raises:
        MXNetError: if the kernel does not take such inputs.
    """
    for shape in shapes:
        if shape is not None and math.prod(shape) > _MAX_SIZE:
            raise ShapeMismatchError(f"{op.name}: no array can have the shape {shape}")
    if len(shapes) > _MAX_REMEMBERED:
        return infer(op, shapes, dtypes, attrs)
    try:
        answer = _ask_once(op, tuple(shapes), tuple(dtypes), tuple(attrs.items()))
    except TypeError:  # an attribute that cannot be a key
        return infer(op, shapes, dtypes, attrs)
    if isinstance(answer, _Refusal):
        raise answer.error_class(answer.message)
    return answer


@lru_cache(maxsize=4096)  # a function of its arguments; what depends on limits raises
def _ask_once(
    op: Op,
    shapes: tuple[Shape | None, ...],
    dtypes: tuple[torch.dtype | None, ...],
    attrs: tuple[tuple[str, Any], ...],
) -> Outputs | _Refusal:
    try:
        return infer(op, shapes, dtypes, dict(attrs))
    except LimitExceededError:  # the limit may be another one the next time
        raise
    except MXNetError as error:
        return _Refusal(type(error), str(error))


def list_entries(node: Node, count: int) -> list[Entry]:
    """Lists arguments, outputs and states of an operator written in Python.

    Args:
        node: The node.
        count: How many of its inputs are arguments.
    """
    outputs = [Entry(node, index) for index in range(node.num_outputs)]
    return [*node.inputs[:count], *outputs, *node.inputs[count:]]


def in_operator(error: MXNetError, node: Node) -> MXNetError:
    """Returns an error of inference that names the node."""
    error_class = LimitExceededError if isinstance(error, LimitExceededError) else MXNetError
    return error_class(f"Error in operator {node.name}: {error}")
