"""Variables, and gradients of what is made of them, once and twice."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def variables():
    x, z = nd.array([1.0, 2, -3]), nd.array([1.0, 2, -3])
    x.attach_grad()
    z.attach_grad()
    return locals()


def table_and_indices():
    z, i = nd.arange(6).reshape((2, 3)), nd.array([0.0, 1])
    z.attach_grad()
    i.attach_grad()
    i.grad[:] = 7
    return locals()


def fractions():
    x = nd.array([0.1, 0.3, 0.6])
    x.attach_grad()
    return locals()


def gradients(compute, variables):
    with autograd.record():
        y = compute()
    return autograd.grad(y, variables)


def of_both(compute, z, i):
    with autograd.record():
        y = compute()
    y.backward()
    return z.grad, i.grad


def twice(compute, x):
    with autograd.record():
        y = compute()
        g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
        h = (g * nd.array([1.0, 2, 3])).sum()
    h.backward()
    return g, x.grad
