"""Symbols, and what can be asked of them."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import pickle
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

warnings.simplefilter("ignore")
S = mx.sym
v = S.var
x, y, z = S.var("x"), S.var("y"), S.var("z")
X, Y = nd.array([[1, -2, 3], [4, 5, -6.0]]), nd.array([[2, 2, 2], [3, 1, 0.5]])


def wave(shape, start=0.0, scale=1.0):
    return (
        (np.sin(np.arange(int(np.prod(shape))) * 1.3 + start) * scale)
        .reshape(shape)
        .astype("float32")
    )


def mlp():
    net = S.FullyConnected(S.var("data"), num_hidden=4, name="fc1")
    net = S.Activation(net, act_type="relu", name="relu1")
    net = S.FullyConnected(net, num_hidden=3, name="fc2")
    return S.SoftmaxOutput(net, name="softmax")


def bn():
    return S.BatchNorm(
        S.Convolution(S.var("data"), kernel=(1, 1), num_filter=2, name="c"),
        name="bn",
        fix_gamma=False,
    )


def bound(net, req="write", **shapes):
    exe = net.simple_bind(mx.cpu(), grad_req=req, **shapes)
    for i, a in enumerate(exe.arg_arrays):
        a[:] = wave(a.shape, i)
    return exe


def attrs(s):
    return sorted((k, sorted(w.items())) for k, w in s.attr_dict().items())


def shapes(s, **given):
    a, o, u = s.infer_shape_partial(**given)
    return dict(zip(s.list_arguments(), a)) if a else None, o, u


def prefixed(p, f):
    with mx.name.Prefix(p):
        return f()


def scoped(f, **kw):
    with mx.AttrScope(**kw):
        return f()


def text(s):
    n = json.loads(s.tojson())
    return [
        (k["op"], k["name"], k["inputs"], sorted(k.get("attrs", {}).items())) for k in n["nodes"]
    ], n["heads"]
