"""Trains a network on the digits with several processes, each on its part of them.

    torchrun --nproc-per-node 2 examples/distributed_gluon.py
    python -m mxnet.tools.launch -n 2 python examples/distributed_gluon.py

The store adds gradients up over all processes, so that all of them keep the same parameters. Runs
as well under the original MXNet and its launcher, and, here, without any launcher as one process.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

import digits

import mxnet as mx
from mxnet import autograd, gluon, init
from mxnet.gluon import nn
from mxnet.gluon.data import ArrayDataset, DataLoader, Sampler


class SplitSampler(Sampler):
    """Yields the indices of one of several equal parts in random order.

    It is written out here for the original; `gluon.contrib.data.SplitSampler` can do more.
    """

    def __init__(self, length: int, num_parts: int, part_index: int) -> None:
        self._length = length // num_parts
        self._start = self._length * part_index

    def __iter__(self) -> Iterator[int]:
        indices = list(range(self._start, self._start + self._length))
        random.shuffle(indices)
        return iter(indices)

    def __len__(self) -> int:
        return self._length


def build() -> nn.HybridSequential:
    """Makes the network."""
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, kernel_size=5, strides=2, activation="relu"),
        nn.Conv2D(16, kernel_size=3, strides=2, activation="relu"),
        nn.Dense(64, activation="relu"),
        nn.Dense(10),
    )
    return net


def measure(net: nn.HybridSequential, ctx: mx.Context) -> float:
    """Returns the share of the test digits that the network gets right."""
    images, labels = digits.load("t10k")
    accuracy = mx.metric.Accuracy()
    accuracy.update(labels, net(images.as_in_context(ctx)))
    return accuracy.get()[1]


def main() -> None:
    """Trains, and measures in every process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kv-store", default="dist_sync")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=50, help="of all processes together")
    options = parser.parse_args()

    store = mx.kv.create(options.kv_store)
    rank, count = store.rank, store.num_workers
    gpus = mx.context.num_gpus()
    ctx = mx.gpu(rank % gpus) if gpus else mx.cpu()
    mx.random.seed(1)  # the first values of parameters, the same in all processes
    random.seed(rank)

    dataset = ArrayDataset(*digits.load("train"))
    sampler = SplitSampler(len(dataset), count, rank)
    loader = DataLoader(dataset, options.batch_size // count, sampler=sampler)
    print(f"rank {rank} of {count}: {len(sampler)} digits", flush=True)

    net = build()
    net.initialize(init.Xavier(), ctx=ctx)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.002}, kvstore=store)
    for _ in range(options.epochs):
        for images, labels in loader:
            with autograd.record():
                loss = loss_of(net(images.as_in_context(ctx)), labels.as_in_context(ctx))
            loss.backward()
            trainer.step(options.batch_size)
    print(f"rank {rank}: accuracy on the test digits: {measure(net, ctx):.2%}", flush=True)


if __name__ == "__main__":
    main()
