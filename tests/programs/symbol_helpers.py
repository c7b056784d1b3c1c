"""Symbols, and what programs ask of them."""

from __future__ import annotations

import contextlib
import logging
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

names = mx.name.NameManager()
names.__enter__()
stack = contextlib.ExitStack()
S = mx.sym
x, y, z = S.var("x"), S.var("y"), S.var("z")


def about(s):
    return [s.name, s.list_arguments(), s.list_outputs(), s.list_auxiliary_states(), attrs(s)]


def attrs(s):
    return sorted(s.list_attr().items())


def all_attrs(s):
    return sorted((name, sorted(found.items())) for name, found in s.attr_dict().items())


def graph(s):
    import json

    found = json.loads(s.tojson())
    nodes = [
        [n["op"], n["name"], sorted(n.get("attrs", {}).items()), n["inputs"]]
        for n in found["nodes"]
    ]
    return [nodes, found["arg_nodes"], found["node_row_ptr"], found["heads"], found["attrs"]]


def scoped(make, **kwargs):
    with mx.AttrScope(**kwargs):
        return make()


def prefixed(make, prefix):
    with mx.name.Prefix(prefix):
        return make()


def mlp():
    first = S.FullyConnected(S.var("data"), name="fc1", num_hidden=8)
    second = S.FullyConnected(
        S.Activation(first, act_type="relu", name="relu1"), num_hidden=3, name="fc2"
    )
    return S.SoftmaxOutput(second, name="softmax")


def convnet():
    h = S.Convolution(S.var("data"), kernel=(3, 3), num_filter=4, name="c")
    h = S.Pooling(S.BatchNorm(h, name="bn"), kernel=(2, 2), stride=(2, 2), pool_type="max")
    return S.FullyConnected(S.Flatten(h), num_hidden=2, name="fc")


warnings.simplefilter("ignore")
