"""What a trainer does beside training when there are several processes; see `test_trainer.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._state import processes
from mxnet.gluon import nn


class TwoBranches(gluon.HybridBlock):
    """Two layers, of which a call uses one or both."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.left = nn.Dense(1, in_units=2, use_bias=False, weight_initializer="ones")
            self.right = nn.Dense(1, in_units=2, use_bias=False, weight_initializer="ones")

    def forward(self, x: Any, used: str) -> Any:
        return sum(getattr(self, name)(x) for name in used.split())


def make_trainer(net: gluon.Block, **options: Any) -> gluon.Trainer:
    arguments = {"learning_rate": 0.5, "wd": 0.1}
    options.setdefault("kvstore", "dist_sync")
    return gluon.Trainer(net.collect_params(), "sgd", arguments, **options)


def backward(net: gluon.Block, factor: float, *arguments: Any) -> None:
    with autograd.record():
        loss = (net(mx.nd.ones((1, 2)), *arguments) * factor).sum()
    loss.backward()


def weights(net: TwoBranches) -> list[float]:
    return [float(layer.weight.data()[0, 0].asscalar()) for layer in (net.left, net.right)]


def message(call: Any, *arguments: Any, **options: Any) -> str | None:
    """Returns the name and the text of what a call raises, None if it raises nothing."""
    try:
        call(*arguments, **options)
    except mx.MXNetError as error:
        return f"{type(error).__name__}: {error}"
    return None


def stale_on_the_first_rank(rank: int, update_on_kvstore: bool) -> tuple[Any, ...]:
    """The first rank uses one branch; then, with stale gradients allowed, no rank the other."""
    net = TwoBranches()
    net.initialize()
    trainer = make_trainer(net, update_on_kvstore=update_on_kvstore)
    used = "left" if rank == 0 else "left right"
    backward(net, rank + 1, used)
    error = message(trainer.step, 1)
    before = weights(net)
    trainer.step(1, ignore_stale_grad=True)
    middle = weights(net)
    backward(net, rank + 1, "left")
    trainer.step(1, ignore_stale_grad=True)
    return error, before, middle, weights(net)


def states(rank: int, update_on_kvstore: bool) -> tuple[list[float], list[float]]:
    """Trains on, and from the states that were saved in the middle with another trainer."""
    net = TwoBranches()
    net.initialize()
    options = {"learning_rate": 0.1, "momentum": 0.9}

    def new_trainer() -> gluon.Trainer:
        return gluon.Trainer(
            net.collect_params(),
            "sgd",
            options,
            kvstore="dist_sync",
            update_on_kvstore=update_on_kvstore,
        )

    def train(trainer: gluon.Trainer) -> list[float]:
        for _ in range(3):
            backward(net, rank + 1, "left right")
            trainer.step(4)
        return weights(net)

    trainer = new_trainer()
    train(trainer)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "states")
        trainer.save_states(path)
        values = [p.data().copy() for p in net.collect_params().values()]
        wanted = train(trainer)
        for parameter, value in zip(net.collect_params().values(), values, strict=True):
            parameter.set_data(value)
        trainer = new_trainer()
        trainer.load_states(path)
    return wanted, train(trainer)


def numbers_that_change(rank: int, update_on_kvstore: bool) -> list[list[float]]:
    """Changes the learning rate, the size of the batch and what is trained between steps."""
    net = TwoBranches()
    net.initialize()
    trainer = make_trainer(net, update_on_kvstore=update_on_kvstore)
    found = []

    def step(size: float) -> None:
        backward(net, rank + 1, "left right")
        trainer.step(size)
        found.append(weights(net))

    step(1)
    trainer.set_learning_rate(0.25)
    step(2)
    net.right.weight.grad_req = "null"
    step(2)
    net.right.weight.grad_req = "write"
    step(2)
    return found


def first_values(rank: int) -> list[float]:
    """Starts from other values on each rank, some of which come with the first batch."""
    mx.random.seed(rank)
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2), nn.Dense(1))
    net.initialize(mx.init.Uniform(1))
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 0.0}, kvstore="dist_sync"
    )
    backward(net, 1)
    trainer.step(1)
    return [float(p.data().reshape(-1)[0].asscalar()) for p in net.collect_params().values()]


def noise(rank: int, update_on_kvstore: bool) -> list[float]:
    """Returns weights after a step of an optimizer that draws other numbers on each rank."""
    net = TwoBranches()
    net.initialize()
    mx.random.seed(rank)
    trainer = gluon.Trainer(
        *(net.collect_params(), "sgld", {"learning_rate": 0.5}),
        kvstore="dist_sync",
        update_on_kvstore=update_on_kvstore,
    )
    backward(net, rank + 1, "left right")
    trainer.step(1)
    return weights(net)


def store_of_ones_own(rank: int) -> tuple[float, float, int]:
    net = TwoBranches()
    net.initialize()
    store = mx.kv.create("dist_device_sync")
    trainer = make_trainer(net, kvstore=store)
    backward(net, rank + 1, "left right")
    trainer.step(1)
    pulled = mx.nd.zeros((1, 2))
    store.pull(0, out=pulled)
    return float(pulled[0, 0].asscalar()), weights(net)[0], store.num_workers


def refused(rank: int) -> list[str | None]:
    del rank
    net = TwoBranches()
    net.initialize()
    trainer = make_trainer(net)
    asynchronous = make_trainer(net, kvstore="dist_async", update_on_kvstore=False)
    horovod = make_trainer(net, kvstore="horovod", update_on_kvstore=True)
    return [
        message(trainer.allreduce_grads),
        message(trainer.update, 1),
        message(asynchronous.step, 1),
        message(horovod.step, 1),
    ]


def asynchronous(rank: int) -> list[float]:
    net = TwoBranches()
    net.initialize()
    trainer = make_trainer(net, kvstore="dist_async")
    backward(net, rank + 1, "left right")
    trainer.step(1)
    return weights(net)


def gradients_of_a_step(rank: int) -> dict[bool, list[float]]:
    """Returns what gradient arrays show after a step: own gradients, or sums."""
    found = {}
    for update_on_kvstore in (True, False):
        net = TwoBranches()
        net.initialize()
        trainer = make_trainer(net, update_on_kvstore=update_on_kvstore)
        backward(net, rank + 1, "left right")
        trainer.step(1)
        layers = (net.left, net.right)
        found[update_on_kvstore] = [float(item.weight.grad()[0, 0].asscalar()) for item in layers]
    return found


def run_all() -> dict[str, Any]:
    """Runs every case in this process, and returns what each of them found."""
    rank = processes.rank()
    found: dict[str, Any] = {}
    for case in (stale_on_the_first_rank, states, numbers_that_change, noise):
        found[case.__name__] = {choice: case(rank, choice) for choice in (True, False)}
    for alone in (first_values, store_of_ones_own, refused, asynchronous, gradients_of_a_step):
        found[alone.__name__] = alone(rank)
    return found
