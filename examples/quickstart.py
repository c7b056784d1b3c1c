"""A convolutional network in Gluon that reads handwritten digits.

    python examples/quickstart.py

Trains on 5,000 digits, tests on 1,000 others after each epoch, saves the parameters, loads them
into a new network to see that nothing is lost, and draws what was learnt. Shows progress bars on a
terminal only. Runs as well under the original MXNet.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

# Threads wait for each other in loops: where other programs run too, two take longer than one.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import digits
import matplotlib

matplotlib.use("Agg")  # draw into files; no screen is needed

import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn

Digits = tuple[nd.NDArray, nd.NDArray]
"""Images of shape (n, 1, 28, 28) and their labels."""


def build() -> nn.HybridSequential:
    """Makes the network; the sizes of inputs are found out by the first batch."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(
            nn.Conv2D(channels=20, kernel_size=5, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Conv2D(channels=50, kernel_size=3, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Dense(128, activation="relu"),
            nn.Dropout(0.3),
            nn.Dense(10),
        )
    return net


def train(
    net: nn.HybridSequential, train_set: Digits, test_set: Digits, options: argparse.Namespace
) -> list[float]:
    """Trains the network, prints its accuracy by epoch, and returns the loss of each batch."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    total = -(-len(train_set[0]) // options.batch_size)
    rate = options.learning_rate
    schedule = mx.lr_scheduler.CosineScheduler(
        options.epochs * total, base_lr=rate, final_lr=rate / 20
    )
    # The optimizer starts the schedule from its own learning rate, so it gets the same one.
    trainer = gluon.Trainer(
        net.collect_params(), "adam", {"learning_rate": rate, "lr_scheduler": schedule}
    )
    losses = []
    for epoch in range(options.epochs):
        title = f"epoch {epoch + 1:{len(str(options.epochs))}}/{options.epochs}"
        batches = digits.batches(*train_set, options.batch_size)
        # `disable=None` leaves the bar out where nobody watches it grow.
        for images, labels in tqdm(batches, title, total, leave=False, disable=None):
            with autograd.record():
                loss = loss_of(net(images), labels)
            loss.backward()
            trainer.step(batch_size=len(images))
            losses.append(loss.mean().asscalar())
        mean = np.mean(losses[-total:])
        print(f"{title}: loss {mean:.3f}, accuracy on the test digits {score(net, test_set):.1%}")
    return losses


def predict(net: nn.HybridSequential, images: nd.NDArray) -> nd.NDArray:
    """Returns the most likely digit of each image."""
    return net(images).argmax(axis=1)


def score(net: nn.HybridSequential, test_set: Digits) -> float:
    """Returns the share of digits that the network reads rightly."""
    images, labels = test_set
    return (predict(net, images) == labels).mean().asscalar()


def smooth(losses: list[float], width: int) -> np.ndarray:
    """Returns the mean of each loss and the ones before it, `width` of them at most."""
    sums = np.cumsum([0.0, *losses])
    ends = np.arange(1, len(losses) + 1)
    starts = np.maximum(ends - width, 0)
    return (sums[ends] - sums[starts]) / (ends - starts)


def plot(path: Path, test_set: Digits, guesses: nd.NDArray, losses: list[float]) -> None:
    """Draws test digits with what the network takes them for, and the course of the loss."""
    images, labels, guesses = (array.asnumpy() for array in (*test_set, guesses))
    figure = plt.figure(figsize=(12, 5.4), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    order = np.argsort(guesses == labels, kind="stable")  # mistakes first
    for axes, i in zip(left.subplots(4, 8).flat, order, strict=False):
        axes.imshow(images[i, 0], cmap="gray_r")
        color = "black" if guesses[i] == labels[i] else "crimson"
        axes.set_title(f"is {labels[i]:.0f}, read {guesses[i]:.0f}", color=color, size=9, pad=3)
        axes.axis("off")
    wrong = int((guesses != labels).sum())
    left.suptitle(f"Test digits: {wrong} of {len(labels)} misread (red, shown first)")
    axes = right.subplots()
    width = max(1, len(losses) // 25)
    axes.plot(losses, color="tab:blue", alpha=0.25, linewidth=0.8, label="each batch")
    axes.plot(smooth(losses, width), color="tab:blue", label=f"mean of {width} batches")
    axes.set(xlabel="batch", ylabel="cross entropy", title="Training loss", yscale="log")
    axes.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main() -> None:
    """Trains, tests, saves, reloads and plots."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--learning-rate", type=float, default=0.002)
    parser.add_argument("--output", type=Path, default=Path("quickstart-output"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    mx.random.seed(1)
    np.random.seed(1)

    train_set, test_set = digits.load("train"), digits.load("t10k")
    print(f"{len(train_set[0])} digits to train on, {len(test_set[0])} to test on")
    net = build()
    net.initialize(init.Xavier())
    losses = train(net, train_set, test_set, options)

    guesses = predict(net, test_set[0])
    print(f"accuracy on the test digits: {score(net, test_set):.1%}")

    model = options.output / "lenet.params"
    net.save_parameters(str(model))
    again = build()
    again.load_parameters(str(model))
    if (predict(again, test_set[0]) != guesses).sum().asscalar():
        raise SystemExit(f"{model}: the loaded network predicts something else")
    print(f"model: {model}, saved and loaded again")

    picture = options.output / "digits.png"
    plot(picture, test_set, guesses, losses)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
