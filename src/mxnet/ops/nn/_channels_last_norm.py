"""Normalization by the batch on a CPU, of images with the channels last in memory.

torch adds the elements of a channel up one after the other there, so that a large batch loses a
digit which it keeps in the ordinary order. Here groups of rows are summed apart and joined.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mxnet._start import engine

_AVAILABLE = engine.has(
    "batch_norm_update_stats", "native_batch_norm", "ops.aten.native_batch_norm_backward"
)
_MOST_GROUPS = 16
_LEAST_GROUPS = 4
"""With fewer there is little to gain."""
_MANY_ROWS = 2048
"""Elements of a channel from which their sum is worth the trouble."""
_WIDEST = 2048
"""Sums that are computed at a time and stay in the nearest cache."""


def suits(data: Tensor, gamma: Tensor) -> bool:
    """Returns whether images are normalized more precisely here."""
    return (
        not data.is_contiguous()
        and _AVAILABLE
        and data.dim() == 4
        and data.is_cpu
        and data.requires_grad
        and data.dtype is torch.float32 is gamma.dtype
        and data.is_contiguous(memory_format=torch.channels_last)
        and _count_groups(data) >= _LEAST_GROUPS
        and not torch.compiler.is_compiling()
    )


def normalize(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    momentum: float,
    eps: float,
) -> Tensor:
    """Normalizes axis 1 by the batch and updates the moving statistics."""
    mean, var = _find_statistics(data.detach())
    moving_mean.lerp_(mean, 1 - momentum)
    moving_var.lerp_(var, 1 - momentum)
    result: Tensor = _Normalize.apply(data, gamma, beta, mean, var, eps)  # type: ignore[no-untyped-call]
    return result


def _count_groups(data: Tensor) -> int:
    """Returns a power of two that divides the number of rows, 1 if there are few of them."""
    batch, channels, height, width = data.shape
    rows = batch * height * width
    groups = min(rows & -rows, _MOST_GROUPS) if rows >= _MANY_ROWS else 1
    while groups * channels > _WIDEST:
        groups //= 2
    return groups


def _find_statistics(data: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the mean and the biased variance of each channel."""
    groups, channels = _count_groups(data), data.shape[1]
    rows = data.permute(0, 2, 3, 1).reshape(-1, groups * channels)
    means, variances = torch.batch_norm_update_stats(rows, None, None, 0.0)
    between, mean = torch.var_mean(means.view(groups, channels), 0, correction=0)
    return mean, variances.view(groups, channels).mean(0).add_(between)


class _Normalize(torch.autograd.Function):
    """Normalizes by statistics which, as torch's backward pass knows, depend on the data."""

    @staticmethod
    def forward(
        ctx: Any, data: Tensor, gamma: Tensor, beta: Tensor, mean: Tensor, var: Tensor, eps: float
    ) -> Tensor:
        ctx.save_for_backward(data, gamma, mean, torch.rsqrt(var + eps))
        ctx.eps = eps
        return torch.native_batch_norm(data, gamma, beta, mean, var, False, 0.0, eps)[0]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        data, gamma, mean, scale = ctx.saved_tensors
        slopes = torch.ops.aten.native_batch_norm_backward(
            gradient, data, gamma, None, None, mean, scale, True, ctx.eps, ctx.needs_input_grad[:3]
        )
        return (*slopes, None, None, None)
