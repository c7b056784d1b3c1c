"""Fine-tuning: keep what a network has learnt, replace its output and train that faster.

    python examples/fine_tuning.py

A network learns the digits 0 to 4. Its first layers are then reused for the digits 5 to 9, with a
tenth of the learning rate, from a few examples only.
"""

from __future__ import annotations

import argparse

import digits
import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn


class Net(nn.HybridBlock):
    """Features, which can be reused, and an output for five classes."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.features = nn.HybridSequential()
            self.features.add(
                nn.Conv2D(16, kernel_size=5, activation="relu"),
                nn.MaxPool2D(),
                nn.Conv2D(32, kernel_size=3, activation="relu"),
                nn.MaxPool2D(),
                nn.Flatten(),
            )
            self.output = nn.Dense(5)

    def hybrid_forward(self, F, x):  # noqa: ARG002 - the children do the work
        """Classifies the features."""
        return self.output(self.features(x))


def choose(part: str, low: int, count: int) -> tuple[nd.NDArray, nd.NDArray]:
    """Returns examples of the five digits from `low` on, labelled from 0."""
    images, labels = digits.load(part)
    values = labels.asnumpy()
    chosen = np.flatnonzero((values >= low) & (values < low + 5))[:count]
    return images.take(nd.array(chosen)), labels.take(nd.array(chosen)) - low


def train(net: Net, data: tuple[nd.NDArray, nd.NDArray], epochs: int) -> None:
    """Trains all parameters, each by its own multiple of the learning rate."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.002})
    for _ in range(epochs):
        for images, labels in digits.batches(*data, batch_size=32):
            with autograd.record():
                loss = loss_of(net(images), labels)
            loss.backward()
            trainer.step(len(images))


def accuracy(net: Net, data: tuple[nd.NDArray, nd.NDArray]) -> float:
    """Returns the share of right answers."""
    metric = mx.metric.Accuracy()
    metric.update(data[1], net(data[0]))
    return float(metric.get()[1])


def main() -> None:
    """Trains on one half of the digits, then fine-tunes on a few of the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=5)
    options = parser.parse_args()
    mx.random.seed(1)
    np.random.seed(1)
    few, test = choose("train", 5, 100), choose("t10k", 5, 500)

    source = Net()
    source.initialize(init.Xavier())
    train(source, choose("train", 0, 2500), options.epochs)
    print(f"digits 0-4: {accuracy(source, choose('t10k', 0, 500)):.1%}")

    target = Net()
    target.features = source.features
    target.output.initialize(init.Xavier())
    target.features.collect_params().setattr("lr_mult", 0.1)
    train(target, few, options.epochs)
    print(f"digits 5-9, fine-tuned on 100 examples: {accuracy(target, test):.1%}")

    fresh = Net()
    fresh.initialize(init.Xavier())
    train(fresh, few, options.epochs)
    print(f"digits 5-9, from scratch on 100 examples: {accuracy(fresh, test):.1%}")


if __name__ == "__main__":
    main()
