"""An array on a context, and what is made of it."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def grown(a):
    b = a.copy()
    b += 1
    return b


def slope(a):
    b = a.copy()
    b.attach_grad()
    with autograd.record():
        y = (b * b).sum()
    y.backward()
    return [y, b.grad]


other = nd.ones((2, 3))


def array_on(context):
    a = nd.array([[1, 2, 3], [4, 5, 6]]).as_in_context(context)
    return locals()
