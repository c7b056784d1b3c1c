"""Mixed precision on an accelerator."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.contrib import amp
from mxnet.gluon import nn
from tests.mixed_precision import turn_off

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def no_mixed_precision():
    """Turns mixed precision off after a test."""
    yield
    turn_off()


def train(dtype, hybridize):
    """Returns the losses of a small network, with an overflow in the fourth step."""
    if dtype != "float32":
        amp.init(dtype)
    mx.random.seed(0)
    np.random.seed(0)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(8, 3, in_channels=3), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(4))
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    if hybridize is not None:
        net.hybridize(**hybridize)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
    if dtype != "float32":
        amp.init_trainer(trainer)
        trainer._amp_loss_scaler._loss_scale = trainer._amp_loss_scaler._next_loss_scale = 256.0
    loss_of = gluon.loss.SoftmaxCELoss()
    data = nd.array(np.random.rand(16, 3, 8, 8), ctx=mx.gpu())
    labels = nd.array(np.arange(16) % 4, ctx=mx.gpu())
    losses = []
    for step in range(10):
        with autograd.record():
            loss = loss_of(net(data), labels)
            if dtype == "float32":
                loss.backward()
            else:
                with amp.scale_loss(loss, trainer) as scaled:
                    autograd.backward(scaled)
        if step == 3:
            net[-1].bias.grad()[:] = float("inf")
            if dtype == "float32":
                continue
        trainer.step(16)
        losses.append(float(loss.mean().asscalar()))
    return losses if dtype == "float32" else losses[:3] + losses[4:]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    "hybridize", [None, {}, {"static_alloc": True, "static_shape": True}], ids=str
)
def test_losses_are_those_of_float32(dtype, hybridize):
    expected = train("float32", hybridize)
    np.testing.assert_allclose(train(dtype, hybridize), expected, rtol=0.03)
