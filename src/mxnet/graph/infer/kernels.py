"""What inferences of shapes and element types ask of a single node: its kernel, or a rule."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import torch

from mxnet._state import rules
from mxnet.errors import LimitExceededError, MXNetError, ShapeMismatchError
from mxnet.graph.ir import Entry, Node
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import Op
from mxnet.ops.core.traits import Settings
from mxnet.ops.meta import infer

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
        if shape and (min(shape) < 0 or math.prod(shape) > _MAX_SIZE):
            raise ShapeMismatchError(f"{op.name}: no array can have the shape {shape}")
    if len(shapes) > _MAX_REMEMBERED:
        return infer(op, shapes, dtypes, attrs, in_graph=True)
    try:
        given = tuple(shapes), tuple(dtypes), tuple(attrs.items())
        answer = _ask_once(op, *given, rules.version)
    except TypeError:  # an attribute that cannot be a key
        return infer(op, shapes, dtypes, attrs, in_graph=True)
    if isinstance(answer, _Refusal):
        raise answer.error_class(answer.message)
    return answer


@lru_cache(maxsize=4096)  # a function of its arguments; what depends on limits raises
def _ask_once(
    op: Op,
    shapes: tuple[Shape | None, ...],
    dtypes: tuple[torch.dtype | None, ...],
    attrs: tuple[tuple[str, Any], ...],
    version: int,  # of MXNet, by whose rules integers become floats or not
) -> Outputs | _Refusal:
    del version
    try:
        return infer(op, shapes, dtypes, dict(attrs), in_graph=True)
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


def find_alike(node: Node, op: Op) -> list[Entry]:
    """Lists the inputs and the output of a node that have one shape."""
    same = op.traits.shapes.same
    if same is True:
        return [*node.inputs, Entry(node)]
    if not same:
        return []
    pairs = zip(node.input_names, node.inputs, strict=True)
    return [*(entry for name, entry in pairs if name in same), Entry(node)]


def is_like_inputs(op: Op, dtypes: Sequence[torch.dtype | None]) -> bool:
    """Returns whether an output has the shape and the dtype of all the inputs.

    Then there is no need to ask the kernel, which is slow: the first question to some kernels
    makes torch import its compiler.
    """
    return op.traits.shapes.same is True and keeps_dtype(op, dtypes)


def keeps_dtype(op: Op, dtypes: Sequence[torch.dtype | None]) -> bool:
    """Returns whether the output has the dtype that all the inputs have.

    Args:
        op: The operator.
        dtypes: Dtypes of its inputs, None for one that is not in use.
    """
    first = dtypes[0] if dtypes else None
    if first is None or not op.traits.types.same or not first.is_floating_point:
        return False
    if op.aux and first.itemsize < 4:  # statistics have another dtype than such data
        return False
    return dtypes.count(first) + dtypes.count(None) == len(dtypes)


def find_quickly(
    op: Op, shapes: Sequence[Shape | None], dtypes: Sequence[torch.dtype | None], settings: Settings
) -> Shape | None:
    """Returns the shape of the first output by a rule, None if the kernel has to be asked.

    Args:
        op: The operator.
        shapes: Shapes of its inputs, None for one that is not in use.
        dtypes: Their dtypes.
        settings: All its attributes.
    """
    rule = op.traits.shapes.quick
    if rule is None or not keeps_dtype(op, dtypes):
        return None
    return rule([shape for shape in shapes if shape is not None], settings)
