"""Update operators, on one weight, of optimizers that adapt the step to past gradients."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import optimizer_rules_adaptive as rules
from mxnet.ops.optimizer import check, run_rule, update_op


@update_op("adam_update", mutates=("mean", "var"))
def adam_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> Tensor:
    """Returns the weight after a step of Adam without correction for the number of steps.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients, a state.
        var: Average of squared gradients, a state.
        lr: Learning rate.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        wd: Weight decay, as part of the gradient.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the gradient; below 0 is no limit.
        lazy_update: Accepted for compatibility; concerns sparse gradients.
    """
    return run_rule(
        "adam_update",
        rules.adam,
        (weight, grad, mean, var),
        lr=lr,
        wd=wd,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


def _scale(name: str, rescale_grad: Tensor) -> Tensor:
    if rescale_grad.dtype is not torch.float32:
        raise MXNetError(f"{name}: expected a float32 rescale_grad, got {rescale_grad.dtype}")
    return rescale_grad.reshape(-1)[:1]


@update_op("_adamw_update", mutates=("mean", "var"), any_dtype=("rescale_grad",))
def adamw_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    rescale_grad: Tensor,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    eta: float,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the weight after a step of Adam with the weight decay beside the gradient.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients, a state.
        var: Average of squared gradients, a state.
        rescale_grad: Factor of the gradient, an array of one element; zero, infinite or NaN skips
            the update.
        lr: Learning rate.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        wd: Weight decay.
        eta: Factor of the whole step.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
    """
    return run_rule(
        "_adamw_update",
        rules.adamw,
        (weight, grad, mean, var),
        lr=lr,
        wd=wd,
        eta=eta,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        clip_gradient=clip_gradient,
        scale=_scale("_adamw_update", rescale_grad),
    )


@update_op(
    "_mp_adamw_update",
    mutates=("mean", "var", "weight32"),
    any_dtype=("mean", "var", "weight32", "rescale_grad"),
)
def mp_adamw_update(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    weight32: Tensor,
    rescale_grad: Tensor,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    eta: float,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the half precision weight after a step of `_adamw_update` on its master copy."""
    return run_rule(
        "_mp_adamw_update",
        rules.adamw,
        (weight, grad, mean, var, weight32),
        mixed=True,
        lr=lr,
        wd=wd,
        eta=eta,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        clip_gradient=clip_gradient,
        scale=_scale("_mp_adamw_update", rescale_grad),
    )


@update_op("ftml_update", mutates=("d", "v", "z"))
def ftml_update(
    weight: Tensor,
    grad: Tensor,
    d: Tensor,
    v: Tensor,
    z: Tensor,
    *,
    lr: float,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    t: int,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
) -> Tensor:
    """Returns the weight after a step that follows the moving leader.

    Args:
        weight: The weight.
        grad: Its gradient.
        d: Divisor of the last step, a state.
        v: Average of squared gradients, a state.
        z: The leader, a state.
        lr: Learning rate.
        beta1: Share of `z` that is kept.
        beta2: Share of `v` that is kept.
        epsilon: Added to the divisor.
        t: Number of this step, from 1.
        wd: Weight decay, as part of the gradient.
        rescale_grad: Factor of the gradient.
        clip_grad: Largest size of an element of the gradient; below 0 is no limit.
    """
    return run_rule(
        "ftml_update",
        rules.ftml,
        (weight, grad, d, v, z),
        lr=lr,
        wd=wd,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        count=t,
        rescale_grad=rescale_grad,
        clip_gradient=clip_grad,
    )


@update_op("ftrl_update", mutates=("z", "n"))
def ftrl_update(
    weight: Tensor,
    grad: Tensor,
    z: Tensor,
    n: Tensor,
    *,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the weight after a step that follows the regularized leader.

    Args:
        weight: The weight.
        grad: Its gradient.
        z: The leader, a state.
        n: Sum of squared gradients, a state.
        lr: Learning rate.
        lamda1: Strength of the pull to zero.
        beta: Added to the root of `n`.
        wd: Weight decay.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
    """
    return run_rule(
        "ftrl_update",
        rules.ftrl,
        (weight, grad, z, n),
        lr=lr,
        wd=wd,
        lamda1=lamda1,
        beta=beta,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("rmsprop_update", mutates=("n",))
def rmsprop_update(
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    *,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> Tensor:
    """Returns the weight after a step of RMSProp.

    Args:
        weight: The weight.
        grad: Its gradient.
        n: Average of squared gradients, a state.
        lr: Learning rate.
        gamma1: Share of `n` that is kept.
        epsilon: Added under the root of the divisor.
        wd: Weight decay, as part of the gradient.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the gradient; below 0 is no limit.
        clip_weights: Largest size of an element of the new weight; below 0 is no limit.
    """
    return run_rule(
        "rmsprop_update",
        rules.rmsprop,
        (weight, grad, n),
        lr=lr,
        wd=wd,
        gamma1=gamma1,
        epsilon=epsilon,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        clip_weights=clip_weights,
    )


@update_op("rmspropalex_update", mutates=("n", "g", "delta"))
def rmspropalex_update(
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    g: Tensor,
    delta: Tensor,
    *,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> Tensor:
    """Returns the weight after a step of RMSProp by the deviation of the gradient, with momentum.

    Args:
        weight: The weight.
        grad: Its gradient.
        n: Average of squared gradients, a state.
        g: Average of gradients, a state.
        delta: The last step, a state.
        lr: Learning rate.
        gamma1: Share of `n` and `g` that is kept.
        gamma2: Share of `delta` that is kept.
        epsilon: Added under the root of the divisor.
        wd: Weight decay, as part of the gradient.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the gradient; below 0 is no limit.
        clip_weights: Largest size of an element of the new weight; below 0 is no limit.
    """
    return run_rule(
        "rmspropalex_update",
        rules.rmsprop_centered,
        (weight, grad, n, g, delta),
        lr=lr,
        wd=wd,
        gamma1=gamma1,
        gamma2=gamma2,
        epsilon=epsilon,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        clip_weights=clip_weights,
    )


@update_op("_contrib_group_adagrad_update", mutates=("history",))
def group_adagrad_update(
    weight: Tensor,
    grad: Tensor,
    history: Tensor,
    *,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-5,
) -> Tensor:
    """Returns the weight after a step of AdaGrad with one sum of squares for each row.

    Args:
        weight: The weight, of two axes or more.
        grad: Its gradient.
        history: Sum of mean squares of each row, a state with one element for each row.
        lr: Learning rate.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        epsilon: Added under the root of the divisor.
    """
    check("_contrib_group_adagrad_update", weight, grad)
    if weight.ndim < 2 or history.numel() != weight.shape[0]:
        raise MXNetError(
            "_contrib_group_adagrad_update: expected a weight of rows and one history for each, "
            f"got {tuple(weight.shape)} and {tuple(history.shape)}"
        )
    updated = weight.clone()
    rules.group_adagrad(
        [updated],
        [grad],
        [history],
        lr=lr,
        epsilon=epsilon,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )
    return updated
