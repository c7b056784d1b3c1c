"""What `soak.py` does over and over: each scene is a piece of a program that leaves nothing behind.

Shapes, learning rates and limits differ from call to call, within ranges, so that a memory for
what was seen before shows whether it is bounded.
"""

from __future__ import annotations

import random
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


class PlannedError(Exception):
    """What scenes raise in the middle of something."""


def _make_net() -> gluon.HybridBlock:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, activation="relu"), nn.BatchNorm(), nn.MaxPool2D(), nn.Flatten())
    net.add(nn.Dense(8, activation="relu"), nn.Dropout(0.3), nn.Dense(3))
    net.initialize()
    return net


def _images(count: int | None = None) -> nd.NDArray:
    return nd.random.uniform(shape=(count or random.randint(1, 16), 1, 10, 10))


def _train(net: gluon.Block, data: nd.NDArray) -> None:
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": random.random() / 100})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    with autograd.record():
        loss = loss_of(net(data), nd.zeros(len(data)))
    loss.backward()
    trainer.step(len(data))
    net(data).wait_to_read()


class _Kept:
    """Networks that live as long as the soak."""

    def __init__(self) -> None:
        self.eager, self.hybrid, self.static = _make_net(), _make_net(), _make_net()
        self.hybrid.hybridize()
        self.static.hybridize(static_alloc=True, static_shape=True)
        self.arrays = _OnArrays()
        self.arrays.initialize()
        self.arrays.hybridize()


class _OnArrays(gluon.HybridBlock):
    """A program on arrays: each shape gets a graph of its own."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.dense = nn.Dense(4, in_units=6)

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        return self.dense(x.reshape((-1, 6))) * x.shape[0]


def eager(kept: _Kept) -> None:
    _train(kept.eager, _images())
    data = nd.random.uniform(shape=(random.randint(1, 64), 6))
    for _ in range(16):
        data = nd.clip(data * random.random(), a_min=random.random() - 1, a_max=2.0)


def hybridized(kept: _Kept) -> None:
    _train(kept.hybrid, _images())


def static(kept: _Kept) -> None:
    _train(kept.static, _images(random.randint(1, 4)))


def program_on_arrays(kept: _Kept) -> None:
    for _ in range(8):
        kept.arrays(nd.ones((random.randint(1, 2000), 6)))


def repeated_networks(_: _Kept) -> None:
    for options in ({}, {"static_alloc": True, "static_shape": True}):
        net = _make_net()
        net.hybridize(**options)
        _train(net, _images())


def binds(_: _Kept) -> None:
    data = mx.sym.var("data")
    hidden = mx.sym.relu(mx.sym.FullyConnected(data, num_hidden=random.randint(2, 9)))
    graph = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(hidden, num_hidden=3), name="softmax")
    executor = graph.simple_bind(mx.cpu(), data=(random.randint(1, 9), 5))
    executor.forward(is_train=True)
    executor.backward()
    smaller = executor.reshape(partial_shaping=True, allow_up_sizing=True, data=(3, 5))
    smaller.forward(is_train=False)
    arguments = {name: array.copy() for name, array in smaller.arg_dict.items()}
    graph.bind(mx.cpu(), arguments).forward()


class _Samples(gluon.data.Dataset):
    def __len__(self) -> int:
        return 12

    def __getitem__(self, idx: int) -> np.ndarray:
        if idx == 100:
            raise PlannedError
        return np.random.rand(5, 3).astype("float32")


def loaders_in_threads(_: _Kept) -> None:
    for options in ({}, {"num_workers": 2, "thread_pool": True}):
        for batch in gluon.data.DataLoader(_Samples(), 5, shuffle=True, **options):
            batch.wait_to_read()


def loaders_in_processes(_: _Kept) -> None:
    for batch in gluon.data.DataLoader(_Samples(), 5, num_workers=1):
        batch.wait_to_read()
    next(iter(gluon.data.DataLoader(_Samples(), 5, num_workers=1)))  # left early
    with suppress(gluon.data.dataloader.WorkerError, PlannedError):
        list(gluon.data.DataLoader(_Samples(), batch_sampler=[[100]], num_workers=1))


class _Failing(nn.Dense):
    def hybrid_forward(self, F, x, weight, bias=None):  # noqa: ARG002 - given so
        raise PlannedError


def exceptions(kept: _Kept) -> None:
    x = nd.ones((2, 3))
    x.attach_grad()
    with suppress(PlannedError), autograd.record():
        kept.eager(_images())
        raise PlannedError
    for hybridize in (False, True):
        net = _Failing(2)
        net.initialize()
        if hybridize:
            net.hybridize()
        with suppress(PlannedError), autograd.record():
            net(x)
    with suppress(mx.base.MXNetError), autograd.record():
        nd.dot(x, nd.ones((7, 7)))
    with suppress(mx.base.MXNetError), autograd.record():
        nd.Custom(x, op_type="soak", fails="yes").backward()


class _Doubling(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux) -> None:  # noqa: ARG002
        self.assign(out_data[0], req[0], in_data[0] * 2)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux) -> None:  # noqa: ARG002
        self.assign(in_grad[0], req[0], out_grad[0] * 2)


@mx.operator.register("soak")
class _DoublingProp(mx.operator.CustomOpProp):
    def __init__(self, fails: str = "no") -> None:
        super().__init__()
        self._fails = fails == "yes"

    def create_operator(self, *_: object) -> mx.operator.CustomOp:
        if self._fails:
            raise PlannedError
        return _Doubling()


def custom_operators(_: _Kept) -> None:
    x = nd.ones((random.randint(1, 50), 3))
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type="soak")
    y.backward()
    graph = mx.sym.Custom(mx.sym.var("x"), op_type="soak", fails="no")
    executor = graph.simple_bind(mx.cpu(), x=x.shape)
    executor.forward(is_train=True)
    executor.backward(nd.ones(x.shape))


def control_flow(_: _Kept) -> None:
    steps, width = random.randint(1, 6), random.randint(1, 6)
    data, state = nd.ones((steps, width)), nd.zeros((width,))
    nd.contrib.foreach(lambda item, total: (item + total, item * total), data, state)
    nd.contrib.while_loop(
        lambda i: i < steps, lambda i: ([i], [i + 1]), [nd.zeros((1,))], max_iterations=8
    )
    body = mx.sym.contrib.foreach(
        lambda item, total: (item + total, item * total), mx.sym.var("data"), mx.sym.var("state")
    )
    executor = body[0].simple_bind(mx.cpu(), data=data.shape, state=state.shape)
    executor.forward(is_train=True)
    executor.backward(nd.ones(data.shape))


def sparse_arrays(_: _Kept) -> None:
    matrix = nd.random.uniform(shape=(random.randint(2, 20), 6)).tostype("csr")
    nd.sparse.dot(matrix, nd.ones((6, 3)))
    net = nn.Embedding(20, 4, sparse_grad=True)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        loss = net(nd.array([1, 5, random.randint(0, 19)])).sum()
    loss.backward()
    trainer.step(1)
    net.weight.grad().tostype("default").wait_to_read()


def files(kept: _Kept) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "net"))
        kept.hybrid(_images())
        kept.hybrid.export(path)
        net = gluon.SymbolBlock.imports(f"{path}-symbol.json", ["data"], f"{path}-0000.params")
        net(_images())
        nd.save(path, {"a": nd.ones((3, random.randint(1, 50)))})
        nd.load(path)
        kept.eager.save_parameters(path)
        kept.eager.load_parameters(path)
        trainer = gluon.Trainer(kept.eager.collect_params(), "adam")
        trainer.save_states(path)
        trainer.load_states(path)


def threads(kept: _Kept) -> None:
    def work() -> None:
        net = _make_net()
        net.hybridize()
        _train(net, _images())
        kept.hybrid(_images())
        with suppress(PlannedError), mx.cpu(1), mx.name.Prefix("p_"), autograd.record():
            raise PlannedError

    started = [threading.Thread(target=work) for _ in range(4)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def modules(_: _Kept) -> None:
    graph = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3))
    label = [name for name in graph.list_arguments() if name.endswith("label")]
    batches = mx.io.NDArrayIter(
        np.ones((10, 4), "float32"),
        np.zeros(10),
        batch_size=random.randint(2, 5),
        label_name=label[0],
    )
    module = mx.mod.Module(graph, label_names=label)
    module.fit(batches, num_epoch=1, optimizer_params={"learning_rate": 0.1})


SCENES: dict[str, Callable[[_Kept], None]] = {
    scene.__name__: scene
    for scene in (
        eager,
        hybridized,
        static,
        program_on_arrays,
        repeated_networks,
        binds,
        loaders_in_threads,
        loaders_in_processes,
        exceptions,
        custom_operators,
        control_flow,
        sparse_arrays,
        files,
        threads,
        modules,
    )
}

EVERY = {"loaders_in_processes": 10}
"""Scenes that take long, and are played in one of so many rounds."""


def play(scene: str, round_number: int, kept: _Kept) -> bool:
    """Plays a scene unless this is not one of its rounds; tells whether it did."""
    if round_number % EVERY.get(scene, 1):
        return False
    SCENES[scene](kept)
    return True


def prepare() -> _Kept:
    """Makes what lives as long as the soak."""
    random.seed(1)
    mx.random.seed(1)
    return _Kept()
