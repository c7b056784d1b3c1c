"""Training that is run with whole parameters in one process and with split ones in several."""

from __future__ import annotations

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._state import processes
from mxnet.gluon import nn

BATCH = 8


class Tied(nn.Block):
    """Uses one weight in two layers, and a parameter of its own directly."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.first = nn.Dense(7, in_units=7, use_bias=False)
            self.second = nn.Dense(7, in_units=7, use_bias=False, params=self.first.params)
            self.factor = self.params.get("factor", shape=(1, 7), init=mx.init.Constant(0.7))
            self.last = nn.Dense(5)

    def forward(self, x):
        return self.last(self.second(self.first(x).tanh()) * self.factor.data())


def dense():
    net = nn.HybridSequential()
    net.add(nn.Dense(33, activation="relu", in_units=7), nn.LayerNorm(in_channels=33))
    net.add(nn.Dense(5, in_units=33))
    return net


def convolution():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 3, activation="relu"), nn.Flatten(), nn.Dense(5))
    return net


def recurrent():
    net = nn.HybridSequential()
    net.add(gluon.rnn.LSTM(6, input_size=7, layout="NTC"), nn.Dense(5))
    return net


NETWORKS = {
    "dense": (dense, (7,)),
    "convolution": (convolution, (3, 6, 6)),
    "recurrent": (recurrent, (3, 7)),
    "tied": (Tied, (7,)),
}

CASES = [
    ("dense", False, "adam"),
    ("dense", True, "sgd"),
    ("dense", False, "lamb"),
    ("dense", False, "lars"),
    ("convolution", False, "sgd"),
    ("convolution", True, "adam"),
    ("recurrent", True, "adam"),
    ("tied", False, "adam"),
]


def make(name, sharded, hybridized=False):
    """Makes a network with the same values in every process."""
    mx.random.seed(3)
    np.random.seed(3)
    net = NETWORKS[name][0]()
    if sharded:
        gluon.shard(net)
    net.initialize(mx.init.Xavier())
    if hybridized:
        net.hybridize()
    return net


def batches(name, count, sharded):
    """Yields the part of each batch that belongs to this rank."""
    numbers = np.random.RandomState(0)
    rank, size = (processes.rank(), processes.size()) if sharded else (0, 1)
    share = slice(rank * BATCH // size, (rank + 1) * BATCH // size)
    for _ in range(count):
        x = numbers.randn(BATCH, *NETWORKS[name][1]).astype(np.float32)
        y = numbers.randn(BATCH, 5).astype(np.float32)
        yield mx.nd.array(x[share]), mx.nd.array(y[share])


def values_of(net):
    """Returns the whole values of what is trained, without the numbers in the names."""
    named = net._collect_params_with_prefix()
    return {k: p.data().asnumpy() for k, p in named.items() if p.grad_req != "null"}


def train(name, hybridized, optimizer, sharded, steps=4, clip=None):
    """Returns the sum of the loss in this process at each step, and the weights at the end."""
    net = make(name, sharded, hybridized)
    options = {"learning_rate": 0.05, "wd": 0.01}
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    loss_of = gluon.loss.L2Loss()
    losses = []
    for x, y in batches(name, steps, sharded):
        with autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        if clip is not None:
            gradients = [p.grad() for p in net.collect_params().values()]
            losses.append(float(gluon.utils.clip_global_norm(gradients, clip)))
        else:
            losses.append(float(loss.sum().asscalar()))
        trainer.step(BATCH)
    return losses, values_of(net)
