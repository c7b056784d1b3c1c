"""Several contexts in one process train as one context does with the whole batch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

ONE = [mx.cpu(0)]
SEVERAL = {"two": [mx.cpu(0), mx.cpu(1)], "three": [mx.cpu(2), mx.cpu(0), mx.cpu(1)]}
BATCH = 7
"""Which neither two nor three contexts share evenly."""


def make_tagger():
    """Makes a network that finds a class for each sequence of words."""
    net = nn.HybridSequential()
    net.add(nn.Embedding(9, 4, sparse_grad=True), gluon.rnn.LSTM(5, layout="NTC", input_size=4))
    net.add(nn.Dense(3, in_units=15))
    return net


def make_conv():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, activation="relu", in_channels=1), nn.MaxPool2D(2))
    net.add(nn.Flatten(), nn.LayerNorm(in_channels=16), nn.Dense(3, in_units=16))
    return net


def make_samples(name):
    rng = np.random.RandomState(3)
    if name == "tagger":
        return rng.randint(0, 9, (BATCH, 3)).astype(np.float32)
    return rng.normal(size=(BATCH, 1, 6, 6)).astype(np.float32)


NETWORKS = {"conv": make_conv, "tagger": make_tagger}


def train(name, contexts, at_once, hybridize=False, samples=slice(None), **options):
    """Trains on some of the samples of each batch, and returns all copies of each parameter."""
    net = NETWORKS[name]()
    net.initialize(ctx=contexts)
    rng = np.random.RandomState(1)
    for parameter in net.collect_params().values():
        parameter.set_data(nd.array(rng.uniform(-0.5, 0.5, parameter.shape)))
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05}, **options)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    data, label = make_samples(name)[samples], (np.arange(BATCH) % 3)[samples]
    for _ in range(4):
        parts = gluon.utils.split_and_load(data, contexts, even_split=False)
        labels = gluon.utils.split_and_load(label, contexts, even_split=False)
        with autograd.record():
            losses = [loss_of(net(x), y) for x, y in zip(parts, labels, strict=True)]
        if at_once:
            autograd.backward(losses)
        else:
            for loss in losses:
                loss.backward()
        trainer.step(BATCH)
    return [
        [array.asnumpy() for array in parameter.list_data()]
        for parameter in net.collect_params().values()
    ]


@pytest.mark.parametrize("on_store", [None, False])
@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("contexts", SEVERAL)
@pytest.mark.parametrize("name", NETWORKS)
def test_parts_train_as_the_whole(name, contexts, at_once, hybridize, on_store):
    expected = train(name, ONE, at_once=False)
    found = train(name, SEVERAL[contexts], at_once, hybridize=hybridize, update_on_kvstore=on_store)
    for (whole,), copies in zip(expected, found, strict=True):
        for copy in copies:
            np.testing.assert_allclose(copy, whole, rtol=1e-4, atol=1e-5)
            assert np.array_equal(copy, copies[0])


class Noted(autograd.Function):
    """Notes in which pass of torch's engine it is differentiated."""

    def __init__(self, passes):
        super().__init__()
        self.passes = passes

    def forward(self, x):
        return x * 1

    def backward(self, gradient):
        self.passes.append(torch._C._current_graph_task_id())
        return gradient


def test_losses_of_all_contexts_are_differentiated_in_one_pass():
    """torch runs a thread for each device, but only within one pass."""
    arrays = [nd.ones((2,), ctx=ctx) for ctx in SEVERAL["three"]]
    passes = []
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        heads = [Noted(passes)(array) for array in arrays]
    autograd.backward(heads)
    assert len(passes) == 3
    assert len(set(passes)) == 1


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_split_data_keeps_every_sample_once(axis, count):
    shape = (5, 2) if axis == 0 else (2, 5)
    whole = nd.arange(10).reshape(shape)
    parts = gluon.utils.split_data(whole, count, batch_axis=axis, even_split=False)
    assert len(parts) == count
    assert np.array_equal(np.concatenate([p.asnumpy() for p in parts], axis), whole.asnumpy())
