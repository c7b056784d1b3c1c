"""Data for the old `FeedForward`, and models of it."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .module_log_helpers import f, lines, log

rng = np.random.RandomState(0)
net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
net = mx.sym.SoftmaxOutput(net, name="softmax")
X, Y = rng.randn(10, 5).astype("float32"), rng.randint(0, 3, 10).astype("float32")
data = mx.io.NDArrayIter(X, Y, 4)
start = {"fc_weight": nd.array(rng.randn(3, 5)), "fc_bias": nd.ones(3)}


def make(**options):
    options = {
        "num_epoch": 2,
        "numpy_batch_size": 4,
        "arg_params": start,
        "aux_params": {},
        "learning_rate": 0.1,
        **options,
    }
    return mx.model.FeedForward(net, **options)


m = make()


def params(model):
    return [model.arg_params[name] for name in sorted(model.arg_params)]
