"""Two hundred steps of captured networks are those of imperative ones, in ordinary programs."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from mxnet import autograd, gluon, nd
from mxnet.errors import MXNetError
from mxnet.gluon import nn
from tests.graph.more_training_programs import MORE_PROGRAMS, PENALTIES
from tests.graph.replaying import Replayed, capture_on_cpu
from tests.graph.training_programs import PROGRAMS, gradient_penalty, run

STATIC = {"static_alloc": True, "static_shape": True}
STEPS, FEWER_STEPS = 200, 60


@pytest.fixture(autouse=True)
def captures(monkeypatch: pytest.MonkeyPatch) -> type[Replayed]:
    return capture_on_cpu(monkeypatch)


def assert_equal(results: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_captured_steps_are_imperative_steps(name: str, captures: type[Replayed]) -> None:
    expected = run(PROGRAMS[name], None, STEPS)
    assert_equal(run(PROGRAMS[name], {**STATIC, "strict": True}, STEPS), expected)
    assert captures.made


@pytest.mark.parametrize("name", MORE_PROGRAMS)
def test_captured_steps_of_more_programs_are_imperative_steps(
    name: str, captures: type[Replayed]
) -> None:
    expected = run(MORE_PROGRAMS[name], None, FEWER_STEPS)
    assert_equal(run(MORE_PROGRAMS[name], {**STATIC, "strict": True}, FEWER_STEPS), expected)
    assert captures.made


def test_a_gradient_penalty_says_once_that_it_runs_uncaptured(captures: type[Replayed]) -> None:
    expected = run(gradient_penalty, None, STEPS)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = run(gradient_penalty, STATIC, STEPS)
    assert_equal(results, expected)
    assert len(caught) == 1
    assert "is differentiated twice" in str(caught[0].message)
    assert len(captures.made) == 2  # forward and backward pass of the first call that was captured


@pytest.mark.parametrize("name", PENALTIES)
def test_penalties_run_uncaptured_and_each_network_says_so_once(
    name: str, captures: type[Replayed]
) -> None:
    expected = run(PENALTIES[name], None, FEWER_STEPS)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = run(PENALTIES[name], STATIC, FEWER_STEPS)
    assert_equal(results, expected)
    assert captures.made
    told = [str(item.message) for item in caught]
    assert all("is differentiated twice" in item for item in told)
    assert 1 <= len(told) <= 2


def fail() -> nd.NDArray:
    """Returns an array that could not be computed."""
    return nd.linalg.potrf(nd.array([[1.0, 2.0], [2.0, 1.0]]))


def make_square() -> nn.Dense:
    net = nn.Dense(2, in_units=2, use_bias=False)
    net.initialize()
    net.hybridize(**STATIC)
    return net


@pytest.mark.parametrize("attached", [False, True])
def test_gradients_of_a_pass_that_failed_are_not_those_of_the_last_one(attached: bool) -> None:
    net, data = make_square(), nd.ones((2, 2))
    if attached:
        data.attach_grad()
    for head in (nd.ones((2, 2)), nd.ones((2, 2)), fail()):
        with autograd.record():
            loss = (net(data) * head).sum()
        loss.backward()
    with pytest.raises(MXNetError):
        net.weight.grad().asnumpy()
    with pytest.raises(MXNetError):
        gluon.Trainer(net.collect_params(), "sgd").step(1)
        net.weight.data().asnumpy()


def test_a_capture_does_not_read_what_could_not_be_computed() -> None:
    first, second, data = make_square(), make_square(), nd.ones((2, 2))
    for _ in range(3):
        second(first(data))
    between = first(data)
    between[:] = fail()
    with pytest.raises(MXNetError):
        second(between).asnumpy()


def test_a_second_derivative_is_of_the_random_numbers_that_were_drawn() -> None:
    net = nn.Dropout(0.5)
    net.hybridize(**STATIC)
    data = nd.random.uniform(1, 2, shape=(50,))
    data.attach_grad()
    with autograd.record():
        result = net(data)
        with pytest.warns(UserWarning, match="is differentiated twice"):
            (slope,) = autograd.grad(result, data, create_graph=True)
    np.testing.assert_allclose((slope * data).asnumpy(), result.asnumpy(), rtol=1e-6)
    assert 0 < (result == 0).sum().asscalar() < 50
