"""Variables, and what is done to them between the two passes."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

x = nd.array([1.0, 2])
x.attach_grad()
b = nd.array([3.0, 1])
b.attach_grad()


def slope(forward, change):
    with autograd.record():
        y = forward()
    change()
    y.backward()
    return x.grad, b.grad, b


def write(a):
    a[:] = 5


def grow(a):
    a += 5


d = b.detach()
