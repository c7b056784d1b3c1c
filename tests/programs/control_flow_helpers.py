"""What loops and branches on arrays are called with."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

F = nd.contrib
D, S = nd.arange(6).reshape((3, 2)), nd.array([1, 2])
I, X, A, B = nd.array([0]), nd.array([1.0]), nd.array([1.0]), nd.array([2.0])


def grads(run, *arrays):
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        found = run()
        total = sum((leaf * leaf).sum() for leaf in flat(found))
    total.backward()
    return [array.grad for array in arrays]


def flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat(value)]
    return [values]


def step(body):
    calls = []

    def counted(*args):
        calls.append(1)
        return body(calls, *args)

    return counted
