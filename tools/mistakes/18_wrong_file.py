"""The file has parameters of another network."""

import tempfile

from mxnet.gluon import nn


def build(classes, extra):
    net = nn.HybridSequential()
    net.add(nn.Dense(16, in_units=8), nn.Dense(classes, in_units=16))
    if extra:
        net.add(nn.Dense(2, in_units=classes))
    net.initialize()
    return net


path = f"{tempfile.mkdtemp()}/net.params"
build(10, extra=True).save_parameters(path)
build(5, extra=False).load_parameters(path)
