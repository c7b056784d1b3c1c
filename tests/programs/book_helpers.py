"""What programs of books share: data, layers with known weights, training and notes."""

from __future__ import annotations

import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn

r = []


def note(*values):
    r.extend(values)


class Formula(init.Initializer):
    def __init__(self, scale=0.3):
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name, arr):
        values = np.sin(np.arange(arr.size) * 0.37 + len(arr.shape)) * self.scale
        arr[:] = values.reshape(arr.shape)


def wave(*shape, k=0.31, s=1.0):
    return nd.array((np.cos(np.arange(np.prod(shape)) * k + 0.2) * s).reshape(shape))


def turns(n, m, *shape):
    return nd.array((np.arange(n) * 7 % m).reshape(shape or (n,)))


def made(net, scale=0.3):
    net.initialize(Formula(scale))
    return net


def chain(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    return made(net)


def fit(net, compute, name="sgd", steps=3, batch=1, **options):
    trainer = gluon.Trainer(net.collect_params(), name, options)
    for _ in range(steps):
        with autograd.record():
            loss = compute()
        loss.backward()
        trainer.step(batch, ignore_stale_grad=True)
        note(loss.mean())
    return trainer
