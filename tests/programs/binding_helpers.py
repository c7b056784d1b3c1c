"""A dense layer, alone, normalized and with a loss, and what executors of it are like."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import nd

S = mx.sym
v = S.var
cpu = mx.cpu()
net = S.FullyConnected(v("data"), num_hidden=2, name="fc")
bn = S.BatchNorm(S.FullyConnected(v("data"), num_hidden=2, name="fc"), name="bn")
out = S.SoftmaxOutput(bn, name="softmax")


def arrays():
    return {"data": nd.ones((3, 4)), "fc_weight": nd.ones((2, 4)), "fc_bias": nd.ones((2,))}


def zeros():
    return {name: nd.zeros(array.shape) for name, array in arrays().items()}


def described(e):
    """Shapes, dtypes and storage of all arrays of an executor."""
    return (
        [(k, a.shape, np.dtype(a.dtype).name, a.stype) for k, a in e.arg_dict.items()],
        [None if a is None else (a.shape, a.stype) for a in (e.grad_arrays or [])],
        [(k, a.shape) for k, a in e.aux_dict.items()],
        [(k, a.shape, np.dtype(a.dtype).name) for k, a in e.output_dict.items()],
    )


def attempted(function, *arguments, **options):
    try:
        return function(*arguments, **options)
    except Exception as error:
        return error
