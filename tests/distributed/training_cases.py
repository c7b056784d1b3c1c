"""Training by several processes and, for comparison, by one of them alone; see `test_training.py`.

Every process calls `run_all`. A case trains a network with its share of each batch, or, alone, with
the whole batch on one context or with the shares on as many contexts as there are processes.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._state import processes
from mxnet.contrib import amp
from mxnet.gluon import contrib, nn, rnn
from mxnet.gluon.train_step import UncapturedStepWarning
from tests.distributed import trainer_cases
from tests.gluon.training.fake_capture import FakeEngine

BATCH = 8
STEPS = 50


@dataclass(frozen=True)
class Worker:
    """Who trains.

    Attributes:
        rank: Number of the worker.
        size: Number of workers that share a batch.
        contexts: Contexts among which a worker splits its share.
        alone: Whether it has no store of several processes.
    """

    rank: int
    size: int
    contexts: tuple[mx.Context, ...]
    alone: bool


@dataclass(frozen=True)
class Case:
    """What is trained, and how.

    Attributes:
        make_net: Makes the network, in which a worker that is alone has ordinary layers.
        make_data: Makes the data of a step.
        optimizer: Name of the optimizer.
        options: Its arguments.
        trainer: Further arguments of the trainer.
        on_contexts: Whether a single worker uses a context for each share.
        max_norm: Norm to which gradients are clipped.
        hybridize: Whether the network is hybridized.
        grad_req: How gradients are taken; with `"add"` each share comes in two halves.
        by_train_step: Whether a `TrainStep` makes the steps.
        captured: Whether it captures its passes, as on a GPU.
        contexts: Number of contexts of a worker that is not alone.
        store: Name of the store.
        mixed: Whether computation is in mixed precision.
    """

    make_net: Callable[[Worker], nn.HybridSequential]
    make_data: Callable[[np.random.RandomState], Any]
    optimizer: str = "sgd"
    options: dict[str, Any] = field(default_factory=lambda: {"learning_rate": 0.05})
    trainer: dict[str, Any] = field(default_factory=dict)
    on_contexts: bool = False
    max_norm: float | None = None
    hybridize: bool = False
    grad_req: str = "write"
    by_train_step: bool = False
    captured: bool = False
    contexts: int = 1
    store: str = "dist_sync"
    mixed: bool = False


def mlp(worker: Worker) -> nn.HybridSequential:
    del worker
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="tanh"), nn.Dense(12, activation="sigmoid"), nn.Dense(3))
    return net


def convolutional(worker: Worker) -> nn.HybridSequential:
    norm = nn.BatchNorm if worker.alone else lambda: contrib.nn.SyncBatchNorm(num_devices=2)
    net = nn.HybridSequential()
    # A bias before a normalization has no gradient but noise, which Adam would magnify.
    net.add(nn.Conv2D(4, 3, use_bias=False), norm(), nn.Activation("tanh"))
    net.add(nn.Conv2D(6, 3, use_bias=False), norm(), nn.GlobalAvgPool2D(), nn.Dense(3))
    return net


class Recurrent(nn.HybridSequential):
    """An LSTM whose last output is classified."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.add(rnn.LSTM(10, layout="NTC"), nn.Dense(3))


def recurrent(worker: Worker) -> nn.HybridSequential:
    del worker
    return Recurrent()


def embedding(worker: Worker) -> nn.HybridSequential:
    del worker
    net = nn.HybridSequential()
    net.add(nn.Embedding(40, 6, sparse_grad=True), nn.Dense(3))
    return net


class Looked(gluon.Block):
    """A classifier of words whose vectors are row_sparse, as their gradients are."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.words = contrib.nn.SparseEmbedding(40, 6)
            self.last = nn.Dense(3)

    def forward(self, x: Any) -> Any:
        return self.last(self.words(x))


def sparse_embedding(worker: Worker) -> Any:
    del worker
    return Looked()


def rows(random: np.random.RandomState) -> np.ndarray:
    return random.randn(BATCH, 6).astype("float32")


def images(random: np.random.RandomState) -> np.ndarray:
    return random.randn(BATCH, 2, 7, 7).astype("float32")


def sequences(random: np.random.RandomState) -> np.ndarray:
    return random.randn(BATCH, 4, 5).astype("float32")


def words(random: np.random.RandomState) -> np.ndarray:
    return random.randint(0, 40, (BATCH, 3)).astype("float32")


MOMENTUM = {"learning_rate": 0.05, "momentum": 0.9, "wd": 1e-3}
ADAM = {"learning_rate": 0.01}
APART: dict[str, Any] = {"update_on_kvstore": False}
TWO_BITS = {"compression_params": {"type": "2bit", "threshold": 0.02}}

CASES = {
    "MLP, SGD": Case(mlp, rows, "sgd", MOMENTUM),
    "MLP, SGD, updates apart": Case(mlp, rows, "sgd", MOMENTUM, APART),
    "MLP, Adam": Case(mlp, rows, "adam", ADAM, hybridize=True),
    "MLP, Adam, updates apart": Case(mlp, rows, "adam", ADAM, APART),
    "MLP, LAMB": Case(mlp, rows, "lamb", ADAM),
    "MLP, LAMB, updates apart": Case(mlp, rows, "lamb", ADAM, APART),
    "MLP, clipped": Case(mlp, rows, "sgd", MOMENTUM, APART, max_norm=0.5),
    "MLP, accumulated": Case(mlp, rows, "sgd", MOMENTUM, grad_req="add"),
    "MLP, accumulated, updates apart": Case(mlp, rows, "adam", ADAM, APART, grad_req="add"),
    "MLP, two contexts each": Case(mlp, rows, "adam", ADAM, contexts=2),
    "MLP, two contexts each, updates apart": Case(mlp, rows, "adam", ADAM, APART, contexts=2),
    "MLP, TrainStep": Case(mlp, rows, "adam", ADAM, by_train_step=True, hybridize=True),
    "MLP, TrainStep, captured": Case(
        mlp, rows, "adam", ADAM, by_train_step=True, captured=True, hybridize=True
    ),
    "MLP, TrainStep, captured, updates apart": Case(
        mlp, rows, "adam", ADAM, APART, by_train_step=True, captured=True
    ),
    "MLP, TrainStep, clipped": Case(
        mlp, rows, "sgd", MOMENTUM, APART, max_norm=0.5, by_train_step=True
    ),
    "MLP, horovod": Case(mlp, rows, "sgd", MOMENTUM, store="horovod"),
    "MLP, compressed": Case(mlp, rows, "sgd", ADAM, TWO_BITS, on_contexts=True),
    "MLP, compressed, updates apart": Case(
        mlp, rows, "sgd", ADAM, {**APART, **TWO_BITS}, on_contexts=True
    ),
    "convolutions": Case(convolutional, images, "sgd", MOMENTUM, hybridize=True),
    "convolutions, imperative": Case(convolutional, images, "adam", ADAM, APART),
    "convolutions, two contexts each": Case(
        convolutional, images, "sgd", MOMENTUM, hybridize=True, contexts=2, by_train_step=True
    ),
    "LSTM": Case(recurrent, sequences, "adam", ADAM),
    "LSTM, hybridized": Case(recurrent, sequences, "sgd", MOMENTUM, APART, hybridize=True),
    "embedding": Case(embedding, words, "adam", ADAM),
    "embedding, updates apart": Case(embedding, words, "sgd", ADAM, APART),
    "row_sparse weight": Case(sparse_embedding, words, "sgd", ADAM),
    # The last ones, because mixed precision cannot be switched off.
    "MLP, mixed precision": Case(mlp, rows, "sgd", ADAM, mixed=True, on_contexts=True),
    "MLP, mixed precision, updates apart": Case(
        mlp, rows, "sgd", ADAM, APART, mixed=True, on_contexts=True
    ),
}


def train(case: Case, worker: Worker) -> list[np.ndarray]:
    """Trains a network and returns its parameters."""
    mx.random.seed(3 + worker.rank if not worker.alone else 3)  # rank 0 decides
    with mx.name.NameManager():  # names, by which a trainer sorts, begin anew in each case
        net = case.make_net(worker)
    net.initialize(mx.init.Xavier(), ctx=list(worker.contexts))
    if case.hybridize:
        net.hybridize()
    options = dict(case.trainer)
    if worker.alone and len(worker.contexts) == 1:
        options = {}
    store = "device" if worker.alone else case.store
    trainer = gluon.Trainer(
        net.collect_params(), case.optimizer, dict(case.options), kvstore=store, **options
    )
    if case.grad_req == "add":
        net.collect_params().setattr("grad_req", "add")
    if case.mixed:
        amp.init_trainer(trainer)
    run_steps(case, worker, net, trainer)
    ctx = worker.contexts[-1]
    return [_value(parameter, ctx) for parameter in net.collect_params().values()]


def _value(parameter: Any, ctx: mx.Context) -> np.ndarray:
    if parameter.stype == "default":
        return parameter.data(ctx).asnumpy()
    everything = mx.nd.arange(parameter.shape[0], ctx=ctx)
    return parameter.row_sparse_data(everything).asnumpy()


def run_steps(case: Case, worker: Worker, net: Any, trainer: gluon.Trainer) -> None:
    """Trains for some steps, the first of which finds equal parameters everywhere."""
    random = np.random.RandomState(5)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    step = gluon.TrainStep(net, loss_of, trainer, clip_global_norm=_clip_in_step(case))
    if case.captured and not worker.alone:
        step._engine = FakeEngine()
        step.reset()
    for number in range(STEPS):
        data, label = case.make_data(random), random.randint(0, 3, BATCH).astype("float32")
        share = slice(worker.rank * BATCH // worker.size, (worker.rank + 1) * BATCH // worker.size)
        data, label = mx.nd.array(data[share]), mx.nd.array(label[share])
        if number == 0:
            start_equal(net, trainer, worker, data)
        if case.by_train_step:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UncapturedStepWarning)
                step(data, label, BATCH)
        else:
            run_loop(case, worker, net, trainer, loss_of, data, label)


def _clip_in_step(case: Case) -> float | None:
    return case.max_norm if case.by_train_step else None


def start_equal(net: Any, trainer: gluon.Trainer, worker: Worker, data: mx.nd.NDArray) -> None:
    """Gives parameters their shapes, and all processes the values that the first one has."""
    trainer._init_kvstore()
    if isinstance(net, nn.HybridSequential):
        net(data.as_in_context(worker.contexts[0]))
        trainer._init_params()
    else:
        trainer._prepare()
        net(data.as_in_context(worker.contexts[0]))
        trainer._prepare()


def run_loop(
    case: Case,
    worker: Worker,
    net: Any,
    trainer: gluon.Trainer,
    loss_of: Any,
    data: mx.nd.NDArray,
    label: mx.nd.NDArray,
) -> None:
    """Makes a step as programs write it."""
    halves = [slice(None)]
    if case.grad_req == "add":
        net.collect_params().zero_grad()
        middle = len(data) // 2
        halves = [slice(0, middle), slice(middle, None)]
    for half in halves:
        parts = gluon.utils.split_and_load(data[half], list(worker.contexts))
        labels = gluon.utils.split_and_load(label[half], list(worker.contexts))
        with autograd.record():
            losses = [loss_of(net(x), y) for x, y in zip(parts, labels, strict=True)]
            if case.mixed:
                with amp.scale_loss(losses, trainer) as scaled:
                    autograd.backward(scaled)
        if not case.mixed:
            autograd.backward(losses)
    if case.max_norm is None:
        trainer.step(BATCH)
        return
    trainer.allreduce_grads()
    for ctx in worker.contexts:
        gradients = [parameter.grad(ctx) for parameter in net.collect_params().values()]
        gluon.utils.clip_global_norm(gradients, case.max_norm)
    trainer.update(BATCH)


def overflow_on_the_last_rank(worker: Worker, update_on_kvstore: bool) -> tuple[Any, ...]:
    """Has one rank get gradients that are not finite, and returns scales and weights."""
    net = nn.Dense(1, in_units=2, use_bias=False)
    net.initialize(mx.init.One())
    trainer = gluon.Trainer(
        net.collect_params(),
        "sgd",
        {"learning_rate": 0.5},
        kvstore="dist_sync",
        update_on_kvstore=update_on_kvstore,
    )
    amp.init_trainer(trainer)
    found = []
    for number in range(3):
        data = mx.nd.ones((1, 2)) / 4
        if number == 1 and worker.rank == worker.size - 1:
            data = data * np.inf
        with autograd.record():
            loss = net(data).sum()
            with amp.scale_loss(loss, trainer) as scaled:
                autograd.backward(scaled)
        trainer.step(worker.size)
        scaler = trainer._amp_loss_scaler
        found.append((scaler._next_loss_scale, net.weight.data().asnumpy().tolist()))
    return tuple(found)


def run_all() -> dict[str, Any]:
    """Runs cases with the other processes, and a share of them alone."""
    logging.disable(logging.WARNING)
    processes.join("test")
    rank, size = processes.rank(), processes.size()
    found = trainer_cases.run_all()
    for number, (name, case) in enumerate(CASES.items()):
        if case.mixed:
            amp.init()
        contexts = tuple(mx.cpu(i) for i in range(case.contexts))
        found[name] = train(case, Worker(rank, size, contexts, alone=False))
        if number % size == rank:
            contexts = tuple(mx.cpu(i) for i in range(size if case.on_contexts else 1))
            found[f"{name}, alone"] = train(case, Worker(0, 1, contexts, alone=True))
    worker = Worker(rank, size, (mx.cpu(),), alone=False)
    for choice in (True, False):
        found[f"overflow {choice}"] = overflow_on_the_last_rank(worker, choice)
    return found
