"""Contributed operators, and functions put together from them: `mx.nd.contrib`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mxnet._arrays.array import place
from mxnet._legacy.backward_names import backward_hawkesll as backward_hawkesll
from mxnet._legacy.backward_names import backward_index_copy as backward_index_copy
from mxnet._legacy.backward_names import backward_quadratic as backward_quadratic
from mxnet._start import tracebacks
from mxnet._state import modes
from mxnet.context import Context
from mxnet.context import current_context as current_context
from mxnet.errors import ArgumentTypeError, ArgumentValueError, UnsupportedTypeError
from mxnet.graph.run import flatten, read_limit, regroup
from mxnet.ndarray import _creation, _internal, random
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
from mxnet.ops.core.public import hide_last_parameter


def _check(data: Any, where: str) -> Any:
    if not isinstance(data, NDArray):
        raise ArgumentTypeError(f"{where}: takes an NDArray, got {type(data).__name__}")
    return data


def isnan(data: NDArray) -> NDArray:
    """Returns 1 where an element is not a number, 0 elsewhere, in the element type of the data.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.isnan(mx.nd.array([1, float("inf"), float("nan")])).asnumpy())
        [0. 0. 1.]
    """
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
    """Returns 1 where an element is finite, 0 elsewhere, in the element type of the data.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.isfinite(mx.nd.array([1, float("inf"), float("nan")])).asnumpy())
        [1. 0. 0.]
    """
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

    Example:
        >>> import mxnet as mx
        >>> drawn, expected, _ = mx.nd.contrib.rand_zipfian(mx.nd.array([0, 9]), 100, 10)
        >>> print(drawn.shape, (drawn < 10).asnumpy().all(), expected.asnumpy().round(1))
        (100,) True [28.9  4. ]
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

    Example:
        >>> import mxnet as mx
        >>> weight, grad = mx.nd.array([1, 2]), mx.nd.array([1, -1])
        >>> mean, var = mx.nd.zeros(2), mx.nd.zeros(2)
        >>> step = mx.nd.contrib.adamw_update
        >>> result = step(weight, grad, mean, var, 1.0, lr=0.01, eta=1, wd=0.1)
        >>> print(result.asnumpy().round(2), mean.asnumpy().round(2))
        [0.87 1.83] [ 0.1 -0.1]
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
    """Does `adamw_update` on the master copy `weight32` of a half precision weight.

    Example:
        >>> import mxnet as mx
        >>> weight = mx.nd.array([1, 2], dtype="float16")
        >>> grad = mx.nd.array([1, -1], dtype="float16")
        >>> mean, var, master = mx.nd.zeros(2), mx.nd.zeros(2), weight.astype("float32")
        >>> states = mean, var, master
        >>> result = mx.nd.contrib.mp_adamw_update(weight, grad, *states, 1.0, lr=0.01, eta=1)
        >>> print(result.dtype.__name__, result.asnumpy().round(2), master.asnumpy().round(4))
        float16 [0.97 2.03] [0.9684 2.0316]
    """
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
    """Does `adamw_update` on several weights; `size` is their number, 0 to count them.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(2), mx.nd.ones(1)], [mx.nd.ones(2), mx.nd.ones(1)]
        >>> mean, var = [mx.nd.zeros(2), mx.nd.zeros(1)], [mx.nd.zeros(2), mx.nd.zeros(1)]
        >>> rates = {"lrs": (0.01, 0.02), "wds": (0, 0), "etas": (1, 1)}
        >>> results = mx.nd.contrib.multi_adamw_update(weights, grads, mean, var, 1.0, **rates)
        >>> print(*[result.asnumpy().round(2) for result in results])
        [0.97 0.97] [0.94]
    """
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
    """Does `mp_adamw_update` on several weights; `size` is their number, 0 to count them.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(2, dtype="float16")], [mx.nd.ones(2, dtype="float16")]
        >>> states = [mx.nd.zeros(2)], [mx.nd.zeros(2)], [mx.nd.ones(2)]
        >>> rates = {"lrs": (0.01,), "wds": (0,), "etas": (1,)}
        >>> result = mx.nd.contrib.multi_mp_adamw_update(weights, grads, *states, 1.0, **rates)
        >>> print(result.asnumpy().round(2), result.dtype.__name__)
        [0.97 0.97] float16
    """
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
    """Returns several weights after a step of LAMB; `num_tensors` is their number, 0 to count.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(4), mx.nd.ones(1)], [mx.nd.ones(4), mx.nd.ones(1)]
        >>> mean, var = [mx.nd.zeros(4), mx.nd.zeros(1)], [mx.nd.zeros(4), mx.nd.zeros(1)]
        >>> steps = {"step_count": (1, 1), "lrs": (0.1, 0.2), "wds": (0, 0)}
        >>> results = mx.nd.contrib.multi_lamb_update(weights, grads, mean, var, **steps)
        >>> print(*[result.asnumpy().round(2) for result in results])
        [0.9 0.9 0.9 0.9] [0.8]
    """
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
    """Does `multi_lamb_update` on the master copies of half precision weights.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(2, dtype="float16")], [mx.nd.ones(2, dtype="float16")]
        >>> states = [mx.nd.zeros(2)], [mx.nd.zeros(2)], [mx.nd.ones(2)]
        >>> steps = {"step_count": (1,), "lrs": (0.1,), "wds": (0,)}
        >>> result = mx.nd.contrib.multi_mp_lamb_update(weights, grads, *states, **steps)
        >>> print(result.asnumpy().round(2), result.dtype.__name__)
        [0.9 0.9] float16
    """
    return _internal._multi_mp_lamb_update(
        *_interleave(weights, grads, mean, var, weights32),
        num_tensors=num_tensors or len(weights), learning_rates=tuple(lrs), wds=tuple(wds),
        step_count=tuple(step_count), out=out, **kwargs,
    )  # fmt: skip


def adabelief_update(
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
    """Returns the weight after a step of AdaBelief, with the arguments of `adamw_update`.

    Example:
        >>> import mxnet as mx
        >>> weight, grad, mean, var = (mx.nd.array(x) for x in ([1, 2], [1, -1], [0, 0], [0, 0]))
        >>> result = mx.nd.contrib.adabelief_update(weight, grad, mean, var, 1.0, lr=0.01, eta=1)
        >>> print(result.asnumpy().round(2), mean.asnumpy().round(2))
        [0.96 2.04] [ 0.1 -0.1]
    """
    return _internal._adabelief_update(
        weight, grad, mean, var, _as_array(rescale_grad, weight),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def mp_adabelief_update(
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
    """Does `adabelief_update` on the master copy of a half precision weight.

    Example:
        >>> import mxnet as mx
        >>> weight, grad = [mx.nd.ones(2, dtype="float16") for _ in range(2)]
        >>> states = mx.nd.zeros(2), mx.nd.zeros(2), mx.nd.ones(2)
        >>> result = mx.nd.contrib.mp_adabelief_update(weight, grad, *states, 1.0, lr=0.01, eta=1)
        >>> print(result.asnumpy().round(2), result.dtype.__name__)
        [0.96 0.96] float16
    """
    return _internal._mp_adabelief_update(
        weight, grad, mean, var, weight32, _as_array(rescale_grad, weight),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_adabelief_update(
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
    """Does `adabelief_update` on several weights; `size` is their number, 0 to count them.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(2), mx.nd.ones(1)], [mx.nd.ones(2), mx.nd.ones(1)]
        >>> mean, var = [mx.nd.zeros(2), mx.nd.zeros(1)], [mx.nd.zeros(2), mx.nd.zeros(1)]
        >>> steps = {"lrs": (0.01, 0.02), "wds": (0, 0), "etas": (1, 1)}
        >>> results = mx.nd.contrib.multi_adabelief_update(weights, grads, mean, var, 1.0, **steps)
        >>> print(*[result.asnumpy().round(2) for result in results])
        [0.96 0.96] [0.93]
    """
    return _internal._multi_adabelief_update(
        *_interleave(weights, grads, mean, var),
        _as_array(rescale_grad, weights[0]),
        num_weights=size or len(weights), lrs=tuple(lrs), wds=tuple(wds), etas=tuple(etas),
        out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_mp_adabelief_update(
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
    """Does `mp_adabelief_update` on several weights; `size` is their number, 0 to count them.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(2, dtype="float16")], [mx.nd.ones(2, dtype="float16")]
        >>> states = [mx.nd.zeros(2)], [mx.nd.zeros(2)], [mx.nd.ones(2)]
        >>> steps = {"lrs": (0.01,), "wds": (0,), "etas": (1,)}
        >>> contrib = mx.nd.contrib
        >>> result = contrib.multi_mp_adabelief_update(weights, grads, *states, 1.0, **steps)
        >>> print(result.asnumpy().round(2), result.dtype.__name__)
        [0.96 0.96] float16
    """
    return _internal._multi_mp_adabelief_update(
        *_interleave(weights, grads, mean, var, weights32),
        _as_array(rescale_grad, weights[0]),
        num_weights=size or len(weights), lrs=tuple(lrs), wds=tuple(wds), etas=tuple(etas),
        out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_lans_update(
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
    """Returns several weights after a step of LANS, with the arguments of `multi_lamb_update`.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(4), mx.nd.ones(1)], [mx.nd.ones(4), mx.nd.ones(1)]
        >>> mean, var = [mx.nd.zeros(4), mx.nd.zeros(1)], [mx.nd.zeros(4), mx.nd.zeros(1)]
        >>> steps = {"step_count": (1, 1), "lrs": (0.1, 0.2), "wds": (0, 0)}
        >>> results = mx.nd.contrib.multi_lans_update(weights, grads, mean, var, **steps)
        >>> print(*[result.asnumpy().round(2) for result in results])
        [0.9 0.9 0.9 0.9] [0.8]
    """
    return _internal._multi_lans_update(
        *_interleave(weights, grads, mean, var),
        num_tensors=num_tensors or len(weights), learning_rates=tuple(lrs), wds=tuple(wds),
        step_count=tuple(step_count), out=out, **kwargs,
    )  # fmt: skip


def multi_mp_lans_update(
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
    """Does `multi_lans_update` on the master copies of half precision weights.

    Example:
        >>> import mxnet as mx
        >>> weights, grads = [mx.nd.ones(2, dtype="float16")], [mx.nd.ones(2, dtype="float16")]
        >>> states = [mx.nd.zeros(2)], [mx.nd.zeros(2)], [mx.nd.ones(2)]
        >>> steps = {"step_count": (1,), "lrs": (0.1,), "wds": (0,)}
        >>> result = mx.nd.contrib.multi_mp_lans_update(weights, grads, *states, **steps)
        >>> print(result.asnumpy().round(2), result.dtype.__name__)
        [0.9 0.9] float16
    """
    return _internal._multi_mp_lans_update(
        *_interleave(weights, grads, mean, var, weights32),
        num_tensors=num_tensors or len(weights), learning_rates=tuple(lrs), wds=tuple(wds),
        step_count=tuple(step_count), out=out, **kwargs,
    )  # fmt: skip


def foreach(
    body: Callable[..., Any], data: Any, init_states: Any, name: str = "foreach"
) -> tuple[Any, Any]:
    """Runs a function for each slice of arrays along their first axis.

    Args:
        body: Called as `body(slices, states)`; gives the outputs of the step and the new states.
        data: What to go through, an array or nested lists of arrays.
        init_states: States before the first step, an array or nested lists of arrays.
        name: Has no effect.

    Returns:
        The outputs, stacked over all steps, and the states after the last step.

    Example:
        >>> import mxnet as mx
        >>> total = lambda x, state: (x + state, x + state)
        >>> sums, last = mx.nd.contrib.foreach(total, mx.nd.array([1, 2, 3]), mx.nd.zeros((1,)))
        >>> print(last.asnumpy())
        [6.]
    """
    del name
    arrays, data_form = flatten(data, NDArray, "foreach: data")
    flatten(init_states, NDArray, "foreach: states")
    states = init_states
    steps = []
    form: Any = []
    for position in range(arrays[0].shape[0]):
        slices = regroup([array[position] for array in arrays], data_form)
        outputs, states = body(slices, states)
        found, form = flatten(outputs, NDArray, "foreach: output")
        steps.append(found)
    return regroup(_stack(steps), form), states


def _stack(steps: Sequence[Sequence[NDArray]], length: int | None = None) -> list[NDArray]:
    """Stacks the outputs of all steps, with zeros up to a length; arrays keep their dialect."""
    stacked = []
    for outputs in zip(*steps, strict=True):
        items = [output.as_nd_ndarray() for output in outputs]
        result = FUNCTIONS["op"]["stack"](*items)
        if length is not None and len(items) < length:
            shape = (length - len(items), *items[0].shape)
            rest = _creation.zeros(shape, ctx=items[0].ctx, dtype=items[0].dtype)
            result = FUNCTIONS["op"]["concat"](result, rest, dim=0)
        stacked.append(result.as_np_ndarray() if outputs[0]._is_np else result)
    return stacked


def _is_true(value: Any) -> bool:
    return bool(value.asnumpy().item() if isinstance(value, NDArray) else value)


def _listed(values: Any) -> list[Any]:
    if values is None:
        return []
    return list(values) if isinstance(values, (list, tuple)) else [values]


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> tuple[Any, Any]:
    """Runs a function as long as a condition holds.

    Args:
        cond: Called as `cond(*loop_vars)`; gives an array of one number.
        func: Called as `func(*loop_vars)`; gives the outputs of a step and the new variables.
        loop_vars: Variables before the first step, an array or a list.
        max_iterations: Largest number of steps.
        name: What the names of subgraphs begin with, where the program becomes a graph.

    Returns:
        The outputs, stacked to `max_iterations` rows of which those after the last step are zero,
        or an empty list if there was no step; and the variables after the last step.

    Example:
        >>> import mxnet as mx
        >>> def body(i, total):
        ...     return total, (i + 1, total + i)
        ...
        >>> start = mx.nd.array([1]), mx.nd.array([0])
        >>> loop = mx.nd.contrib.while_loop
        >>> outputs, (i, total) = loop(lambda i, _: i <= 4, body, start, max_iterations=6)
        >>> print(i.asscalar(), total.asscalar(), outputs.shape)
        5.0 10.0 (6, 1)
    """
    limit = read_limit(max_iterations)
    if not isinstance(loop_vars, (NDArray, list, tuple)):
        raise UnsupportedTypeError(
            f"while_loop: loop_vars takes arrays, got {type(loop_vars).__name__}"
        )
    single = isinstance(loop_vars, NDArray)
    current = _listed(loop_vars)
    if not current:
        raise ArgumentValueError("while_loop: there must be at least one variable")
    if modes.tracer is not None and modes.tracer.adds_control_flow:
        return modes.tracer.while_loop(cond, func, loop_vars, max_iterations, name)  # type: ignore[no-any-return]
    steps: list[list[NDArray]] = []
    form: Any = []
    while len(steps) < limit and _is_true(cond(*current)):
        outputs, new_vars = func(*current)
        found, form = flatten([] if outputs is None else outputs, NDArray, "while_loop: output")
        new = _listed(new_vars)
        if len(new) != len(current):
            raise ArgumentValueError(
                f"while_loop: expected {len(current)} variables, got {len(new)}"
            )
        if steps and len(found) != len(steps[0]):
            raise ArgumentValueError(
                f"while_loop: expected {len(steps[0])} outputs in each step, got {len(found)}"
            )
        current = new
        steps.append(found)
    return regroup(_stack(steps, limit), form), current[0] if single else current


def cond(pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any]) -> Any:
    """Runs one of two functions.

    Args:
        pred: An array of one number; all but 0 chooses the first function.
        then_func: Called without arguments.
        else_func: The other choice.

    Returns:
        What the chosen function gives.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([-3])
        >>> print(mx.nd.contrib.cond(x < 0, lambda: -x, lambda: x).asnumpy())
        [3.]
    """
    if modes.tracer is not None and modes.tracer.adds_control_flow:
        return modes.tracer.cond(pred, then_func, else_func, "cond")
    return then_func() if _is_true(pred) else else_func()


hide_last_parameter(foreach)
hide_last_parameter(while_loop)

_WRITTEN_BY_HAND = (
    "adabelief_update adamw_update backward_hawkesll backward_index_copy backward_quadratic "
    "cond dgl_adjacency dgl_csr_neighbor_non_uniform_sample dgl_csr_neighbor_uniform_sample "
    "dgl_graph_compact dgl_subgraph foreach isfinite isinf isnan mp_adabelief_update "
    "mp_adamw_update multi_adabelief_update multi_adamw_update multi_lamb_update "
    "multi_lans_update multi_mp_adabelief_update multi_mp_adamw_update multi_mp_lamb_update "
    "multi_mp_lans_update rand_zipfian uniform while_loop"
)
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND.split()]

tracebacks.public_functions(globals())
