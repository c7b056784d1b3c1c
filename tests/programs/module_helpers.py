"""A module, what it is bound to and fed with, and the stages of its life."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .module_log_helpers import f, folder, lines, log

data = mx.sym.var("data")
net = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
net = mx.sym.SoftmaxOutput(net, name="softmax")
D, L = [("data", (4, 5))], [("softmax_label", (4,))]
x, y = nd.arange(20).reshape((4, 5)) / 10, nd.array([0, 1, 2, 1])
batch = mx.io.DataBatch([x], [y])
half = mx.io.DataBatch([x[:2]])
two = [mx.cpu(0), mx.cpu(1)]


def names(module):
    return [sorted(part) for part in module.get_params()]


def numbers(pairs):
    return [(name, float(value)) for name, value in pairs]


def texts(items):
    return [str(item) for item in items]


m = mx.mod.Module(net, logger=log)
rng = np.random.RandomState(0)
X, Y = rng.rand(10, 5).astype("float32"), rng.randint(0, 3, 10).astype("float32")
train = mx.io.NDArrayIter(X, Y, 4)


def bind():
    m.bind(D, L)


def fill():
    bind()
    m.init_params(mx.init.One())


def make_ready():
    fill()
    m.init_optimizer(optimizer_params={"learning_rate": 0.5})


def train_once():
    make_ready()
    m.forward_backward(batch)
    m.update()
