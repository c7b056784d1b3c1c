"""No array has a gradient attached."""

import mxnet as mx
from mxnet import autograd

w = mx.nd.ones((3,))
with autograd.record():
    loss = (w * w).sum()
loss.backward()
