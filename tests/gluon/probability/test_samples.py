"""Samples have the moments of their distributions, and gradients where `has_grad` says so."""

from __future__ import annotations

import math

import numpy as onp
import pytest

import mxnet as mx
from mxnet import autograd, np
from mxnet.gluon import HybridBlock
from mxnet.gluon import probability as mgp
from tests.golden.mxnet2_probability_cases import ROWS, VECTORS, make_parameters

COUNT = 20000
HEAVY = ("Cauchy", "HalfCauchy")
"""Distributions without moments."""
WITH_GRADIENTS = [
    "Normal",
    "Cauchy",
    "Gumbel",
    "Exponential",
    "HalfNormal",
    "HalfCauchy",
    "Pareto",
    "Weibull",
    "RelaxedBernoulli logit",
    "RelaxedOneHotCategorical logit",
    "MultivariateNormal scale_tril",
]
SIZED = [
    name
    for name, row in ROWS.items()
    if not row.kind.startswith(("Categorical", "Relaxed", *HEAVY))
]


def make(name: str, layout: str = "row"):
    row = ROWS[name]
    fixed, arrays = make_parameters(row, layout, "float32")
    return getattr(mgp, row.kind)(**fixed, **{k: np.array(v) for k, v in arrays.items()})


def check_moments(samples: onp.ndarray, distribution) -> None:
    mean, variance = onp.asarray(distribution.mean), onp.asarray(distribution.variance)
    deviation = onp.sqrt(variance)
    shape = samples.shape[1:]
    onp.testing.assert_array_less(
        abs(samples.mean(0) - mean), onp.broadcast_to(6 * deviation / COUNT**0.5 + 1e-6, shape)
    )
    found = samples.var(0)
    # The fourth moment of an F distribution is too large for its variance to be measured.
    rounding = 1.0 if isinstance(distribution, mgp.FisherSnedecor) else 0.25
    onp.testing.assert_allclose(found, onp.broadcast_to(variance, shape), rtol=rounding)


@pytest.mark.parametrize("layout", ["row", "grid"])
@pytest.mark.parametrize("name", SIZED)
def test_samples_have_mean_and_variance(name, layout):
    distribution = make(name, layout)
    check_moments(distribution.sample_n(COUNT).asnumpy(), distribution)
    batch = distribution.sample().shape[: -distribution.event_dim or None]
    check_moments(distribution.sample((COUNT, *batch)).asnumpy(), distribution)


@pytest.mark.parametrize("name", SIZED)
def test_variables_of_a_batch_are_independent(name):
    distribution = make(name, "grid")
    samples = distribution.sample_n(COUNT).asnumpy()
    if distribution.event_dim:
        samples = samples[..., 0]
    correlations = onp.corrcoef(samples.reshape(COUNT, -1).T)
    assert len(correlations) in (2, 6)
    assert abs(correlations - onp.eye(len(correlations))).max() < 0.08


@pytest.mark.parametrize("name", HEAVY)
def test_samples_have_quantiles(name):
    distribution = make(name)
    samples = distribution.sample_n(COUNT)
    shares = (samples < distribution.icdf(np.full((3,), 0.3))).mean(0)
    onp.testing.assert_allclose(shares.asnumpy(), 0.3, atol=0.02)


@pytest.mark.parametrize("name", ["Categorical prob", "Categorical logit"])
def test_categories_have_their_shares(name):
    distribution = make(name)
    samples = distribution.sample_n(COUNT).asnumpy()
    shares = onp.stack([(samples == place).mean(0) for place in range(4)], -1)
    onp.testing.assert_allclose(shares, distribution.prob.asnumpy(), atol=0.02)
    onp.testing.assert_allclose(
        distribution.enumerate_support().asnumpy(), onp.repeat(onp.arange(4)[:, None], 3, 1)
    )


def test_relaxed_samples_follow_their_cdf():
    distribution = make("RelaxedBernoulli logit")
    shares = distribution.cdf(distribution.sample_n(COUNT)).asnumpy()
    onp.testing.assert_allclose(shares.mean(0), 0.5, atol=0.02)
    onp.testing.assert_allclose(shares.var(0), 1 / 12, atol=0.01)


def test_covariance_is_that_of_the_samples():
    distribution = make("MultivariateNormal cov")
    samples = distribution.sample_n(COUNT).asnumpy()
    for place in range(3):
        found = onp.cov(samples[:, place].T)
        onp.testing.assert_allclose(found, distribution.cov.asnumpy()[place], atol=0.08)


def slopes_of(name: str, hybridize: bool) -> list[onp.ndarray]:
    """Returns the mean slopes of samples by their parameters."""
    row = ROWS[name]
    fixed, arrays = make_parameters(row, "row", "float32")
    inputs = [np.array(value) for value in arrays.values()]
    for item in inputs:
        item.attach_grad()

    class Sampling(HybridBlock):
        def forward(self, *inputs):
            given = dict(zip(arrays, inputs, strict=True))
            distribution = getattr(mgp, row.kind)(**fixed, **given)
            # Of heavy tails the median has slopes that can be measured.
            samples = distribution.sample_n(COUNT)
            return np.arctan(samples) if row.kind in HEAVY else samples

    net = Sampling()
    if hybridize:
        net.hybridize()
    with autograd.record():
        total = net(*inputs).sum()
    total.backward()
    return [item.grad.asnumpy() / COUNT for item in inputs]


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", WITH_GRADIENTS)
def test_slopes_of_samples_are_those_of_their_mean(name, hybridize):
    row = ROWS[name]
    assert getattr(mgp, row.kind).has_grad
    slopes = slopes_of(name, hybridize)
    fixed, arrays = make_parameters(row, "row", "float32")
    for place, (key, value) in enumerate(arrays.items()):
        if value.ndim > 1:
            assert all(onp.isfinite(slope).all() and onp.abs(slope).sum() > 0 for slope in slopes)
            continue
        expected = measured_slopes(row, fixed, arrays, key)
        onp.testing.assert_allclose(slopes[place], expected, rtol=0.1, atol=0.05, err_msg=key)


def measured_slopes(row, fixed, arrays, key):
    """Returns slopes of the mean of what `slopes_of` sums, by quantiles and differences."""
    shares = np.array((onp.arange(4000) + 0.5)[:, None] / 4000)
    step = 1e-2
    means = []
    for sign in (-1, 1):
        moved = {**arrays, key: arrays[key] + onp.float32(sign * step)}
        given = {name: np.array(value) for name, value in moved.items()}
        samples = getattr(mgp, row.kind)(**fixed, **given).icdf(shares)
        samples = np.arctan(samples) if row.kind in HEAVY else samples
        means.append(samples.mean(0).asnumpy())
    return (means[1] - means[0]) / (2 * step)


@pytest.mark.parametrize("name", ["Laplace", "Uniform", "Poisson", "Bernoulli logit", "Dirichlet"])
def test_others_have_no_gradients(name):
    assert not make(name).has_grad
    assert not any(slope.any() for slope in slopes_of(name, hybridize=False))


def test_seeds_make_samples_the_same():
    normal = make("Normal")
    draws = []
    for _ in range(2):
        mx.random.seed(7)
        draws.append(normal.sample_n(5).asnumpy())
    assert (draws[0] == draws[1]).all()


@pytest.mark.parametrize("name", ROWS)
def test_broadcast_distributions_have_the_same_densities(name):
    row = ROWS[name]
    distribution = make(name)
    made = distribution.broadcast_to((2, 3))
    assert type(made) is type(distribution)
    draws = made.sample()
    batch = draws.shape[: -made.event_dim or None]
    assert batch == (2, 3)
    densities = made.log_prob(draws)
    assert densities.shape == (2, 3)
    onp.testing.assert_allclose(
        densities.asnumpy(), distribution.log_prob(draws).asnumpy(), rtol=1e-5, atol=1e-6
    )
    if not set(row.parameters.values()) & VECTORS:
        assert distribution.sample((4, 3)).shape == (4, 3)


def test_composed_distributions_broadcast():
    base = mgp.Independent(mgp.Normal(np.zeros((3, 2)), 1.0), 1)
    flow = mgp.TransformedDistribution(base, mgp.AffineTransform(1.0, 2.0, event_dim=1))
    made = flow.broadcast_to((4, 3))
    assert made.sample().shape == (4, 3, 2)
    assert made.log_prob(made.sample()).shape == (4, 3)
    assert flow.has_grad and base.has_grad


def test_numbers_are_enough():
    for distribution in (mgp.Normal(0.0, 1.0), mgp.Gamma(2.0), mgp.Weibull(2.0), mgp.Poisson(3.0)):
        assert distribution.sample().shape == ()
        assert distribution.sample((2, 3)).shape == (2, 3)
        assert distribution.sample_n(4).shape == (4,)
    assert mgp.StudentT(5.0).sample((3,)).shape == (3,)
    assert mgp.Binomial(5, prob=0.5).sample_n(4).shape == (4,)
    assert math.isclose(mgp.Normal(0.0, 1.0).cdf(0.0), 0.5)


@pytest.mark.parametrize(
    ("p", "q"),
    [
        (mgp.Normal(0.5, 1.0), mgp.Normal(0.0, 2.0)),
        (mgp.Weibull(1.5, 2.0), mgp.Weibull(0.7, 1.2)),
        (mgp.HalfCauchy(1.0), mgp.HalfCauchy(2.0)),
        (mgp.Pareto(3.0, 2.0), mgp.Pareto(2.0, 1.0)),
        (mgp.Chi2(3.0), mgp.Gamma(1.0, 2.0)),
        (mgp.Uniform(0.0, 1.0), mgp.Gumbel(0.5, 1.0)),
        (mgp.Exponential(1.0), mgp.Gamma(2.0, 1.5)),
    ],
    ids=lambda item: type(item).__name__,
)
def test_empirical_divergences_come_near(p, q):
    estimate, exact = mgp.empirical_kl(p, q, COUNT), mgp.kl_divergence(p, q)
    onp.testing.assert_allclose(estimate.asnumpy(), exact, atol=0.05)
