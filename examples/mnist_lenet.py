"""LeNet on MNIST: a dataset, transforms, a loader, two epochs of training.

    python examples/mnist_lenet.py --root ~/.mxnet/datasets/mnist

The folder has the four published files, gzipped or unpacked. Without --root, the 6,000 digits that
come with the examples are used. Runs as well under the original MXNet, where the files must be the
published ones to the byte.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import mxnet as mx
from mxnet import autograd, gluon, init
from mxnet.gluon import nn
from mxnet.gluon.data import DataLoader
from mxnet.gluon.data.vision import MNIST, transforms

DIGITS = Path(__file__).resolve().parent / "data" / "digits"


def build() -> nn.HybridSequential:
    """Makes the network."""
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(channels=20, kernel_size=5, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Conv2D(channels=50, kernel_size=3, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Flatten(),
        nn.Dense(128, activation="relu"),
        nn.Dense(10),
    )
    return net


def load(root: str, train: bool, options: argparse.Namespace) -> DataLoader:
    """Makes a loader of batches: images of shape (n, 1, 28, 28), normalized, and labels."""
    prepare = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.1307, 0.3081)])
    dataset = MNIST(root=root, train=train).transform_first(prepare)
    return DataLoader(
        dataset, batch_size=options.batch_size, shuffle=train, num_workers=options.num_workers
    )


def measure(net: nn.HybridSequential, loader: DataLoader, ctx: mx.Context) -> float:
    """Returns the share of images that the network takes for the right digit."""
    accuracy = mx.metric.Accuracy()
    for images, labels in loader:
        accuracy.update(labels, net(images.as_in_context(ctx)))
    return accuracy.get()[1]


def main() -> None:
    """Trains and measures after every epoch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=str(DIGITS), help="folder of the files of MNIST")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--learning-rate", type=float, default=0.002)
    parser.add_argument("--num-workers", type=int, default=0)
    options = parser.parse_args()
    mx.random.seed(1)

    ctx = mx.gpu() if mx.context.num_gpus() else mx.cpu()
    train, test = (load(options.root, part, options) for part in (True, False))
    net = build()
    net.initialize(init.Xavier(), ctx=ctx)
    net.hybridize()
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": options.learning_rate})
    for epoch in range(options.epochs):
        start = time.time()
        loss_sum = mx.metric.Loss()
        for images, labels in train:
            images, labels = images.as_in_context(ctx), labels.as_in_context(ctx)
            with autograd.record():
                loss = loss_of(net(images), labels)
            loss.backward()
            trainer.step(len(images))
            loss_sum.update(0, loss)
        seconds = time.time() - start
        print(f"epoch {epoch + 1}: loss {loss_sum.get()[1]:.4f}, {seconds:.1f} s on {ctx}")
        print(f"accuracy on the test digits: {measure(net, test, ctx):.2%}")


if __name__ == "__main__":
    main()
