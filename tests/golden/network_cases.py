"""Networks that are exported, by this package and by the original, with data and results."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn


class Heads(gluon.HybridBlock):
    """Two inputs and a nested output."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.left = nn.Dense(4, activation="tanh")
            self.right = nn.Dense(4, use_bias=False)
            self.scale = self.params.get("scale", shape=(1, 4), init="ones")
            self.head = nn.Dense(2)

    def hybrid_forward(self, F, x, y, scale):
        left, right = self.left(x), self.right(y)
        both = F.broadcast_mul(F.concat(left, right, dim=1), F.concat(scale, scale, dim=1))
        first, second = F.split(both, num_outputs=2, axis=1)
        return self.head(both), [first * 2 - 1, F.softmax(1 - second)]


def make_mlp(prefix):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(6, activation="relu"), nn.Dropout(0.5), nn.Dense(3))
    return net


def make_lenet(prefix):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Conv2D(3, 3, activation="relu"), nn.BatchNorm(), nn.MaxPool2D(2))
        net.add(nn.Conv2D(4, 3, padding=1, use_bias=False), nn.BatchNorm(scale=False))
        net.add(nn.LeakyReLU(0.1), nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(2))
    return net


def make_mixture(prefix):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Embedding(7, 4), nn.LayerNorm(), nn.PReLU(), nn.Dense(3, flatten=False))
        net.add(nn.Swish(), nn.HybridLambda("relu"), nn.GELU())
    return net


def make_upscaler(prefix):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Conv2DTranspose(3, 3, strides=2), nn.InstanceNorm(), nn.AvgPool2D(2))
        net.add(nn.GroupNorm(3), nn.ELU(), nn.SELU(), nn.ReflectionPad2D(1))
    return net


class Recurrent(gluon.HybridBlock):
    """A fused layer, a cell unrolled, and first states whose batch is not known."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.fused = gluon.rnn.LSTM(4, num_layers=2, bidirectional=True, input_size=3)
            self.cell = gluon.rnn.GRUCell(5, input_size=8)
            self.out = nn.Dense(2, flatten=False)

    def hybrid_forward(self, F, x):  # noqa: ARG002 - children have their own
        outputs, _ = self.cell.unroll(4, self.fused(x), layout="TNC", merge_outputs=True)
        return self.out(outputs)


NETWORKS = {
    "mlp": (make_mlp, [(4, 5)]),
    "lenet": (make_lenet, [(2, 1, 10, 10)]),
    "heads": (lambda prefix: Heads(prefix=prefix), [(3, 4), (3, 5)]),
    "mixture": (make_mixture, [(2, 5)]),
    "recurrent": (lambda prefix: Recurrent(prefix=prefix), [(4, 2, 3)]),
    "upscaler": (make_upscaler, [(2, 2, 4, 4)]),
}


def make_data(name):
    """Makes the inputs of a network."""
    random = np.random.RandomState(zlib.crc32(name.encode()))
    shapes = NETWORKS[name][1]
    if name == "mixture":
        return [random.randint(0, 7, shape).astype("float32") for shape in shapes]
    return [random.uniform(-1, 1, shape).astype("float32") for shape in shapes]


def fill(parameter):
    """Returns a parameter values that depend on its name and shape."""
    random = np.random.RandomState(zlib.crc32(parameter.name.encode()))
    low, high = (0.5, 1.5) if parameter.name.endswith("var") else (-0.5, 0.5)
    parameter.set_data(mx.nd.array(random.uniform(low, high, parameter.shape)))


def flat(values):
    """Lists the arrays in nested lists."""
    if isinstance(values, (list, tuple)):
        return [item for value in values for item in flat(value)]
    return [values]


def export(name, folder):
    """Makes a network, runs it, and writes its files with inputs and outputs beside them."""
    net = NETWORKS[name][0](f"{name}_")
    net.initialize()
    net.hybridize()
    data = [mx.nd.array(item) for item in make_data(name)]
    net(*data)
    for parameter in net.collect_params().values():
        fill(parameter)
    outputs = flat(net(*data))
    net.export(str(Path(folder) / name))
    arrays = {f"in{i}": item.asnumpy() for i, item in enumerate(data)}
    arrays.update((f"out{i}", item.asnumpy()) for i, item in enumerate(outputs))
    np.savez(Path(folder) / f"{name}.npz", **arrays)


def check(name, folder):
    """Loads exported files and compares what the network gives; returns the largest difference."""
    with np.load(Path(folder) / f"{name}.npz") as stored:
        arrays = {key: stored[key] for key in stored.files}
    count = len(NETWORKS[name][1])
    names = ["data"] if count == 1 else [f"data{i}" for i in range(count)]
    path = str(Path(folder) / name)
    net = gluon.SymbolBlock.imports(f"{path}-symbol.json", names, f"{path}-0000.params")
    outputs = flat(net(*(mx.nd.array(arrays[f"in{i}"]) for i in range(count))))
    if len(outputs) != len(arrays) - count:
        raise ValueError(f"{name}: {len(outputs)} outputs")
    return max(abs(item.asnumpy() - arrays[f"out{i}"]).max() for i, item in enumerate(outputs))
