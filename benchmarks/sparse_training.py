"""Measures training steps of a recommender whose table has row_sparse gradients.

    python benchmarks/sparse_training.py [--rounds N] [--rows N] [--batch N] [--optimizer NAME]

The network has one large table, of which a batch uses few rows, and two dense layers. It is run
imperatively, hybridized and by `gluon.TrainStep`, each with dense and with row_sparse gradients;
the ways take turns, and numbers are processor time, the
best of all rounds. Under MXNet 1.9.1, which has no
`TrainStep`, the others are measured.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

WIDTH = 64
FIELDS = 4


def make_net(rows: int, sparse: bool) -> Any:
    """Returns the network, with parameters."""
    net = nn.HybridSequential()
    net.add(
        nn.Embedding(rows, WIDTH, sparse_grad=sparse),
        nn.Flatten(),
        nn.Dense(128, activation="relu"),
        nn.Dense(1),
    )
    net.initialize()
    return net


def make_batches(rows: int, batch: int) -> list[tuple[Any, Any]]:
    """Returns some batches: samples of rows, most of them rare, and targets."""
    mx.random.seed(1)
    batches = []
    for _ in range(4):
        samples = (nd.random.uniform(shape=(batch, FIELDS)) ** 3 * rows).floor()
        batches.append((samples, nd.random.normal(shape=(batch, 1))))
    return batches


def make_step(
    rows: int, batch: int, optimizer: str, *, way: str, sparse: bool
) -> Callable[[], None]:
    """Returns a function that makes a step with each batch."""
    net, loss, batches = make_net(rows, sparse), gluon.loss.L2Loss(), make_batches(rows, batch)
    if way != "imperative":
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": 0.01}, kvstore=None)
    whole = gluon.TrainStep(net, loss, trainer) if way == "TrainStep" else None

    def run() -> None:
        for data, target in batches:
            if whole is not None:
                whole(data, target)
                continue
            with autograd.record():
                losses = loss(net(data), target)
            losses.backward()
            trainer.step(batch)
        nd.waitall()

    run()
    return run


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--optimizer", default="adam")
    options = parser.parse_args()
    ways = ["imperative", "hybridized"]
    if hasattr(gluon, "TrainStep"):
        ways.append("TrainStep")
    steps = {
        (way, sparse): make_step(
            options.rows, options.batch, options.optimizer, way=way, sparse=sparse
        )
        for sparse in (False, True)
        for way in ways
    }
    times = dict.fromkeys(steps, float("inf"))
    for _ in range(options.rounds):
        for key, step in steps.items():
            begin = time.process_time()
            step()
            times[key] = min(times[key], (time.process_time() - begin) / 4)
    print(f"table {options.rows} x {WIDTH}, batch {options.batch}, {options.optimizer}, ms a step")
    print("| | dense gradients | row_sparse gradients |\n| --- | --- | --- |")
    for way in ways:
        print(f"| {way} | {times[way, False] * 1e3:.2f} | {times[way, True] * 1e3:.2f} |")


if __name__ == "__main__":
    main()
