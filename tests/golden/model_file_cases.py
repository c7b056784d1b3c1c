"""Networks that `Block.save` writes, under the original and here."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet.gluon import nn, rnn

DATA = mx.nd.array(np.linspace(-1, 1, 24).reshape(4, 6))
LABELS = mx.nd.array(np.linspace(1, 2, 8).reshape(4, 2))


class Nested(nn.HybridBlock):
    """A block that takes and gives nested lists."""

    def __init__(self, **kwargs) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.scores = nn.Dense(2)
            self.factor = self.params.get("factor", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, others, factor):
        """Returns the scores among what was given."""
        parts = F.split(x, num_outputs=2, axis=1)
        return [F.broadcast_mul(self.scores(x), factor) + others[0], [parts[1]]], others[1]


def make_layers(kind: type, prefix: str) -> nn.Block:
    """Makes a nested sequence of layers with moving averages."""
    net = kind(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(5, activation="relu"))
        inner = nn.HybridSequential()
        with inner.name_scope():
            inner.add(nn.BatchNorm(), nn.Dense(3))
        net.add(inner)
    return net


def make_recurrent(prefix: str) -> nn.Sequential:
    """Makes a network over sequences, with a layer that is not given its states."""
    net = nn.Sequential(prefix=prefix)
    with net.name_scope():
        net.add(rnn.LSTM(3, num_layers=2, bidirectional=True), nn.Dense(2, flatten=False))
    return net


NETWORKS = {
    "hybrid": (lambda prefix: make_layers(nn.HybridSequential, prefix), True),
    "imperative": (lambda prefix: make_layers(nn.HybridSequential, prefix), False),
    "sequential": (lambda prefix: make_layers(nn.Sequential, prefix), True),
    "nested": (lambda prefix: Nested(prefix=prefix), True),
    "recurrent": (make_recurrent, True),
}
"""How networks are made, and whether they are hybridized."""


def run(name: str, net: nn.Block) -> list[np.ndarray]:
    """Returns all outputs of a network."""
    if name == "recurrent":
        return [net(DATA.reshape((2, 2, 6))).asnumpy()]
    if name != "nested":
        return [net(DATA).asnumpy()]
    (scores, (part,)), other = net(DATA, [LABELS, LABELS + 1])
    return [item.asnumpy() for item in (scores, part, other)]


def write(folder: Path) -> dict[str, np.ndarray]:
    """Saves all networks and gives what they compute."""
    outputs = {}
    for name, (make, hybridized) in NETWORKS.items():
        net = make("saved_")
        net.initialize(mx.init.Constant(0.25))
        if hybridized:
            with warnings.catch_warnings():  # a sequence of hybrid blocks could be one itself
                warnings.simplefilter("ignore")
                net.hybridize()
        run(name, net)
        for key, parameter in sorted(net.collect_params().items()):
            values = np.arange(np.prod(parameter.shape)).reshape(parameter.shape)
            parameter.set_data(mx.nd.array(np.cos(values + len(key)) ** 2 + 0.5))
        outputs |= {f"{name}{i}": item for i, item in enumerate(run(name, net))}
        net.save(str(folder / name))
    return outputs


def largest_difference(name: str, folder: Path, expected: dict[str, np.ndarray]) -> float:
    """Loads a network under another name and compares what it computes."""
    net = NETWORKS[name][0]("loaded_")
    net.load(str(folder / name))
    outputs = run(name, net)
    return max(float(np.abs(item - expected[f"{name}{i}"]).max()) for i, item in enumerate(outputs))
