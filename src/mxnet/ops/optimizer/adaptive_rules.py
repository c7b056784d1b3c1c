"""Formulas of optimizers that adapt the step of each element to its past gradients.

They are of the form that `optimizer_rules` describes.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import increment_version

from mxnet.ops.optimizer.rules import (
    Number,
    Tensors,
    add_quotients,
    add_scaled,
    average,
    average_squares,
    clip,
    correction,
    decayed,
    has_fused_kernel,
    in_blocks,
    rescaled,
    scaled,
    single,
)


def adam(
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
    rescale_grad: float,
    clip_gradient: float,
    owns_grads: bool = False,
) -> None:
    """Adam; `lr` contains the correction for the number of updates.

    Gradients that are owned by it may be overwritten.
    """
    beta1, beta2 = single(beta1), single(beta2)
    reads_rate = not isinstance(lr, Tensor) or lr.dtype is torch.float32
    fits = clip_gradient < 0 and reads_rate and rescale_grad != 0
    if fits and has_fused_kernel(weights, grads, means, variances):
        grads, divisor = scaled(grads, rescale_grad, owns_grads)
        rate: Any = lr  # its annotation does not allow a choice
        # torch's own correction is none after infinitely many steps.
        steps = [torch.full((), math.inf, device=weights[0].device)] * len(weights)
        torch._fused_adam_(
            weights,
            grads,
            means,
            variances,
            [],
            steps,
            lr=rate,
            beta1=beta1,
            beta2=beta2,
            weight_decay=wd,
            eps=epsilon,
            amsgrad=False,
            maximize=False,
            grad_scale=divisor,
        )
        increment_version((*weights, *means, *variances))  # the kernel does not
        return
    _adam_by_steps(
        weights,
        grads,
        means,
        variances,
        lr=lr,
        wd=wd,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@in_blocks
def _adam_by_steps(
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
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Adam without torch's kernel, which does not clip."""
    if clip_gradient >= 0 or wd:
        grads, rescale_grad = decayed(grads, rescale_grad, clip_gradient, weights, wd), 1.0
    average(means, grads, beta1, (1 - beta1) * rescale_grad)
    average_squares(variances, grads, beta2, (1 - beta2) * rescale_grad**2)
    divisors = torch._foreach_sqrt(variances)
    torch._foreach_add_(divisors, epsilon)
    add_quotients(weights, means, divisors, -lr)


def _decouple(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    variances: Tensors,
    lr: Number,
    decay: Number,
    beta1: float,
    beta2: float,
    epsilon: float,
) -> None:
    """Makes a step of Adam on weights that first lose a share."""
    beta1, beta2 = single(beta1), single(beta2)
    average(means, grads, beta1, 1 - beta1)
    average_squares(variances, grads, beta2, 1 - beta2)
    divisors = torch._foreach_sqrt(variances)
    torch._foreach_add_(divisors, epsilon)
    torch._foreach_mul_(weights, 1 - decay)
    add_quotients(weights, means, divisors, -lr)


def adamw_unscaled(
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
    rescale_grad: float,
    clip_gradient: float,
    decays_last: bool,
) -> None:
    """Adam with weight decay beside the gradient, of the weight before the step or after it."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    decay = 0.0 if decays_last else lr * wd
    _decouple(weights, grads, means, variances, lr, decay, beta1, beta2, epsilon)
    if decays_last:
        torch._foreach_mul_(weights, 1 - lr * wd)


def adabelief(
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
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Adam by squares of what gradients differ from their average."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    beta1, beta2 = single(beta1), single(beta2)
    average(means, grads, beta1, 1 - beta1)
    average_squares(variances, torch._foreach_sub(grads, means), beta2, 1 - beta2)
    torch._foreach_add_(variances, epsilon)
    divisors = torch._foreach_sqrt(variances)
    torch._foreach_add_(divisors, epsilon)
    add_quotients(weights, means, divisors, -lr)


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
    with _UnlessOverflown(scale, grads, weights, means, variances) as scaled:
        clip(scaled, clip_gradient)
        _decouple(weights, scaled, means, variances, eta * lr, eta * wd, beta1, beta2, epsilon)


def adabelief_scaled(
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
    """AdaBelief by gradients of a scale; for `scale` see `adamw`."""
    with _UnlessOverflown(scale, grads, weights, means, variances) as scaled:
        torch._foreach_add_(scaled, weights, alpha=wd)
        clip(scaled, clip_gradient)
        average(means, scaled, beta1, 1 - beta1)
        average_squares(variances, torch._foreach_sub(scaled, means), beta2, 1 - beta2)
        torch._foreach_add_(variances, epsilon)
        divisors = torch._foreach_sqrt(variances)
        torch._foreach_add_(divisors, epsilon)
        add_quotients(weights, means, divisors, -eta * lr)


class _UnlessOverflown:
    """A `with` block with scaled gradients, whose changes are undone where the scale is unfit.

    Args:
        scale: Array of one element; zero, infinite or NaN is unfit.
        grads: The gradients.
        *changed: Lists of what the block changes.
    """

    def __init__(self, scale: Tensor, grads: Tensors, *changed: Tensors) -> None:
        self._apply = torch.isfinite(scale) & (scale != 0)
        self._scaled = torch._foreach_mul(grads, [scale.to(item.dtype) for item in grads])
        self._items = [item for items in changed for item in items]
        self._before = [item.clone() for item in self._items]

    def __enter__(self) -> list[Tensor]:
        return list(self._scaled)

    def __exit__(self, *_: object) -> None:
        for item, old in zip(self._items, self._before, strict=True):
            item.copy_(torch.where(self._apply, item, old))


@in_blocks
def ftml(
    weights: Tensors,
    grads: Tensors,
    divisors: Tensors,
    variances: Tensors,
    leaders: Tensors,
    *,
    lr: Number,
    wd: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    count: Number,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Follow the moving leader, at update number `count`."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    beta1, beta2 = single(beta1), single(beta2)
    average_squares(variances, grads, beta2, 1 - beta2)
    following = list(torch._foreach_div(variances, correction(beta2, count, variances)))
    torch._foreach_sqrt_(following)
    torch._foreach_add_(following, epsilon)
    torch._foreach_mul_(following, correction(beta1, count, leaders) / lr)
    drifts = torch._foreach_mul(divisors, -beta1)
    torch._foreach_add_(drifts, following)
    average(leaders, grads, beta1, 1 - beta1)
    torch._foreach_addcmul_(leaders, drifts, weights, value=-1)
    torch._foreach_copy_(divisors, following)
    torch._foreach_copy_(weights, torch._foreach_div(leaders, following))
    torch._foreach_neg_(weights)


@in_blocks
def ftrl(
    weights: Tensors,
    grads: Tensors,
    leaders: Tensors,
    squares: Tensors,
    *,
    lr: Number,
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
    torch._foreach_mul_(before, 1 / lr)
    torch._foreach_addcmul_(grads, before, weights)
    torch._foreach_add_(leaders, grads)
    torch._foreach_add_(roots, beta)
    torch._foreach_div_(roots, lr)
    torch._foreach_add_(roots, wd)
    for weight, leader, root in zip(weights, leaders, roots, strict=True):
        weight.copy_(-torch.nn.functional.softshrink(leader, lamda1) / root)


@in_blocks
def rmsprop(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    *,
    lr: Number,
    wd: float,
    gamma1: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
    clip_weights: float,
    beside_root: bool = False,
) -> None:
    """Gradients divided by the root of the average of their squares."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    gamma1 = single(gamma1)
    average_squares(squares, grads, gamma1, 1 - gamma1)
    add_quotients(weights, grads, _roots(squares, epsilon, beside_root), -lr)
    clip(weights, clip_weights)


@in_blocks
def rmsprop_centered(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    means: Tensors,
    deltas: Tensors,
    *,
    lr: Number,
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
    average_squares(squares, grads, gamma1, 1 - gamma1)
    average(means, grads, gamma1, 1 - gamma1)
    divisors = torch._foreach_addcmul(squares, means, means, value=-1)
    torch._foreach_add_(divisors, epsilon)
    torch._foreach_sqrt_(divisors)
    torch._foreach_mul_(deltas, gamma2)
    add_quotients(deltas, grads, divisors, -lr)
    torch._foreach_add_(weights, deltas)
    clip(weights, clip_weights)


def _roots(squares: Tensors, epsilon: float, beside_root: bool) -> Tensors:
    """Returns roots of squares, with a small number added under the root or beside it."""
    if beside_root:
        roots = torch._foreach_sqrt(squares)
        torch._foreach_add_(roots, epsilon)
    else:
        roots = torch._foreach_add(squares, epsilon)
        torch._foreach_sqrt_(roots)
    return roots


@in_blocks
def adagrad(
    weights: Tensors,
    grads: Tensors,
    histories: Tensors,
    *,
    lr: Number,
    wd: float,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
    beside_root: bool = False,
) -> None:
    """Gradients divided by the root of the sum of their squares; `epsilon` is in or beside it."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    torch._foreach_addcmul_(histories, grads, grads)
    divisors = _roots(histories, epsilon, beside_root)
    torch._foreach_mul_(weights, 1 - lr * wd)
    add_quotients(weights, grads, divisors, -lr)


def group_adagrad(
    weights: Tensors,
    grads: Tensors,
    histories: Tensors,
    *,
    lr: Number,
    epsilon: float,
    rescale_grad: float,
    clip_gradient: float,
    beside_root: bool = False,
) -> None:
    """AdaGrad with one sum of squares for each row, the mean over the row."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    for weight, grad, history in zip(weights, grads, histories, strict=True):
        history += grad.square().flatten(1).mean(1).reshape(history.shape)
        (roots,) = _roots([history], epsilon, beside_root)
        add_quotients([weight], [grad], [roots.reshape(-1, *[1] * (grad.ndim - 1))], -lr)


@in_blocks
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
    lr: Number = 1.0,
) -> None:
    """Steps in the units of the weights, which need no learning rate."""
    grads = rescaled(grads, rescale_grad, clip_gradient)
    average_squares(squares, grads, rho, 1 - rho)
    steps = list(torch._foreach_add(deltas, epsilon))
    torch._foreach_div_(steps, torch._foreach_add(squares, epsilon))
    torch._foreach_sqrt_(steps)
    torch._foreach_mul_(steps, grads)
    average_squares(deltas, steps, rho, 1 - rho)
    torch._foreach_mul_(weights, 1 - wd)
    add_scaled(weights, steps, -lr)


@in_blocks
def adamax(
    weights: Tensors,
    grads: Tensors,
    means: Tensors,
    peaks: Tensors,
    *,
    lr: Number,
    wd: float,
    beta1: float,
    beta2: float,
    count: Number,
    rescale_grad: float,
    clip_gradient: float,
    epsilon: float = 0.0,
) -> None:
    """Adam by the largest gradient instead of the average of squares, at update `count`."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    average(means, grads, beta1, 1 - beta1)
    torch._foreach_mul_(peaks, beta2)
    torch._foreach_maximum_(peaks, torch._foreach_abs(grads))
    divisors = torch._foreach_add(peaks, epsilon) if epsilon else peaks
    add_quotients(weights, means, divisors, -lr / correction(beta1, count, means))


@in_blocks
def nadam(
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
    factors: tuple[Number, Number],
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """Adam with Nesterov's momentum; `factors` are those of the gradients and their averages."""
    grads = decayed(grads, rescale_grad, clip_gradient, weights, wd)
    average(means, grads, beta1, 1 - beta1)
    average_squares(variances, grads, beta2, 1 - beta2)
    torch._foreach_mul_(grads, factors[0])
    add_scaled(grads, means, factors[1])
    divisors = list(torch._foreach_sqrt(variances))
    torch._foreach_div_(divisors, correction(beta2, count, variances) ** 0.5)
    torch._foreach_add_(divisors, epsilon)
    add_quotients(weights, grads, divisors, -lr)
