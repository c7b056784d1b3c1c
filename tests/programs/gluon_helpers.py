"""What programs on blocks and trainers share."""

from __future__ import annotations

import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

warnings.simplefilter("ignore")


def wave(*shape):
    return nd.array(np.sin(np.arange(int(np.prod(shape))) * 0.7 + 0.3).reshape(shape))


class Waves(mx.init.Initializer):
    def _init_weight(self, name, arr):
        arr[:] = wave(*arr.shape)

    _init_default = _init_weight


def outcome(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def parameter(values, ctx=None, **kwargs):
    p = gluon.Parameter("x", shape=(len(values),), **kwargs)
    p.initialize(mx.init.Zero(), ctx=ctx or mx.cpu(0))
    p.set_data(nd.array(values))
    return p


def backward(p, function=lambda w: (w + 1) ** 2):
    with autograd.record():
        losses = [function(w).sum() for w in p.list_data()]
    autograd.backward(losses)


class Sum(gluon.HybridBlock):
    def hybrid_forward(self, F, a, b=None):
        a = sum(a) if isinstance(a, (list, tuple)) else a
        b = sum(b) if isinstance(b, (list, tuple)) else b
        return a if b is None else a + b


def total(hybrid=True):
    net = Sum()
    if hybrid:
        net.hybridize()
    return net


def mlp(prefix="n_", **options):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize(Waves())
    return net
