"""What graphs are called with and written to."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def symbols_and_arrays():
    a = mx.sym.var("a")
    b = mx.sym.var("b")
    x = nd.array([1.0, 2])
    y = nd.array([3.0, 4])
    return locals()


def outputs():
    x = nd.zeros((2, 3))
    y = nd.zeros((2, 3), ctx=mx.cpu(1))
    i = nd.ones((2,), dtype="int32")
    return locals()
