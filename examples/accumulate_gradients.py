"""Large batches on a small device: add gradients up over several batches before each update.

    python examples/accumulate_gradients.py

With `grad_req = "add"` a backward pass adds to the gradient instead of replacing it, so that two
batches of 50 train exactly as one of 100. The gradients must then be cleared by hand.
"""

from __future__ import annotations

import digits

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def build(images: nd.NDArray) -> nn.Sequential:
    """Makes a small network with fixed initial values."""
    mx.random.seed(7)
    net = nn.Sequential()
    net.add(nn.Dense(64, activation="relu"), nn.Dense(10))
    net.initialize(mx.init.Xavier())
    net(images[:1])
    return net


def main() -> None:
    """Trains the same network in both ways and compares the weights."""
    images, labels = digits.load("train")
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()

    whole = build(images)
    trainer = gluon.Trainer(whole.collect_params(), "sgd", {"learning_rate": 0.1})
    for start in range(0, 1000, 100):
        with autograd.record():
            loss = loss_of(whole(images[start : start + 100]), labels[start : start + 100])
        loss.backward()
        trainer.step(100)

    parts = build(images)
    parts.collect_params().setattr("grad_req", "add")
    trainer = gluon.Trainer(parts.collect_params(), "sgd", {"learning_rate": 0.1})
    for number, start in enumerate(range(0, 1000, 50), 1):
        with autograd.record():
            loss = loss_of(parts(images[start : start + 50]), labels[start : start + 50])
        loss.backward()
        if number % 2 == 0:
            trainer.step(100)  # the gradients are sums over two batches of 50
            parts.collect_params().zero_grad()

    difference = nd.abs(whole[0].weight.data() - parts[0].weight.data()).max().asscalar()
    print(f"largest difference between the weights: {difference:.1e}")
    print("the same training" if difference < 1e-5 else "another training")


if __name__ == "__main__":
    main()
