"""Nested networks whose parameters' names are compared; the same lines run under the original."""

from __future__ import annotations

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn, rnn
from mxnet.gluon.contrib import nn as contrib_nn
from mxnet.gluon.contrib import rnn as contrib_rnn


class Plain(nn.Block):
    """Children and parameters outside of its name scope."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.first = nn.Dense(2)
        self.scale = self.params.get("scale", shape=(1,))
        self.second = nn.Dense(2)


class Scoped(nn.HybridBlock):
    """Children and parameters inside of its name scope."""

    def __init__(self, inner: int = 0, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(2)
            self.shift = self.params.get_constant("shift", mx.nd.array([1.0, 2.0]))
            if inner:
                self.inner = Scoped(inner - 1)
            self.norm = nn.BatchNorm()


class ResNetV1(nn.HybridBlock):
    """Laid out as the networks of the model zoo."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(nn.Conv2D(4, 3, use_bias=False), nn.BatchNorm())
            for stage in (1, 2):
                layer = nn.HybridSequential(prefix=f"stage{stage}_")
                with layer.name_scope():
                    layer.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"))
                    layer.add(nn.Conv2D(4, 3), nn.BatchNorm())
                self.features.add(layer)
            self.output = nn.Dense(10, in_units=4)


class Encoder(nn.Block):
    """Recurrent layers and cells."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(5, 3)
            self.lstm = rnn.LSTM(2, num_layers=2, bidirectional=True)
            self.gru = rnn.GRU(2, input_size=4, prefix="top_")
            self.cells = rnn.SequentialRNNCell()
            with self.cells.name_scope():
                self.cells.add(rnn.LSTMCell(2))
                self.cells.add(rnn.ResidualCell(rnn.GRUCell(2)))
                self.cells.add(rnn.ZoneoutCell(rnn.RNNCell(2, prefix="zone_"), 0.1))
            self.both = rnn.BidirectionalCell(rnn.LSTMCell(2, prefix="l_"), rnn.LSTMCell(2))


def sequence(kind: type = nn.Sequential, scoped: bool = True, **kwargs: object) -> nn.Block:
    """Makes two dense layers with another sequence between them."""
    net = kind(**kwargs)
    inner = kind()
    if not scoped:
        inner.add(nn.Dense(2), nn.Dense(2))
        net.add(nn.Dense(2), inner, nn.Dense(2))
        return net
    with net.name_scope():
        inner = kind()
        with inner.name_scope():
            inner.add(nn.Dense(2), nn.Dense(2))
        net.add(nn.Dense(2), inner, nn.Dense(2))
    return net


def repeated() -> nn.Block:
    """Makes networks of one kind one after the other; numbers go on."""
    sequence(), Scoped(1)
    return Scoped(1)


def many_layers() -> nn.Block:
    """Makes one layer of each kind that has parameters."""
    net = nn.HybridSequential(prefix="all_")
    with net.name_scope():
        net.add(nn.Conv1D(2, 3), nn.Conv2D(2, 3), nn.Conv3D(2, 3), nn.Conv2DTranspose(2, 3))
        net.add(nn.Conv1DTranspose(2, 3), nn.Conv3DTranspose(2, 3), nn.Dense(2, activation="relu"))
        net.add(nn.LayerNorm(), nn.InstanceNorm(), nn.GroupNorm(), nn.BatchNorm(scale=False))
        net.add(nn.PReLU(), nn.Embedding(3, 2), nn.Dense(2, use_bias=False), nn.Dense(2))
        net.add(nn.MaxPool2D(), nn.Dropout(0.5), nn.Flatten(), nn.Conv2D(2, 1))
    return net


def shared_layer() -> nn.Block:
    """Makes a layer that shares the parameters of another."""
    net = nn.Sequential(prefix="model_")
    with net.name_scope():
        first = nn.Dense(8, activation="relu")
        net.add(nn.Dense(8), first, nn.Dense(8, activation="relu", params=first.params))
        net.add(nn.Dense(1))
    return net


def shared_network() -> nn.Block:
    """Makes a network all of whose parameters are another's."""
    first = Scoped(1, prefix="one_")
    net = nn.Sequential(prefix="pair_")
    net.add(first, Scoped(1, prefix="two_", params=first.collect_params()))
    return net


def shared_by_prefix() -> nn.Block:
    """Makes a second network under the prefix of the first, which is given as `params`."""
    first = sequence(prefix="net_")
    return sequence(prefix="net_", params=first.collect_params())


def contributed() -> nn.Block:
    """Makes layers and cells of contrib."""
    net = nn.HybridSequential(prefix="extra_")
    with net.name_scope():
        branches = contrib_nn.HybridConcurrent(axis=1)
        with branches.name_scope():
            branches.add(nn.Dense(2))
            branches.add(contrib_nn.Identity())
        net.add(branches, contrib_nn.SyncBatchNorm(num_devices=1), nn.Dense(1))
        net.add(contrib_rnn.Conv2DLSTMCell((1, 4, 4), 2, 3, 3))
        net.add(contrib_rnn.LSTMPCell(4, 2), contrib_rnn.VariationalDropoutCell(rnn.GRUCell(2)))
    return net


def with_loss() -> nn.Block:
    """Makes a network that holds a loss and a block without parameters."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Dense(2), nn.HybridLambda("relu"), gluon.loss.SoftmaxCrossEntropyLoss())
        net.add(gluon.loss.CTCLoss(), nn.Dense(3))
    return net


NETWORKS = {
    "plain": Plain,
    "plain with prefix": lambda: Plain(prefix="mine_"),
    "plain with empty prefix": lambda: Plain(prefix=""),
    "scoped": Scoped,
    "scoped with prefix": lambda: Scoped(prefix="mine_"),
    "scoped with empty prefix": lambda: Scoped(prefix=""),
    "scoped deep": lambda: Scoped(3),
    "scoped deep with empty prefix": lambda: Scoped(2, prefix=""),
    "sequence": sequence,
    "sequence unscoped": lambda: sequence(scoped=False),
    "sequence hybrid": lambda: sequence(nn.HybridSequential, prefix="seq_"),
    "sequence unscoped with prefix": lambda: sequence(scoped=False, prefix="seq_"),
    "repeated": repeated,
    "resnet": ResNetV1,
    "resnet with prefix": lambda: ResNetV1(prefix="r_"),
    "encoder": Encoder,
    "many layers": many_layers,
    "shared layer": shared_layer,
    "shared network": shared_network,
    "shared by prefix": shared_by_prefix,
    "contributed": contributed,
    "with loss": with_loss,
}
"""Functions that make a network, by what is special in it."""


def names_of(case: str) -> dict:
    """Returns the names in a network that is made where no name has been given before."""
    with mx.name.NameManager():
        net = NETWORKS[case]()
    return {
        "name": net.name,
        "prefix": net.prefix,
        "params": list(net.collect_params()),
        "weights": list(net.collect_params(".*weight")),
        "own": list(net.params),
        "paths": list(net._collect_params_with_prefix()),
        "children": list(net._children),
        "names of children": [child.name for child in net._children.values()],
    }
