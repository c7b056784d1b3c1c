"""`backward` is called again."""

import mxnet as mx
from mxnet import autograd

x = mx.nd.ones((3,))
x.attach_grad()
with autograd.record():
    y = (x * x).sum()
y.backward()
y.backward()
