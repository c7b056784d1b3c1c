"""Arrays whose properties and methods are read."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def small_arrays():
    x = nd.array([[1, 2, 3], [4, 5, 6]])
    v = nd.array([1, 2])
    s = nd.array([3])
    return locals()


def numbered_arrays():
    x = nd.arange(24).reshape((2, 3, 4))
    m = nd.arange(6).reshape((2, 3))
    v = nd.arange(4)
    return locals()


def matrices():
    m = nd.array([[3, 1, 2], [6, 5, 4]])
    i = m.astype("int32")
    return locals()


def vectors():
    x = nd.array([0.25, 0.5, -0.75, 1.5])
    i = nd.array([1, 2, -3], dtype="int32")
    return locals()


def empty_arrays():
    z = nd.zeros((0, 3))
    e = nd.array([])
    return locals()
