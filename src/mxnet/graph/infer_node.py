"""What the inferences of shapes and of element types share: questions to a single node."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import torch

from mxnet.errors import ShapeMismatchError
from mxnet.graph.node import Entry, Node
from mxnet.ops.attrs import Shape
from mxnet.ops.inference import infer
from mxnet.ops.registry import Op

_MAX_SIZE = 2**56
"""More elements than any memory holds; files may ask for any number."""


def ask_kernel(
    op: Op,
    shapes: Sequence[Shape | None],
    dtypes: Sequence[torch.dtype | None],
    attrs: Mapping[str, Any],
) -> list[tuple[Shape, torch.dtype]]:
    """Runs a kernel without data; networks repeat themselves, and a run takes milliseconds."""
    for shape in shapes:
        if shape is not None and math.prod(shape) > _MAX_SIZE:
            raise ShapeMismatchError(f"{op.name}: no array can have the shape {shape}")
    try:
        return _ask_once(op, tuple(shapes), tuple(dtypes), tuple(attrs.items()))
    except TypeError:  # an attribute that cannot be a key
        return infer(op, shapes, dtypes, attrs)


@lru_cache(maxsize=4096)
def _ask_once(
    op: Op,
    shapes: tuple[Shape | None, ...],
    dtypes: tuple[torch.dtype | None, ...],
    attrs: tuple[tuple[str, Any], ...],
) -> list[tuple[Shape, torch.dtype]]:
    return infer(op, shapes, dtypes, dict(attrs))


def list_entries(node: Node, count: int) -> list[Entry]:
    """Lists arguments, outputs and states of an operator written in Python.

    Args:
        node: The node.
        count: How many of its inputs are arguments.
    """
    outputs = [Entry(node, index) for index in range(node.num_outputs)]
    return [*node.inputs[:count], *outputs, *node.inputs[count:]]
