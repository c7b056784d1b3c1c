"""Batch normalization over several contexts of one process against the whole batch on one."""

import warnings

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.contrib.nn import SyncBatchNorm

STEPS = 5
CONTEXTS = [mx.cpu(0), mx.cpu(1)]


def make_data():
    random = np.random.RandomState(0)
    images = random.randn(STEPS, 8, 3, 6, 6).astype("float32")
    return images, random.randint(0, 4, (STEPS, 8)).astype("float32")


def make_net(norm, contexts):
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), norm(), nn.Activation("relu"))
    net.add(nn.Conv2D(5, 3), norm(), nn.Dense(4))
    net.initialize(mx.init.Xavier(), ctx=contexts)
    return net


def train(norm, contexts, hybridize=False):
    net = make_net(norm, contexts)
    if hybridize:
        net.hybridize()
    options = {"learning_rate": 0.1, "momentum": 0.9}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options, update_on_kvstore=False)
    step = gluon.TrainStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer)
    losses = []
    for number, (data, label) in enumerate(zip(*make_data(), strict=True)):
        if hybridize and number == 2:
            net.hybridize()  # again, in the midst of training
        loss = step(mx.nd.array(data), mx.nd.array(label))
        parts = loss if isinstance(loss, list) else [loss]
        losses.append(np.concatenate([part.asnumpy() for part in parts]))
    values = [[p.data(ctx).asnumpy() for p in net.collect_params().values()] for ctx in contexts]
    return losses, values


@pytest.mark.parametrize("hybridize", [False, True])
def test_two_contexts_are_trained_as_one_with_the_whole_batch(hybridize):
    losses, (wanted,) = train(nn.BatchNorm, [mx.cpu()], hybridize)
    own_losses, values = train(lambda: SyncBatchNorm(num_devices=2), CONTEXTS, hybridize)
    np.testing.assert_allclose(own_losses, losses, rtol=1e-5, atol=1e-6)
    for found in values:
        for array, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(array, other, rtol=1e-5, atol=1e-6)


def test_layers_for_one_device_normalize_parts_apart():
    _, (wanted,) = train(nn.BatchNorm, [mx.cpu()])
    _, (found, _) = train(lambda: SyncBatchNorm(num_devices=1), CONTEXTS)
    assert any(abs(array - other).max() > 1e-3 for array, other in zip(found, wanted, strict=True))


def test_a_loop_over_contexts_warns_once():
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    parts = gluon.utils.split_and_load(mx.nd.array(make_data()[0][0]), CONTEXTS)
    with pytest.warns(UserWarning, match="normalized each by itself in a loop"):
        run_loop(net, parts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run_loop(net, parts)


def run_loop(net, parts):
    with mx.autograd.record():
        return [net(part) for part in parts]


def test_prediction_uses_the_running_statistics():
    layer = SyncBatchNorm(num_devices=2)
    layer.initialize(ctx=CONTEXTS)
    data = mx.nd.array([[3.0], [5.0]])
    np.testing.assert_allclose(layer(data).asnumpy(), data.asnumpy(), rtol=1e-4)
