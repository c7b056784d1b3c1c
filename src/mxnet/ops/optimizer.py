"""Update operators of optimizers on one weight.

Each returns the new weight, which callers write back by `out=weight`, and changes the states among
its inputs in place. Those named `mp_` take a weight in half precision together with its master copy
in single precision; the master copy is a state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import optimizer_rules as rules
from mxnet.ops.registry import CountRule, Kernel, op

Rule: TypeAlias = Callable[..., None]
"""A function of `optimizer_rules` or `optimizer_rules_adaptive`."""


def update_op(
    name: str,
    *,
    mutates: Sequence[str] = (),
    any_dtype: Sequence[str] = (),
    num_outputs: CountRule = 1,
) -> Callable[[Kernel], Kernel]:
    """Declares the decorated kernel as an operator that nothing is differentiated through."""
    declare = op(
        name,
        mutates=mutates,
        any_dtype=any_dtype,
        differentiable=False,
        num_outputs=num_outputs,
    )

    def decorate(kernel: Kernel) -> Kernel:
        return declare(torch.no_grad()(kernel))

    return decorate


def check(name: str, weight: Tensor, grad: Tensor, *states: Tensor) -> None:
    """Checks that all arrays of an update are floats of one shape.

    Raises:
        MXNetError: if they are not.
    """
    if not weight.is_floating_point():
        raise MXNetError(f"{name}: updates floating point weights only, got {weight.dtype}")
    for item in (grad, *states):
        if item.shape != weight.shape:
            raise MXNetError(
                f"{name}: expected arrays of the weight's shape {tuple(weight.shape)}, "
                f"got {tuple(item.shape)}"
            )


def check_mixed(name: str, weight: Tensor, grad: Tensor, *states: Tensor) -> None:
    """Checks the arrays of an update with a master copy: its states are in single precision.

    Raises:
        MXNetError: if they are not.
    """
    check(name, weight, grad, *states)
    for item in states:
        if item.dtype is not torch.float32:
            raise MXNetError(f"{name}: expected float32 states, got {item.dtype}")


def run_rule(
    name: str, rule: Rule, arrays: Sequence[Tensor], *, mixed: bool = False, **options: Any
) -> Tensor:
    """Returns a weight after a rule, which changes the states in place.

    Args:
        name: Name of the operator.
        rule: The rule.
        arrays: Weight, gradient and states.
        mixed: Whether the last array is the master copy of a half precision weight, which the rule
            changes in its place.
        **options: Options of the rule.

    Raises:
        MXNetError: if the arrays do not fit each other.
    """
    weight, grad, *states = arrays
    if mixed:
        check_mixed(name, weight, grad, *states)
        updated, grad = states.pop(), grad.float()
    else:
        check(name, weight, grad, *states)
        updated = weight.clone()
    rule([updated], [grad], *([state] for state in states), **options)
    return updated.to(weight.dtype, copy=True) if mixed else updated


@update_op("sgd_update")
def sgd_update(
    weight: Tensor,
    grad: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> Tensor:
    """Returns the weight after a step of gradient descent.

    Args:
        weight: The weight.
        grad: Its gradient.
        lr: Learning rate.
        wd: Weight decay.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        lazy_update: Accepted for compatibility; concerns sparse gradients.
    """
    return run_rule(
        "sgd_update",
        rules.sgd,
        (weight, grad),
        lr=lr,
        wd=wd,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("mp_sgd_update", mutates=("weight32",), any_dtype=("weight32",))
def mp_sgd_update(
    weight: Tensor,
    grad: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> Tensor:
    """Returns the half precision weight after a step of gradient descent on its master copy."""
    return run_rule(
        "mp_sgd_update",
        rules.sgd,
        (weight, grad, weight32),
        mixed=True,
        lr=lr,
        wd=wd,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("sgd_mom_update", mutates=("mom",))
def sgd_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> Tensor:
    """Returns the weight after a step with momentum; `mom`, a state, is the last step."""
    return run_rule(
        "sgd_mom_update",
        rules.sgd_momentum,
        (weight, grad, mom),
        lr=lr,
        wd=wd,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op(
    "mp_sgd_mom_update",
    mutates=("mom", "weight32"),
    any_dtype=("mom", "weight32"),
)
def mp_sgd_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> Tensor:
    """Returns the half precision weight after a step with momentum on its master copy."""
    return run_rule(
        "mp_sgd_mom_update",
        rules.sgd_momentum,
        (weight, grad, mom, weight32),
        mixed=True,
        lr=lr,
        wd=wd,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("nag_mom_update", mutates=("mom",))
def nag_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the weight after a step of gradient descent with Nesterov's momentum."""
    return run_rule(
        "nag_mom_update",
        rules.nag,
        (weight, grad, mom),
        lr=lr,
        wd=wd,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op(
    "mp_nag_mom_update",
    mutates=("mom", "weight32"),
    any_dtype=("mom", "weight32"),
)
def mp_nag_mom_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    weight32: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the half precision weight after a Nesterov momentum step on its master copy."""
    return run_rule(
        "mp_nag_mom_update",
        rules.nag,
        (weight, grad, mom, weight32),
        mixed=True,
        lr=lr,
        wd=wd,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("signsgd_update")
def signsgd_update(
    weight: Tensor,
    grad: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the weight after a step of size `lr` in the direction of the gradient's sign.

    Scale and limit of the gradient do not change its sign: both are accepted for compatibility.
    """
    return run_rule("signsgd_update", rules.signsgd, (weight, grad), lr=lr, wd=wd)


@update_op("signum_update", mutates=("mom",))
def signum_update(
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
) -> Tensor:
    """Returns the weight after a step of size `lr` in the direction of the momentum's sign.

    Args:
        weight: The weight.
        grad: Its gradient.
        mom: Momentum, a state.
        lr: Learning rate.
        momentum: Share of the momentum that is kept.
        wd: Weight decay, as part of the gradient.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        wd_lh: Weight decay beside the gradient.
    """
    return run_rule(
        "signum_update",
        rules.signum,
        (weight, grad, mom),
        lr=lr,
        wd=wd,
        momentum=momentum,
        wd_lh=wd_lh,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )
