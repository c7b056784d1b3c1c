"""What programs on the networks of the model zoo share."""

from __future__ import annotations

import contextlib
import io
import os
import re

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import model_store
from mxnet.gluon.model_zoo import vision as V

x = nd.random.uniform(shape=(1, 3, 32, 32)) * 0 + 0.5


def names(net, n=4):
    k = list(net.collect_params())
    return [len(k), k[:n], k[-n:]]


def shapes(net):
    found = [p.shape for p in net.collect_params().values()]
    return found[:5] + found[-2:]


def small(**k):
    return V.squeezenet1_1(**k)


def mobile(**k):
    return V.mobilenet0_25(**k)


def init(net):
    net.initialize(mx.init.Constant(0.01))
    return net


def refuses(kind, f):
    try:
        f()
    except kind:
        return True
    return False


def describe(name):
    net = V.get_model(name, classes=7, prefix="net_")
    parts = [type(net).__name__, net.name, net.prefix, names(net), len(net.features)]
    for part in (net.features, net.output, net.features[0], net.features[-1]):
        parts += [type(part).__name__, part.prefix]
    return parts + [shapes(net)]
