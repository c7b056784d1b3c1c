"""Measures networks on integers of eight bits: how near they are to float32, and how fast.

    python benchmarks/quantization.py [--networks NAME ...] [--params FOLDER] [--save FILE]
                                      [--against FILE]

Networks learn a few hundred digits, or read their parameters from a folder that an earlier run has
written. Then they are quantized with `quantize_net` by entropy. As the program also runs under the
original MXNet (with SciPy), that is how both are compared:

    python benchmarks/quantization.py --params /tmp/networks
    ORIGINAL/python benchmarks/quantization.py --params /tmp/networks --save /tmp/original.npz
    python benchmarks/quantization.py --params /tmp/networks --against /tmp/original.npz

With `--against` the program ends with 1 if a cosine is below 0.999 or a best class differs.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet import gluon
from mxnet.contrib import quantization
from mxnet.gluon.model_zoo import vision

DIGITS = Path(__file__).resolve().parents[1] / "examples" / "data" / "digits"
NETWORKS = {
    "resnet50_v1": vision.resnet50_v1,
    "resnet18_v1": vision.resnet18_v1,
    "mobilenet1.0": vision.mobilenet1_0,
    "mobilenet0.25": vision.mobilenet0_25,
    "mobilenetv2_1.0": vision.mobilenet_v2_1_0,
}
DEFAULT = ("resnet50_v1", "mobilenet1.0")
NEAREST = 0.999


def load_digits(part: str, count: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns digits on noise, of shape `(count, 3, size, size)`, and what they are."""
    images = gzip.decompress((DIGITS / f"{part}-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((DIGITS / f"{part}-labels-idx1-ubyte.gz").read_bytes())
    pixels = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 28, 28)[:count] / 255
    places = np.arange(size) * 28 // size
    enlarged = pixels[:, places][:, :, places]
    colours = np.array([1.0, 0.6, -0.8]).reshape(1, 3, 1, 1)
    noise = np.random.RandomState(0).normal(0, 0.3, (count, 3, size, size))
    colourful = (enlarged[:, None] * colours + noise).astype("float32")
    return colourful, np.frombuffer(labels, np.uint8, offset=8)[:count]


def build(name: str, options: argparse.Namespace) -> gluon.HybridBlock:
    """Returns a network that knows some digits."""
    net = NETWORKS[name](classes=10, prefix="net_")
    path = Path(options.params or "", f"{name}.params")
    if options.params and path.exists():
        net.load_parameters(str(path))
        return net
    mx.random.seed(1)
    net.initialize(mx.init.Xavier(magnitude=2))
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.001})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    images, labels = load_digits("train", options.learnt, options.size)
    starts = [*range(0, options.learnt, 20)] * options.epochs
    for number, start in enumerate(starts):
        trainer.set_learning_rate(0.001 if number < 0.7 * len(starts) else 0.0001)
        with mx.autograd.record():
            error = loss(
                net(mx.nd.array(images[start : start + 20])),
                mx.nd.array(labels[start : start + 20]),
            )
        error.backward()
        trainer.step(20)
    if options.params:
        path.parent.mkdir(exist_ok=True)
        net.save_parameters(str(path))
    return net


def quantize(net: gluon.HybridBlock, images: np.ndarray) -> gluon.HybridBlock:
    """Returns the network on integers, with ranges by entropy."""
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(images), batch_size=4)
    batches = [[item] for item in loader]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return quantization.quantize_net(
            net, calib_mode="entropy", calib_data=batches, ctx=mx.cpu()
        )


def measure(net: gluon.HybridBlock, images: mx.nd.NDArray, rounds: int) -> float:
    """Returns the shortest time of a prediction in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        net(images).wait_to_read()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def cosine(left: np.ndarray, right: np.ndarray) -> float:
    """Returns the smallest cosine between rows."""
    products = (left * right).sum(axis=1)
    return float((products / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)).min())


def run(name: str, options: argparse.Namespace) -> tuple[np.ndarray, np.ndarray]:
    """Returns what a network computes in float32 and on integers, and prints how both compare."""
    net = build(name, options)
    images, labels = load_digits("t10k", options.count, options.size)
    data = mx.nd.array(images)
    net(data[:1])
    start = time.perf_counter()
    quantized = quantize(net, images[: options.calibrated])
    spent = time.perf_counter() - start
    for block in (net, quantized):
        block.hybridize(static_alloc=True, static_shape=True)
    exact, rounded = net(data).asnumpy(), quantized(data).asnumpy()
    right = [float((item.argmax(axis=1) == labels).mean()) for item in (exact, rounded)]
    print(
        f"{name}: quantized in {spent:.1f} s, cosine to float32 {cosine(rounded, exact):.5f}, "
        f"right: float32 {right[0]:.1%}, int8 {right[1]:.1%}"
    )
    for batch in (1, 16):
        shown = mx.nd.random.uniform(
            -1, 1, shape=(batch, 3, options.timed_size, options.timed_size)
        )
        times = [measure(block, shown, options.rounds) for block in (net, quantized)]
        print(
            f"{name} batch {batch}: float32 {times[0]:.2f} ms, int8 {times[1]:.2f} ms, "
            f"{times[0] / times[1]:.2f} times as fast"
        )
    return exact, rounded


def main() -> None:
    """Measures the networks that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="*", default=DEFAULT, choices=NETWORKS)
    parser.add_argument("--params", help="folder of parameters, to read or to write")
    parser.add_argument("--size", type=int, default=64, help="of digits")
    parser.add_argument("--timed-size", type=int, default=224)
    parser.add_argument("--learnt", type=int, default=5000)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--calibrated", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--save")
    parser.add_argument("--against")
    options = parser.parse_args()
    known = dict(np.load(options.against)) if options.against else {}
    results = {}
    failed = False
    for name in options.networks:
        exact, rounded = run(name, options)
        results[name], results[f"{name} int8"] = exact, rounded
        if known:
            theirs = known[f"{name} int8"]
            near, same = cosine(rounded, theirs), rounded.argmax(axis=1) == theirs.argmax(axis=1)
            failed |= near < NEAREST or not same.all()
            print(
                f"{name}: cosine to the other int8 {near:.5f} (float32 "
                f"{cosine(exact, known[name]):.6f}), same best class for {same.mean():.1%}"
            )
    if options.save:
        np.savez_compressed(options.save, **results)
    sys.exit(failed)


if __name__ == "__main__":
    main()
