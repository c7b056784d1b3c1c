"""Variables, and the gradients of what is made of them."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

x = nd.array([1, 2, 3.0])
x.attach_grad()
m = nd.array([[1, 2, 3], [4, 5, 6.0]])
m.attach_grad()


def gradient(compute, variable):
    with autograd.record():
        y = compute()
    y.backward()
    return y, variable.grad


def of_squares(compute, variable):
    with autograd.record():
        y = compute()
        z = y * y
    z.backward()
    return y, variable.grad
