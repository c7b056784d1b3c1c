"""Arrays of known numbers, and slopes."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

random = np.random.RandomState(7)


def some(*shape, low=-1, high=1, dtype="float32"):
    return nd.array(random.uniform(low, high, shape), dtype=dtype)


def boxes(*shape):
    low = random.uniform(0, 0.6, shape + (2,))
    return np.concatenate([low, low + random.uniform(0.1, 0.4, shape + (2,))], -1)


def slopes(function, *arrays):
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        result = function(*arrays)
    heads = result if isinstance(result, (list, tuple)) else [result]
    autograd.backward(list(heads))
    return [head.asnumpy() for head in heads] + [array.grad.asnumpy() for array in arrays]


def types(symbol, **given):
    return [[np.dtype(kind).name for kind in group] for group in symbol.infer_type(**given)]


V = mx.sym.Variable
