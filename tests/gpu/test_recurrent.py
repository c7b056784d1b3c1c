"""Dropout between the layers of recurrent networks, whose numbers cuDNN keeps by itself."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import rnn

pytestmark = pytest.mark.gpu

STATIC = {"static_alloc": True, "static_shape": True}
LAYERS = {
    "lstm": partial(rnn.LSTM, 8, 3),
    "gru": partial(rnn.GRU, 8, 2),
    "relu": partial(rnn.RNN, 8, 2),
    "tanh": partial(rnn.RNN, 8, 2, "tanh"),
    "both directions": partial(rnn.LSTM, 8, 2, bidirectional=True),
    "projection": partial(rnn.LSTM, 8, 2, projection_size=5),
}


def make(name: str, hybridize: dict[str, Any] | None, dropout: float = 0.5) -> Any:
    net = LAYERS[name](dropout=dropout, input_size=6)
    mx.random.seed(3)
    net.initialize(mx.init.Uniform(0.5), ctx=mx.gpu())
    if hybridize is not None:
        net.hybridize(**hybridize)
    return net


def step(net: Any, length: int = 5, seed: int = 0) -> list[np.ndarray]:
    """Returns results and gradients of one step."""
    data = np.random.RandomState(seed).rand(length, 4, 6)
    data = nd.array(data, ctx=mx.gpu())
    data.attach_grad()
    with autograd.record():
        outputs = net(data)
        loss = (outputs * outputs).sum()
    loss.backward()
    gradients = [parameter.grad() for parameter in net.collect_params().values()]
    return [item.asnumpy() for item in (outputs, data.grad, *gradients)]


def assert_equal(results: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("hybridize", [{}, STATIC], ids=["hybridized", "static"])
@pytest.mark.parametrize("name", LAYERS)
def test_captures_drop_what_the_imperative_network_drops(
    name: str, hybridize: dict[str, Any]
) -> None:
    runs = []
    for way in (None, hybridize):
        net = make(name, way)
        mx.random.seed(7)
        runs.append([step(net, seed=seed) for seed in range(6)])
    for one, other in zip(*runs, strict=True):
        assert_equal(one, other)
    first = [outputs[0] for outputs in runs[0]]
    assert not np.allclose(first[0], step(make(name, None))[0])  # numbers go on from step to step


@pytest.mark.parametrize("name", LAYERS)
def test_a_seed_reaches_captures_that_were_made_before_it(name: str) -> None:
    net = make(name, STATIC)
    mx.random.seed(7)
    before = [step(net) for _ in range(4)]
    assert not np.array_equal(before[2][0], before[3][0])
    for seeding in (mx.random.seed, torch.manual_seed):
        seeding(7)
        step(make(name, None), length=3)  # draws from the memory, which must stay where it is
        mx.random.seed(7)
        for one, other in zip([step(net) for _ in range(4)], before, strict=True):
            assert_equal(one, other)


@pytest.mark.parametrize("name", LAYERS)
def test_about_half_is_dropped_and_the_rest_is_scaled(name: str) -> None:
    net = make(name, None)
    data = nd.random.uniform(shape=(5, 64, 6), ctx=mx.gpu())
    with autograd.predict_mode():
        expected = net(data).asnumpy()
    with autograd.record():
        results = [net(data).asnumpy() for _ in range(200)]
    assert results[0].std() > 0
    shift = np.abs(np.mean(results, axis=0) - expected).mean()
    assert shift < np.abs(results[0] - expected).mean()


@pytest.mark.parametrize("name", LAYERS)
def test_weights_are_found_in_the_vector(name: str) -> None:
    """Without dropout it is torch that finds them."""
    assert_equal(step(make(name, None, 1e-9)), step(make(name, None, 0.0)))


def test_whole_steps_of_a_language_model_follow_a_seed() -> None:
    net = gluon.nn.HybridSequential()
    net.add(
        gluon.nn.Embedding(20, 6), rnn.LSTM(8, 2, dropout=0.5), gluon.nn.Dense(20, flatten=False)
    )
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.0})
    whole = gluon.TrainStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer, strict=True)
    words = nd.random.randint(0, 20, (5, 4), ctx=mx.gpu())
    runs = []
    for _ in range(2):
        mx.random.seed(11)
        runs.append([whole(words, words).asnumpy() for _ in range(6)])
    np.testing.assert_allclose(runs[0], runs[1], rtol=1e-5)
    assert not np.allclose(runs[0][4], runs[0][5])
