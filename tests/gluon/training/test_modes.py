"""Gradients are those of what was computed, whatever mode `backward` is told."""

from __future__ import annotations

import numpy as np
import pytest

from mxnet import autograd, nd
from mxnet.gluon import nn

DATA = np.sin(np.arange(12)).reshape(3, 2, 2)
HEAD = nd.array(np.cos(np.arange(12) * 1.3).reshape(3, 2, 2))


def make(hybrid):
    layer = nn.BatchNorm(in_channels=2)
    layer.initialize()
    layer.running_mean.set_data(nd.array([0.3, -0.2]))
    layer.running_var.set_data(nd.array([2, 0.5]))
    layer.gamma.set_data(nd.array([1.5, 0.7]))
    layer.cast("float64")
    if hybrid:
        layer.hybridize()
    return layer


def slope(layer, training):
    """Returns the gradient by differences, for statistics of the batch or moving ones."""
    found = np.zeros(DATA.size)
    for index in range(DATA.size):
        step = np.zeros(DATA.size)
        step[index] = 1e-5
        ends = []
        for sign in (1, -1):
            data = nd.array(DATA + sign * step.reshape(DATA.shape), dtype="float64")
            with autograd.train_mode() if training else autograd.predict_mode():
                ends.append((layer(data) * HEAD.astype("float64")).sum().asscalar())
        found[index] = (ends[0] - ends[1]) / 2e-5
    return found.reshape(DATA.shape)


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("backward", [False, True])
def test_normalization(hybrid, training, backward):
    layer = make(hybrid)
    data = nd.array(DATA, dtype="float64")
    data.attach_grad()
    with autograd.record(train_mode=training):
        loss = (layer(data) * HEAD.astype("float64")).sum()
    loss.backward(train_mode=backward)
    np.testing.assert_allclose(data.grad.asnumpy(), slope(make(hybrid), training), atol=1e-6)


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("backward", [False, True])
def test_dropout(hybrid, backward):
    layer = nn.Dropout(0.5)
    if hybrid:
        layer.hybridize()
    data = nd.ones((100,))
    data.attach_grad()
    with autograd.record():
        result = layer(data)
    result.backward(train_mode=backward)
    np.testing.assert_array_equal(data.grad.asnumpy(), result.asnumpy())
    assert {*data.grad.asnumpy()} == {0.0, 2.0}
