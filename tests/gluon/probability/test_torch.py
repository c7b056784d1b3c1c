"""Distributions and divergences are those of torch, also where MXNet 2 has others."""

from __future__ import annotations

import numpy as onp
import pytest
import torch
from torch import distributions as td

import mxnet as mx
from mxnet import autograd
from mxnet.gluon import probability as mgp
from tests.golden.mxnet2_probability_cases import PAIRS, ROWS, make_parameters, make_value

MADE = {
    "Normal": lambda loc, scale: td.Normal(loc, scale),
    "Laplace": lambda loc, scale: td.Laplace(loc, scale),
    "Cauchy": lambda loc, scale: td.Cauchy(loc, scale),
    "Gumbel": lambda loc, scale: td.Gumbel(loc, scale),
    "Uniform": lambda low, high: td.Uniform(low, high),
    "StudentT": lambda df, loc, scale: td.StudentT(df, loc, scale),
    "Exponential": lambda scale: td.Exponential(1 / scale),
    "Gamma": lambda shape, scale: td.Gamma(shape, 1 / scale),
    "Chi2": lambda df: td.Chi2(df),
    "Beta": lambda alpha, beta: td.Beta(alpha, beta),
    "FisherSnedecor": lambda df1, df2: td.FisherSnedecor(df1, df2),
    "HalfNormal": lambda scale: td.HalfNormal(scale),
    "HalfCauchy": lambda scale: td.HalfCauchy(scale),
    "Pareto": lambda alpha, scale: td.Pareto(scale, alpha),
    "Weibull": lambda concentration, scale: td.Weibull(scale, concentration),
    "Bernoulli": lambda **given: td.Bernoulli(**given),
    "Binomial": lambda n, **given: td.Binomial(n, **given),
    "Geometric": lambda **given: td.Geometric(**given),
    "Poisson": lambda rate: td.Poisson(rate),
    "RelaxedBernoulli": lambda T, **given: td.RelaxedBernoulli(torch.tensor(T), **given),
    "Dirichlet": lambda alpha: td.Dirichlet(alpha),
    "Categorical": lambda **given: td.Categorical(**given),
    "OneHotCategorical": lambda **given: td.OneHotCategorical(**given),
    "Multinomial": lambda total_count, **given: td.Multinomial(total_count, **given),
    "RelaxedOneHotCategorical": lambda T, **given: td.RelaxedOneHotCategorical(
        torch.tensor(T), **given
    ),
    "MultivariateNormal": lambda loc, cov=None, precision=None, scale_tril=None: (
        td.MultivariateNormal(loc, cov, precision, scale_tril)
    ),
}
MEMBERS = ("log_prob", "cdf", "icdf", "mean", "variance", "stddev", "entropy", "perplexity")
UNLIKE = {
    "Cauchy/variance": "MXNet 2 has NaN, torch infinity",
    "Cauchy/stddev": "MXNet 2 has NaN, torch infinity",
    "Pareto | Pareto": "where values are missing MXNet 2 has NaN, torch infinity",
}
NAMES = {"prob": "probs", "logit": "logits"}


def make_both(name: str, layout: str = "row", seed: str = ""):
    """Returns a distribution, that of torch, and their parameters that get gradients."""
    row = ROWS[name]
    fixed, arrays = make_parameters(row, layout, "float64", seed)
    ours = {key: mx.np.array(value, dtype="float64") for key, value in arrays.items()}
    theirs = {key: torch.tensor(value, requires_grad=True) for key, value in arrays.items()}
    for item in ours.values():
        item.attach_grad()
    named = {NAMES.get(key, key): value for key, value in theirs.items()}
    options = {key: value for key, value in fixed.items() if key != "num_events"}
    return (
        lambda: getattr(mgp, row.kind)(**fixed, **ours),
        lambda: MADE[row.kind](**options, **named),
        list(zip(ours.values(), theirs.values(), strict=True)),
    )


def compare(ours, theirs, pairs):
    """Compares results and the slopes of parameters."""
    with autograd.record():
        found = ours()
        total = found + sum((item * 0).sum() for item, _ in pairs)
    expected = theirs()
    rounding = {"rtol": 1e-6, "atol": 1e-6}
    onp.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), **rounding)
    is_finite = bool(torch.isfinite(expected).all())
    if not (pairs and is_finite and expected.requires_grad):
        return
    total.backward()
    tensors = [tensor for _, tensor in pairs]
    slopes = torch.autograd.grad(expected.sum(), tensors, allow_unused=True)
    for (item, tensor), slope in zip(pairs, slopes, strict=True):
        right = torch.zeros_like(tensor) if slope is None else slope
        if tensor.ndim == 3 and not bool(tensor.triu(1).any()):
            # Of a triangular matrix above the diagonal it is no matter.
            item.grad[:], right = mx.np.tril(item.grad), right.tril()
        slope = item.grad.asnumpy()
        onp.testing.assert_allclose(slope, right.numpy(), **rounding)


def ask(distribution, member, value):
    found = getattr(distribution, member)
    if member in ("log_prob", "cdf", "icdf"):
        return found(value)
    return found() if callable(found) else found


def are_defined(name, member):
    """Returns whether both packages define a member."""
    make_ours, make_theirs, _ = make_both(name)
    value = make_value(ROWS[name], "row", "float64", member)
    try:
        ask(make_ours(), member, mx.np.array(value, dtype="float64"))
        ask(make_theirs(), member, torch.tensor(value))
    except NotImplementedError:
        return False
    return True


CASES = [
    (name, member)
    for name, row in ROWS.items()
    for member in MEMBERS
    if row.kind in MADE and f"{name}/{member}" not in UNLIKE
    if are_defined(name, member)
]


def without_shares(pairs, row):
    """Leaves out probabilities of categories, which torch normalizes: its slopes are others."""
    return [] if "shares" in row.parameters.values() else pairs


@pytest.mark.parametrize(("name", "member"), CASES)
def test_members_and_slopes_are_those_of_torch(name, member):
    row = ROWS[name]
    make_ours, make_theirs, pairs = make_both(name)
    value = make_value(row, "row", "float64", member)
    tensor = torch.tensor(value)
    compare(
        lambda: ask(make_ours(), member, mx.np.array(value, dtype="float64")),
        lambda: ask(make_theirs(), member, tensor),
        without_shares(pairs, row),
    )


def has_formula(pair):
    try:
        td.kl_divergence(make_both(pair[0], seed="of 0")[1](), make_both(pair[1], seed="of 1")[1]())
    except NotImplementedError:
        return False
    return True


KNOWN = [
    pair
    for pair in PAIRS
    if all(ROWS[name].kind in MADE for name in pair) and " | ".join(pair) not in UNLIKE
    if has_formula(pair)
]


@pytest.mark.parametrize("pair", KNOWN, ids=" | ".join)
def test_divergences_and_slopes_are_those_of_torch(pair):
    p, q = make_both(pair[0], seed="of 0"), make_both(pair[1], seed="of 1")
    compare(
        lambda: mgp.kl_divergence(p[0](), q[0]()),
        lambda: td.kl_divergence(p[1](), q[1]()),
        without_shares([*p[2], *q[2]], ROWS[pair[0]]),
    )


def test_most_of_torch_is_compared():
    assert len(CASES) > 150
    assert len(KNOWN) > 20
