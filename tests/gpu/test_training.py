"""Training on an accelerator ends where it ends on the CPU, and where the original's ends."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

from ..gluon.training.test_training import GOLDEN, RUNS, check
from ..golden.training_cases import CASES, RESUMABLE, STEPS, resume_from, train

pytestmark = pytest.mark.gpu

GPU = mx.gpu(0)


@pytest.fixture(autouse=True)
def exact_products():
    """Convolutions and recurrent layers round to 10 bits on a GPU by default."""
    with torch.backends.cudnn.flags(allow_tf32=False):
        yield


@pytest.mark.parametrize("name", CASES)
def test_training_ends_where_the_original_ends(name):
    losses, net, _ = train(CASES[name], [GPU])
    check(name, 1, losses, net, tolerance=1e-3)
    for parameter in net.collect_params().values():
        assert parameter.list_ctx() == [GPU]
        assert parameter.data().context == GPU


@pytest.mark.parametrize("name", RESUMABLE)
def test_hybridized_networks_train_alike(name):
    losses, net, _ = train(CASES[name], [GPU], hybridize=True)
    check(name, 1, losses, net, tolerance=1e-3)


@pytest.mark.parametrize(
    ("name", "on_store"), [("mlp-sgd", None), ("mlp-adam", None), ("mlp-sgd", False)]
)
def test_a_gpu_and_a_cpu_train_together(name, on_store):
    """Not Adam on each of the two: updates are counted by device number, which is 0 for both."""
    losses, net, _ = train(CASES[name], [GPU, mx.cpu()], update_on_kvstore=on_store)
    check(name, 1, losses, net, tolerance=1e-3)


@pytest.mark.parametrize("name", RESUMABLE)
def test_training_goes_on_from_states_of_the_original(name, tmp_path):
    resume = resume_from(RUNS[f"{name}/half/values"], GOLDEN / f"{name}.states")
    losses, net, trainer = train(CASES[name], [GPU], begin=STEPS // 2, resume=resume)
    check(name, 1, losses, net, begin=STEPS // 2, tolerance=1e-3)
    trainer.save_states(tmp_path / "states")
    on_cpu = CASES[name], [mx.cpu()]
    resume = resume_from(RUNS[f"{name}/1/values"], tmp_path / "states")
    _, _, trainer = train(*on_cpu, end=1, resume=resume)
    assert trainer.optimizer.num_update == STEPS + 1


def test_dropout_trains_and_leaves_prediction_alone():
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Dense(64, activation="relu"), nn.Dropout(0.5), nn.Dense(1))
    net.initialize(mx.init.Xavier(), ctx=GPU)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    inputs = nd.array(np.random.RandomState(0).normal(size=(64, 4)), ctx=GPU)
    labels = inputs.sum(axis=1)
    loss = gluon.loss.L2Loss()
    first = loss(net(inputs), labels).mean().asscalar()
    for _ in range(60):
        with autograd.record():
            value = loss(net(inputs), labels)
        value.backward()
        trainer.step(64)
    assert loss(net(inputs), labels).mean().asscalar() < first / 2
    np.testing.assert_array_equal(net(inputs).asnumpy(), net(inputs).asnumpy())
    with autograd.train_mode():
        assert not np.array_equal(net(inputs).asnumpy(), net(inputs).asnumpy())


@pytest.mark.parametrize("kind", [rnn.RNN, rnn.LSTM, rnn.GRU])
def test_recurrent_layers_learn_a_sum(kind):
    mx.random.seed(2)
    net = nn.Sequential()
    net.add(kind(16, num_layers=2, bidirectional=True, layout="NTC", dropout=0.1))
    net.add(nn.Dense(1, flatten=False))
    net.initialize(mx.init.Xavier(), ctx=GPU)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    inputs = nd.array(np.random.RandomState(0).uniform(-1, 1, (32, 6, 2)), ctx=GPU)
    labels = inputs.sum(axis=(1, 2)).reshape((-1, 1, 1)).broadcast_to((32, 6, 1))
    loss = gluon.loss.L2Loss()
    losses = []
    for _ in range(60):
        with autograd.record():
            value = loss(net(inputs), labels)
        value.backward()
        gradients = [p.grad() for p in net.collect_params().values()]
        assert gluon.utils.clip_global_norm(gradients, 100.0) > 0
        trainer.step(32)
        losses.append(value.mean().asscalar())
    assert losses[-1] < losses[0] / 3


def test_half_precision_with_master_weights():
    net = nn.Dense(1, in_units=4)
    net.initialize(mx.init.One(), ctx=GPU)
    net.cast("float16")
    options = {"learning_rate": 0.05, "momentum": 0.5, "multi_precision": True}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options)
    inputs = nd.array(np.random.RandomState(0).normal(size=(32, 4)), ctx=GPU, dtype="float16")
    loss = gluon.loss.L2Loss()
    for _ in range(60):
        with autograd.record():
            value = loss(net(inputs), inputs[:, :1])
        value.backward()
        trainer.step(32)
    assert net.weight.data().dtype == np.float16
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[1, 0, 0, 0]], atol=0.05)


def test_sparse_gradients():
    layers = []
    for ctx in (mx.cpu(), GPU):
        layer = nn.Embedding(5, 2, sparse_grad=True)
        layer.initialize(mx.init.One(), ctx=ctx)
        trainer = gluon.Trainer(layer.collect_params(), "adam", {"learning_rate": 0.1})
        for words in ([0, 2, 2], [4, 2, 1]):
            with autograd.record():
                value = layer(nd.array(words, ctx=ctx)).square()
            value.backward()
            trainer.step(3)
        layers.append(layer.weight.data().asnumpy())
    np.testing.assert_allclose(layers[0], layers[1], rtol=1e-5)
