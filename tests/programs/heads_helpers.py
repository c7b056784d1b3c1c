"""A network of several results, and what its gradients are."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


class Heads(mx.gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="heads_")
        with self.name_scope():
            self.one = mx.gluon.nn.Dense(2, in_units=2, weight_initializer="ones")
            self.two = mx.gluon.nn.LayerNorm(in_channels=2)

    def hybrid_forward(self, F, x, y):
        return self.one(x) * 2, [F.tanh(self.two(y)), F.BlockGrad(x)]


x = nd.array([[1.0, 2]])
y = nd.array([[1.0, 3]])
x.attach_grad()
y.attach_grad()


def network(options):
    net = Heads()
    net.initialize()
    if options is not None:
        net.hybridize(**options)
    return net


def grads(net):
    arrays = [x.grad, y.grad] + [p.grad() for p in net.collect_params().values()]
    return [a.copy() for a in arrays]
