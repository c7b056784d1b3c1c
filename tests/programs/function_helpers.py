"""Arguments of functions."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def pair():
    x = nd.array([[1, 2], [3, 0]])
    y = nd.array([[2, 2], [0, 1]])
    row = nd.array([2, 3])
    i = nd.array([[1, 2], [3, 4]], dtype="int32")
    return locals()


def matrix():
    x = nd.array([[1, 2], [3, 4]])
    o = nd.zeros((2, 2))
    return locals()


def arrays_of_several_shapes():
    m = nd.arange(6).reshape((2, 3))
    v = nd.arange(6)
    x = nd.ones((2, 3, 4))
    return locals()
