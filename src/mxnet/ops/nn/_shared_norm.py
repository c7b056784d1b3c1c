"""Normalization by the statistics of a batch whose parts are on several devices or processes.

Every part has the mean and the variance of its own elements computed; only these are exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, distributed


class Part(NamedTuple):
    """A part of a batch, with the parameters of its device."""

    data: Tensor
    gamma: Tensor
    beta: Tensor


class Statistics(NamedTuple):
    """Mean and biased variance of each channel of the whole batch, in float64.

    They are on the device of the first part.
    """

    mean: Tensor
    var: Tensor


def spans_processes(data: Tensor) -> bool:
    """Returns whether other processes have parts of the batch; none has one of a trial shape."""
    return (
        not data.is_meta
        and distributed.is_available()
        and distributed.is_initialized()
        and distributed.get_world_size() > 1
    )


def normalize(parts: Sequence[Part], eps: float) -> tuple[list[Tensor], Statistics]:
    """Normalizes axis 1 of all parts that this process has.

    Args:
        parts: The parts; more than one if this process works on several devices.
        eps: Added to the variance.

    Returns:
        The normalized parts, and the statistics.
    """
    tensors = [tensor for part in parts for tensor in part]
    results = _Normalize.apply(eps, *tensors)  # type: ignore[no-untyped-call]
    *outs, mean, var = results
    return outs, Statistics(mean, var)


class _Normalize(torch.autograd.Function):
    """Normalizes parts by statistics that depend on all of them."""

    @staticmethod
    def forward(ctx: Any, eps: float, *tensors: Tensor) -> tuple[Tensor, ...]:
        parts = _as_parts(tensors)
        statistics, count = _find_statistics(parts)
        outs = []
        for part in parts:
            mean, var = _as_like(statistics, part.gamma)
            outs.append(F.batch_norm(part.data, mean, var, part.gamma, part.beta, False, 0.0, eps))
        ctx.save_for_backward(*tensors, *statistics, count)
        ctx.eps, ctx.num_parts = eps, len(parts)
        ctx.mark_non_differentiable(*statistics)
        return (*outs, *statistics)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        *tensors, mean, var, count = ctx.saved_tensors
        parts, statistics = _as_parts(tensors), Statistics(mean, var)
        local = [
            _differentiate_alone(part, gradient, statistics, ctx.eps)
            for part, gradient in zip(parts, gradients, strict=False)
        ]
        sums = torch.stack([torch.stack(grads[1:]).to(mean) for grads in local]).sum(0)
        if spans_processes(sums):
            distributed.all_reduce(sums)
        averages = sums / count
        results: list[Tensor | None] = [None]
        for part, (d_data, d_gamma, d_beta) in zip(parts, local, strict=True):
            d_data = _add_effect_of_statistics(part, d_data, averages, statistics, ctx.eps)
            results += (d_data, d_gamma, d_beta)
        return tuple(results)


def _as_parts(tensors: Sequence[Tensor]) -> list[Part]:
    return [Part(*tensors[begin : begin + 3]) for begin in range(0, len(tensors), 3)]


def _as_like(statistics: Statistics, like: Tensor) -> tuple[Tensor, Tensor]:
    return statistics.mean.to(like), statistics.var.to(like)


def _find_statistics(parts: Sequence[Part]) -> tuple[Statistics, Tensor]:
    """Returns the statistics of the whole batch, and how many elements a channel has in it."""
    device = parts[0].data.device
    own = _merge([_describe(part).to(device) for part in parts])
    if spans_processes(own):
        described = [torch.empty_like(own) for _ in range(distributed.get_world_size())]
        distributed.all_gather(described, own)
        own = _merge(described)
    count, mean, squares = own
    count = count.clamp(min=1)
    return Statistics(mean, squares / count), count


def _describe(part: Part) -> Tensor:
    """Returns numbers of elements, means and sums of squared distances of each channel."""
    data = part.data
    count = data.numel() // max(data.shape[1], 1)
    rows = torch.zeros((3, data.shape[1]), dtype=torch.float64, device=data.device)
    if count:
        axes = [axis for axis in range(data.ndim) if axis != 1]
        var, mean = torch.var_mean(data.to(part.gamma.dtype), axes, correction=0)
        rows[0] = count
        rows[1] = mean
        rows[2] = var.double() * count
    return rows


def _merge(described: Sequence[Tensor]) -> Tensor:
    """Returns the description of several parts together."""
    counts, means, squares = torch.stack(list(described), dim=1)
    total = counts.sum(0)
    mean = (counts * means).sum(0) / total.clamp(min=1)
    between = (counts * (means - mean) ** 2).sum(0)
    return torch.stack([total, mean, squares.sum(0) + between])


def _differentiate_alone(
    part: Part, gradient: Tensor, statistics: Statistics, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the gradients of data, gamma and beta as if the statistics were constants."""
    mean, var = _as_like(statistics, part.gamma)
    d_data, d_gamma, d_beta = torch.ops.aten.native_batch_norm_backward(
        gradient, part.data, part.gamma, mean, var, None, None, False, eps, [True, True, True]
    )
    return d_data, d_gamma, d_beta


def _add_effect_of_statistics(
    part: Part, d_data: Tensor, averages: Tensor, statistics: Statistics, eps: float
) -> Tensor:
    """Adds to the gradient of the data what the data does by way of mean and variance."""
    inverse = torch.rsqrt(statistics.var + eps)
    scale = part.gamma.to(inverse) * inverse
    slope = scale * averages[0] * inverse
    offset = scale * averages[1] - slope * statistics.mean
    shape = [1, -1, *[1] * (part.data.ndim - 2)]
    slope, offset = (item.to(part.gamma).view(shape) for item in (slope, offset))
    return d_data.sub_(torch.addcmul(offset, part.data.to(slope.dtype), slope))
