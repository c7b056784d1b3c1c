"""Networks that tests and golden files share; the same lines run under the original."""

from __future__ import annotations

import zlib

import numpy as np

import mxnet as mx
from mxnet.gluon import nn


class Branches(nn.HybridBlock):
    """A network with children of several kinds, in and outside of name scopes."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.first = nn.Dense(3, activation="relu")
            self.body = nn.HybridSequential(prefix="body_")
            with self.body.name_scope():
                self.body.add(nn.Dense(4), nn.BatchNorm(), nn.Dense(2, use_bias=False))
            self.scale = self.params.get("scale", shape=(1,), init="ones")
            self.shift = self.params.get_constant("shift", mx.nd.array([[0.5]]))

    def hybrid_forward(self, F, x, scale, shift):
        """Runs the parts one after the other."""
        x = self.body(self.first(x))
        return F.broadcast_add(F.broadcast_mul(x, scale), shift)


def make_tied(**kwargs):
    """Makes a network two of whose layers share parameters."""
    net = nn.HybridSequential(**kwargs)
    with net.name_scope():
        first = nn.Dense(4, in_units=4)
        net.add(first, nn.Dense(4, in_units=4, params=first.params), nn.Dense(2, in_units=4))
    return net


DATA = mx.nd.array(np.linspace(-1, 1, 20, dtype="float32").reshape(5, 4))


def set_values(net):
    """Sets all parameters to values that depend on the end of their names."""
    for name, parameter in net.collect_params().items():
        if parameter.grad_req == "null" and "running" not in name:
            continue
        random = np.random.RandomState(zlib.crc32(name.split("_", 1)[1].encode()))
        parameter.set_data(mx.nd.array(random.uniform(0.2, 1, parameter.shape)))
