"""Contributed operators, and functions put together from them: `mx.nd.contrib`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from mxnet._arrays.array import place
from mxnet._legacy.backward_names import backward_hawkesll as backward_hawkesll
from mxnet._legacy.backward_names import backward_index_copy as backward_index_copy
from mxnet._legacy.backward_names import backward_quadratic as backward_quadratic
from mxnet._start import tracebacks
from mxnet.context import Context
from mxnet.context import current_context as current_context
from mxnet.errors import ArgumentTypeError
from mxnet.ndarray import _internal, random
from mxnet.ndarray._control_flow import cond as cond
from mxnet.ndarray._control_flow import foreach as foreach
from mxnet.ndarray._control_flow import while_loop as while_loop
from mxnet.ndarray._graph_sampling import dgl_adjacency as dgl_adjacency
from mxnet.ndarray._graph_sampling import (
    dgl_csr_neighbor_non_uniform_sample as dgl_csr_neighbor_non_uniform_sample,
)
from mxnet.ndarray._graph_sampling import (
    dgl_csr_neighbor_uniform_sample as dgl_csr_neighbor_uniform_sample,
)
from mxnet.ndarray._graph_sampling import dgl_graph_compact as dgl_graph_compact
from mxnet.ndarray._graph_sampling import dgl_subgraph as dgl_subgraph
from mxnet.ndarray._namespaces import FUNCTIONS, populate
from mxnet.ndarray._ndarray import NDArray
from mxnet.ndarray.random import uniform as uniform


def _check(data: Any, where: str) -> Any:
    if not isinstance(data, NDArray):
        raise ArgumentTypeError(f"{where}: takes an NDArray, got {type(data).__name__}")
    return data


def isnan(data: NDArray) -> NDArray:
    """Returns 1 where an element is not a number, 0 elsewhere, in the element type of the data."""
    values = _check(data, "isnan")
    found: NDArray = values != values
    return found


def isinf(data: NDArray) -> NDArray:
    """Returns 1 where an element is infinite, 0 elsewhere, in the element type of the data.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.isinf(mx.nd.array([1, float("-inf"), float("nan")])).asnumpy())
        [0. 1. 0.]
    """
    found: NDArray = FUNCTIONS["op"]["abs"](_check(data, "isinf")) == math.inf
    return found


def isfinite(data: NDArray) -> NDArray:
    """Returns 1 where an element is finite, 0 elsewhere, in the element type of the data."""
    values = _check(data, "isfinite")
    found: NDArray = (values == values) * (FUNCTIONS["op"]["abs"](values) != math.inf)
    return found


def rand_zipfian(
    true_classes: NDArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Draws classes of which small numbers are the most common, as words sorted by frequency are.

    The probability of class `k` is `log((k + 2) / (k + 1)) / log(range_max + 1)`.

    Args:
        true_classes: Classes to give the expected counts of.
        num_sampled: Number of classes to draw, with repetition.
        range_max: Number of classes.
        ctx: Context to draw on.

    Returns:
        The drawn classes; how often each true class is expected among them; and the same for each
        drawn class.
    """
    classes = _check(true_classes, "rand_zipfian")
    ctx = current_context() if ctx is None else ctx
    width = math.log(range_max + 1)
    places: Any = random.uniform(0, width, shape=(num_sampled,), dtype="float64", ctx=ctx)
    sampled = (FUNCTIONS["op"]["exp"](places) - 1).astype("int64") % range_max

    def expect(drawn: Any) -> NDArray:
        number = drawn.as_in_context(ctx).astype("float64")
        share: NDArray = FUNCTIONS["op"]["log"]((number + 2) / (number + 1)) / width * num_sampled
        return share

    return sampled, expect(classes), expect(sampled)


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


_WRITTEN_BY_HAND = (
    "adamw_update",
    "backward_hawkesll",
    "backward_index_copy",
    "backward_quadratic",
    "cond",
    "dgl_adjacency",
    "dgl_csr_neighbor_non_uniform_sample",
    "dgl_csr_neighbor_uniform_sample",
    "dgl_graph_compact",
    "dgl_subgraph",
    "foreach",
    "isfinite",
    "isinf",
    "isnan",
    "mp_adamw_update",
    "multi_adamw_update",
    "multi_lamb_update",
    "multi_mp_adamw_update",
    "multi_mp_lamb_update",
    "rand_zipfian",
    "uniform",
    "while_loop",
)
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]

tracebacks.public_functions(globals())
