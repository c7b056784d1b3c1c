"""The formulas by which optimizers change weights, each on a whole list of weights at once.

A rule writes into its weights and states and leaves the gradients alone. Operators run it on a list
of one, optimizers on all weights that have their learning rate and weight decay in common, so that
a training step is a handful of `torch._foreach_*` calls. A clip below 0 does not clip.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import TypeAlias

import torch
from torch import Tensor

Tensors: TypeAlias = Sequence[Tensor]


def single(value: float) -> float:
    """Rounds to single precision, in which the original's operators keep their attributes.

    What is left of 1 after subtracting 0.999 differs by 1e-5 for it.
    """
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def _clip(tensors: list[Tensor], limit: float) -> None:
    if limit >= 0:
        torch._foreach_clamp_max_(tensors, limit)
        torch._foreach_clamp_min_(tensors, -limit)


def rescaled(
    grads: Tensors, rescale_grad: float, clip_gradient: float, weights: Tensors = (), wd: float = 0
) -> list[Tensor]:
    """Gives gradients that were scaled, then clipped, then increased by the decay of weights."""
    result = list(torch._foreach_mul(grads, rescale_grad))
    _clip(result, clip_gradient)
    if wd:
        torch._foreach_add_(result, weights, alpha=wd)
    return result


def decayed(
    grads: Tensors, rescale_grad: float, clip_gradient: float, weights: Tensors, wd: float
) -> list[Tensor]:
    """Gives gradients that were scaled, then increased by the decay of weights, then clipped."""
    result = rescaled(grads, rescale_grad, -1, weights, wd)
    _clip(result, clip_gradient)
    return result


def _average(averages: Tensors, values: Tensors, decay: float, share: float) -> None:
    torch._foreach_mul_(averages, decay)
    torch._foreach_add_(averages, values, alpha=share)


def _average_squares(averages: Tensors, values: Tensors, decay: float, share: float) -> None:
    torch._foreach_mul_(averages, decay)
    torch._foreach_addcmul_(averages, values, values, value=share)


def sgd(
    weights: Tensors,
    grads: Tensors,
    *,
    lr: float,
    wd: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradient descent."""
    if clip_gradient >= 0:
        grads, rescale_grad = rescaled(grads, rescale_grad, clip_gradient), 1.0
    if wd:
        torch._foreach_mul_(weights, 1 - lr * wd)
    torch._foreach_add_(weights, grads, alpha=-lr * rescale_grad)


def sgd_momentum(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    *,
    lr: float,
    wd: float,
    momentum: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradient descent with momentum."""
    if clip_gradient >= 0:
        grads, rescale_grad = rescaled(grads, rescale_grad, clip_gradient), 1.0
    _average(momenta, grads, momentum, -lr * rescale_grad)
    if wd:
        torch._foreach_add_(momenta, weights, alpha=-lr * wd)
    torch._foreach_add_(weights, momenta)


def nag(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    *,
    lr: float,
    wd: float,
    momentum: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradient descent with Nesterov's momentum."""
    grads = rescaled(grads, rescale_grad, clip_gradient, weights, wd)
    _average(momenta, grads, momentum, -lr)
    torch._foreach_add_(weights, momenta, alpha=momentum)
    torch._foreach_add_(weights, grads, alpha=-lr)


def adam(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    lr: float,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Adam; `lr` contains the correction for the number of updates."""
    if clip_gradient >= 0 or wd:
        grads, rescale_grad = decayed(grads, rescale_grad, clip_gradient, weights, wd), 1.0
    beta1, beta2 = single(beta1), single(beta2)
    _average(means, grads, beta1, (1 - beta1) * rescale_grad)
    _average_squares(variances, grads, beta2, (1 - beta2) * rescale_grad**2)
    divisors = torch._foreach_sqrt(variances)
    torch._foreach_add_(divisors, epsilon)
    torch._foreach_addcdiv_(weights, means, divisors, value=-lr)


def adamw(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    lr: float,
    wd: float,
    eta: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    clip_gradient: float,
    scale: Tensor,
) -> None:
    """Adam with weight decay beside the gradient.

    Nothing changes where `scale`, an array of one element, is zero or not finite: the gradients
    overflowed. To learn that on the host would mean to wait for an accelerator.
    """
    apply = torch.isfinite(scale) & (scale != 0)
    grads = list(torch._foreach_mul(grads, [scale.to(item.dtype) for item in grads]))
    _clip(grads, clip_gradient)
    kept = [torch._foreach_clone(items) for items in (weights, means, variances)]
    beta1, beta2 = single(beta1), single(beta2)
    _average(means, grads, beta1, 1 - beta1)
    _average_squares(variances, grads, beta2, 1 - beta2)
    divisors = torch._foreach_sqrt(variances)
    torch._foreach_add_(divisors, epsilon)
    torch._foreach_mul_(weights, 1 - eta * wd)
    torch._foreach_addcdiv_(weights, means, divisors, value=-eta * lr)
    for items, before in zip((weights, means, variances), kept, strict=True):
        for item, old in zip(items, before, strict=True):
            item.copy_(torch.where(apply, item, old))


def ftml(
    weights: Tensors,
    grads: Tensors,
    divisors: Tensors,
    variances: Tensors,
    leaders: Tensors,
    *,
    lr: float,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    count: int,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Follow the moving leader, at update number `count`."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    beta1, beta2 = single(beta1), single(beta2)
    _average_squares(variances, grads, beta2, 1 - beta2)
    following = list(torch._foreach_div(variances, 1 - beta2**count))
    torch._foreach_sqrt_(following)
    torch._foreach_add_(following, epsilon)
    torch._foreach_mul_(following, (1 - beta1**count) / lr)
    drifts = torch._foreach_mul(divisors, -beta1)
    torch._foreach_add_(drifts, following)
    _average(leaders, grads, beta1, 1 - beta1)
    torch._foreach_addcmul_(leaders, drifts, weights, value=-1)
    torch._foreach_copy_(divisors, following)
    torch._foreach_copy_(weights, torch._foreach_div(leaders, following))
    torch._foreach_neg_(weights)


def ftrl(
    weights: Tensors,
    grads: Tensors,
    leaders: Tensors,
    squares: Tensors,
    *,
    lr: float,
    wd: float,
    lamda1: float,
    beta: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Follow the regularized leader, which sets small weights to zero."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    before = torch._foreach_sqrt(squares)
    torch._foreach_addcmul_(squares, grads, grads)
    roots = torch._foreach_sqrt(squares)
    torch._foreach_sub_(before, roots)
    torch._foreach_addcmul_(grads, before, weights, value=1 / lr)
    torch._foreach_add_(leaders, grads)
    torch._foreach_add_(roots, beta)
    torch._foreach_div_(roots, lr)
    torch._foreach_add_(roots, wd)
    for weight, leader, root in zip(weights, leaders, roots, strict=True):
        weight.copy_(-torch.nn.functional.softshrink(leader, lamda1) / root)


def rmsprop(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    *,
    lr: float,
    wd: float,
    gamma1: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
    clip_weights: float,
) -> None:
    """Gradients divided by the root of the average of their squares."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    gamma1 = single(gamma1)
    _average_squares(squares, grads, gamma1, 1 - gamma1)
    divisors = torch._foreach_add(squares, epsilon)
    torch._foreach_sqrt_(divisors)
    torch._foreach_addcdiv_(weights, grads, divisors, value=-lr)
    _clip(list(weights), clip_weights)


def rmsprop_centered(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    means: Tensors,
    deltas: Tensors,
    *,
    lr: float,
    wd: float,
    gamma1: float,
    gamma2: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
    clip_weights: float,
) -> None:
    """RMSProp with the standard deviation of the gradients, and momentum."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    gamma1 = single(gamma1)
    _average_squares(squares, grads, gamma1, 1 - gamma1)
    _average(means, grads, gamma1, 1 - gamma1)
    divisors = torch._foreach_addcmul(squares, means, means, value=-1)
    torch._foreach_add_(divisors, epsilon)
    torch._foreach_sqrt_(divisors)
    torch._foreach_mul_(deltas, gamma2)
    torch._foreach_addcdiv_(deltas, grads, divisors, value=-lr)
    torch._foreach_add_(weights, deltas)
    _clip(list(weights), clip_weights)


def signsgd(weights: Tensors, grads: Tensors, *, lr: float, wd: float) -> None:
    """Steps of one length in the direction of the gradient's sign."""
    torch._foreach_mul_(weights, 1 - lr * wd)
    torch._foreach_add_(weights, torch._foreach_sign(grads), alpha=-lr)


def signum(
    weights: Tensors,
    grads: Tensors,
    momenta: Tensors,
    *,
    lr: float,
    wd: float,
    momentum: float,
    wd_lh: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Steps of one length in the direction of the momentum's sign."""
    grads = rescaled(grads, rescale_grad, clip_gradient, weights, wd)
    _average(momenta, grads, momentum, single(momentum) - 1)
    torch._foreach_mul_(weights, 1 - lr * wd_lh)
    torch._foreach_add_(weights, torch._foreach_sign(momenta), alpha=lr)


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
    count: int,
    bias_correction: bool,
    rescale_grad: float,
    clip_gradient: float,
) -> list[Tensor]:
    """Gives the direction of LAMB's update number `count` before its length is set."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    beta1, beta2 = single(beta1), single(beta2)
    _average(means, grads, beta1, 1 - beta1)
    _average_squares(variances, grads, beta2, 1 - beta2)
    scale1, scale2 = (1 - beta1**count, 1 - beta2**count) if bias_correction else (1.0, 1.0)
    directions = list(torch._foreach_div(means, scale1))
    divisors = torch._foreach_div(variances, scale2)
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
    lr: float,
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


def lars_rates(
    rates: Tensor,
    weight_squares: Tensor,
    grad_squares: Tensor,
    wds: Tensor,
    *,
    eta: float,
    eps: float,
    rescale_grad: float,
) -> Tensor:
    """Gives the learning rate of each layer from the sums of squares of weight and gradient."""
    norms = weight_squares.sqrt()
    lengths = grad_squares.sqrt() * rescale_grad
    adapted = rates * eta * norms / (lengths + wds * norms + eps)
    return torch.where((norms > 0) & (lengths > 0), adapted, rates)


def adagrad(
    weights: Tensors,
    grads: Tensors,
    histories: Tensors,
    *,
    lr: float,
    wd: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradients divided by the root of the sum of their squares."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    torch._foreach_addcmul_(histories, grads, grads)
    divisors = torch._foreach_add(histories, epsilon)
    torch._foreach_sqrt_(divisors)
    torch._foreach_mul_(weights, 1 - lr * wd)
    torch._foreach_addcdiv_(weights, grads, divisors, value=-lr)


def group_adagrad(
    weights: Tensors,
    grads: Tensors,
    histories: Tensors,
    *,
    lr: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """AdaGrad with one sum of squares for each row, the mean over the row."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    for weight, grad, history in zip(weights, grads, histories, strict=True):
        history += grad.square().flatten(1).mean(1).reshape(history.shape)
        rows = (history + epsilon).sqrt().reshape(-1, *[1] * (grad.ndim - 1))
        weight.addcdiv_(grad, rows, value=-lr)


def adadelta(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    deltas: Tensors,
    *,
    wd: float,
    rho: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Steps in the units of the weights, without a learning rate."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    _average_squares(squares, grads, rho, 1 - rho)
    steps = list(torch._foreach_add(deltas, epsilon))
    torch._foreach_div_(steps, torch._foreach_add(squares, epsilon))
    torch._foreach_sqrt_(steps)
    torch._foreach_mul_(steps, grads)
    _average_squares(deltas, steps, rho, 1 - rho)
    torch._foreach_mul_(weights, 1 - wd)
    torch._foreach_sub_(weights, steps)


def adamax(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    peaks: Tensors,
    *,
    lr: float,
    wd: float,
    beta1: float,
    beta2: float,
    count: int,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Adam by the largest gradient instead of the average of squares, at update `count`."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    _average(means, grads, beta1, 1 - beta1)
    torch._foreach_mul_(peaks, beta2)
    torch._foreach_maximum_(peaks, torch._foreach_abs(grads))
    torch._foreach_addcdiv_(weights, means, peaks, value=-lr / (1 - beta1**count))


def nadam(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    *,
    lr: float,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    count: int,
    momenta: tuple[float, float],
    schedules: tuple[float, float],
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Adam with Nesterov's momentum.

    `momenta` are those of this update and the next, `schedules` the products of all momenta up to
    this update and the next.
    """
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    _average(means, grads, beta1, 1 - beta1)
    _average_squares(variances, grads, beta2, 1 - beta2)
    torch._foreach_mul_(grads, (1 - momenta[0]) / (1 - schedules[0]))
    torch._foreach_add_(grads, means, alpha=momenta[1] / (1 - schedules[1]))
    divisors = list(torch._foreach_sqrt(variances))
    torch._foreach_div_(divisors, math.sqrt(1 - beta2**count))
    torch._foreach_add_(divisors, epsilon)
    torch._foreach_addcdiv_(weights, grads, divisors, value=-lr)


def dcasgd(
    weights: Tensors,
    grads: Tensors,
    previous: Tensors,
    momenta: Tensors,
    *,
    lr: float,
    wd: float,
    momentum: float,
    lamda: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Gradient descent that makes up for weights that moved since the gradient was computed.

    Without momentum the list of momenta is empty.
    """
    grads = rescaled(grads, rescale_grad, clip_gradient)
    moves = torch._foreach_sub(weights, previous)
    torch._foreach_mul_(moves, torch._foreach_mul(grads, grads))
    torch._foreach_add_(grads, moves, alpha=lamda)
    torch._foreach_add_(grads, weights, alpha=wd)
    torch._foreach_copy_(previous, weights)
    if momenta:
        _average(momenta, grads, momentum, -lr)
        torch._foreach_add_(weights, momenta)
    else:
        torch._foreach_add_(weights, grads, alpha=-lr)
