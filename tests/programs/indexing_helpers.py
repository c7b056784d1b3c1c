"""Arrays whose parts are read, and what is written into them."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def cube():
    x = nd.arange(24).reshape((2, 3, 4))
    v = nd.arange(5)
    return locals()


def mask():
    x = nd.array([1, 2, 3])
    m = nd.array([True, False, True], dtype="bool")
    return locals()


def matrix():
    x = nd.arange(6).reshape((2, 3))
    return locals()


def written(target, other):
    target[:] = 100
    return int((other == 100).sum().asscalar())


def shapes_written(x, y):
    y[:] = 100
    return x, y.shape
