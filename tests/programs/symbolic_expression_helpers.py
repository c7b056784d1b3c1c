"""Symbols and arrays on which expressions are computed."""

from __future__ import annotations

import copy
import json
import pickle
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

warnings.simplefilter("ignore")
S = mx.sym
x, y, z = S.var("x"), S.var("y"), S.var("z")
X, Y = nd.array([[1, -2, 3], [4, 5, -6.0]]), nd.array([[2, 2, 2], [3, 1, 0.5]])


def val(s, **more):
    given = dict(x=X, y=Y, **more)
    return s.eval(**{k: v for k, v in given.items() if k in s.list_inputs()})


def mlp(prefix=""):
    net = S.FullyConnected(S.var("data"), num_hidden=4, name=prefix + "fc1")
    net = S.Activation(net, act_type="relu", name=prefix + "relu1")
    net = S.FullyConnected(net, num_hidden=3, name=prefix + "fc2")
    return S.SoftmaxOutput(net, name=prefix + "softmax")


def block():
    net = S.Convolution(S.var("data"), kernel=(3, 3), num_filter=4, name="conv", no_bias=True)
    net = S.BatchNorm(net, name="bn", fix_gamma=False)
    return S.Pooling(
        S.Activation(net, act_type="relu", name="act"),
        global_pool=True,
        kernel=(1, 1),
        pool_type="avg",
        name="pool",
    )


def attrs(s):
    return sorted((k, sorted(v.items())) for k, v in s.attr_dict().items())


def outs(s):
    return s.list_outputs()
