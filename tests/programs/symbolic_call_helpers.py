"""What calls of blocks on symbols and arrays share."""

from __future__ import annotations

import json
import os
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

warnings.simplefilter("ignore")
S, G, nn = mx.sym, mx.gluon, mx.gluon.nn
x, y = S.var("x"), S.var("y")
X = nd.array([[1, -2, 3], [4, 5, -6.0]])


class Net(G.HybridBlock):
    def __init__(self, f):
        super().__init__(prefix="n_")
        self.f = f

    def hybrid_forward(self, F, *args):
        return self.f(F, *args)


def call(f, *args, hybrid=True):
    net = Net(f)
    net.hybridize(hybrid)
    return net(*args)


def both(f, *args):
    return [call(f, *args, hybrid=h) for h in (False, True)]


def grads(f, *args):
    found = []
    for h in (False, True):
        for a in args:
            a.attach_grad()
        net = Net(f)
        net.hybridize(h)
        with autograd.record():
            out = net(*args)
        out.backward()
        found.append([out] + [a.grad for a in args])
    return found


def dense(hybrid=True, **kw):
    net = nn.Dense(2, prefix="d_", **kw)
    net.initialize(mx.init.One())
    net.hybridize(hybrid)
    return net
