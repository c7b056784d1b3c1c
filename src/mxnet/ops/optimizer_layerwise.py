"""Update operators of optimizers that set the length of a step by norms: LAMB and LARS."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import optimizer_rules as rules
from mxnet.ops.optimizer import check, check_mixed, update_op


@update_op("lamb_update_phase1", mutates=("mean", "var"))
def lamb_update_phase1(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    t: int,
    bias_correction: bool = True,
    wd: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the direction of LAMB's step, whose length `lamb_update_phase2` sets.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients, a state.
        var: Average of squared gradients, a state.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        t: Number of this step, from 1.
        bias_correction: Whether to correct the averages for the number of steps.
        wd: Weight decay.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
    """
    check("lamb_update_phase1", weight, grad, mean, var)
    (direction,) = rules.lamb_direction(
        [weight],
        [grad],
        [mean],
        [var],
        wd=wd,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        count=t,
        bias_correction=bias_correction,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )
    return direction


@update_op(
    "mp_lamb_update_phase1",
    mutates=("mean", "var"),
    any_dtype=("mean", "var", "weight32"),
)
def mp_lamb_update_phase1(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    weight32: Tensor,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    t: int,
    bias_correction: bool = True,
    wd: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the direction of LAMB's step in single precision for a half precision weight."""
    check_mixed("mp_lamb_update_phase1", weight, grad, mean, var, weight32)
    (direction,) = rules.lamb_direction(
        [weight32],
        [grad.float()],
        [mean],
        [var],
        wd=wd,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        count=t,
        bias_correction=bias_correction,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )
    return direction


@update_op("lamb_update_phase2")
def lamb_update_phase2(
    weight: Tensor,
    g: Tensor,
    r1: Tensor,
    r2: Tensor,
    *,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
) -> Tensor:
    """Returns the weight after LAMB's step.

    Args:
        weight: The weight.
        g: Direction of the step.
        r1: Norm of the weight.
        r2: Norm of the direction.
        lr: Learning rate.
        lower_bound: Least value taken for `r1`; below 0 is no limit.
        upper_bound: Largest value taken for `r1`; below 0 is no limit.
    """
    check("lamb_update_phase2", weight, g)
    updated = weight.clone()
    rules.lamb_scale(
        [updated],
        [g],
        [_norm("lamb_update_phase2", r1)],
        [_norm("lamb_update_phase2", r2)],
        lr=lr,
        lower_bound=lower_bound,
        upper_bound=upper_bound,
    )
    return updated


@update_op(
    "mp_lamb_update_phase2",
    mutates=("weight32",),
    any_dtype=("g", "r1", "r2", "weight32"),
)
def mp_lamb_update_phase2(
    weight: Tensor,
    g: Tensor,
    r1: Tensor,
    r2: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
) -> Tensor:
    """Returns the half precision weight after LAMB's step on its master copy."""
    check_mixed("mp_lamb_update_phase2", weight, g, weight32)
    rules.lamb_scale(
        [weight32],
        [g],
        [_norm("mp_lamb_update_phase2", r1)],
        [_norm("mp_lamb_update_phase2", r2)],
        lr=lr,
        lower_bound=lower_bound,
        upper_bound=upper_bound,
    )
    return weight32.to(weight.dtype, copy=True)


def _norm(name: str, norm: Tensor) -> Tensor:
    if norm.numel() != 1:
        raise MXNetError(f"{name}: expected norms of one element, got {tuple(norm.shape)}")
    return norm.reshape(())


@update_op("multi_lars")
def multi_lars(
    lrs: Tensor,
    weights_sum_sq: Tensor,
    grads_sum_sq: Tensor,
    wds: Tensor,
    *,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
) -> Tensor:
    """Returns the learning rate of each layer from the norms of its weight and gradient.

    Args:
        lrs: Learning rates.
        weights_sum_sq: Sums of the squares of the weights.
        grads_sum_sq: Sums of the squares of the gradients.
        wds: Weight decays.
        eta: Ratio of a step to the weight.
        eps: Added to the divisor.
        rescale_grad: Factor of the gradients.
    """
    check("multi_lars", lrs, weights_sum_sq, grads_sum_sq, wds)
    return rules.lars_rates(
        weights_sum_sq.sqrt(),
        grads_sum_sq.sqrt(),
        lrs,
        wds,
        eta=eta,
        eps=eps,
        rescale_grad=rescale_grad,
    )


def _check_count(name: str, data: tuple[Tensor, ...], num_arrays: int) -> None:
    if len(data) != num_arrays:
        raise MXNetError(f"{name}: expected {num_arrays} arrays, got {len(data)}")


@update_op("multi_sum_sq", any_dtype=("data",))
def multi_sum_sq(*data: Tensor, num_arrays: int) -> Tensor:
    """Returns the sum of squares of each array, in single precision.

    Args:
        data: The arrays.
        num_arrays: Their number.
    """
    _check_count("multi_sum_sq", data, num_arrays)
    return torch.stack([item.float().square().sum() for item in data])


@update_op("reset_arrays", any_dtype=("data",), num_outputs=0)
def reset_arrays(*data: Tensor, num_arrays: int) -> tuple[Tensor, ...]:
    """Sets all elements of the arrays to zero, in place.

    Args:
        data: The arrays.
        num_arrays: Their number.
    """
    _check_count("reset_arrays", data, num_arrays)
    torch._foreach_zero_(data)
    return ()
