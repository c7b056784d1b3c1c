"""A chain that ends in a loss in Python."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .module_log_helpers import f, lines, log

rng = np.random.RandomState(0)
one = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="a")
D, L = [("data", (4, 6))], [("label", (4,))]
batch = mx.io.DataBatch([nd.array(rng.randn(4, 6))], [nd.array([0, 1, 2, 1])])


def hinge(scores, labels):
    return (scores.asnumpy() > -1) - labels.one_hot(3).asnumpy() * 2


loss = mx.mod.PythonLossModule(data_names=["x"], label_names=["label"], grad_func=hinge)
m = mx.mod.SequentialModule()
m.add(mx.mod.Module(one, label_names=None)).add(loss, take_labels=True, auto_wiring=True)
m.bind(D, L)
m.init_params(mx.init.One())
m.init_optimizer()


def trained():
    m.forward_backward(batch)
    m.update()
    return m.get_params(), m.get_outputs()
