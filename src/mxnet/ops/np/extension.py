"""Operators of `mx.npx` that are none of the classic dialect under another name."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from mxnet.errors import ExecutionValueError, MXNetError
from mxnet.ops.elementwise import with_integers
from mxnet.ops.registry import elementary, op
from mxnet.ops.traits import ELEMENTWISE, Fusion

elementary(
    "_npx_relu",
    torch.relu,
    "Rectifier: each element, or zero if it is negative.",
    traits=replace(ELEMENTWISE, fusion=Fusion(activation=("relu", ()))),
)
elementary(
    "_npx_sigmoid",
    with_integers("_npx_sigmoid", torch.sigmoid),
    "Logistic function `1 / (1 + exp(-x))` of each element.",
    traits=replace(ELEMENTWISE, fusion=Fusion(activation=("sigmoid", ()))),
)


@op("_npx_constraint_check", differentiable=False)
def constraint_check(input: Tensor, *, msg: str = "Constraint violated.") -> Tensor:
    """Returns true if all elements are true, and raises an error otherwise.

    Args:
        input: Truth values.
        msg: What the error says.
    """
    if input.dtype is not torch.bool:
        raise MXNetError(f"_npx_constraint_check: expected bool, got {input.dtype}")
    holds = input.all()
    if not (holds.is_meta or bool(holds)):
        raise ExecutionValueError(msg)
    return holds
