"""Arguments that do not fit are named; with `validate_args`, values too."""

from __future__ import annotations

import subprocess
import sys

import numpy as onp
import pytest

from mxnet import np
from mxnet.gluon import HybridBlock
from mxnet.gluon import probability as mgp


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mgp.Bernoulli(), "Bernoulli: expected either prob or logit"),
        (lambda: mgp.Bernoulli(0.5, 0.5), "Bernoulli: expected either prob or logit"),
        (lambda: mgp.Geometric(), "Geometric: expected either prob or logit"),
        (lambda: mgp.NegativeBinomial(3), "NegativeBinomial: expected either prob or logit"),
        (lambda: mgp.RelaxedBernoulli(1.0), "RelaxedBernoulli: expected either prob or logit"),
        (lambda: mgp.Categorical(3), "Categorical: expected either prob or logit"),
        (lambda: mgp.Categorical(0, np.ones(0)), "expected num_events above 0, got 0"),
        (lambda: mgp.Binomial(-1, 0.5), "Binomial: expected n to be a whole number, got -1"),
        (lambda: mgp.Binomial(1.5, 0.5), "Binomial: expected n to be a whole number, got 1.5"),
        (
            lambda: mgp.Multinomial(2, np.ones(2), total_count=np.ones(2)),
            "expected total_count to be a number",
        ),
        (lambda: mgp.MultivariateNormal(np.zeros(2)), "got none"),
        (
            lambda: mgp.MultivariateNormal(np.zeros(2), np.eye(2), np.eye(2)),
            "got cov and precision",
        ),
        (lambda: mgp.constraint.Cat([mgp.constraint.Real()], lengths=[1, 2]), "expected a length"),
        (lambda: mgp.constraint.Stack([1]), "Stack: expected constraints"),
        (lambda: mgp.Distribution.set_default_validate_args(2), "expected True or False, got 2"),
    ],
)
def test_arguments_that_do_not_fit_raise(make, message):
    with pytest.raises(ValueError, match=message):
        make()


BAD = [
    (lambda x: mgp.Normal(0.0, x, validate_args=True).variance, -1.0, "Normal: scale: .*above 0"),
    (lambda x: mgp.Normal(0.0, x, validate_args=True).log_prob(x), -1.0, "Normal: scale"),
    (lambda x: mgp.Normal(0.0, 1.0, validate_args=True).log_prob(x), onp.nan, "value: .*NaN"),
    (lambda x: mgp.Gamma(x, 1.0, validate_args=True).entropy(), 0.0, "Gamma: shape"),
    (lambda x: mgp.Chi2(x, validate_args=True).entropy(), 0.0, "Chi2: df"),
    (lambda x: mgp.Pareto(x, 1.0, validate_args=True).entropy(), -1.0, "Pareto: alpha"),
    (lambda x: mgp.HalfNormal(x, validate_args=True).cdf(1.0), -1.0, "HalfNormal: scale"),
    (lambda x: mgp.Bernoulli(x, validate_args=True).entropy(), 1.5, "prob: .*of at most 1"),
    (lambda x: mgp.Bernoulli(0.5, validate_args=True).log_prob(x), 0.5, "zeros and ones"),
    (lambda x: mgp.Poisson(1.0, validate_args=True).log_prob(x), 0.5, "whole numbers"),
    (lambda x: mgp.Uniform(0.0, 1.0, validate_args=True).cdf(x), 2.0, "of at most 1"),
    (
        lambda x: mgp.Categorical(2, np.full((2,), 0.5), validate_args=True).log_prob(x),
        2.0,
        "Categorical: value: .*of at most 1",
    ),
    (
        lambda x: mgp.Categorical(2, np.full((2,), 0.5) + x, validate_args=True).entropy(),
        0.5,
        "Categorical: prob: .*add up to 1",
    ),
    (
        lambda x: mgp.MultivariateNormal(
            np.zeros(2), cov=np.eye(2) * x, validate_args=True
        ).entropy(),
        -1.0,
        "MultivariateNormal: cov: .*positive definite",
    ),
]


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize(("function", "value", "message"), BAD)
def test_values_that_are_not_allowed_raise_when_they_are_read(function, value, message, hybridize):
    class Computing(HybridBlock):
        def forward(self, x):
            return function(x)

    net = Computing()
    if hybridize:
        net.hybridize()
    with pytest.raises(ValueError, match=message):
        net(np.array(value, dtype="float32")).asnumpy()


def test_numbers_that_are_not_allowed_raise_at_once():
    with pytest.raises(ValueError, match=r"Normal: scale: expected numbers above 0, got -1"):
        mgp.Normal(0.0, -1.0, validate_args=True)


def test_the_default_of_validation_can_be_set():
    assert mgp.Normal(0.0, -1.0).scale == -1
    mgp.Distribution.set_default_validate_args(True)
    try:
        with pytest.raises(ValueError, match="above 0"):
            mgp.Normal(0.0, -1.0)
        assert mgp.Normal(0.0, -1.0, validate_args=False).scale == -1
    finally:
        mgp.Distribution.set_default_validate_args(False)


def test_constraints_of_parts_are_checked():
    constraint = mgp.constraint.Cat(
        [mgp.constraint.Positive(), mgp.constraint.Real()], axis=-1, lengths=[1, 2]
    )
    value = np.array([[1.0, -1.0, -2.0]])
    assert (constraint.check(value) == value).all()
    with pytest.raises(ValueError, match="above 0"):
        constraint.check(-value).asnumpy()
    stack = mgp.constraint.Stack([mgp.constraint.Positive(), mgp.constraint.Real()], axis=1)
    assert (stack.check(value[:, :2]) == value[:, :2]).all()
    with pytest.raises(ValueError, match="above 0"):
        stack.check(-value[:, :2]).asnumpy()


def test_what_a_distribution_lacks_is_said():
    class Nothing(mgp.Distribution):
        pass

    nothing = Nothing(event_dim=0)
    for ask in (
        lambda: nothing.log_prob(1.0),
        lambda: nothing.sample(),
        lambda: nothing.mean,
        lambda: nothing.entropy(),
        lambda: nothing.support,
        lambda: nothing.enumerate_support(),
    ):
        with pytest.raises(NotImplementedError, match="Nothing"):
            ask()
    with pytest.raises(NotImplementedError, match="Nothing from Normal; empirical_kl"):
        mgp.kl_divergence(nothing, mgp.Normal())
    with pytest.raises(TypeError, match="two distributions, got 1 parameters"):
        mgp.register_kl(Nothing, Nothing)(lambda p: p)


def test_subclasses_inherit_divergences():
    class Half(mgp.Normal):
        def __init__(self):
            super().__init__(0.0, 0.5)

    assert mgp.kl_divergence(Half(), Half()) == 0
    assert mgp.kl_divergence(mgp.Chi2(3.0), mgp.Gamma(1.5, 2.0)) == pytest.approx(0, abs=1e-12)


def test_the_room_loads_late():
    code = (
        "import sys, mxnet.gluon; assert 'mxnet.gluon.probability' not in sys.modules\n"
        "import mxnet.gluon.probability.distributions.studentT as student\n"
        "from mxnet.gluon.probability.transformation.domain_map import biject_to\n"
        "print(student.StudentT.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "StudentT\n"
