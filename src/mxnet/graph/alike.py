"""Operators whose inputs and output have one shape, or one dtype."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from mxnet.graph.node import Entry, Node
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import Op
from mxnet.ops.core.traits import Settings


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
    op: Op,
    shapes: Sequence[Shape | None],
    dtypes: Sequence[torch.dtype | None],
    settings: Settings,
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
