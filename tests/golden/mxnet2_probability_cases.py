"""Distributions, divergences and transformations that are compared with MXNet 2.

What runs here is read by both interpreters. A case is a path such as `Normal/row/float32/log_prob`;
its results are an array, and the gradients of what it was computed from.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as onp

import mxnet as mx
from mxnet import autograd, gluon, np
from mxnet.gluon import probability as mgp

EVENTS = 4
"""Number of categories, and of shares."""
LENGTH = 3
"""Length of normal vectors."""
TRIALS = 5

LAYOUTS = ("numbers", "row", "grid", "wide")
"""Parameters that are numbers; that are rows; that broadcast to a grid; rows with more values."""
PLAIN = ("mean", "variance", "stddev", "entropy", "perplexity", "prob", "logit", "rate")
OF_VALUES = ("log_prob", "pdf", "cdf", "icdf")
SIZES: dict[str, tuple[Any, ...]] = {
    "sample": (None, 3, (3,), (2, 3)),
    "sample_n": (None, 2, (2,), (4, 2)),
}
"""Sizes of samples of a batch of three."""
OF_TRANSFORMATIONS = ("forward", "inverse", "log_det_jacobian", "sign")


def numbers(name: str, shape: tuple[int, ...], low: float, high: float) -> onp.ndarray:
    """Returns numbers in a range that depend on a name alone."""
    state = onp.random.RandomState(zlib.crc32(name.encode()) % 2**32)
    return state.uniform(low, high, shape)


def _shares(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    found = numbers(name, (*shape, EVENTS), 0.1, 1.0)
    return found / found.sum(-1, keepdims=True)


def _factors(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    found = onp.tril(numbers(name, (*shape, LENGTH, LENGTH), -0.5, 0.5), -1)
    diagonal = numbers(f"{name} diagonal", (*shape, LENGTH, 1), 0.5, 1.5)
    return found + diagonal * onp.eye(LENGTH)


def _covariances(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    factors = _factors(name, shape)
    return factors @ onp.swapaxes(factors, -1, -2)


def _one_hot(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    return onp.eye(EVENTS)[onp.floor(numbers(name, shape, 0, EVENTS)).astype(int)]


def _counts(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    return sum(_one_hot(f"{name} {trial}", shape) for trial in range(TRIALS))


KINDS: dict[str, Callable[[str, tuple[int, ...]], onp.ndarray]] = {
    "real": lambda name, shape: numbers(name, shape, -1, 1),
    "positive": lambda name, shape: numbers(name, shape, 0.5, 2),
    "low": lambda name, shape: numbers(name, shape, -2, -1),
    "high": lambda name, shape: numbers(name, shape, 1, 2),
    "large": lambda name, shape: numbers(name, shape, 4.5, 8),
    "above": lambda name, shape: numbers(name, shape, 2.5, 4),
    "unit": lambda name, shape: numbers(name, shape, 0.1, 0.9),
    "bit": lambda name, shape: onp.round(numbers(name, shape, 0, 1)),
    "count": lambda name, shape: onp.floor(numbers(name, shape, 0, TRIALS)),
    "category": lambda name, shape: onp.floor(numbers(name, shape, 0, EVENTS)),
    "shares": _shares,
    "logs": lambda name, shape: onp.log(_shares(name, shape)),
    "concentrations": lambda name, shape: numbers(name, (*shape, EVENTS), 0.5, 2),
    "one_hot": _one_hot,
    "counts": _counts,
    "vector": lambda name, shape: numbers(name, (*shape, LENGTH), -1, 1),
    "factor": _factors,
    "covariance": _covariances,
}
"""Makes parameters and values of a batch of a shape."""
VECTORS = {"shares", "logs", "concentrations", "one_hot", "counts"} | {
    "vector",
    "factor",
    "covariance",
}


class Row(NamedTuple):
    """A distribution: its class, the kinds of its parameters and of its values."""

    kind: str
    parameters: dict[str, str]
    values: str
    options: dict[str, Any] | None = None


ROWS = {
    "Normal": Row("Normal", {"loc": "real", "scale": "positive"}, "real"),
    "Laplace": Row("Laplace", {"loc": "real", "scale": "positive"}, "real"),
    "Cauchy": Row("Cauchy", {"loc": "real", "scale": "positive"}, "real"),
    "Gumbel": Row("Gumbel", {"loc": "real", "scale": "positive"}, "real"),
    "Uniform": Row("Uniform", {"low": "low", "high": "high"}, "real"),
    "StudentT": Row("StudentT", {"df": "large", "loc": "real", "scale": "positive"}, "real"),
    "Exponential": Row("Exponential", {"scale": "positive"}, "positive"),
    "Gamma": Row("Gamma", {"shape": "positive", "scale": "positive"}, "positive"),
    "Chi2": Row("Chi2", {"df": "positive"}, "positive"),
    "Beta": Row("Beta", {"alpha": "positive", "beta": "positive"}, "unit"),
    "FisherSnedecor": Row("FisherSnedecor", {"df1": "positive", "df2": "large"}, "positive"),
    "HalfNormal": Row("HalfNormal", {"scale": "positive"}, "positive"),
    "HalfCauchy": Row("HalfCauchy", {"scale": "positive"}, "positive"),
    "Pareto": Row("Pareto", {"alpha": "above", "scale": "unit"}, "high"),
    "Weibull": Row("Weibull", {"concentration": "positive", "scale": "positive"}, "positive"),
    "Bernoulli prob": Row("Bernoulli", {"prob": "unit"}, "bit"),
    "Bernoulli logit": Row("Bernoulli", {"logit": "real"}, "bit"),
    "Binomial prob": Row("Binomial", {"prob": "unit"}, "count", {"n": TRIALS}),
    "Binomial logit": Row("Binomial", {"logit": "real"}, "count", {"n": TRIALS}),
    "Geometric prob": Row("Geometric", {"prob": "unit"}, "count"),
    "Geometric logit": Row("Geometric", {"logit": "real"}, "count"),
    "NegativeBinomial prob": Row("NegativeBinomial", {"n": "large", "prob": "unit"}, "count"),
    "NegativeBinomial logit": Row("NegativeBinomial", {"n": "large", "logit": "real"}, "count"),
    "Poisson": Row("Poisson", {"rate": "positive"}, "count"),
    "RelaxedBernoulli prob": Row("RelaxedBernoulli", {"prob": "unit"}, "unit", {"T": 0.7}),
    "RelaxedBernoulli logit": Row("RelaxedBernoulli", {"logit": "real"}, "unit", {"T": 0.7}),
    "Dirichlet": Row("Dirichlet", {"alpha": "concentrations"}, "shares"),
    "Categorical prob": Row("Categorical", {"prob": "shares"}, "category", {"num_events": EVENTS}),
    "Categorical logit": Row("Categorical", {"logit": "logs"}, "category", {"num_events": EVENTS}),
    "OneHotCategorical prob": Row(
        "OneHotCategorical", {"prob": "shares"}, "one_hot", {"num_events": EVENTS}
    ),
    "OneHotCategorical logit": Row(
        "OneHotCategorical", {"logit": "logs"}, "one_hot", {"num_events": EVENTS}
    ),
    "Multinomial prob": Row(
        "Multinomial", {"prob": "shares"}, "counts", {"num_events": EVENTS, "total_count": TRIALS}
    ),
    "Multinomial logit": Row(
        "Multinomial", {"logit": "logs"}, "counts", {"num_events": EVENTS, "total_count": TRIALS}
    ),
    "RelaxedOneHotCategorical prob": Row(
        "RelaxedOneHotCategorical", {"prob": "shares"}, "shares", {"num_events": EVENTS, "T": 0.7}
    ),
    "RelaxedOneHotCategorical logit": Row(
        "RelaxedOneHotCategorical", {"logit": "logs"}, "shares", {"num_events": EVENTS, "T": 0.7}
    ),
    "MultivariateNormal cov": Row(
        "MultivariateNormal", {"loc": "vector", "cov": "covariance"}, "vector"
    ),
    "MultivariateNormal precision": Row(
        "MultivariateNormal", {"loc": "vector", "precision": "covariance"}, "vector"
    ),
    "MultivariateNormal scale_tril": Row(
        "MultivariateNormal", {"loc": "vector", "scale_tril": "factor"}, "vector"
    ),
}
"""Distributions by name."""

PAIRS = [
    *((name, name) for name in ROWS if not name.startswith(("Student", "Fisher", "Relaxed"))),
    ("Uniform", "Normal"),
    ("Uniform", "Gumbel"),
    ("Exponential", "Normal"),
    ("Exponential", "Gumbel"),
    ("Exponential", "Gamma"),
]
"""Pairs of distributions whose KL divergence is compared, if MXNet 2 has it."""

TRANSFORMATIONS: dict[str, tuple[Callable[..., Any], tuple[str, ...], str]] = {
    "exp": (lambda: mgp.ExpTransform(), (), "real"),
    "affine": (lambda a, b: mgp.AffineTransform(a, b), ("real", "low"), "real"),
    "affine event": (lambda a, b: mgp.AffineTransform(a, b, 1), ("real", "high"), "real"),
    "power": (lambda a: mgp.PowerTransform(a), ("positive",), "positive"),
    "sigmoid": (lambda: mgp.SigmoidTransform(), (), "real"),
    "abs": (lambda: mgp.AbsTransform(), (), "real"),
    "softmax": (lambda: mgp.SoftmaxTransform(), (), "concentrations"),
    "composed": (
        lambda a, b: mgp.ComposeTransform([mgp.AffineTransform(a, b), mgp.SigmoidTransform()]),
        ("real", "low"),
        "real",
    ),
    "composed event": (
        lambda a, b: mgp.ComposeTransform([mgp.ExpTransform(), mgp.AffineTransform(a, b, 1)]),
        ("real", "high"),
        "real",
    ),
    "to positive": (lambda: mgp.biject_to(mgp.constraint.Positive()), (), "real"),
    "to greater": (lambda a: mgp.biject_to(mgp.constraint.GreaterThan(a)), ("real",), "real"),
    "to less": (lambda a: mgp.transform_to(mgp.constraint.LessThan(a)), ("real",), "real"),
    "to unit": (lambda: mgp.transform_to(mgp.constraint.Interval(0, 1)), (), "real"),
    "to interval": (
        lambda a, b: mgp.biject_to(mgp.constraint.Interval(a, b)),
        ("low", "high"),
        "real",
    ),
}
"""What makes a transformation, the kinds of its parameters, and of what it transforms."""

WRAPPED: dict[str, tuple[Callable[..., Any], tuple[str, ...], str]] = {
    "log-normal": (
        lambda a, b: mgp.TransformedDistribution(mgp.Normal(a, b), mgp.ExpTransform()),
        ("real", "positive"),
        "positive",
    ),
    "mirrored": (
        lambda a, b: mgp.TransformedDistribution(
            mgp.Normal(a, b), [mgp.AffineTransform(1, -2), mgp.SigmoidTransform()]
        ),
        ("real", "positive"),
        "unit",
    ),
    "independent": (
        lambda a, b: mgp.Independent(mgp.Normal(a, b), 1),
        ("real", "positive"),
        "real",
    ),
    "independent events": (lambda a: mgp.Independent(mgp.Bernoulli(logit=a), 1), ("real",), "bit"),
}
"""Distributions made of others."""

CONSTRAINTS: dict[str, Callable[[], Any]] = {
    name: (lambda name=name, bounds=bounds: getattr(mgp.constraint, name)(*bounds))
    for name, bounds in {
        **dict.fromkeys(("Real", "Boolean", "UnitInterval", "Positive", "NonNegative"), ()),
        **dict.fromkeys(("PositiveInteger", "NonNegativeInteger"), ()),
        **dict.fromkeys(("Interval", "OpenInterval", "HalfOpenInterval"), (0, 2)),
        **dict.fromkeys(("IntegerInterval", "IntegerOpenInterval"), (0, 2)),
        "IntegerHalfOpenInterval": (0, 2),
        **dict.fromkeys(("GreaterThan", "GreaterThanEq", "LessThan", "LessThanEq"), (1,)),
        **dict.fromkeys(("IntegerGreaterThan", "IntegerGreaterThanEq"), (1,)),
        **dict.fromkeys(("IntegerLessThan", "IntegerLessThanEq"), (1,)),
    }.items()
}
CHECKED = (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, onp.nan)
MATRICES = {
    "Simplex": ([0.25, 0.75], [0.5, 0.75], [-0.5, 1.5]),
    "LowerTriangular": ([[1.0, 0.0], [2.0, 3.0]], [[1.0, 2.0], [0.0, 3.0]]),
    "LowerCholesky": ([[1.0, 0.0], [2.0, 3.0]], [[-1.0, 0.0], [2.0, 3.0]]),
    "PositiveDefinite": ([[2.0, 1.0], [1.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]], [[1, 0.5], [0, 1]]),
}


class Computing(gluon.HybridBlock):
    """A block that applies a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function

    def forward(self, *arrays: Any) -> Any:
        return self._function(*arrays)


def compute(
    function: Callable[..., Any], arrays: dict[str, onp.ndarray], hybridize: bool
) -> Iterator[tuple[str, onp.ndarray]]:
    """Yields the result of a function of arrays, and their gradients."""
    inputs = [np.array(value, dtype=value.dtype) for value in arrays.values()]
    for item in inputs:
        item.attach_grad()
    net = Computing(function) if inputs else function
    if hybridize and inputs:
        net.hybridize()
    with autograd.record():
        result = net(*inputs)
        if not isinstance(result, mx.np.ndarray):
            yield "", onp.array(result)
            return
        total = result + sum((item * 0).sum() for item in inputs)
    yield "", result.asnumpy()
    total.backward()
    for name, item in zip(arrays, inputs):  # noqa: B905 - the oracle may be older
        yield f"/{name}", item.grad.asnumpy()


def make_parameters(
    row: Row, layout: str, dtype: str, seed: str = ""
) -> tuple[dict[str, Any], dict[str, onp.ndarray]]:
    """Returns the parameters of a distribution that are numbers, and those that are arrays."""
    fixed, arrays = dict(row.options or {}), {}
    for place, (name, kind) in enumerate(row.parameters.items()):
        shape = {"numbers": (), "grid": ((2, 1), (3,), ())[place]}.get(layout, (3,))
        made = KINDS[kind](f"{row.kind} {name} {seed}", shape)
        if layout == "numbers" and not made.shape:
            fixed[name] = float(made)
        else:
            arrays[name] = made.astype(dtype)
    return fixed, arrays


def make_value(row: Row, layout: str, dtype: str, method: str) -> onp.ndarray:
    kind = row.values if method != "icdf" else "unit"
    shape = {"grid": (2, 3), "wide": (4, 3)}.get(layout, (3,))
    return KINDS[kind](f"{row.kind} value", shape).astype(dtype)


def _ask(distribution: Any, method: str, value: tuple[Any, ...]) -> Any:
    found = getattr(distribution, method)
    return found(*value) if callable(found) else found


def _member(row: Row, layout: str, dtype: str, method: str, hybridize: bool) -> Any:
    fixed, arrays = make_parameters(row, layout, dtype)
    names = list(arrays)
    if method in OF_VALUES:
        arrays = {**arrays, "value": make_value(row, layout, dtype, method)}

    def function(*inputs: Any) -> Any:
        given = {**fixed, **dict(zip(names, inputs))}  # noqa: B905 - as above
        distribution = getattr(mgp, row.kind)(**given)
        return _ask(distribution, method, inputs[len(names) :])

    return compute(function, arrays, hybridize)


def _divergence(pair: tuple[str, str], layout: str, dtype: str, hybridize: bool) -> Any:
    rows = [ROWS[name] for name in pair]
    made = [make_parameters(row, layout, dtype, f"of {i}") for i, row in enumerate(rows)]
    arrays = {f"{side}.{name}": x for side, (_, of) in zip("pq", made) for name, x in of.items()}  # noqa: B905

    def function(*inputs: Any) -> Any:
        left = list(inputs)
        found = []
        for row, (fixed, of) in zip(rows, made):  # noqa: B905 - as above
            given = {name: left.pop(0) for name in of}
            found.append(getattr(mgp, row.kind)(**fixed, **given))
        return mgp.kl_divergence(*found)

    return compute(function, arrays, hybridize)


def _transformation(name: str, method: str, hybridize: bool) -> Any:
    make, kinds, kind = TRANSFORMATIONS[name]
    parameters = {
        f"p{i}": KINDS[k](f"{name} {i}", (3,)).astype("float32") for i, k in enumerate(kinds)
    }
    x = KINDS[kind](f"{name} x", (2, 3)).astype("float32")

    def function(x: Any, *given: Any) -> Any:
        transformation = make(*given)
        if method == "sign":
            return transformation.sign * x
        y = transformation(x)
        if method == "forward":
            return y
        return (
            transformation.inv(y) if method == "inverse" else transformation.log_det_jacobian(x, y)
        )

    return compute(function, {"x": x, **parameters}, hybridize)


def _wrapped(name: str, method: str, hybridize: bool) -> Any:
    make, kinds, kind = WRAPPED[name]
    arrays = {f"p{i}": KINDS[k](f"{name} {i}", (3,)).astype("float32") for i, k in enumerate(kinds)}
    values = {}
    if method in OF_VALUES:
        kind = "unit" if method == "icdf" else kind
        values = {"value": KINDS[kind](f"{name} value", (2, 3)).astype("float32")}

    def function(*inputs: Any) -> Any:
        return _ask(make(*inputs[: len(kinds)]), method, inputs[len(kinds) :])

    return compute(function, {**arrays, **values}, hybridize)


def _enumerated(name: str, hybridize: bool) -> Any:
    row = ROWS[name]
    fixed, arrays = make_parameters(row, "row", "float32")

    def function(*inputs: Any) -> Any:
        given = dict(zip(arrays, inputs))  # noqa: B905 - as above
        return getattr(mgp, row.kind)(**fixed, **given).enumerate_support() + inputs[0].sum() * 0

    return compute(function, arrays, hybridize)


def _sampled(row: Row, method: str, size: Any, hybridize: bool) -> Any:
    """Yields zeros of the shape and the dtype of samples."""
    fixed, arrays = make_parameters(row, "row", "float32")

    def function(*inputs: Any) -> Any:
        given = dict(zip(arrays, inputs))  # noqa: B905 - as above
        distribution = getattr(mgp, row.kind)(**fixed, **given)
        return getattr(distribution, method)(size)

    for name, result in compute(function, arrays, hybridize):
        if not name:
            yield name, onp.zeros(result.shape, result.dtype)


def _checked(name: str, place: int, hybridize: bool) -> Iterator[tuple[str, onp.ndarray]]:
    """Yields one for what a constraint admits, and zero for what it refuses."""
    values = MATRICES.get(name, CHECKED)
    constraint = getattr(mgp.constraint, name)() if name in MATRICES else CONSTRAINTS[name]()
    net = Computing(constraint.check)
    if hybridize:
        net.hybridize()
    try:
        net(np.array([values[place], values[place]])).asnumpy()
    except ValueError:
        yield "", onp.array(0)
    else:
        yield "", onp.array(1)


Cases = dict[str, Callable[[bool], Iterator[tuple[str, onp.ndarray]]]]
"""What runs a case, hybridized or not, by its path."""


def cases() -> Cases:
    """Returns all cases."""
    found: Cases = {}
    for name, row in ROWS.items():
        found.update(_members_of(name, row))
    for pair in PAIRS:
        for layout, dtype in (("row", "float32"), ("grid", "float32"), ("row", "float64")):
            path = f"{pair[0]} | {pair[1]}/{layout}/{dtype}/kl"
            found[path] = partial(_divergence, pair, layout, dtype)
    for name, method in product(TRANSFORMATIONS, OF_TRANSFORMATIONS):
        found[f"{name}/{method}"] = partial(_transformation, name, method)
    for name, method in product(WRAPPED, ("mean", "variance", "entropy", *OF_VALUES)):
        found[f"{name}/{method}"] = partial(_wrapped, name, method)
    for name in ("Categorical prob", "Categorical logit", "OneHotCategorical prob"):
        found[f"{name}/enumerate_support"] = partial(_enumerated, name)
    for name in (*CONSTRAINTS, *MATRICES):
        for place in range(len(MATRICES.get(name, CHECKED))):
            found[f"{name}/check {place}"] = partial(_checked, name, place)
    return found


def _members_of(name: str, row: Row) -> Cases:
    has_vectors = any(kind in VECTORS for kind in row.parameters.values())
    layouts = [item for item in LAYOUTS if item != "numbers" or not has_vectors]
    samples = {
        f"{name}/{method} {size}": partial(_sampled, row, method, size)
        for method, sizes in SIZES.items()
        for size in sizes
    }
    return samples | {
        f"{name}/{layout}/{dtype}/{method}": partial(_member, row, layout, dtype, method)
        for layout, dtype in [*((item, "float32") for item in layouts), ("row", "float64")]
        for method in ((*PLAIN, *OF_VALUES) if layout != "wide" else OF_VALUES)
        if hasattr(getattr(mgp, row.kind), method)
    }
