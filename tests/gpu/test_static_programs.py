"""The programs of `tests/graph/training_programs.py` on networks captured on a GPU."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd
from mxnet.gluon import nn
from tests.graph.more_training_programs import MORE_PROGRAMS, PENALTIES
from tests.graph.training_programs import PROGRAMS, Program, gradient_penalty, run

pytestmark = [pytest.mark.gpu, pytest.mark.usefixtures("exact_convolutions")]

STATIC = {"static_alloc": True, "static_shape": True}
STEPS = 200


def assert_equal(results: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("function", [*PROGRAMS.values(), *MORE_PROGRAMS.values()])
def test_captured_steps_are_imperative_steps(function: Program) -> None:
    with mx.gpu():
        expected = run(function, None, STEPS)
        assert_equal(run(function, {**STATIC, "strict": True}, STEPS), expected)


@pytest.mark.parametrize("function", [*PROGRAMS.values(), *MORE_PROGRAMS.values()])
def test_steps_that_are_captured_by_themselves_are_imperative_steps(function: Program) -> None:
    with mx.gpu():
        expected = run(function, None, STEPS)
        assert_equal(run(function, {}, STEPS), expected)


@pytest.mark.filterwarnings("ignore:.*is differentiated twice")
@pytest.mark.parametrize("function", [gradient_penalty, *PENALTIES.values()])
def test_a_gradient_penalty_is_that_of_the_imperative_network(function: Program) -> None:
    with mx.gpu():
        expected = run(function, None, STEPS)
        assert_equal(run(function, STATIC, STEPS), expected)


@pytest.mark.filterwarnings("ignore:.*is differentiated twice")
def test_a_second_derivative_is_of_the_random_numbers_that_were_drawn() -> None:
    net = nn.Dropout(0.5)
    net.hybridize(**STATIC)
    data = nd.random.uniform(1, 2, shape=(5000,), ctx=mx.gpu())
    data.attach_grad()
    with autograd.record():
        result = net(data)
        (slope,) = autograd.grad(result, data, create_graph=True)
    np.testing.assert_allclose((slope * data).asnumpy(), result.asnumpy(), rtol=1e-6)
