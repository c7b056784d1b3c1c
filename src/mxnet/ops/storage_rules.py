"""The storage type of an operator's result and gradients, from those of its inputs.

Its declaration says it once (`Storage`) for sparse arrays, which compute with what is stored, and
for graphs, which compute with dense tensors and give their outputs the storage type that follows.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from mxnet.ops.registry import Op
from mxnet.ops.traits import Attrs


def keeps_zero(op: Op, attrs: Attrs) -> bool:
    """Returns whether an operator on one array gives zero for zero."""
    return float(op.kernel(torch.zeros(1), **attrs)) == 0


def storage_of_result(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the first output."""
    storage = op.traits.storage
    if not storage.from_attrs and all(stype == "default" for stype in stypes):
        return "default"
    if storage.on_stored:
        is_sparse = storage.on_stored == "always" or keeps_zero(op, attrs)
        return stypes[0] if is_sparse else "default"
    return "default" if storage.result is None else storage.result(tuple(stypes), attrs)


def storage_of_gradient(
    op: Op, position: int, stypes: Sequence[str], attrs: Attrs, head: str
) -> str | None:
    """Returns the storage type of the gradient that an operator gives one of its inputs, if any.

    Args:
        op: The operator.
        position: Which input.
        stypes: Storage types of all inputs.
        attrs: Attributes of the operator.
        head: Storage type of the gradient that arrives at the result.
    """
    storage = op.traits.storage
    if storage.gradient is not None:
        return storage.gradient(position, tuple(stypes), attrs, head)
    return head if storage.on_stored else "default"
