"""Comparisons of one computation done in several ways."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mxnet import autograd, random
from mxnet._state import REQUIRED, as_in_mxnet2, rules
from mxnet.errors import CheckFailedError
from mxnet.gluon import HybridBlock
from mxnet.io import DataBatch, DataIter
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol
from mxnet.test_utils import _compare
from mxnet.test_utils._data import rand_ndarray
from mxnet.test_utils._running import default_context

_Updated = tuple[NDArray, Any]
"""A weight and the state that belongs to it."""

_LOG = logging.getLogger(__name__)
_PRECISION = {np.dtype(name): rank for rank, name in enumerate(("float16", "float32", "float64"))}


def check_consistency(
    sym: Symbol | Sequence[Symbol],
    ctx_list: Sequence[Mapping[str, Any]],
    scale: float = 1.0,
    grad_req: Any = "write",
    arg_params: Mapping[str, Any] | None = None,
    aux_params: Mapping[str, Any] | None = None,
    rtol: _compare.Tolerance = None,
    atol: _compare.Tolerance = None,
    raise_on_err: bool = True,
    ground_truth: Mapping[str, Any] | None = None,
    equal_nan: bool = False,
    use_uniform: bool = False,
    rand_type: Any = np.float64,
) -> dict[str, Any]:
    """Fails if a symbol gives other results on other contexts or with other element types.

    Args:
        sym: The symbol, or one for each run.
        ctx_list: For each run the arguments of `simple_bind`: `ctx`, shapes, `type_dict`.
        scale: Scale of the random arguments.
        grad_req: What to do with gradients; `"null"` compares outputs alone.
        arg_params: Values of arguments by name, random ones for the others.
        aux_params: Values of auxiliary states by name, zeros for the others.
        rtol: Relative tolerance; see `assert_almost_equal`.
        atol: Absolute tolerance.
        raise_on_err: Whether a difference raises; otherwise it is logged.
        ground_truth: The right results, those of the most exact run if None.
        equal_nan: Whether NaN equals NaN.
        use_uniform: Whether random arguments are uniform instead of normal.
        rand_type: Element type in which they are drawn.

    Returns:
        The right results by name: outputs and gradients.
    """
    if len(ctx_list) < 2:
        raise CheckFailedError(f"check_consistency: takes at least two runs, got {len(ctx_list)}")
    symbols = [sym] * len(ctx_list) if isinstance(sym, Symbol) else list(sym)
    executors = [
        symbol.simple_bind(grad_req=grad_req, **options)
        for symbol, options in zip(symbols, ctx_list, strict=True)
    ]
    first, names, given = executors[0], symbols[0].list_outputs(), arg_params or {}
    draw = _draw_uniform if use_uniform else _draw_normal
    values = {
        name: _compare.as_values(given[name]) if name in given else scale * draw(array.shape)
        for name, array in first.arg_dict.items()
    }
    states = {name: _compare.as_values(value) for name, value in (aux_params or {}).items()}
    drawn = {name: np.asarray(value, dtype=rand_type) for name, value in values.items()}
    results = [_run(executor, names, drawn, states, grad_req != "null") for executor in executors]
    exactness = [_PRECISION.get(np.dtype(e.outputs[0].dtype), -1) for e in executors]
    best = int(np.argmax(exactness))
    truth = dict(results[best]) if ground_truth is None else dict(ground_truth)
    for number, result in enumerate(results):
        if ground_truth is not None or number != best:
            _compare_run(number, result, truth, (rtol, atol), equal_nan, raise_on_err)
    return truth


def _draw_normal(shape: tuple[int, ...]) -> Any:
    return np.random.normal(size=shape)


def _draw_uniform(shape: tuple[int, ...]) -> Any:
    return np.random.uniform(-0.92, 0.92, shape)


def _run(
    executor: Any,
    names: Sequence[str],
    values: Mapping[str, Any],
    states: Mapping[str, Any],
    with_gradients: bool,
) -> dict[str, NDArray]:
    for name, value in values.items():
        executor.arg_dict[name][:] = value.astype(executor.arg_dict[name].dtype)
    for name, array in executor.aux_dict.items():
        array[:] = states.get(name, 0)
    executor.forward(is_train=with_gradients)
    results = {name: array.copy() for name, array in zip(names, executor.outputs, strict=True)}
    if with_gradients:
        executor.backward(executor.outputs)
        results |= {name: grad for name, grad in executor.grad_dict.items() if grad is not None}
    return results


def _compare_run(
    number: int,
    result: Mapping[str, NDArray],
    truth: Mapping[str, Any],
    tolerances: tuple[_compare.Tolerance, _compare.Tolerance],
    equal_nan: bool,
    raise_on_err: bool,
) -> None:
    for name, array in result.items():
        labels = (f"{name} of run {number}", f"the right {name}")
        try:
            _compare.assert_almost_equal(
                array, truth[name], *tolerances, names=labels, equal_nan=equal_nan
            )
        except _compare.NotEqualError as error:
            if raise_on_err:
                raise
            dtype = _compare.effective_dtype(array)
            _LOG.warning("check_consistency: run %d, %s as %s: %s", number, name, dtype, error)


def check_gluon_hybridize_consistency(
    net_builder: Callable[..., HybridBlock],
    data_l: Sequence[Any],
    numpy_func: Callable[..., Any] | None = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """Fails if a network gives other results after `hybridize`.

    Args:
        net_builder: Makes the network; takes `prefix`, but under `mx.set_version(2)`.
        data_l: Inputs of the network.
        numpy_func: Gives the right output from NumPy's arrays of the inputs.
        test_grad: Whether to compare gradients, of inputs and parameters.
        rtol: Relative tolerance.
        atol: Absolute tolerance.
    """
    options = {"prefix": "net_"} if rules.version == 1 else {}
    plain, compiled = net_builder(**options), net_builder(**options)
    for net in (plain, compiled):
        net.initialize()
    outputs, gradients = _call(plain, data_l, test_grad)
    source = plain._collect_params_with_prefix()
    for name, parameter in compiled._collect_params_with_prefix().items():
        parameter.set_data(source[name].data())
    compiled.hybridize()
    compiled_outputs, compiled_gradients = _call(compiled, data_l, test_grad)
    _compare.assert_almost_equal(compiled_outputs, outputs, rtol=rtol, atol=atol)
    for name, gradient in gradients.items():
        labels = (f"hybridized gradient of {name}", f"gradient of {name}")
        _compare.assert_almost_equal(compiled_gradients[name], gradient, rtol, atol, labels)
    if numpy_func is not None:
        right = numpy_func(*[_compare.as_values(item) for item in data_l])
        _compare.assert_almost_equal(outputs, right, rtol=rtol, atol=atol)


def _call(
    net: HybridBlock, inputs: Sequence[Any], with_gradients: bool
) -> tuple[Any, dict[str, Any]]:
    arrays = [item.copy() for item in inputs]
    if not with_gradients:
        return _compare.as_values(net(*arrays)), {}
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        output = net(*arrays)
    output.backward()
    gradients = {f"input {i}": _compare.as_values(array.grad) for i, array in enumerate(arrays)}
    for name, parameter in net._collect_params_with_prefix().items():
        if parameter.grad_req != "null":
            gradients[name] = _compare.as_values(parameter.grad())
    return _compare.as_values(output), gradients


@as_in_mxnet2(
    {"shapes": "shape"},
    ("ntensors",),
    opt1=REQUIRED,
    opt2=REQUIRED,
    shapes=REQUIRED,
    dtype=REQUIRED,
    w_stype="default",
    g_stype="default",
    rtol=1e-4,
    atol=1e-5,
    compare_states=True,
)
def compare_optimizer(
    opt1: Any,
    opt2: Any,
    shape: Any,
    dtype: Any,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int = 1,
) -> None:
    """Fails if two optimizers do not update random weights alike.

    Args:
        opt1: An optimizer, which gets dense arrays, one by one.
        opt2: Another, which gets arrays of the given storage types, or several at once.
        shape: Shape of a weight, or a list of shapes for several dense ones. MXNet 2 calls it
            `shapes`, always a list, of which all are compared.
        dtype: Element type.
        w_stype: Storage type of the weight.
        g_stype: Storage type of the gradient.
        rtol: Relative tolerance.
        atol: Absolute tolerance.
        compare_states: Whether the states must be alike as well.
        ntensors: Number of weights, for a list of shapes.
    """
    if isinstance(shape, list) and all(isinstance(each, tuple) for each in shape):
        ntensors = len(shape) if ntensors == 1 else ntensors
    if not isinstance(shape, list):
        if ntensors != 1:
            raise CheckFailedError("compare_optimizer: several tensors need a list of shapes")
        pairs = [_update_one(opt1, opt2, shape, dtype, w_stype, g_stype)]
    elif w_stype == g_stype == "default":
        pairs = _update_several(opt1, opt2, shape[:ntensors], dtype)
    else:
        pairs = [_update_one(opt1, opt2, each, dtype, w_stype, g_stype) for each in shape]
    _compare_updates(pairs, compare_states, rtol, atol)


def compare_optimizer_noise_seeded(
    opt1: Any,
    opt2: Any,
    shapes: Sequence[Any],
    dtype: Any,
    noise_seed: int,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
) -> None:
    """Fails if two optimizers that draw random numbers, such as SGLD, do not update alike.

    Args:
        opt1: An optimizer, which gets dense arrays.
        opt2: Another, which gets arrays of the given storage types.
        shapes: Shapes of weights.
        dtype: Element type.
        noise_seed: Seed of the random numbers of each update.
        w_stype: Storage type of the weights.
        g_stype: Storage type of the gradients.
        rtol: Relative tolerance.
        atol: Absolute tolerance.
        compare_states: Whether the states must be alike as well.
    """

    def seed() -> None:
        random.seed(noise_seed)

    pairs = [_update_one(opt1, opt2, each, dtype, w_stype, g_stype, seed) for each in shapes]
    _compare_updates(pairs, compare_states, rtol, atol)


def _compare_updates(
    pairs: Sequence[tuple[_Updated, _Updated]], compare_states: bool, rtol: float, atol: float
) -> None:
    for (weight1, state1), (weight2, state2) in pairs:
        if compare_states:
            _compare.compare_ndarray_tuple(state1, state2, rtol=rtol, atol=atol)
        _compare.assert_almost_equal(weight1, weight2, rtol=rtol, atol=atol)


def _update_one(
    opt1: Any,
    opt2: Any,
    shape: Any,
    dtype: Any,
    w_stype: str,
    g_stype: str,
    seed: Callable[[], None] = lambda: None,
) -> tuple[_Updated, _Updated]:
    """Makes a step of one weight, for the first optimizer in the dense form."""
    ctx = default_context()
    weight = rand_ndarray(shape, w_stype, 1, dtype, ctx=ctx)
    gradient = rand_ndarray(shape, g_stype, 0.5, dtype, ctx=ctx)
    dense = weight.tostype("default").copy(), gradient.tostype("default").copy()
    state1 = opt1.create_state_multi_precision(0, dense[0])
    state2 = opt2.create_state_multi_precision(0, weight)
    seed()
    opt1.update_multi_precision(0, *dense, state1)
    seed()
    opt2.update_multi_precision(0, weight, gradient, state2)
    return (dense[0], state1), (weight, state2)


def _update_several(
    opt1: Any, opt2: Any, shapes: Sequence[Any], dtype: Any
) -> list[tuple[_Updated, _Updated]]:
    """Makes a step of dense weights, for the second optimizer of all at once."""
    ctx = default_context()
    sizes = [(each,) if isinstance(each, int) else each for each in shapes]
    weights = [rand_ndarray(size, "default", dtype=dtype, ctx=ctx) for size in sizes]
    gradients = [rand_ndarray(size, "default", dtype=dtype, ctx=ctx) for size in sizes]
    own = [weight.copy() for weight in weights]
    given = [gradient.copy() for gradient in gradients]
    states = [opt2.create_state_multi_precision(0, weight) for weight in own]
    opt2.update_multi_precision(list(range(len(own))), tuple(own), tuple(given), states)
    pairs = []
    for index, (weight, gradient) in enumerate(zip(weights, gradients, strict=True)):
        state = opt1.create_state_multi_precision(index, weight)
        opt1.update_multi_precision(index, weight, gradient, state)
        pairs.append(((weight, state), (own[index], states[index])))
    return pairs


class DummyIter(DataIter):
    """Returns the first batch of another iterator for ever, to measure all but the loading of data.

    Args:
        real_iter: The other iterator.
    """

    def __init__(self, real_iter: Any) -> None:
        super().__init__()
        self.real_iter = real_iter
        self.provide_data = real_iter.provide_data
        self.provide_label = real_iter.provide_label
        self.batch_size = real_iter.batch_size
        self.the_batch: DataBatch = next(real_iter)

    def __iter__(self) -> DummyIter:
        return self

    def next(self) -> DataBatch:
        """Returns the batch."""
        return self.the_batch
