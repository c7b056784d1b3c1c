"""Contributed functions on symbols that are put together from operators."""

from __future__ import annotations

import math
from typing import Any

from mxnet.symbol import random
from mxnet.symbol._namespaces import FUNCTIONS
from mxnet.symbol.symbol import Symbol


def rand_zipfian(
    true_classes: Symbol, num_sampled: int, range_max: int
) -> tuple[Symbol, Symbol, Symbol]:
    """Draws classes of which small numbers are the most common; see `mx.nd.contrib.rand_zipfian`.

    Args:
        true_classes: Classes to give the expected counts of.
        num_sampled: Number of classes to draw, with repetition.
        range_max: Number of classes.
    """
    width = math.log(range_max + 1)
    places = random.uniform(0, width, shape=(num_sampled,), dtype="float64")
    ranks: Any = FUNCTIONS["op"]["exp"](places)
    cast: Any = FUNCTIONS["op"]["cast"]
    sampled = cast(ranks - 1, dtype="int64") % range_max

    def expect(drawn: Symbol) -> Symbol:
        number = cast(drawn, dtype="float64")
        share: Any = FUNCTIONS["op"]["log"]((number + 2.0) / (number + 1.0))
        count: Symbol = share / width * num_sampled
        return count

    return sampled, expect(true_classes), expect(sampled)


def adamw_update(
    weight: Symbol,
    grad: Symbol,
    mean: Symbol,
    var: Symbol,
    rescale_grad: Symbol | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0,
    clip_gradient: float = -1,
    out: Any = None,
    name: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Returns the weight after a step of Adam; see `mx.nd.contrib.adamw_update`.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients.
        var: Average of squared gradients.
        rescale_grad: Factor of the gradient; zero, infinite or NaN skips the update.
        lr: Learning rate.
        eta: Factor of the whole step.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        wd: Weight decay.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        out: Accepted for compatibility.
        name: Name of the node.
        **kwargs: Further attributes of the operator.
    """
    return FUNCTIONS["_internal"]["_adamw_update"](
        weight, grad, mean, var, _as_symbol(rescale_grad),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def mp_adamw_update(
    weight: Symbol,
    grad: Symbol,
    mean: Symbol,
    var: Symbol,
    weight32: Symbol,
    rescale_grad: Symbol | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0,
    clip_gradient: float = -1,
    out: Any = None,
    name: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Returns the half precision weight after a step of Adam; see `adamw_update`.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients.
        var: Average of squared gradients.
        weight32: The weight in single precision, which is updated.
        rescale_grad: Factor of the gradient; zero, infinite or NaN skips the update.
        lr: Learning rate.
        eta: Factor of the whole step.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        wd: Weight decay.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        out: Accepted for compatibility.
        name: Name of the node.
        **kwargs: Further attributes of the operator.
    """
    return FUNCTIONS["_internal"]["_mp_adamw_update"](
        weight, grad, mean, var, weight32, _as_symbol(rescale_grad),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def _as_symbol(rescale_grad: Symbol | float) -> Symbol:
    """Returns the factor of the gradients as a symbol."""
    if isinstance(rescale_grad, Symbol):
        return rescale_grad
    return FUNCTIONS["_internal"]["_full"](shape=(1,), value=float(rescale_grad))
