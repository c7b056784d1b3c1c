"""A chain of two modules."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .module_log_helpers import f, lines, log

rng = np.random.RandomState(0)
one = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=5, name="a")
two = mx.sym.FullyConnected(mx.sym.var("middle"), num_hidden=3, name="b")
two = mx.sym.SoftmaxOutput(two, name="softmax")
D, L = [("data", (4, 6))], [("softmax_label", (4,))]
batch = mx.io.DataBatch([nd.array(rng.randn(4, 6))], [nd.array([0, 1, 2, 1])])
m = mx.mod.SequentialModule(logger=log)
m.add(mx.mod.Module(one, label_names=None))
m.add(mx.mod.Module(two, ["middle"]), take_labels=True, auto_wiring=True)


def fill():
    m.bind(D, L)
    m.init_params(mx.init.One())
