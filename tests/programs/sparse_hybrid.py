"""Hybridized networks whose tables have row_sparse gradients."""

from __future__ import annotations

from functools import partial

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .sparse_training_helpers import parts

WAYS = {
    "imperative": None,
    "hybridized": {},
    "static": {"static_alloc": True, "static_shape": True},
    "inlined": {"inline_limit": 100},
}

OPTIMIZERS = {
    "sgd": {"learning_rate": 0.1},
    "sgd with momentum": {"learning_rate": 0.1, "momentum": 0.9},
    "adam": {"learning_rate": 0.1},
    "adagrad": {"learning_rate": 0.1},
}

WORDS = ([[1, 5], [1, 0]], [[2, 2], [6, 5]], [[0, 1], [4, 4]])


class Words(gluon.HybridBlock):
    """Looks words up in a table once or twice, and maps what it finds to two numbers."""

    def __init__(self, twice=False):
        super().__init__()
        self._twice = twice
        with self.name_scope():
            self.table = nn.Embedding(7, 3, sparse_grad=True)
            self.out = nn.Dense(2, in_units=6)

    def hybrid_forward(self, F, x):
        found = self.table(x)
        if self._twice:
            found = found + self.table(F.ones_like(x) * 3) * 2
        return self.out(found)


def _make(way, ctx=None, twice=False):
    net = Words(twice)
    net.initialize(ctx=ctx)
    net.table.weight.set_data(nd.arange(21).reshape((7, 3)) / 10)
    net.out.weight.set_data(nd.arange(12).reshape((2, 6)) / 10)
    if WAYS[way] is not None:
        net.hybridize(**WAYS[way])
    return net


def _gradient(way, twice):
    net = _make(way, twice=twice)
    for words in WORDS:
        with autograd.record():
            loss = (net(nd.array(words)) ** 2).sum()
        loss.backward()
    return parts(net.table.weight.grad()), net.out.weight.grad()


def _train(way, optimizer):
    net = _make(way)
    trainer = gluon.Trainer(net.collect_params(), optimizer.split()[0], OPTIMIZERS[optimizer])
    for words in WORDS:
        with autograd.record():
            loss = (net(nd.array(words)) ** 2).sum()
        loss.backward()
        trainer.step(2)
    return net.table.weight.data(), parts(net.table.weight.grad())


def _train_on_two_contexts(way):
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = _make(way, contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for words in WORDS:
        halves = gluon.utils.split_and_load(nd.array(words), contexts)
        with autograd.record():
            losses = [(net(half) ** 2).sum() for half in halves]
        autograd.backward(losses)
        trainer.step(2)
    return [weight.asnumpy() for weight in net.table.weight.list_data()]


def _retained(way):
    net = _make(way)
    with autograd.record():
        loss = (net(nd.array(WORDS[0])) ** 2).sum()
    loss.backward(retain_graph=True)
    first = parts(net.table.weight.grad())
    loss.backward()
    return first, parts(net.table.weight.grad())


def _outside(way):
    net = _make(way)
    for _ in range(2):
        with autograd.record():
            loss = net(nd.array([[1, 9], [0, 0]])).sum()
        loss.backward()
    return net.table.weight.grad().asnumpy()


class Product(gluon.HybridBlock):
    """Multiplies by a matrix, whose gradient is stored in rows."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.w = self.params.get("w", shape=(4, 2), grad_stype="row_sparse", init=mx.init.One())

    def hybrid_forward(self, F, x, w):
        return F.dot(x, w)


def _gradient_of_a_product(way):
    net = Product()
    net.initialize()
    if WAYS[way] is not None:
        net.hybridize(**WAYS[way])
    for _ in range(2):
        with autograd.record():
            loss = (net(nd.array([[1, 0, 2, 0]])) * nd.array([[0, 1]])).sum()
        loss.backward()
    return parts(net.w.grad())


PROGRAMS = {
    **{
        f"gradient of {'two uses' if twice else 'one use'}, {way}": partial(_gradient, way, twice)
        for way in WAYS
        for twice in (False, True)
    },
    **{
        f"training by {optimizer}, {way}": partial(_train, way, optimizer)
        for way in WAYS
        for optimizer in OPTIMIZERS
    },
    **{f"two contexts, {way}": partial(_train_on_two_contexts, way) for way in WAYS},
    **{f"a graph used twice, {way}": partial(_retained, way) for way in WAYS},
    **{f"words outside of the table, {way}": partial(_outside, way) for way in WAYS},
    **{f"rows of a product, {way}": partial(_gradient_of_a_product, way) for way in WAYS},
}
