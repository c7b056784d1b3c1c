"""Arrays that are assigned to."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def cube():
    x = nd.arange(24).reshape((2, 3, 4))
    return locals()


def numbers(dtype):
    x = nd.array([1, 2, 3], dtype=dtype)
    return locals()


def vector():
    x = nd.arange(5)
    y = x
    return locals()
