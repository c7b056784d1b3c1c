"""Update operators on several weights at once.

The arrays come interleaved, all those of the first weight, then all of the second. States are
changed in place and the new weights returned, one output for each weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import optimizer_rules as rules
from mxnet.ops.attrs import Floats, Shape
from mxnet.ops.optimizer import check, check_mixed, update_op


def _num_weights(*, num_weights: int, **_: object) -> int:
    return num_weights


def _num_tensors(*, num_tensors: int, **_: object) -> int:
    return num_tensors


def _split(
    name: str, data: Sequence[Tensor], count: int, size: int, *options: Sequence[object]
) -> list[tuple[Tensor, ...]]:
    """Gives the arrays of each weight, of which there are `size`.

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


def _update(
    name: str,
    arrays: Sequence[tuple[Tensor, ...]],
    mixed: bool,
    step: Callable[[int, list[Tensor], list[Tensor], list[list[Tensor]]], None],
) -> tuple[Tensor, ...]:
    """Runs `step(number, [weight], [gradient], [[state], ...])` for each weight.

    In mixed precision the last array is the master copy, which stands in for the weight.
    """
    results = []
    for number, (weight, grad, *states) in enumerate(arrays):
        if mixed:
            check_mixed(name, weight, grad, *states)
            master = states.pop()
            step(number, [master], [grad.float()], [[state] for state in states])
            results.append(master.to(weight.dtype, copy=True))
        else:
            check(name, weight, grad, *states)
            updated = weight.clone()
            step(number, [updated], [grad], [[state] for state in states])
            results.append(updated)
    return tuple(results)


def _sgd(
    name: str,
    arrays: Sequence[tuple[Tensor, ...]],
    lrs: Sequence[float],
    wds: Sequence[float],
    *,
    mixed: bool,
    rescale_grad: float,
    clip_gradient: float,
    momentum: float = 0.0,
) -> tuple[Tensor, ...]:
    def step(
        number: int, weight: list[Tensor], grad: list[Tensor], states: list[list[Tensor]]
    ) -> None:
        options = {
            "lr": lrs[number],
            "wd": wds[number],
            "rescale_grad": rescale_grad,
            "clip_gradient": clip_gradient,
        }
        if states:
            rules.sgd_momentum(weight, grad, *states, momentum=momentum, **options)
        else:
            rules.sgd(weight, grad, **options)

    return _update(name, arrays, mixed, step)


@update_op("multi_sgd_update", any_dtype=("data",), num_outputs=_num_weights)
def multi_sgd_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Gives several weights after a step of gradient descent, see `sgd_update`.

    Args:
        data: Weight and gradient of each.
        lrs: Learning rate of each.
        wds: Weight decay of each.
        rescale_grad: Factor of the gradients.
        clip_gradient: Largest size of an element of a scaled gradient; below 0 is no limit.
        num_weights: Number of weights.
    """
    arrays = _split("multi_sgd_update", data, num_weights, 2, lrs, wds)
    return _sgd(
        "multi_sgd_update",
        arrays,
        lrs,
        wds,
        mixed=False,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("multi_sgd_mom_update", any_dtype=("data",), num_outputs=_num_weights)
def multi_sgd_mom_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Gives several weights after a step with momentum; `data` is weight, gradient, momentum."""
    arrays = _split("multi_sgd_mom_update", data, num_weights, 3, lrs, wds)
    return _sgd(
        "multi_sgd_mom_update",
        arrays,
        lrs,
        wds,
        mixed=False,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("multi_mp_sgd_update", any_dtype=("data",), num_outputs=_num_weights)
def multi_mp_sgd_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Gives several half precision weights; `data` is weight, gradient, master copy of each."""
    arrays = _split("multi_mp_sgd_update", data, num_weights, 3, lrs, wds)
    return _sgd(
        "multi_mp_sgd_update",
        arrays,
        lrs,
        wds,
        mixed=True,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


@update_op("multi_mp_sgd_mom_update", any_dtype=("data",), num_outputs=_num_weights)
def multi_mp_sgd_mom_update(
    *data: Tensor,
    lrs: Floats,
    wds: Floats,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
) -> tuple[Tensor, ...]:
    """Gives several half precision weights; `data` is weight, gradient, momentum, master copy."""
    arrays = _split("multi_mp_sgd_mom_update", data, num_weights, 4, lrs, wds)
    return _sgd(
        "multi_mp_sgd_mom_update",
        arrays,
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
    size: int,
    *,
    momentum: float,
    rescale_grad: float,
    clip_gradient: float,
    mixed: bool,
) -> tuple[Tensor, ...]:
    """Runs the update whose last two arrays are learning rates and weight decays.

    The rates stay on their device, so that an accelerator does not have to be waited for.
    """
    if len(data) < 2:
        raise MXNetError(f"{name}: expected arrays of learning rates and weight decays at the end")
    *rest, lrs, wds = data
    arrays = _split(name, rest, num_weights, size, lrs, wds)

    def step(
        number: int, weight: list[Tensor], grad: list[Tensor], states: list[list[Tensor]]
    ) -> None:
        lr, wd = lrs[number].to(weight[0].dtype), wds[number].to(weight[0].dtype)
        descent = rules.rescaled(grad, rescale_grad, clip_gradient)[0] + wd * weight[0]
        if states:
            state = states[0][0]
            weight[0] += state.mul_(momentum).sub_(lr * descent)
        else:
            weight[0] -= lr * descent

    return _update(name, arrays, mixed, step)


@update_op(
    "preloaded_multi_sgd_update", any_dtype=("data",), num_outputs=_num_weights
)
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
        2,
        momentum=0.0,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=False,
    )


@update_op(
    "preloaded_multi_sgd_mom_update",
    any_dtype=("data",),
    num_outputs=_num_weights,
)
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
        3,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=False,
    )


@update_op(
    "preloaded_multi_mp_sgd_update",
    any_dtype=("data",),
    num_outputs=_num_weights,
)
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
        3,
        momentum=0.0,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=True,
    )


@update_op(
    "preloaded_multi_mp_sgd_mom_update",
    any_dtype=("data",),
    num_outputs=_num_weights,
)
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
        4,
        momentum=momentum,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
        mixed=True,
    )


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
    arrays = _split(name, rest, num_weights, 5 if mixed else 4, lrs, wds, etas)

    def step(
        number: int, weight: list[Tensor], grad: list[Tensor], states: list[list[Tensor]]
    ) -> None:
        rules.adamw(
            weight,
            grad,
            *states,
            lr=lrs[number],
            wd=wds[number],
            eta=etas[number],
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            clip_gradient=clip_gradient,
            scale=scale.reshape(-1)[:1],
        )

    return _update(name, arrays, mixed, step)


@update_op("_multi_adamw_update", any_dtype=("data",), num_outputs=_num_weights)
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
    """Gives several weights after a step of `_adamw_update`.

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


@update_op("_multi_mp_adamw_update", any_dtype=("data",), num_outputs=_num_weights)
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
    arrays: Sequence[tuple[Tensor, ...]],
    lrs: Sequence[float],
    wds: Sequence[float],
    counts: Sequence[int],
    *,
    mixed: bool,
    bounds: tuple[float, float],
    **options: float,
) -> tuple[Tensor, ...]:
    def step(
        number: int, weight: list[Tensor], grad: list[Tensor], states: list[list[Tensor]]
    ) -> None:
        directions = rules.lamb_direction(
            weight,
            grad,
            *states,
            wd=wds[number],
            count=counts[number],
            **options,  # type: ignore[arg-type]  # bias_correction is among the floats
        )
        rules.lamb_scale(
            weight,
            directions,
            torch._foreach_norm(weight),
            torch._foreach_norm(directions),
            lr=lrs[number],
            lower_bound=bounds[0],
            upper_bound=bounds[1],
        )

    return _update(name, arrays, mixed, step)


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
    """Gives several weights after a step of LAMB, see `lamb_update_phase1`.

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
    name = "_multi_lamb_update"
    return _lamb(
        name,
        _split(name, data, num_tensors, 4, learning_rates, wds, step_count),
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
    name = "_multi_mp_lamb_update"
    return _lamb(
        name,
        _split(name, data, num_tensors, 5, learning_rates, wds, step_count),
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
