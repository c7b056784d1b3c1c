"""Checks of symbols: outputs and gradients against given ones and against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray as Values

from mxnet import ndarray as nd
from mxnet.context import Context
from mxnet.errors import ArgumentValueError, CheckFailedError, UnsupportedTypeError
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol
from mxnet.test_utils import _running
from mxnet.test_utils._compare import Tolerance, as_values, assert_almost_equal, default_numeric_eps


def check_symbolic_forward(
    sym: Symbol,
    location: Any,
    expected: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Any = None,
    ctx: Context | None = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> list[NDArray]:
    """Fails if a symbol does not give the expected outputs.

    Args:
        sym: The symbol.
        location: Arrays of the arguments, as a list or by name.
        expected: Outputs, as a list or by name.
        rtol: Relative tolerance; see `assert_almost_equal`.
        atol: Absolute tolerance.
        aux_states: Arrays of the auxiliary states, as a list or by name.
        ctx: Context, the current one if None.
        equal_nan: Whether NaN equals NaN.
        dtype: Element type of arguments that are not arrays of this package.

    Returns:
        The outputs.
    """
    place = _running.default_context() if ctx is None else ctx
    executor = sym.bind(
        place,
        args=_running._parse_location(sym, location, place, dtype),
        aux_states=_running._parse_aux_states(sym, aux_states, place, dtype),
        grad_req="null",
    )
    outputs: list[NDArray] = executor.forward(is_train=False)
    names = sym.list_outputs()
    wanted = [expected[name] for name in names] if isinstance(expected, Mapping) else expected
    for name, right, output in zip(names, wanted, outputs, strict=False):
        labels = (f"expected {name}", f"computed {name}")
        assert_almost_equal(right, output, rtol, atol, labels, equal_nan)
    return outputs


def check_symbolic_backward(
    sym: Symbol,
    location: Any,
    out_grads: Any,
    expected: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Any = None,
    grad_req: Any = "write",
    ctx: Context | None = None,
    grad_stypes: Mapping[str, str] | None = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> dict[str, NDArray]:
    """Fails if a symbol does not give the expected gradients.

    Args:
        sym: The symbol.
        location: Arrays of the arguments, as a list or by name.
        out_grads: Gradients of the outputs, as a list or by name; None for losses.
        expected: Gradients of the arguments, as a list or by name; by name some may be missing.
        rtol: Relative tolerance; see `assert_almost_equal`.
        atol: Absolute tolerance.
        aux_states: Arrays of the auxiliary states, as a list or by name.
        grad_req: `"write"`, `"add"` or `"null"`, for all, as a list or by name.
        ctx: Context, the current one if None.
        grad_stypes: Storage types of gradients by name.
        equal_nan: Whether NaN equals NaN.
        dtype: Element type of what is not an array of this package.

    Returns:
        Gradients of the arguments by name.
    """
    if not isinstance(expected, Mapping):
        expected = dict(zip(sym.list_arguments(), expected, strict=False))
    place = _running.default_context() if ctx is None else ctx
    bound = _Bound(sym, place, location, aux_states, list(expected), grad_stypes, dtype)
    requests = _requests(sym, grad_req)
    executor = bound.bind({n: r if n in expected else "null" for n, r in requests.items()})
    executor.forward(is_train=True)
    executor.backward(_heads(sym, out_grads, place, dtype))
    for name, right in expected.items():
        found = bound.gradient_found(name, requests[name])
        labels = (f"expected gradient of {name}", f"computed gradient of {name}")
        target = np.zeros_like(found) if requests[name] == "null" else right
        assert_almost_equal(target, found, rtol, atol, labels, equal_nan)
    return bound.gradients


def numeric_grad(
    executor: Any,
    location: Mapping[str, Any],
    aux_states: Mapping[str, Any] | None = None,
    eps: float = 1e-4,
    use_forward_train: bool = True,
    dtype: Any = np.float32,
) -> dict[str, Values[Any]]:
    """Estimates gradients of the sum of an executor's first output by finite differences.

    Args:
        executor: The executor.
        location: Values of the arguments by name.
        aux_states: Values that the auxiliary states have before each run.
        eps: Step of the differences.
        use_forward_train: Whether to run as in training.
        dtype: Element type of the results.

    Returns:
        Gradients by name, of the arguments that are floats.
    """

    def total() -> float:
        _set_states(executor, aux_states)
        executor.forward(is_train=use_forward_train)
        return float(executor.outputs[0].asnumpy().astype("float64").sum())

    for name, value in location.items():
        executor.arg_dict[name][:] = as_values(value)
    names = [name for name in location if _is_float(executor.arg_dict[name])]
    return {name: _quotients(executor.arg_dict[name], total, eps).astype(dtype) for name in names}


def check_numeric_gradient(
    sym: Symbol,
    location: Any,
    aux_states: Any = None,
    numeric_eps: float | None = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    grad_nodes: Any = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    grad_stype_dict: Mapping[str, str] | None = None,
    dtype: Any = np.float32,
) -> None:
    """Fails if the gradients of a symbol are not those that finite differences give.

    The gradients are those of a random weighting of the outputs.

    Args:
        sym: The symbol.
        location: Arrays of the arguments, as a list or by name.
        aux_states: Arrays of the auxiliary states, as a list or by name.
        numeric_eps: Step of the differences, the usual one of the element type if None.
        rtol: Relative tolerance; see `assert_almost_equal`.
        atol: Absolute tolerance.
        grad_nodes: Arguments to check, as a list, or by name with what to do with their gradients.
        use_forward_train: Whether to run as in training.
        ctx: Context, the current one if None.
        grad_stype_dict: Storage types of gradients by name.
        dtype: Element type of what is not an array of this package.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.test_utils import check_numeric_gradient
        >>> check_numeric_gradient(mx.sym.exp(mx.sym.var("x")), [[[0.5, 1.0]]])
    """
    float_type = np.dtype(dtype)
    if float_type not in default_numeric_eps():
        raise CheckFailedError(
            f"check_numeric_gradient: dtype takes a float type, got {float_type}"
        )
    eps = default_numeric_eps()[float_type] if numeric_eps is None else numeric_eps
    requests = _requests_of_nodes(sym, grad_nodes)
    everything = {name: requests.get(name, "null") for name in sym.list_arguments()}
    place = _running.default_context() if ctx is None else ctx
    bound = _Bound(sym, place, location, aux_states, list(requests), grad_stype_dict, dtype)
    executor = bound.bind(everything)
    executor.forward(is_train=True)
    weights = [np.random.rand(*output.shape) + 0.1 for output in executor.outputs]
    kinds = [output.dtype for output in executor.outputs]
    pairs = zip(weights, kinds, strict=True)
    executor.backward([nd.array(weight, ctx=place, dtype=item) for weight, item in pairs])
    found = {name: bound.gradient_found(name, request) for name, request in requests.items()}

    def total() -> float:
        _set_states(executor, bound.kept_states)
        outputs = executor.forward(is_train=use_forward_train)
        pairs = zip(outputs, weights, strict=True)
        return sum(float((output.asnumpy() * weight).sum()) for output, weight in pairs)

    for name, request in requests.items():
        array = executor.arg_dict[name]
        target = np.zeros(array.shape) if request == "null" else _quotients(array, total, eps)
        labels = (f"numerical gradient of {name}", f"computed gradient of {name}")
        assert_almost_equal(
            target.astype(float_type), found[name].astype(float_type), rtol, atol, labels
        )


class _Bound:
    """A symbol with arrays for its arguments, its states and some gradients.

    Gradients hold random numbers at first, so that it shows what `backward` does with them.
    """

    def __init__(
        self,
        sym: Symbol,
        ctx: Context,
        location: Any,
        aux_states: Any,
        names: Sequence[str],
        stypes: Mapping[str, str] | None,
        dtype: Any,
    ) -> None:
        self._sym, self._ctx = sym, ctx
        self._arguments = _running._parse_location(sym, location, ctx, dtype)
        self._states = _running._parse_aux_states(sym, aux_states, ctx, dtype)
        self.kept_states = {name: item.asnumpy() for name, item in (self._states or {}).items()}
        self._before: dict[str, Values[Any]] = {}
        self.gradients: dict[str, NDArray] = {}
        for name in names:
            like = self._arguments[name]
            noise = nd.array(np.random.normal(size=like.shape), ctx=ctx, dtype=like.dtype)
            stype = (stypes or {}).get(name, "default")
            dense = stype == "default"
            array = noise if dense else nd.sparse.zeros(stype, like.shape, ctx, like.dtype)
            self.gradients[name], self._before[name] = array, array.asnumpy()

    def bind(self, requests: Mapping[str, str]) -> Any:
        """Returns the executor."""
        given = (self._ctx, self._arguments, self.gradients, dict(requests), self._states)
        return self._sym.bind(*given)

    def gradient_found(self, name: str, request: str) -> Values[Any]:
        """Returns what `backward` put into an array; for "null", by how much it changed it."""
        values = self.gradients[name].asnumpy()
        return values if request == "write" else np.asarray(values - self._before[name])


def _is_float(array: NDArray) -> bool:
    return bool(np.dtype(array.dtype).kind == "f")


def _quotients(array: NDArray, total: Callable[[], float], eps: float) -> Values[Any]:
    """Returns the difference quotients of a number by each element of an array."""
    values = array.asnumpy().astype("float64")
    quotients = np.zeros_like(values)
    for index in np.ndindex(values.shape):
        sides = []
        for step in (eps / 2, -eps / 2):
            moved = values.copy()
            moved[index] += step
            array[:] = moved
            sides.append(total())
        quotients[index] = (sides[0] - sides[1]) / eps
    array[:] = values
    return quotients


def _set_states(executor: Any, values: Mapping[str, Any] | None) -> None:
    for name, value in (values or {}).items():
        executor.aux_dict[name][:] = as_values(value)


def _requests(sym: Symbol, grad_req: Any) -> dict[str, str]:
    names = sym.list_arguments()
    if isinstance(grad_req, str):
        return dict.fromkeys(names, grad_req)
    if isinstance(grad_req, Mapping):
        return {name: grad_req.get(name, "null") for name in names}
    return dict(zip(names, grad_req, strict=True))


def _requests_of_nodes(sym: Symbol, grad_nodes: Any) -> dict[str, str]:
    if grad_nodes is None:
        return dict.fromkeys(sym.list_arguments(), "write")
    if isinstance(grad_nodes, Mapping):
        return dict(grad_nodes)
    if isinstance(grad_nodes, (list, tuple)):
        return dict.fromkeys(grad_nodes, "write")
    raise ArgumentValueError(
        f"check_numeric_gradient: grad_nodes takes a list or a dict, got {grad_nodes!r}"
    )


def _heads(sym: Symbol, out_grads: Any, ctx: Context, dtype: Any) -> list[NDArray] | None:
    if out_grads is None:
        return None
    if isinstance(out_grads, Mapping):
        out_grads = [out_grads[name] for name in sym.list_outputs()]
    if not isinstance(out_grads, (list, tuple)):
        raise UnsupportedTypeError(
            f"check_symbolic_backward: out_grads takes a list or a dict, got {type(out_grads)}"
        )
    return [_running.as_ndarray(item, ctx, dtype) for item in out_grads]
