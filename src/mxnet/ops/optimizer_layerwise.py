"""Update operators of optimizers that set the length of a step by norms: LAMB and LARS."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import optimizer_rules as rules
from mxnet.ops.attrs import Shape
from mxnet.ops.optimizer import CLIP, LR, LRS, RESCALE, WDS
from mxnet.ops.optimizer_adaptive import AVERAGES, BETA1, BETA2, EPSILON
from mxnet.ops.optimizer_rules import Tensors
from mxnet.ops.optimizer_variants import Option, Update, check, declare
from mxnet.ops.registry import op


def _check_norms(name: str, weight: Tensor, direction: Tensor, *norms: Tensor) -> None:
    check(name, weight, direction)
    for norm in norms:
        if norm.numel() != 1:
            raise MXNetError(f"{name}: expected norms of one element, got {tuple(norm.shape)}")


def _set_length(
    weights: Tensors, directions: Tensors, r1: Tensors, r2: Tensors, **options: float
) -> None:
    """Does the second phase of LAMB with norms of any shape."""
    norms = [norm.reshape(()) for norm in r1]
    lengths = [length.reshape(()) for length in r2]
    rules.lamb_scale(weights, directions, norms, lengths, **options)


_EPSILON = replace(EPSILON, default=1e-6)
_CORRECTION = Option(
    "bias_correction",
    "Whether to correct the averages for the number of steps.",
    default=True,
    type=bool,
)
_BOUNDS = (
    Option(
        "lower_bound", "Least value taken for the norm of the weight; below 0 is no limit.", -1.0
    ),
    Option(
        "upper_bound", "Largest value taken for the norm of the weight; below 0 is no limit.", -1.0
    ),
)

_UPDATES = (
    Update(
        name="lamb_update_phase1",
        rule=rules.lamb_direction,
        summary="Returns the direction of LAMB's step, whose length `lamb_update_phase2` sets.",
        states=AVERAGES,
        options=(
            BETA1,
            BETA2,
            _EPSILON,
            Option("t", "Number of this step, from 1.", type=int, argument="count"),
            _CORRECTION,
            Option("wd", "Weight decay."),
            RESCALE,
            CLIP,
        ),
        mixed=True,
        keeps_weight=True,
    ),
    Update(
        name="lamb_update_phase2",
        rule=_set_length,
        summary="Returns the weight after LAMB's step.",
        gradient=("g", "Direction of the step."),
        states={"r1": "Norm of the weight.", "r2": "Norm of the direction."},
        options=(LR, *_BOUNDS),
        mixed=True,
        single=("g",),
        changes=(),
        check=_check_norms,
    ),
    Update(
        name="_lamb_update",
        rule=rules.lamb,
        summary="Returns several weights after a step of LAMB, see `lamb_update_phase1`.",
        states=AVERAGES,
        mixed=True,
        many=(
            replace(LRS, name="learning_rates"),
            BETA1,
            BETA2,
            _EPSILON,
            WDS,
            RESCALE,
            *_BOUNDS,
            CLIP,
            _CORRECTION,
            Option(
                "step_count",
                "Number of this step of each, from 1.",
                type=Shape,
                argument="count",
                each=True,
            ),
        ),
        count="num_tensors",
    ),
)

for _update in _UPDATES:
    declare(_update, __name__)


@op("multi_lars", differentiable=False)
@torch.no_grad()
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


@op("multi_sum_sq", any_dtype=("data",), differentiable=False)
@torch.no_grad()
def multi_sum_sq(*data: Tensor, num_arrays: int) -> Tensor:
    """Returns the sum of squares of each array, in single precision.

    Args:
        data: The arrays.
        num_arrays: Their number.
    """
    _check_count("multi_sum_sq", data, num_arrays)
    return torch.stack([item.float().square().sum() for item in data])


@op("reset_arrays", any_dtype=("data",), differentiable=False, num_outputs=0)
@torch.no_grad()
def reset_arrays(*data: Tensor, num_arrays: int) -> tuple[Tensor, ...]:
    """Sets all elements of the arrays to zero, in place.

    Args:
        data: The arrays.
        num_arrays: Their number.
    """
    _check_count("reset_arrays", data, num_arrays)
    torch._foreach_zero_(data)
    return ()
