"""Measures networks on integers of eight bits: how near they are to float32, and how fast.

    python benchmarks/quantization.py [--networks NAME ...] [--save FILE] [--against FILE]

Images are digits, enlarged, on noise. `--save` writes what the quantized networks compute, and
their parameters beside; `--against` takes these parameters and compares. As the program also runs
under the original MXNet (with SciPy), that is how both are compared:

    ORIGINAL/python benchmarks/quantization.py --save /tmp/original.npz
    python benchmarks/quantization.py --against /tmp/original.npz

With `--against` the program ends with 1 if a cosine is below 0.999 or the best class differs where
the original's has a lead of more than a hundredth of the largest output.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
import warnings
import zlib
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
}
DEFAULT = ("resnet50_v1", "mobilenet1.0")
NEAREST = 0.999
LEAD = 0.01


def load_images(count: int, size: int) -> np.ndarray:
    """Returns digits on noise, of shape `(count, 3, size, size)`."""
    text = gzip.decompress((DIGITS / "t10k-images-idx3-ubyte.gz").read_bytes())
    pixels = np.frombuffer(text, np.uint8, offset=16).reshape(-1, 28, 28)[:count] / 255
    places = np.arange(size) * 28 // size
    enlarged = pixels[:, places][:, :, places]
    colours = np.array([1.0, 0.6, -0.8]).reshape(1, 3, 1, 1)
    noise = np.random.RandomState(0).normal(0, 0.4, (count, 3, size, size))
    return (enlarged[:, None] * colours + noise).astype("float32")


def build(name: str, images: np.ndarray) -> gluon.HybridBlock:
    """Returns a network of random weights.

    Its normalizations know the statistics of the images, so that activations are of a size that
    trained networks have.
    """
    net = NETWORKS[name](classes=100, prefix="net_")
    net.initialize()
    net(mx.nd.array(images[:1]))
    for parameter in net.collect_params().values():
        random, shape = np.random.RandomState(zlib.crc32(parameter.name.encode())), parameter.shape
        if parameter.name.endswith("weight"):
            values = random.normal(0, np.sqrt(2 / np.prod(shape[1:])), shape)
        elif parameter.name.endswith(("gamma", "running_var")):
            values = random.uniform(0.6, 1.2, shape)
        else:
            values = random.uniform(-0.1, 0.1, shape)
        parameter.set_data(mx.nd.array(values))
    for _ in range(12):
        with mx.autograd.record():
            output = net(mx.nd.array(images[:4]))
        output.backward()
        output.wait_to_read()
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


def disagree(ours: np.ndarray, theirs: np.ndarray) -> int:
    """Returns for how many rows the best class differs although the other has a clear lead."""
    ordered = np.sort(theirs, axis=1)
    leads = ordered[:, -1] - ordered[:, -2] > LEAD * np.abs(theirs).max()
    return int(((ours.argmax(axis=1) != theirs.argmax(axis=1)) & leads).sum())


def run(name: str, options: argparse.Namespace) -> tuple[np.ndarray, np.ndarray]:
    """Returns what a network computes in float32 and on integers, and prints how both compare."""
    images = load_images(options.count, options.size)
    net = build(name, images)
    if options.against:
        net.load_parameters(f"{options.against}.{name}.params")
    if options.save:
        net.save_parameters(f"{options.save}.{name}.params")
    data = mx.nd.array(images)
    start = time.perf_counter()
    quantized = quantize(net, images[: options.calibrated])
    spent = time.perf_counter() - start
    for block in (net, quantized):
        block.hybridize(static_alloc=True, static_shape=True)
    exact, rounded = net(data).asnumpy(), quantized(data).asnumpy()
    for batch in (1, 16):
        times = [measure(block, data[:batch], options.rounds) for block in (net, quantized)]
        print(
            f"{name} batch {batch}: float32 {times[0]:.2f} ms, int8 {times[1]:.2f} ms, "
            f"{times[0] / times[1]:.2f} times as fast"
        )
    print(
        f"{name}: quantized in {spent:.1f} s, cosine to float32 {cosine(rounded, exact):.5f}, same "
        f"best class for {(rounded.argmax(1) == exact.argmax(1)).mean():.1%}"
    )
    return exact, rounded


def main() -> None:
    """Measures the networks that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="*", default=DEFAULT, choices=[*NETWORKS, *DEFAULT])
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--calibrated", type=int, default=8)
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
            near, others = cosine(rounded, theirs), disagree(rounded, theirs)
            same = (rounded.argmax(axis=1) == theirs.argmax(axis=1)).mean()
            failed |= near < NEAREST or others > 0
            print(
                f"{name}: cosine to the other int8 {near:.5f} (float32 "
                f"{cosine(exact, known[name]):.6f}), same best class for {same:.1%}"
            )
    if options.save:
        np.savez_compressed(options.save, **results)
    sys.exit(failed)


if __name__ == "__main__":
    main()
