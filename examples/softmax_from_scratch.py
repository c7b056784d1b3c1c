"""Softmax regression on handwritten digits, written from scratch on arrays and autograd.

    python examples/quickstart.py

There are no layers, no loss and no optimizer here: the model is one matrix product, and the few
lines of arithmetic around it are spelt out. Everything runs as well under the original MXNet.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draw into files; no screen is needed

import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

import mxnet as mx
from mxnet import autograd, nd

DIGITS = Path(__file__).resolve().parent / "data" / "digits"
NUM_PIXELS, NUM_CLASSES = 28 * 28, 10


def load_digits(part: str) -> tuple[nd.NDArray, nd.NDArray]:
    """Reads the images, as rows of pixels between 0 and 1, and the labels of one part."""
    images = gzip.decompress((DIGITS / f"{part}-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((DIGITS / f"{part}-labels-idx1-ubyte.gz").read_bytes())
    pixels = np.frombuffer(images, np.uint8, offset=16).reshape(-1, NUM_PIXELS)
    return nd.array(pixels / 255), nd.array(np.frombuffer(labels, np.uint8, offset=8))


def predict(features: nd.NDArray, weight: nd.NDArray, bias: nd.NDArray) -> nd.NDArray:
    """Returns the logarithm of each class's probability, for each row of features."""
    logits = nd.dot(features, weight) + bias
    logits = logits - logits.max(axis=1, keepdims=True)  # exp() of large numbers would overflow
    return logits - logits.exp().sum(axis=1, keepdims=True).log()


def cross_entropy(log_probabilities: nd.NDArray, labels: nd.NDArray) -> nd.NDArray:
    """Returns the loss of each example: how surprised the model is by the true label."""
    return -nd.pick(log_probabilities, labels)


def train_epoch(
    features: nd.NDArray,
    labels: nd.NDArray,
    params: list[nd.NDArray],
    learning_rate: float,
    batch_size: int,
    title: str,
) -> list[float]:
    """Goes once through the examples, in random order, and gives the mean loss of each batch."""
    order = np.random.permutation(len(features))
    losses = []
    progress = tqdm(range(0, len(order), batch_size), desc=title, unit="batch")
    for start in progress:
        indices = nd.array(order[start : start + batch_size])
        batch, targets = features.take(indices), labels.take(indices)
        with autograd.record():
            loss = cross_entropy(predict(batch, *params), targets)
        loss.backward()  # starts from a vector, so the gradients are sums over the batch
        for param in params:
            param[:] = param - learning_rate * param.grad / len(batch)
        losses.append(loss.mean().asscalar())
        progress.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
    return losses


def save(path: Path, params: dict[str, nd.NDArray]) -> None:
    """Saves the parameters and reads them back to see that they are the same."""
    nd.save(str(path), params)
    loaded = nd.load(str(path))
    for name, param in params.items():
        if not np.array_equal(loaded[name].asnumpy(), param.asnumpy()):
            raise SystemExit(f"{path}: {name} is not what was saved")


def plot(
    path: Path, images: nd.NDArray, labels: nd.NDArray, guesses: nd.NDArray, losses: list[float]
) -> None:
    """Draws some digits with what the model takes them for, and the course of the loss."""
    figure = plt.figure(figsize=(11, 4), layout="constrained")
    left, right = figure.subfigures(1, 2)
    shown = zip(images.asnumpy(), labels.asnumpy(), guesses.asnumpy(), strict=False)
    for axes, (image, label, guess) in zip(left.subplots(4, 8).flat, shown, strict=False):
        axes.imshow(image.reshape(28, 28), cmap="gray_r")
        axes.set_title(f"{guess:.0f}", color="black" if guess == label else "red", pad=2)
        axes.axis("off")
    left.suptitle("Test digits and predictions (mistakes in red)")
    axes = right.subplots()
    axes.plot(losses, linewidth=0.8)
    axes.set(xlabel="batch", ylabel="cross entropy", title="Training loss")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main() -> None:
    """Trains, tests, saves, reloads and plots."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--learning-rate", type=float, default=0.2)
    parser.add_argument("--output", type=Path, default=Path("quickstart-output"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    mx.random.seed(1)
    np.random.seed(1)

    features, labels = load_digits("train")
    test_features, test_labels = load_digits("t10k")
    print(f"{len(features)} digits to train on, {len(test_features)} to test on")

    weight = nd.random.normal(scale=0.01, shape=(NUM_PIXELS, NUM_CLASSES))
    bias = nd.zeros(NUM_CLASSES)
    params = [weight, bias]
    for param in params:
        param.attach_grad()

    losses: list[float] = []
    for epoch in range(options.epochs):
        title = f"epoch {epoch + 1}/{options.epochs}"
        losses += train_epoch(
            features, labels, params, options.learning_rate, options.batch_size, title
        )

    guesses = predict(test_features, *params).argmax(axis=1)
    accuracy = (guesses == test_labels).mean().asscalar()
    print(f"accuracy on the test digits: {accuracy:.1%}")

    model = options.output / "softmax.params"
    save(model, {"weight": weight, "bias": bias})
    print(f"model: {model}, saved and read back")

    picture = options.output / "digits.png"
    plot(picture, test_features, test_labels, guesses, losses)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
