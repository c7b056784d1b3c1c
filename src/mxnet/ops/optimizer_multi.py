"""Update operators on several weights at once.

The arrays come interleaved, all those of the first weight, then all of the second. States are
changed in place and the new weights returned, one output for each weight.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from functools import partial

from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import optimizer_rules as rules
from mxnet.ops.attrs import Floats
from mxnet.ops.optimizer import Rule, run_rule, update_op


def _num_weights(*, num_weights: int, **_: object) -> int:
    return num_weights


multi_op = partial(update_op, any_dtype=("data",), num_outputs=_num_weights)
"""Declares an update of as many weights as `num_weights` says."""


def split(
    name: str, data: Sequence[Tensor], count: int, size: int, *options: Sized
) -> list[tuple[Tensor, ...]]:
    """Returns the arrays of each weight, of which there are `size`.

    Raises:
        MXNetError: if the number of arrays or options does not fit the number of weights.
    """
    if len(data) != count * size:
        raise MXNetError(
            f"{name}: expected {count} times {size} arrays, got {len(data)} for {count} weights"
        )
    for values in options:
        if len(values) != count:
            raise MXNetError(
                f"{name}: expected one learning rate and weight decay for each of {count} weights, "
                f"got {len(values)}"
            )
    return [tuple(data[start : start + size]) for start in range(0, count * size, size)]


def _sgd(
    name: str,
    data: Sequence[Tensor],
    num_weights: int,
    lrs: Sequence[float],
    wds: Sequence[float],
    *,
    mixed: bool,
    rescale_grad: float,
    clip_gradient: float,
    momentum: float | None = None,
) -> tuple[Tensor, ...]:
    """Runs gradient descent on each weight, with momentum if there is one."""
    rule: Rule = rules.sgd
    if momentum is not None:
        rule = partial(rules.sgd_momentum, momentum=momentum)
    arrays = split(name, data, num_weights, 2 + (momentum is not None) + mixed, lrs, wds)
    return tuple(
        run_rule(
            name,
            rule,
            item,
            mixed=mixed,
            lr=lr,
            wd=wd,
            rescale_grad=rescale_grad,
            clip_gradient=clip_gradient,
        )
        for item, lr, wd in zip(arrays, lrs, wds, strict=True)
    )


@multi_op("multi_sgd_update")
def multi_sgd_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Returns several weights after a step of gradient descent, see `sgd_update`.

    Args:
        data: Weight and gradient of each.
        lrs: Learning rate of each.
        wds: Weight decay of each.
        rescale_grad: Factor of the gradients.
        clip_gradient: Largest size of an element of a scaled gradient; below 0 is no limit.
        num_weights: Number of weights.
    """
    return _sgd(
        "multi_sgd_update",
        data,
        num_weights,
        lrs,
        wds,
        mixed=False,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@multi_op("multi_sgd_mom_update")
def multi_sgd_mom_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Returns several weights after a step with momentum; `data` is weight, gradient, momentum."""
    return _sgd(
        "multi_sgd_mom_update",
        data,
        num_weights,
        lrs,
        wds,
        mixed=False,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@multi_op("multi_mp_sgd_update")
def multi_mp_sgd_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Returns several half precision weights; `data` is weight, gradient, master copy of each."""
    return _sgd(
        "multi_mp_sgd_update",
        data,
        num_weights,
        lrs,
        wds,
        mixed=True,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@multi_op("multi_mp_sgd_mom_update")
def multi_mp_sgd_mom_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Returns several half precision weights; `data` is weight, gradient, momentum, master copy."""
    return _sgd(
        "multi_mp_sgd_mom_update",
        data,
        num_weights,
        lrs,
        wds,
        mixed=True,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


def _preloaded(
    name: str,
    data: Sequence[Tensor],
    num_weights: int,
    *,
    mixed: bool,
    rescale_grad: float,
    clip_gradient: float,
    momentum: float | None = None,
) -> tuple[Tensor, ...]:
    """Runs the update whose last two arrays are learning rates and weight decays.

    The rates stay on their device, so that an accelerator does not have to be waited for.
    """
    if len(data) < 2:
        raise MXNetError(f"{name}: expected arrays of learning rates and weight decays at the end")
    *rest, lrs, wds = data
    arrays = split(name, rest, num_weights, 2 + (momentum is not None) + mixed, lrs, wds)

    def rule(
        weights: list[Tensor], grads: list[Tensor], *momenta: list[Tensor], lr: Tensor, wd: Tensor
    ) -> None:
        (weight,) = weights
        lr, wd = lr.to(weight.dtype), wd.to(weight.dtype)
        descent = rules.rescaled(grads, rescale_grad, clip_gradient)[0] + wd * weight
        if momentum is None:
            weight -= lr * descent
        else:
            weight += momenta[0][0].mul_(momentum).sub_(lr * descent)

    return tuple(
        run_rule(name, rule, item, mixed=mixed, lr=lr, wd=wd)
        for item, lr, wd in zip(arrays, lrs, wds, strict=True)
    )


@multi_op("preloaded_multi_sgd_update")
def preloaded_multi_sgd_update(
    *data: Tensor,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Does `multi_sgd_update` with learning rates and weight decays as the last two arrays.

    Args:
        data: Weight and gradient of each, then the learning rates, then the weight decays.
        rescale_grad: Factor of the gradients.
        clip_gradient: Largest size of an element of a scaled gradient; below 0 is no limit.
        num_weights: Number of weights.
    """
    return _preloaded(
        "preloaded_multi_sgd_update",
        data,
        num_weights,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=False,
    )


@multi_op("preloaded_multi_sgd_mom_update")
def preloaded_multi_sgd_mom_update(
    *data: Tensor,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Does `multi_sgd_mom_update` with learning rates and weight decays as the last two arrays."""
    return _preloaded(
        "preloaded_multi_sgd_mom_update",
        data,
        num_weights,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=False,
    )


@multi_op("preloaded_multi_mp_sgd_update")
def preloaded_multi_mp_sgd_update(
    *data: Tensor,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Does `multi_mp_sgd_update` with learning rates and weight decays as the last two arrays."""
    return _preloaded(
        "preloaded_multi_mp_sgd_update",
        data,
        num_weights,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=True,
    )


@multi_op("preloaded_multi_mp_sgd_mom_update")
def preloaded_multi_mp_sgd_mom_update(
    *data: Tensor,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Does `multi_mp_sgd_mom_update` with learning rates and weight decays as last two arrays."""
    return _preloaded(
        "preloaded_multi_mp_sgd_mom_update",
        data,
        num_weights,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=True,
    )
