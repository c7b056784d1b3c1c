"""A convolutional network in Gluon that reads handwritten digits.

    python examples/quickstart.py

Trains on 5,000 digits, tests on 1,000 others, saves the parameters, loads them into a new network
to see that nothing is lost, and draws what was learnt. Runs as well under the original MXNet.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import digits
import matplotlib

matplotlib.use("Agg")  # draw into files; no screen is needed

import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn


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
    net: nn.HybridSequential, images: nd.NDArray, labels: nd.NDArray, options: argparse.Namespace
) -> list[float]:
    """Trains the network and gives the mean loss of each batch."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    total = -(-len(images) // options.batch_size)
    schedule = mx.lr_scheduler.CosineScheduler(
        options.epochs * total, base_lr=options.learning_rate, final_lr=options.learning_rate / 20
    )
    trainer = gluon.Trainer(net.collect_params(), "adam", {"lr_scheduler": schedule})
    losses = []
    for epoch in range(options.epochs):
        title = f"epoch {epoch + 1}/{options.epochs}"
        progress = tqdm(
            digits.batches(images, labels, options.batch_size), title, total=total, unit="batch"
        )
        for batch, targets in progress:
            with autograd.record():
                loss = loss_of(net(batch), targets)
            loss.backward()
            trainer.step(batch_size=len(batch))
            losses.append(loss.mean().asscalar())
            progress.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
    return losses


def predict(net: nn.HybridSequential, images: nd.NDArray) -> nd.NDArray:
    """Returns the most likely digit of each image."""
    return net(images).argmax(axis=1)


def plot(
    path: Path, images: nd.NDArray, labels: nd.NDArray, guesses: nd.NDArray, losses: list[float]
) -> None:
    """Draws some digits with what the network takes them for, and the course of the loss."""
    figure = plt.figure(figsize=(11, 4), layout="constrained")
    left, right = figure.subfigures(1, 2)
    wrong = (guesses != labels).asnumpy().argsort()[::-1]  # mistakes first
    shown = [(images[int(i)], labels[int(i)], guesses[int(i)]) for i in wrong[:32]]
    for axes, (image, label, guess) in zip(left.subplots(4, 8).flat, shown, strict=True):
        axes.imshow(image.asnumpy()[0], cmap="gray_r")
        right_guess = guess.asscalar() == label.asscalar()
        axes.set_title(f"{guess.asscalar():.0f}", color="black" if right_guess else "red", pad=2)
        axes.axis("off")
    left.suptitle("Test digits and predictions (mistakes first, in red)")
    axes = right.subplots()
    axes.plot(losses, linewidth=0.8)
    axes.set(xlabel="batch", ylabel="cross entropy", title="Training loss")
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

    images, labels = digits.load("train")
    test_images, test_labels = digits.load("t10k")
    print(f"{len(images)} digits to train on, {len(test_images)} to test on")
    net = build()
    net.initialize(init.Xavier())
    losses = train(net, images, labels, options)

    guesses = predict(net, test_images)
    accuracy = (guesses == test_labels).mean().asscalar()
    print(f"accuracy on the test digits: {accuracy:.1%}")

    model = options.output / "lenet.params"
    net.save_parameters(str(model))
    again = build()
    again.load_parameters(str(model))
    if (predict(again, test_images) != guesses).sum().asscalar():
        raise SystemExit(f"{model}: the loaded network predicts something else")
    print(f"model: {model}, saved and loaded again")

    picture = options.output / "digits.png"
    plot(picture, test_images, test_labels, guesses, losses)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
