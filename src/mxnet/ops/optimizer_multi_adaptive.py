"""Update operators of AdamW and LAMB on several weights at once, see `optimizer_multi`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import optimizer_rules as rules
from mxnet.ops import optimizer_rules_adaptive as adaptive
from mxnet.ops.attrs import Floats, Shape
from mxnet.ops.optimizer import run_rule, update_op
from mxnet.ops.optimizer_multi import multi_op, split


def _num_tensors(*, num_tensors: int, **_: object) -> int:
    return num_tensors


def _adamw(
    name: str,
    data: Sequence[Tensor],
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    *,
    num_weights: int,
    mixed: bool,
    beta1: float,
    beta2: float,
    epsilon: float,
    clip_gradient: float,
) -> tuple[Tensor, ...]:
    if not data:
        raise MXNetError(f"{name}: expected the factor of the gradients as the last array")
    *rest, scale = data
    arrays = split(name, rest, num_weights, 5 if mixed else 4, lrs, wds, etas)
    return tuple(
        run_rule(
            name,
            adaptive.adamw,
            item,
            mixed=mixed,
            lr=lr,
            wd=wd,
            eta=eta,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            clip_gradient=clip_gradient,
            scale=scale.reshape(-1)[:1],
        )
        for item, lr, wd, eta in zip(arrays, lrs, wds, etas, strict=True)
    )


@multi_op("_multi_adamw_update")
def multi_adamw_update(
    *data: Tensor,
    lrs: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wds: Floats,
    etas: Floats,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Returns several weights after a step of `_adamw_update`.

    Args:
        data: Weight, gradient, mean and variance of each, then the factor of the gradients.
        lrs: Learning rate of each.
        beta1: Share of the means that is kept.
        beta2: Share of the variances that is kept.
        epsilon: Added to the divisors.
        wds: Weight decay of each.
        etas: Factor of the whole step of each.
        clip_gradient: Largest size of an element of a scaled gradient; below 0 is no limit.
        num_weights: Number of weights.
    """
    return _adamw(
        "_multi_adamw_update",
        data,
        lrs,
        wds,
        etas,
        num_weights=num_weights,
        mixed=False,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        clip_gradient=clip_gradient,
    )


@multi_op("_multi_mp_adamw_update")
def multi_mp_adamw_update(
    *data: Tensor,
    lrs: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wds: Floats,
    etas: Floats,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Does `_multi_adamw_update` with a master copy after each variance."""
    return _adamw(
        "_multi_mp_adamw_update",
        data,
        lrs,
        wds,
        etas,
        num_weights=num_weights,
        mixed=True,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        clip_gradient=clip_gradient,
    )


def _lamb(
    name: str,
    data: Sequence[Tensor],
    num_tensors: int,
    lrs: Sequence[float],
    wds: Sequence[float],
    counts: Sequence[int],
    *,
    mixed: bool,
    bounds: tuple[float, float],
    **options: float,
) -> tuple[Tensor, ...]:
    arrays = split(name, data, num_tensors, 5 if mixed else 4, lrs, wds, counts)

    def rule(
        weights: list[Tensor],
        grads: list[Tensor],
        *states: list[Tensor],
        lr: float,
        wd: float,
        count: int,
    ) -> None:
        directions = rules.lamb_direction(
            weights,
            grads,
            *states,
            wd=wd,
            count=count,
            **options,  # type: ignore[arg-type]  # bias_correction is among the floats
        )
        rules.lamb_scale(
            weights,
            directions,
            torch._foreach_norm(weights),
            torch._foreach_norm(directions),
            lr=lr,
            lower_bound=bounds[0],
            upper_bound=bounds[1],
        )

    return tuple(
        run_rule(name, rule, item, mixed=mixed, lr=lr, wd=wd, count=count)
        for item, lr, wd, count in zip(arrays, lrs, wds, counts, strict=True)
    )


@update_op("_multi_lamb_update", any_dtype=("data",), num_outputs=_num_tensors)
def multi_lamb_update(
    *data: Tensor,
    learning_rates: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    wds: Floats,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: Shape,
    num_tensors: int = 1,
) -> tuple[Tensor, ...]:
    """Returns several weights after a step of LAMB, see `lamb_update_phase1`.

    Args:
        data: Weight, gradient, mean and variance of each.
        learning_rates: Learning rate of each.
        beta1: Share of the means that is kept.
        beta2: Share of the variances that is kept.
        epsilon: Added to the divisors.
        wds: Weight decay of each.
        rescale_grad: Factor of the gradients.
        lower_bound: Least value taken for the norm of a weight; below 0 is no limit.
        upper_bound: Largest value taken for the norm of a weight; below 0 is no limit.
        clip_gradient: Largest size of an element of a scaled gradient; below 0 is no limit.
        bias_correction: Whether to correct the averages for the number of steps.
        step_count: Number of this step of each, from 1.
        num_tensors: Number of weights.
    """
    return _lamb(
        "_multi_lamb_update",
        data,
        num_tensors,
        learning_rates,
        wds,
        step_count,
        mixed=False,
        bounds=(lower_bound, upper_bound),
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        bias_correction=bias_correction,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("_multi_mp_lamb_update", any_dtype=("data",), num_outputs=_num_tensors)
def multi_mp_lamb_update(
    *data: Tensor,
    learning_rates: Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    wds: Floats,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: Shape,
    num_tensors: int = 1,
) -> tuple[Tensor, ...]:
    """Does `_multi_lamb_update` with a master copy after each variance."""
    return _lamb(
        "_multi_mp_lamb_update",
        data,
        num_tensors,
        learning_rates,
        wds,
        step_count,
        mixed=True,
        bounds=(lower_bound, upper_bound),
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        bias_correction=bias_correction,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )
