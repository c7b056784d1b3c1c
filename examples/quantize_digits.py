"""A network for digits on integers of eight bits: how exact, how large and how fast it is.

    python examples/quantize_digits.py

Trains a small network, finds the ranges of its layers on 256 digits, quantizes it and compares
both.
Runs as well under the original MXNet.
"""

from __future__ import annotations

import logging
import tempfile
import time
from pathlib import Path

import digits
import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.contrib import quantization
from mxnet.gluon import nn


def build() -> nn.HybridSequential:
    """Makes the network."""
    net = nn.HybridSequential()
    for channels in (16, 32):
        net.add(
            nn.Conv2D(channels, kernel_size=3, padding=1, use_bias=False),
            nn.BatchNorm(),
            nn.Activation("relu"),
            nn.MaxPool2D(2),
        )
    net.add(nn.Flatten(), nn.Dense(64, activation="relu"), nn.Dense(10))
    return net


def train(net: nn.HybridSequential, images: mx.nd.NDArray, labels: mx.nd.NDArray) -> None:
    """Trains the network for an epoch."""
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.002})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    for batch, targets in digits.batches(images, labels, 50):
        with autograd.record():
            error = loss(net(batch), targets)
        error.backward()
        trainer.step(len(batch))


def accuracy(net: gluon.HybridBlock) -> float:
    """Returns the share of the test digits that the network gets right."""
    images, labels = digits.load("t10k")
    return float((net(images).argmax(axis=1) == labels).mean().asscalar())


def seconds(net: gluon.HybridBlock, images: mx.nd.NDArray) -> float:
    """Returns the shortest of five times that a prediction takes."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        net(images).wait_to_read()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Trains, quantizes and compares."""
    logging.getLogger().setLevel(logging.WARNING)
    mx.random.seed(1)
    np.random.seed(1)
    net = build()
    images, labels = digits.load("train")
    train(net, images[:2500], labels[:2500])
    examples = gluon.data.ArrayDataset(images[:256], labels[:256])
    quantized = quantization.quantize_net_v2(
        net,
        calib_mode="naive",
        calib_data=gluon.data.DataLoader(examples, batch_size=64),
        ctx=mx.cpu(),
    )
    quantized.hybridize(static_alloc=True, static_shape=True)
    exact, rounded = accuracy(net), accuracy(quantized)
    print(f"accuracy: float32 {exact:.1%}, int8 {rounded:.1%}")
    print(f"within one percent: {abs(exact - rounded) <= 0.01}")
    batch = images[:100]
    times = seconds(net, batch), seconds(quantized, batch)
    print("time: float32 {:.2f} ms, int8 {:.2f} ms".format(*(1000 * item for item in times)))
    with tempfile.TemporaryDirectory() as folder:
        quantized.export(f"{folder}/digits")
        loaded = gluon.SymbolBlock.imports(
            f"{folder}/digits-symbol.json", ["data"], f"{folder}/digits-0000.params"
        )
        print("files:", sorted(path.name for path in Path(folder).iterdir()))
        print(
            "the same from files:",
            np.array_equal(loaded(batch).asnumpy(), quantized(batch).asnumpy()),
        )


if __name__ == "__main__":
    main()
