"""Updates of optimizers in `mx.nd.contrib` that take lists of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from mxnet._arrays.array import place
from mxnet.ndarray import _internal
from mxnet.ndarray._ndarray import NDArray


def _as_array(rescale_grad: float | NDArray, like: NDArray) -> NDArray:
    """Returns the factor of the gradients as an array beside the weight."""
    if isinstance(rescale_grad, NDArray):
        return rescale_grad.as_in_context(like.context)
    value = torch.full((1,), float(rescale_grad), dtype=torch.float32)
    return NDArray._wrap(place(value, like.context), like.context)


def _interleave(*lists: Sequence[NDArray]) -> list[NDArray]:
    """Returns all arrays of the first weight, then all of the second, and so on."""
    return [array for row in zip(*lists, strict=True) for array in row]


def adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    rescale_grad: float | NDArray,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0,
    clip_gradient: float = -1,
    out: NDArray | None = None,
    name: str | None = None,
    **kwargs: Any,
) -> Any:
    """Returns the weight after a step of Adam with the weight decay beside the gradient.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients, changed in place.
        var: Average of squared gradients, changed in place.
        rescale_grad: Factor of the gradient; zero, infinite or NaN skips the update.
        lr: Learning rate.
        eta: Factor of the whole step.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        wd: Weight decay.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        out: Array for the result, usually the weight.
        name: Accepted for compatibility.
        **kwargs: Further attributes of the operator.
    """
    return _internal._adamw_update(
        weight, grad, mean, var, _as_array(rescale_grad, weight),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def mp_adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    rescale_grad: float | NDArray,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0,
    clip_gradient: float = -1,
    out: NDArray | None = None,
    name: str | None = None,
    **kwargs: Any,
) -> Any:
    """Does `adamw_update` on the master copy `weight32` of a half precision weight."""
    return _internal._mp_adamw_update(
        weight, grad, mean, var, weight32, _as_array(rescale_grad, weight),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_adamw_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    rescale_grad: float | NDArray,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Sequence[NDArray] | None = None,
    name: str | None = None,
    size: int = 0,
    **kwargs: Any,
) -> Any:
    """Does `adamw_update` on several weights; `size` is their number, 0 to count them."""
    return _internal._multi_adamw_update(
        *_interleave(weights, grads, mean, var),
        _as_array(rescale_grad, weights[0]),
        num_weights=size or len(weights), lrs=tuple(lrs), wds=tuple(wds), etas=tuple(etas),
        out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_mp_adamw_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    weights32: Sequence[NDArray],
    rescale_grad: float | NDArray,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Sequence[NDArray] | None = None,
    name: str | None = None,
    size: int = 0,
    **kwargs: Any,
) -> Any:
    """Does `mp_adamw_update` on several weights; `size` is their number, 0 to count them."""
    return _internal._multi_mp_adamw_update(
        *_interleave(weights, grads, mean, var, weights32),
        _as_array(rescale_grad, weights[0]),
        num_weights=size or len(weights), lrs=tuple(lrs), wds=tuple(wds), etas=tuple(etas),
        out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_lamb_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Sequence[NDArray] | None = None,
    num_tensors: int = 0,
    **kwargs: Any,
) -> Any:
    """Returns several weights after a step of LAMB; `num_tensors` is their number, 0 to count."""
    return _internal._multi_lamb_update(
        *_interleave(weights, grads, mean, var),
        num_tensors=num_tensors or len(weights), learning_rates=tuple(lrs), wds=tuple(wds),
        step_count=tuple(step_count), out=out, **kwargs,
    )  # fmt: skip


def multi_mp_lamb_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    weights32: Sequence[NDArray],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Sequence[NDArray] | None = None,
    num_tensors: int = 0,
    **kwargs: Any,
) -> Any:
    """Does `multi_lamb_update` on the master copies of half precision weights."""
    return _internal._multi_mp_lamb_update(
        *_interleave(weights, grads, mean, var, weights32),
        num_tensors=num_tensors or len(weights), learning_rates=tuple(lrs), wds=tuple(wds),
        step_count=tuple(step_count), out=out, **kwargs,
    )  # fmt: skip
