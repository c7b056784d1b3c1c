"""Trains a network on the digits with whole steps: one call for each batch.

    python examples/whole_step.py [--epochs N] [--gpu]

`TrainStep` does what record, backward and step of the ordinary loop do, here with Adam and a
learning rate that falls. On a GPU it is captured after three steps, and then a step is one launch.
"""

from __future__ import annotations

import argparse

import digits

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn


def main() -> None:
    """Trains, and prints loss and accuracy of each epoch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--gpu", action="store_true")
    options = parser.parse_args()
    ctx = mx.gpu() if options.gpu else mx.cpu()
    mx.random.seed(0)

    net = nn.HybridSequential()
    net.add(nn.Dense(128, activation="relu"), nn.BatchNorm(), nn.Dropout(0.2), nn.Dense(10))
    net.initialize(mx.init.Xavier(), ctx=ctx)
    net.hybridize()
    schedule = mx.lr_scheduler.CosineScheduler(50 * options.epochs, base_lr=0.01)
    settings = {"learning_rate": 0.01, "lr_scheduler": schedule}
    trainer = gluon.Trainer(net.collect_params(), "adam", settings)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    step = gluon.TrainStep(net, loss, trainer, clip_global_norm=50.0, return_outputs=True)

    images, labels = digits.load("train")
    test_images, test_labels = (item.as_in_context(ctx) for item in digits.load("t10k"))
    for epoch in range(options.epochs):
        seen = mx.metric.Accuracy()
        for data, label in digits.batches(images, labels, 100):
            _, scores = step(data, label)
            seen.update([label], [scores])
        unseen = mx.metric.Accuracy()
        unseen.update([test_labels], [net(test_images)])
        rate = f"learning rate {trainer.learning_rate:.4f}"
        print(f"epoch {epoch + 1}: accuracy {seen.get()[1]:.1%}, {rate}")
    print(f"accuracy on the test digits: {unseen.get()[1]:.1%}")


if __name__ == "__main__":
    main()
