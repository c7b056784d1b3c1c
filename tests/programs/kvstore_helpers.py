"""Stores with values, and arrays to pull into."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import GIVEN

folder = GIVEN["folder"]
kv = mx.kv.create()
a, b = nd.zeros(2), nd.zeros(2)
kv.init(3, nd.ones(2))
kv.init([5, 6], [nd.ones(2), nd.ones(2) * 2])
names = mx.kv.create("device")
names.init("w", nd.ones(2))
f = os.path.join(folder, "a.states")


def pulled(key, store=kv):
    store.pull(key, out=a)
    return a
