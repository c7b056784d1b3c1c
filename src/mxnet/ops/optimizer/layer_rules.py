"""Formulas of optimizers that set the length of a step by the norm of the weight.

They are of the form that `rules` describes.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.ops.optimizer.rules import (
    Number,
    Tensors,
    average,
    average_squares,
    clip,
    correction,
    norms_of,
    rescaled,
    single,
)


def lamb_direction(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    count: Number,
    bias_correction: bool,
    rescale_grad: float,
    clip_gradient: float,
) -> list[Tensor]:
    """Returns the direction of LAMB's update number `count` before its length is set."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    beta1, beta2 = single(beta1), single(beta2)
    average(means, grads, beta1, 1 - beta1)
    average_squares(variances, grads, beta2, 1 - beta2)
    scales: tuple[Number, Number] = (1.0, 1.0)
    if bias_correction:
        scales = correction(beta1, count, means), correction(beta2, count, variances)
    directions = list(torch._foreach_div(means, scales[0]))
    divisors = torch._foreach_div(variances, scales[1])
    torch._foreach_sqrt_(divisors)
    torch._foreach_add_(divisors, epsilon)
    torch._foreach_div_(directions, divisors)
    torch._foreach_add_(directions, weights, alpha=wd)
    return directions


def lamb_scale(
    weights: Tensors,
    directions: Tensors,
    weight_norms: Tensors,
    direction_norms: Tensors,
    *,
    lr: Number,
    lower_bound: float,
    upper_bound: float,
) -> None:
    """Steps of LAMB, whose length is in proportion to the norm of the weight."""
    for weight, direction, norm, length in zip(
        weights, directions, weight_norms, direction_norms, strict=True
    ):
        bounded = norm
        if lower_bound >= 0:
            bounded = bounded.clamp_min(lower_bound)
        if upper_bound >= 0:
            bounded = bounded.clamp_max(upper_bound)
        flat = (bounded == 0) | (length == 0)
        ratio = torch.where(flat, 1.0, bounded / length)
        weight.sub_((lr * ratio).to(weight.dtype) * direction)


def lamb(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    lr: Number,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    count: Number,
    bias_correction: bool,
    lower_bound: float,
    upper_bound: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """LAMB's update number `count`."""
    directions = lamb_direction(
        weights,
        grads,
        means,
        variances,
        wd=wd,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        count=count,
        bias_correction=bias_correction,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )
    lamb_scale(
        weights,
        directions,
        norms_of(weights),
        norms_of(directions),
        lr=lr,
        lower_bound=lower_bound,
        upper_bound=upper_bound,
    )


def lars_rates(
    norms: Tensor,
    lengths: Tensor,
    rates: Tensor | float,
    wds: Tensor | float,
    *,
    eta: float,
    eps: float,
    rescale_grad: float,
) -> Tensor:
    """Returns the learning rate of each layer from the norms of its weight and gradient."""
    lengths = lengths * rescale_grad
    adapted = rates * eta * norms / (lengths + wds * norms + eps)
    return torch.where((norms > 0) & (lengths > 0), adapted, rates)


def lans(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    lr: Number,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    count: Number,
    lower_bound: float,
    upper_bound: float,
    rescale_grad: float,
    clip_gradient: float,
    one_by_one: bool,
) -> None:
    """LAMB on gradients of length 1, with a second step in the direction of the gradient itself.

    The second step is that from the old weight, or one by one from that after the first.
    """
    grads = list(torch._foreach_mul(grads, rescale_grad))
    torch._foreach_div_(grads, norms_of(grads))
    clip(grads, clip_gradient)
    beta1, beta2 = single(beta1), single(beta2)
    average(means, grads, beta1, 1 - beta1)
    average_squares(variances, grads, beta2, 1 - beta2)
    divisors = list(torch._foreach_div(variances, correction(beta2, count, variances)))
    torch._foreach_sqrt_(divisors)
    torch._foreach_add_(divisors, epsilon)
    bounds = {"lower_bound": lower_bound, "upper_bound": upper_bound}
    norms = norms_of(weights)
    first = list(torch._foreach_div(means, correction(beta1, count, means)))
    torch._foreach_div_(first, divisors)
    second = list(torch._foreach_div(grads, divisors))
    torch._foreach_add_(first, weights, alpha=wd)
    if not one_by_one:
        torch._foreach_add_(second, weights, alpha=wd)
    lamb_scale(weights, first, norms, norms_of(first), lr=lr * beta1, **bounds)
    if one_by_one:
        torch._foreach_add_(second, weights, alpha=wd)
    lamb_scale(weights, second, norms, norms_of(second), lr=lr * (1 - beta1), **bounds)
