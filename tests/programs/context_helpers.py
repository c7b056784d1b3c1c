"""Arrays that move between contexts."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def arrays_of_two_contexts():
    x = nd.array([1, 2])
    y = nd.zeros((2,), ctx=mx.cpu(1))
    return locals()
