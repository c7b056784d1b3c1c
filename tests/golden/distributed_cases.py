"""Trainings on several processes, in the form of programs for the original's `dist_sync`.

Each case is a network, a way to train it and an optimizer. Every process takes its part of each
batch; a process without a store takes all of it, which must lead to the same parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn

STEPS = 50
BATCH = 8
CLASSES = 3
WORDS = 12


class Tagger(gluon.Block):
    """Predicts a class for each sequence, by an LSTM."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.lstm = gluon.rnn.LSTM(5, layout="NTC", input_size=4)
            self.head = nn.Dense(CLASSES, in_units=15)

    def forward(self, x):
        return self.head(self.lstm(x))


class Bag(gluon.Block):
    """Adds the vectors of words up; the table and its gradients are row_sparse."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.words = gluon.contrib.nn.SparseEmbedding(WORDS, 4)
            self.head = nn.Dense(CLASSES, in_units=4)

    def forward(self, x):
        return self.head(self.words(x).sum(axis=1))


def make_mlp():
    net = nn.HybridSequential()
    net.add(nn.Dense(7, activation="relu", in_units=6), nn.Dense(CLASSES, in_units=7))
    return net


def make_conv():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, activation="relu", in_channels=2), nn.MaxPool2D(2))
    net.add(nn.Conv2D(5, 2, in_channels=4), nn.GlobalAvgPool2D(), nn.Flatten())
    net.add(nn.Dense(CLASSES, in_units=5))
    return net


NETWORKS: dict[str, tuple[Callable[[], gluon.Block], tuple[int, ...]]] = {
    "mlp": (make_mlp, (6,)),
    "conv": (make_conv, (2, 8, 8)),
    "lstm": (Tagger, (3, 4)),
    "embedding": (Bag, (4,)),
}
"""How to make each network, and the shape of one sample."""


@dataclass(frozen=True)
class Case:
    """A training.

    Attributes:
        network: Key of `NETWORKS`, or of `SYMBOLS` for a module.
        optimizer: Name of the optimizer.
        options: Its options.
        compression: Options of gradient compression.
        way: "trainer", "module" for `Module.fit`, or "store" for a loop that pushes gradients to a
            store with an optimizer and pulls weights; the original compresses only there.
    """

    network: str
    optimizer: str = "sgd"
    options: dict[str, object] = field(default_factory=dict)
    compression: dict[str, object] | None = None
    way: str = "trainer"


_MOMENTUM = {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01}
_ADAM = {"learning_rate": 0.02}
_LAMB = {"learning_rate": 0.02, "wd": 0.01}
_MEAN = {"rescale_grad": 1 / BATCH}
"""For a row_sparse table, which the original's store gets before the first step says its size."""
_LARGE = {"type": "2bit", "threshold": 0.5}
_SMALL = {"type": "2bit", "threshold": 0.05}
CASES: dict[str, Case] = {
    "mlp, sgd": Case("mlp", options=_MOMENTUM),
    "mlp, adam": Case("mlp", "adam", _ADAM),
    "mlp, lamb": Case("mlp", "lamb", _LAMB),
    "conv, sgd": Case("conv", options=_MOMENTUM),
    "conv, adam": Case("conv", "adam", _ADAM),
    "conv, lamb": Case("conv", "lamb", _LAMB),
    "lstm, sgd": Case("lstm", options=_MOMENTUM),
    "lstm, adam": Case("lstm", "adam", _ADAM),
    "lstm, lamb": Case("lstm", "lamb", _LAMB),
    "embedding, sgd": Case("embedding", options={**_MOMENTUM, **_MEAN}),
    "embedding, adam": Case("embedding", "adam", {**_ADAM, **_MEAN}),
    "embedding, all rows": Case("embedding", "adam", {**_ADAM, **_MEAN, "lazy_update": False}),
    "store mlp, sgd": Case("mlp", options=_MOMENTUM, way="store"),
    "store mlp, 2bit": Case("mlp", options=_MOMENTUM, compression=_LARGE, way="store"),
    "store mlp, adam, 2bit": Case("mlp", "adam", _ADAM, compression=_SMALL, way="store"),
    "store conv, 2bit": Case("conv", options=_MOMENTUM, compression=_SMALL, way="store"),
    "module mlp, sgd": Case("mlp", options=_MOMENTUM, way="module"),
    "module mlp, adam": Case("mlp", "adam", _ADAM, way="module"),
    "module mlp, lamb": Case("mlp", "lamb", _LAMB, way="module"),
    "module conv, sgd": Case("conv", options=_MOMENTUM, way="module"),
}


def make_data(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Makes the samples of all steps, and their classes."""
    rng = np.random.RandomState(5)
    shape = NETWORKS[case.network][1]
    count = STEPS * BATCH
    if case.network == "embedding":
        data = rng.randint(0, WORDS, (count, *shape)).astype(np.float32)
    else:
        data = rng.normal(size=(count, *shape)).astype(np.float32)
    return data, rng.randint(0, CLASSES, count).astype(np.float32)


def _part(data: np.ndarray, rank: int, size: int) -> np.ndarray:
    """Returns this process's share of every batch, one after the other."""
    batches = data.reshape(STEPS, size, BATCH // size, *data.shape[1:])
    return batches[:, rank].reshape(-1, *data.shape[1:])


def _make_values(shapes: list[tuple[int, ...]]) -> list[np.ndarray]:
    rng = np.random.RandomState(9)
    return [rng.uniform(-0.4, 0.4, shape).astype(np.float32) for shape in shapes]


def train(name: str, store: object = None, **options: object) -> list[np.ndarray]:
    """Trains a case and returns the parameters.

    Args:
        name: Key of `CASES`.
        store: The store of several processes; None for one process with whole batches.
        options: Further arguments of the trainer or the module.
    """
    case = CASES[name]
    rank, size = (store.rank, store.num_workers) if store is not None else (0, 1)
    data, label = (_part(array, rank, size) for array in make_data(case))
    run = {"trainer": _run_trainer, "module": _fit_module, "store": _run_store}[case.way]
    return run(case, (data, label), store, **options)


def _make_network(case):
    """Makes the network.

    All processes set the same values: they become those of the first process only in the first
    step, for which each has computed gradients already.
    """
    net = NETWORKS[case.network][0]()
    net.initialize()
    parameters = list(net.collect_params().values())
    values = _make_values([parameter.shape for parameter in parameters])
    for parameter, value in zip(parameters, values, strict=True):
        parameter.set_data(mx.nd.array(value))
    return net, parameters


def _make_gradients(net, arrays):
    """Computes the gradients of each step, one step at a time."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    data, label = arrays
    length = len(data) // STEPS
    for step in range(STEPS):
        rows = slice(step * length, (step + 1) * length)
        with autograd.record():
            loss = loss_of(net(mx.nd.array(data[rows])), mx.nd.array(label[rows]))
        loss.backward()
        yield step


def _run_store(case, arrays, store):
    net, parameters = _make_network(case)
    if case.compression:
        store.set_gradient_compression(dict(case.compression))
    optimizer = mx.optimizer.create(case.optimizer, rescale_grad=1 / BATCH, **case.options)
    store.set_optimizer(optimizer)
    for key, parameter in enumerate(parameters):
        store.init(key, parameter.data())
        store.pull(key, out=parameter.list_data())
    for _ in _make_gradients(net, arrays):
        for key, parameter in enumerate(parameters):
            store.push(key, parameter.list_grad())
            store.pull(key, out=parameter.list_data())
    return [parameter.data().asnumpy() for parameter in parameters]


def _run_trainer(case, arrays, store, **options):
    net, parameters = _make_network(case)
    trainer = gluon.Trainer(
        net.collect_params(),
        case.optimizer,
        dict(case.options),
        kvstore=store or "local",
        compression_params=case.compression,
        **options,
    )
    for _ in _make_gradients(net, arrays):
        trainer.step(1 if "rescale_grad" in case.options else BATCH)
    return [_read(parameter) for parameter in parameters]


def _read(parameter):
    """Returns the values of a parameter, of which the store may have the latest rows."""
    if parameter._stype == "default":
        return parameter.data().asnumpy()
    return parameter.row_sparse_data(mx.nd.arange(WORDS)).asnumpy()


def make_symbol(network: str) -> mx.sym.Symbol:
    """Makes the graph of a module."""
    x = mx.sym.Variable("data")
    if network == "conv":
        x = mx.sym.Convolution(x, kernel=(3, 3), num_filter=4, name="conv0")
        x = mx.sym.Pooling(mx.sym.relu(x), kernel=(2, 2), stride=(2, 2), pool_type="max")
    x = mx.sym.FullyConnected(x, num_hidden=7, name="fc0")
    x = mx.sym.FullyConnected(mx.sym.relu(x), num_hidden=CLASSES, name="fc1")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def _fit_module(case, arrays, store, **options):
    data, label = arrays
    iterator = mx.io.NDArrayIter(data, label, batch_size=len(data) // STEPS)
    symbol = make_symbol(case.network)
    module = mx.mod.Module(symbol, **options)
    shapes, _, _ = symbol.infer_shape(data=iterator.provide_data[0].shape)
    names = [name for name in symbol.list_arguments() if name not in ("data", "softmax_label")]
    known = dict(zip(symbol.list_arguments(), shapes, strict=True))
    values = _make_values([known[name] for name in names])
    first = {name: mx.nd.array(value) for name, value in zip(names, values, strict=True)}
    module.fit(
        iterator,
        num_epoch=1,
        kvstore=store,
        optimizer=case.optimizer,
        optimizer_params=dict(case.options),
        arg_params=first,
        eval_metric="acc",
    )
    found, _ = module.get_params()
    return [found[name].asnumpy() for name in names]
