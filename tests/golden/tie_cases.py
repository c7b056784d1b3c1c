"""Calls at ties, kinks and edges, where a gradient is a matter of definition.

A release of torch may define it otherwise than the last one; the original's definition stays.
Both packages run the same table: `run_eagerly` is what the golden file has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import mxnet as mx

INF, NAN = float("inf"), float("nan")
DTYPES = ("float16", "float32", "float64")

AROUND_ZERO = [-2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0]
WILD = [*AROUND_ZERO, 6.0, INF, -INF]
ROWS = [[1.0, 3.0, 3.0, -2.0], [0.0, -0.0, 0.0, -1.0], [2.0, 2.0, 2.0, 2.0]]
IMAGE = [[[[1.0, 1.0, 0.0, 2.0], [1.0, 0.0, 2.0, 2.0], [0.0, 0.0, 3.0, 3.0], [0.0, 0.0, 3.0, -1]]]]


class Case(NamedTuple):
    """A call: `function(F, *arrays)` with `F` one of `mx.nd` and `mx.sym`."""

    id: str
    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    gradient_of: tuple[int, ...]
    """Inputs that get a gradient."""
    tolerance: float
    """Relative; 0 where the gradient is a choice between numbers that are exact."""


def _case(
    id: str,
    function: Callable[..., Any],
    *inputs: Any,
    constant: tuple[int, ...] = (),
    tolerance: float = 0.0,
) -> Case:
    wanted = tuple(index for index in range(len(inputs)) if index not in constant)
    return Case(id, function, inputs, wanted, tolerance)


def _unary(name: str, values: list[float], tolerance: float = 0.0) -> Case:
    return _case(name, lambda F, x: getattr(F, name)(x), values, tolerance=tolerance)


def _limits() -> list[Case]:
    """Returns clip, and the larger and the smaller of two."""

    def clip(low: float, high: float) -> Case:
        return _case(f"clip:{low},{high}", lambda F, x: F.clip(x, low, high), WILD)

    def binary(name: str, left: Any, right: Any) -> Case:
        kind = "scalar" if isinstance(right, float) else np.shape(right)
        function = lambda F, *xs: getattr(F, name)(*xs)  # noqa: E731
        if isinstance(right, float):
            function = lambda F, x: getattr(F, name)(x, right)  # noqa: E731
            return _case(f"{name}:{kind}:{right}", function, left)
        return _case(f"{name}:{kind}", function, left, right)

    cases = [clip(*pair) for pair in [(0, 6), (-1, 1), (0.5, 0.5), (0, INF), (-INF, 1), (1, -1)]]
    for name in ("maximum", "minimum"):
        cases += [binary(name, [*WILD, NAN], number) for number in (0.0, 1.0, -1.0, INF, -INF)]
        cases += [binary(name, WILD, [x if i % 2 else 0.0 for i, x in enumerate(WILD)])]
    for name in ("broadcast_maximum", "broadcast_minimum"):
        cases += [binary(name, ROWS, [[1.0, 0.0, 3.0, 2.0]]), binary(name, ROWS, [[3.0], [0], [2]])]
    return cases


def _activations() -> list[Case]:
    """Returns rectifiers and their relatives."""

    def leaky(kind: str, tolerance: float = 2e-3) -> Case:
        call = lambda F, x: F.LeakyReLU(x, act_type=kind, slope=0.5)  # noqa: E731
        return _case(f"LeakyReLU:{kind}", call, AROUND_ZERO, tolerance=tolerance)

    def prelu(F: Any, x: Any, gamma: Any) -> Any:
        return F.LeakyReLU(x, gamma, act_type="prelu")

    def hard(F: Any, x: Any) -> Any:
        return F.hard_sigmoid(x, alpha=0.5, beta=0.5)

    grid = [[[-1.0, -0.0], [0.0, 2.0]]]
    return [
        _unary("relu", WILD),
        *(
            _case(
                f"Activation:{kind}",
                lambda F, x, kind=kind: F.Activation(x, act_type=kind),
                AROUND_ZERO,
                tolerance=2e-3,
            )
            for kind in ("relu", "sigmoid", "softrelu", "softsign", "tanh")
        ),
        *map(leaky, ("leaky", "elu", "selu", "gelu")),
        _case("LeakyReLU:prelu:channels", prelu, grid, [0.25, 0.5]),
        _case("LeakyReLU:prelu:one", prelu, grid, [0.25]),
        _case("hard_sigmoid", hard, [*AROUND_ZERO, 3.0, -3.0]),
        _case("smooth_l1", lambda F, x: F.smooth_l1(x, scalar=1.0), AROUND_ZERO),
        _case("smooth_l1:2", lambda F, x: F.smooth_l1(x, scalar=2.0), [*AROUND_ZERO, 0.25]),
    ]


def _elementwise() -> list[Case]:
    """Returns functions of one and of two elements at their kinks and poles."""

    def with_number(name: str, number: float, values: list[float]) -> Case:
        return _case(
            f"{name}:{number}",
            lambda F, x: getattr(F._internal, name)(x, scalar=number),
            values,
            tolerance=2e-3,
        )

    def binary(name: str, left: list[float], right: list[float]) -> Case:
        return _case(name, lambda F, x, y: getattr(F, name)(x, y), left, right, tolerance=2e-3)

    powers = [with_number("_power_scalar", p, [0.0, 1.0, 4.0]) for p in (0.0, 0.5, 1.0, 2.0, -1.0)]
    bases = [0.0, 0.0, 0.0, 0.0, 1.0, 4.0]
    exponents = [0.0, 1.0, 2.0, 0.5, 0.0, 2.0]
    halves = [-1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5]
    return [
        _unary("abs", WILD),
        _unary("sign", AROUND_ZERO),
        _unary("square", AROUND_ZERO),
        *(_unary(name, halves) for name in ("round", "rint", "fix", "floor", "ceil", "trunc")),
        *(_unary(name, [0.0, 1.0], 2e-3) for name in ("sqrt", "rsqrt", "cbrt", "rcbrt")),
        *(_unary(name, [0.0, 1.0], 2e-3) for name in ("reciprocal", "log", "log2", "log10")),
        *(_unary(name, [-1.0, 0.0, 1.0], 2e-3) for name in ("arcsin", "arccos", "arctanh")),
        _unary("log1p", [-1.0, 0.0], 2e-3),
        _unary("arccosh", [1.0, 2.0], 2e-3),
        _unary("softsign", AROUND_ZERO, 2e-3),
        *powers,
        *(with_number("_rpower_scalar", base, [0.0, 1.0, 2.0]) for base in (0.0, 1.0)),
        binary("broadcast_power", bases, exponents),
        *(with_number("_mod_scalar", by, [-4.0, -2.0, 0.0, 2.0, 3.0]) for by in (2.0, -2.0)),
        *(with_number("_rmod_scalar", of, [-2.0, -1.0, 1.0, 2.0, 4.0]) for of in (4.0, 0.0)),
        binary("broadcast_mod", [4.0, -4.0, 3.0, 0.0, 2.0], [2.0, 2.0, -2.0, 2.0, 2.0]),
        binary("broadcast_hypot", [0.0, 3.0, 0.0], [0.0, 4.0, 2.0]),
        with_number("_hypot_scalar", 0.0, [0.0, 3.0, -3.0]),
        _case("where", lambda F, c, x, y: F.where(c, x, y), [0.0, -0.0, 1.0, NAN],
              [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], constant=(0,)),
    ]  # fmt: skip


def _reductions() -> list[Case]:
    """Returns reductions, sorting and pooling of equal elements."""
    zeros = [[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [1.0, 2.0, 3.0]]
    nans = [[NAN, 2.0, 0.0], [NAN, NAN, 3.0]]

    def along(name: str, values: Any, tolerance: float = 0.0, **attrs: Any) -> Case:
        note = ",".join(f"{key}={value}" for key, value in attrs.items())
        call = lambda F, x: getattr(F, name)(x, **attrs)  # noqa: E731
        return _case(f"{name}:{note}", call, values, tolerance=tolerance)

    pooling: list[dict[str, Any]] = [
        {"kernel": (2, 2), "stride": (2, 2)},
        {"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1)},
        {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"},
        {"global_pool": True, "kernel": (1, 1)},
    ]
    norms = [[3.0, 4.0], [0.0, 0.0], [-0.0, 2.0]]
    return [
        *(along(name, ROWS, axis=1) for name in ("max", "min")),
        *(along(name, ROWS, axis=0) for name in ("max", "min")),
        *(along(name, ROWS) for name in ("max", "min")),
        *(along("norm", norms, 2e-3, ord=order, axis=1) for order in (1, 2)),
        along("prod", zeros, axis=1),
        along("nanprod", nans, axis=1),
        along("nansum", nans, axis=1),
        along("cumsum", zeros, axis=1),
        along("L2Normalization", norms, 2e-3, mode="instance"),
        *(along("sort", ROWS, axis=1, is_ascend=up) for up in (True, False)),
        *(along("topk", ROWS, axis=1, k=k, ret_typ="value") for k in (1, 2)),
        along("topk", ROWS, axis=1, k=2, ret_typ="value", is_ascend=True),
        *(along("Pooling", IMAGE, pool_type="max", **attrs) for attrs in pooling),
        along("Pooling", IMAGE, 2e-3, pool_type="lp", p_value=2, **pooling[0]),
        _case("ROIPooling", lambda F, x, r: F.ROIPooling(x, r, (2, 2), 1.0), IMAGE,
              [[0.0, 0.0, 0.0, 3.0, 3.0]], constant=(1,)),
        _case("Correlation", lambda F, x, y: F.Correlation(x, y, is_multiply=False),
              IMAGE, np.asarray(IMAGE)[..., ::-1].tolist()),
        _case("BilinearSampler", lambda F, x, g: F.BilinearSampler(x, g), IMAGE,
              [[[[-1.0, -1 / 3, 1.0]], [[-1.0, 1 / 3, 1.0]]]], tolerance=5e-3),
    ]  # fmt: skip


def _losses() -> list[Case]:
    """Returns losses at their corners."""
    signs = [[1.0], [1.0], [1.0], [-1.0], [-1.0]]
    scores = [[1.0], [0.0], [2.0], [-1.0], [1.0]]

    def loss(name: str, left: Any, right: Any, **options: Any) -> Case:
        def call(_F: Any, *arrays: Any) -> Any:
            return getattr(mx.gluon.loss, name)(**options)(*arrays)

        return _case(name, call, left, right, constant=(1,), tolerance=2e-3)

    def output(name: str, **options: Any) -> Case:
        def call(F: Any, x: Any, y: Any) -> Any:
            return getattr(F, name)(x, y, **options)

        return _case(f"{name}:{len(options)}", call, [[1.0, 0.0, 2.0, -1.0]], [[1.0, 0.0, 1.0, 1]],
                     constant=(1,), tolerance=2e-3)  # fmt: skip

    def svm(linear: bool) -> Case:
        def call(F: Any, x: Any, y: Any) -> Any:
            return F.SVMOutput(x, y, margin=1.0, use_linear=linear)

        return _case(f"SVMOutput:{linear}", call, ROWS, [1.0, 0.0, 3.0], constant=(1,))

    return [
        loss("L1Loss", scores, signs),
        loss("HuberLoss", scores, signs, rho=1),
        loss("HingeLoss", scores, signs),
        loss("SquaredHingeLoss", scores, signs),
        loss("LogisticLoss", scores, signs),
        output("MAERegressionOutput"),
        output("MAERegressionOutput", grad_scale=2.0),
        svm(True),
        svm(False),
    ]


def cases() -> list[Case]:
    """Returns the table."""
    return [*_limits(), *_activations(), *_elementwise(), *_reductions(), *_losses()]


def heads_for(output: np.ndarray) -> np.ndarray:
    """Returns a gradient for each element of the result, all different and exact in float16."""
    return np.arange(1, output.size + 1, dtype=output.dtype).reshape(output.shape)


def arrays_of(case: Case, dtype: str) -> list[Any]:
    """Returns the inputs of a case, ready for gradients."""
    arrays = [mx.nd.array(values, dtype=dtype) for values in case.inputs]
    for index in case.gradient_of:
        arrays[index].attach_grad()
    return arrays


def run_on(function: Callable[..., Any], case: Case, dtype: str) -> dict[str, Any]:
    """Returns output and gradients of a function of arrays, as lists."""
    arrays = arrays_of(case, dtype)
    with mx.autograd.record():
        output = function(*arrays)
    output.backward(mx.nd.array(heads_for(output.asnumpy()), dtype=dtype))
    return describe(output, [arrays[index].grad for index in case.gradient_of])


def run_eagerly(case: Case, dtype: str) -> dict[str, Any]:
    """Returns what a call gives, one operator at a time."""
    return run_on(lambda *arrays: case.function(mx.nd, *arrays), case, dtype)


def describe(output: Any, gradients: list[Any]) -> dict[str, Any]:
    """Returns a result as plain data."""
    found = {"dtype": str(np.dtype(output.dtype)), "output": output.asnumpy().tolist()}
    return found | {"gradients": [item.asnumpy().tolist() for item in gradients]}
