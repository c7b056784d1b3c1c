"""Training that is saved, stopped and continued."""

from __future__ import annotations

import random

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._state import processes
from mxnet.gluon import nn

BATCH = 8
X = np.random.RandomState(0).randn(44, 4).astype(np.float32)
Y = np.random.RandomState(1).randn(44, 2).astype(np.float32)


class Noisy(gluon.data.Dataset):
    """Samples that draw random numbers."""

    def __len__(self):
        return len(X)

    def __getitem__(self, index):
        noise = np.random.randn(4).astype(np.float32) + random.random()
        return X[index] + noise * 0.01, Y[index]


def make(sharded=False, dropout=0.5):
    mx.random.seed(1)
    np.random.seed(1)
    random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Dense(9, activation="relu"), nn.BatchNorm(), nn.Dropout(dropout), nn.Dense(2))
    if sharded:
        gluon.shard(net)
    net.initialize(mx.init.Xavier())
    schedule = mx.lr_scheduler.FactorScheduler(4, 0.7, base_lr=0.05)
    options = {"lr_scheduler": schedule, "wd": 0.01}
    return net, gluon.Trainer(net.collect_params(), "adam", options)


def train(folder, epochs=3, stop=None, num_workers=0, every=2, **options):
    """Trains from the latest checkpoint on.

    Returns:
        The losses by step, and the weights at the end.
    """
    net, trainer = make(**options)
    checkpoint = gluon.Checkpoint(folder, net, trainer, every=every)
    checkpoint.restore_latest()
    loader = gluon.data.DataLoader(Noisy(), BATCH, shuffle=True, num_workers=num_workers)
    losses = {}
    for _ in checkpoint.epochs(epochs):
        for x, y in checkpoint.batches(loader):
            with autograd.record():
                loss = gluon.loss.L2Loss()(net(x), y)
            loss.backward()
            trainer.step(BATCH)
            checkpoint.advance()
            losses[checkpoint.step] = float(loss.sum().asscalar())
            if checkpoint.step == stop:
                checkpoint.wait()
                return losses, None
    checkpoint.wait()
    return losses, values_of(net)


def values_of(net):
    return {
        name: parameter.data().asnumpy()
        for name, parameter in net._collect_params_with_prefix().items()
    }


def train_together(folder, steps, sharded=True, end=True):
    """Trains on the part of each batch that belongs to this rank, and saves at the end."""
    net, trainer = make(sharded, dropout=0)
    rank, size = processes.rank(), processes.size()
    checkpoint = gluon.Checkpoint(folder, net, trainer)
    restored = checkpoint.restore_latest()
    # Of the normalization the averages alone, which do not depend on how a batch is split.
    share = slice(rank * BATCH // size, (rank + 1) * BATCH // size)
    for _ in range(steps):
        start = checkpoint.step * BATCH % len(X)
        x, y = X[start : start + BATCH][share], Y[start : start + BATCH][share]
        with autograd.record(train_mode=False):
            loss = gluon.loss.L2Loss()(net(mx.nd.array(x)), mx.nd.array(y))
        loss.backward()
        trainer.step(BATCH)
        checkpoint.advance()
    checkpoint.extra["seen"] = checkpoint.step
    if end:
        checkpoint.save()
    found = restored, checkpoint.extra, trainer.learning_rate, values_of(net)
    processes.leave()
    return found
