"""Operators whose gradient is not that of what they compute."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.ops.binary import declare_scalar
from mxnet.ops.registry import elementary, op
from mxnet.ops.traits import ELEMENTWISE


class _PassThrough(torch.autograd.Function):
    """Returns values with the gradient of `data` itself."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, data: Tensor, values: Tensor) -> Tensor:  # noqa: ARG004
        return values

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, gradient: Tensor) -> tuple[Tensor, None]:  # noqa: ARG004
        return gradient, None


def _round(data: Tensor) -> Tensor:
    if not data.is_floating_point():
        return data.clone()
    whole = data.detach()
    values = whole.sign() * (whole.abs() + 0.5).floor()
    return _PassThrough.apply(data, values)  # type: ignore[no-any-return, no-untyped-call]


def _sign(data: Tensor) -> Tensor:
    return _PassThrough.apply(data, data.detach().sign())  # type: ignore[no-any-return, no-untyped-call]


elementary(
    "_contrib_round_ste",
    _round,
    "Rounds to whole numbers, halves away from zero; gradients pass as if nothing was done.",
)
elementary(
    "_contrib_sign_ste",
    _sign,
    "Returns the sign of each element; gradients pass as if nothing was done.",
)


class _Multiply(torch.autograd.Function):
    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, data: Tensor, factor: float) -> Tensor:
        ctx.factor = factor  # type: ignore[attr-defined]  # torch keeps what is set on it
        return data.clone()

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient * ctx.factor, None  # type: ignore[attr-defined]


@op("_contrib_gradientmultiplier", fresh=True, traits=ELEMENTWISE)
def gradient_multiplier(data: Tensor, *, scalar: float = 1.0, is_int: bool = True) -> Tensor:
    """Returns its input and multiplies the gradient, to slow a part of a network down or turn it.

    Args:
        data: Any array.
        scalar: Factor of the gradient; a negative one reverses it.
        is_int: Accepted for compatibility.
    """
    return _Multiply.apply(data, scalar)  # type: ignore[no-any-return, no-untyped-call]


declare_scalar(
    "_contrib_backward_gradientmultiplier",
    torch.mul,
    "Multiplies a gradient as `gradientmultiplier` does in its backward pass.",
)
