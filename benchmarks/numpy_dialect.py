"""Measures what programs in the NumPy dialect cost beside the same ones in the classic dialect.

    python benchmarks/numpy_dialect.py [--rounds N] [--rows WORD] [--size N] [--device gpu]

Both take turns, and the best CPU time of several rounds counts, on a GPU that of the host. On small
arrays (8x8) the time is that of the way to the kernels; on medium ones (256x256) the kernels have
their share. `--check` fails where a ratio is above the limit.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx
from mxnet import autograd, gluon, nd, np, npx
from mxnet.gluon import nn

Case = Callable[[], object]

LIMIT = 1.1
"""How many times the classic dialect's time a program in NumPy's may take."""
SECONDS = 0.01
"""How long one sample takes."""


class Operands(NamedTuple):
    """Arrays of one dialect that the cases work on."""

    a: Any
    b: Any
    variable: Any
    images: Any
    labels: Any


def make_operands(make: Callable[..., Any], size: int) -> Operands:
    """Returns the arrays; `make` draws uniform numbers in a shape."""
    square = (size, size)
    a, b, variable = make(square) + 0.5, make(square) + 0.5, make(square)
    variable.attach_grad()
    images = make((2, 3, max(8, size // 8), max(8, size // 8)))
    return Operands(a, b, variable, images, make((2,)) > 0.5)


def shared_cases(operands: Operands) -> dict[str, Case]:
    """Returns the cases that are the same program in both dialects."""
    a, b, x, _, _ = operands
    target = a.copy()

    def write() -> None:
        target[1:3] = 0.5

    def write_array() -> None:
        target[2] = b[1]

    def step() -> None:
        with autograd.record():
            y = x * b
            total = (y + y * 2.0).sum()
        total.backward()

    return {
        "a + b": lambda: a + b,
        "a * 2.0": lambda: a * 2.0,
        "1 - a": lambda: 1 - a,
        "a ** 2": lambda: a**2,
        "-a": lambda: -a,
        "a > b": lambda: a > b,
        "a == 0.5": lambda: a == 0.5,
        "a[1]": lambda: a[1],
        "a[1:3]": lambda: a[1:3],
        "a[:, 2]": lambda: a[:, 2],
        "a[1:3] = 0.5": write,
        "a[2] = b[1]": write_array,
        "a.sum()": lambda: a.sum(),
        "a.mean(axis=1)": lambda: a.mean(axis=1),
        "a.reshape(-1)": lambda: a.reshape((-1,)),
        "a.T": lambda: a.T,
        "a.astype": lambda: a.astype("float64"),
        "a.copy": lambda: a.copy(),
        "recorded step": step,
    }


def classic_cases(operands: Operands) -> dict[str, Case]:
    """Returns the cases whose functions have other names or arguments in the classic dialect."""
    a, b, _, _, _ = operands
    shape = a.shape
    return {
        "add(a, b)": lambda: nd.add(a, b),
        "exp(a)": lambda: nd.exp(a),
        "maximum(a, b)": lambda: nd.maximum(a, b),
        "maximum(a, 0)": lambda: nd.maximum(a, 0),
        "relu(a)": lambda: nd.relu(a),
        "clip(a, 0, 1)": lambda: nd.clip(a, 0, 1),
        "where(c, a, b)": lambda: nd.where(a, a, b),
        "sum(a, axis)": lambda: nd.sum(a, axis=1),
        "max(a, axis)": lambda: nd.max(a, axis=1),
        "argmax(a, axis)": lambda: nd.argmax(a, axis=1),
        "softmax(a)": lambda: nd.softmax(a),
        "transpose(a)": lambda: nd.transpose(a),
        "expand_dims(a)": lambda: nd.expand_dims(a, axis=0),
        "concatenate": lambda: nd.concat(a, b, dim=0),
        "stack": lambda: nd.stack(a, b, axis=0),
        "split": lambda: nd.split(a, 2, axis=0),
        "sort(a)": lambda: nd.sort(a),
        "take(a, i)": lambda: nd.take(a, a[0], mode="clip"),
        "zeros": lambda: nd.zeros(shape),
        "ones": lambda: nd.ones(shape),
        "full": lambda: nd.full(shape, 2.0),
        "arange": lambda: nd.arange(8),
        "zeros_like": lambda: nd.zeros_like(a),
        "array": lambda: nd.array([1.0, 2.0]),
        "random.normal": lambda: nd.random.normal(0, 1, shape),
        "random.uniform": lambda: nd.random.uniform(0, 1, shape),
        "random.randint": lambda: nd.random.randint(0, 9, shape),
        "dot(a, b)": lambda: nd.dot(a, b),
        "norm(a)": lambda: nd.norm(a),
    }


def numpy_cases(operands: Operands) -> dict[str, Case]:
    """Returns the same cases in the NumPy dialect."""
    a, b, _, _, _ = operands
    shape = a.shape
    return {
        "add(a, b)": lambda: np.add(a, b),
        "exp(a)": lambda: np.exp(a),
        "maximum(a, b)": lambda: np.maximum(a, b),
        "maximum(a, 0)": lambda: np.maximum(a, 0),
        "relu(a)": lambda: npx.relu(a),
        "clip(a, 0, 1)": lambda: np.clip(a, 0, 1),
        "where(c, a, b)": lambda: np.where(a, a, b),
        "sum(a, axis)": lambda: np.sum(a, axis=1),
        "max(a, axis)": lambda: np.max(a, axis=1),
        "argmax(a, axis)": lambda: np.argmax(a, axis=1),
        "softmax(a)": lambda: npx.softmax(a),
        "transpose(a)": lambda: np.transpose(a),
        "expand_dims(a)": lambda: np.expand_dims(a, axis=0),
        "concatenate": lambda: np.concatenate((a, b), axis=0),
        "stack": lambda: np.stack((a, b), axis=0),
        "split": lambda: np.split(a, 2, axis=0),
        "sort(a)": lambda: np.sort(a),
        "take(a, i)": lambda: np.take(a, a[0], axis=0, mode="clip"),
        "zeros": lambda: np.zeros(shape),
        "ones": lambda: np.ones(shape),
        "full": lambda: np.full(shape, 2.0),
        "arange": lambda: np.arange(8),
        "zeros_like": lambda: np.zeros_like(a),
        "array": lambda: np.array([1.0, 2.0]),
        "random.normal": lambda: np.random.normal(0, 1, shape),
        "random.uniform": lambda: np.random.uniform(0, 1, shape),
        "random.randint": lambda: np.random.randint(0, 9, shape),
        "dot(a, b)": lambda: np.dot(a, b),
        "norm(a)": lambda: np.linalg.norm(a),
    }


def network_cases(operands: Operands) -> dict[str, Case]:
    """Returns calls of layers and steps of training, with layers of the dialect in force."""
    a, b, _, images, labels = operands
    cases: dict[str, Case] = {}
    dense, hybrid = nn.Dense(8), nn.Dense(8)
    convolution, normalization = nn.Conv2D(4, 3), nn.BatchNorm()
    trained, stepped = _classifier(), _classifier()
    for block in (dense, hybrid, convolution, normalization, trained, stepped):
        block.initialize()
    hybrid.hybridize()
    loss, distance = gluon.loss.SoftmaxCrossEntropyLoss(), gluon.loss.L2Loss()
    trainer = gluon.Trainer(trained.collect_params(), "sgd", {"learning_rate": 0.01})
    whole = gluon.TrainStep(
        stepped, loss, gluon.Trainer(stepped.collect_params(), "sgd", {"learning_rate": 0.01})
    )

    def normalize() -> None:
        with autograd.record():
            normalization(images)

    def train() -> None:
        with autograd.record():
            value = loss(trained(images), labels)
        value.backward()
        trainer.step(2)

    cases |= {
        "Dense": lambda: dense(a),
        "Dense, hybridized": lambda: hybrid(a),
        "Conv2D": lambda: convolution(images),
        "BatchNorm, recorded": normalize,
        "record, backward, step": train,
        "Trainer.step": lambda: trainer.step(2, ignore_stale_grad=True),
        "TrainStep": lambda: whole(images, labels),
        "L2Loss": lambda: distance(a, b),
    }
    return cases


def _classifier() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dense(2))
    return net


def make_cases(size: int) -> dict[str, tuple[Case, Case]]:
    """Returns the case in the classic dialect and that in NumPy's by name."""
    operands = make_operands(lambda shape: nd.random.uniform(shape=shape), size)
    classic = shared_cases(operands) | classic_cases(operands) | network_cases(operands)
    npx.set_np()
    operands = make_operands(lambda shape: np.random.uniform(size=shape), size)
    numpy = shared_cases(operands) | numpy_cases(operands) | network_cases(operands)
    for case in numpy.values():
        case()
    npx.reset_np()
    for case in classic.values():
        case()
    return {name: (case, numpy[name]) for name, case in classic.items()}


def sample(case: Case, number: int, in_numpy: bool) -> float:
    """Returns the microseconds of CPU time of a call."""
    if in_numpy:
        npx.set_np()
    calls = range(number)
    start = time.thread_time()
    for _ in calls:
        case()
    taken = time.thread_time() - start
    npx.reset_np()
    return taken / number * 1e6


def compare(pair: tuple[Case, Case], rounds: int) -> tuple[float, float]:
    """Returns the best times of both, which take turns."""
    number = max(3, int(SECONDS * 1e6 / sample(pair[0], 20, False)))
    best = [float("inf"), float("inf")]
    for round_number in range(rounds):
        for which in (0, 1) if round_number % 2 else (1, 0):
            best[which] = min(best[which], sample(pair[which], number, bool(which)))
    return best[0], best[1]


def main() -> int:
    """Prints the times, and returns 1 if `--check` finds a ratio above the limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--rows", default="", help="only rows whose name has this in it")
    parser.add_argument("--size", type=int, action="append", help="length of an axis: 8 and 256")
    parser.add_argument("--check", action="store_true", help=f"fail above {LIMIT}")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    arguments = parser.parse_args()
    mx.random.seed(0)
    worst = 0.0
    with mx.Context(arguments.device):
        for size in arguments.size or (8, 256):
            print(f"\n| {size}x{size}, us | nd | np | np / nd |\n| --- | --- | --- | --- |")
            for name, pair in make_cases(size).items():
                if arguments.rows in name:
                    classic, numpy = compare(pair, arguments.rounds)
                    worst = max(worst, numpy / classic)
                    mark = " *" if numpy / classic > LIMIT else ""
                    print(f"| {name} | {classic:.2f} | {numpy:.2f} | {numpy / classic:.2f}{mark} |")
    return int(arguments.check and worst > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
