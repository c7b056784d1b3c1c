"""A network trains to the same weights, however its batches are loaded, unless samples draw."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn
from tests.gluon.data.datasets import Computed, Drawing

LOADERS = {
    "here": {},
    "one process": {"num_workers": 1},
    "two processes": {"num_workers": 2},
    "far ahead": {"num_workers": 2, "prefetch": 9},
    "one thread": {"num_workers": 1, "thread_pool": True},
    "two threads": {"num_workers": 2, "thread_pool": True},
}


def inputs_of(batch):
    """The matrix of a batch, just as it comes from the loader: on `cpu_shared` from a worker."""
    return next(column for column in batch if column.ndim == 2)


def train(dataset, hybridized, options):
    """Trains for three epochs; returns the weights and where all random generators stand."""
    random.seed(1)
    np.random.seed(1)
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.3), nn.Dense(8, activation="relu"), nn.Dropout(0.5), nn.Dense(1))
    net.initialize()
    if hybridized:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    for _ in range(3):
        for batch in gluon.data.DataLoader(dataset, 4, shuffle=True, **options):
            with autograd.record():
                loss = (net(inputs_of(batch)) ** 2).mean()
            loss.backward()
            trainer.step(1)
    weights = [item.data().asnumpy().tolist() for item in net.collect_params().values()]
    return weights, (random.random(), np.random.rand(), mx.nd.random.uniform().asscalar())


@pytest.fixture(scope="module")
def expected():
    loaders = {Computed: "here", Drawing: "one process"}
    return {
        (dataset, hybridized): train(dataset(), hybridized, LOADERS[loader])
        for dataset, loader in loaders.items()
        for hybridized in (False, True)
    }


@pytest.mark.parametrize("loader", list(LOADERS)[1:])
@pytest.mark.parametrize("hybridized", [False, True])
def test_dropout_draws_the_same_numbers_for_any_loader(expected, loader, hybridized):
    found = train(Computed(), hybridized, LOADERS[loader])
    assert found == expected[Computed, hybridized]


@pytest.mark.parametrize("loader", ["two processes", "far ahead"])
@pytest.mark.parametrize("hybridized", [False, True])
def test_samples_of_workers_that_draw_do_not_disturb_the_network(expected, loader, hybridized):
    found = train(Drawing(), hybridized, LOADERS[loader])
    assert found == expected[Drawing, hybridized]


@pytest.mark.parametrize("kind", ["cpu_pinned", "cpu_shared"])
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("hybridized", [False, True])
def test_staged_data_draws_from_the_stream_of_its_cpu(kind, number, hybridized):
    net = nn.Dropout(0.5)
    if hybridized:
        net.hybridize()

    def draw(ctx):
        mx.random.seed(7)
        with autograd.train_mode():
            return net(mx.nd.ones((4, 5), ctx=ctx)).asnumpy().tolist()

    assert draw(mx.Context(kind, number)) == draw(mx.cpu(number))
