"""A product of two variables, what it is bound to, and executors."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

a, b = mx.sym.var("a"), mx.sym.var("b")
x, y = nd.array([1, 2.0]), nd.array([3, 4.0])
ga, gb = nd.zeros(2), nd.zeros(2)
c = a * b


def executor():
    exe = c.bind(mx.cpu(), [x, y], [ga, gb])
    exe.forward(is_train=True)
    return exe


def bound():
    exe = executor()
    return locals()


def dense_layer():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    exe = net.simple_bind(mx.cpu(), data=(4, 3))
    return locals()
