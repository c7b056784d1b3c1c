"""Measures what a training step costs the host: imperative Gluon against the same in torch.

    python benchmarks/host_cost.py [--rounds N] [--rows NAME ...] [--operators]

On a GPU the step of a small network takes as long as Python and the dispatch of operators do. Here
layers and images are so small that kernels cost next to nothing on a CPU. Processor time is taken,
in alternating rounds, the best of each. Beside it are the calls of Python functions, and the
operators that torch runs, each of which is a kernel on a GPU; views do not count.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import gluon_networks
import torch
import torch_networks
from python_calls import count_calls
from torch.utils._python_dispatch import TorchDispatchMode

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.model_zoo.vision.resnet import BasicBlockV1, ResNetV1

Step = Callable[[], Any]
WIDTHS = (8, 8, 12, 16, 24)
"""Channels of the stages of a narrow ResNet-18, the first those of its first convolution."""
SAMPLE_SECONDS = 0.1


class _Kernels(TorchDispatchMode):
    """Counts the operators that compute something."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name = func.overloadpacket.__name__
        allocates = name.startswith(("empty", "new_empty"))
        if func.namespace == "aten" and not (func.is_view or allocates or name == "detach"):
            self.counts[name] += 1
        return func(*args, **(kwargs or {}))


def make_gluon(name: str) -> tuple[Any, tuple[int, ...]]:
    """Returns a network and the shape of its data."""
    if name == "ResNet-18":
        return ResNetV1(BasicBlockV1, [2, 2, 2, 2], list(WIDTHS), classes=10), (2, 3, 32, 32)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(16, activation="relu"), gluon.nn.Dense(16, activation="relu"))
    net.add(gluon.nn.Dense(10))
    return net, (4, 16)


def make_torch(name: str) -> torch.nn.Module:
    """Returns the same network in torch."""
    nn = torch.nn
    if name == "ResNet-18":
        return torch_networks.resnet((2, 2, 2, 2), bottleneck=False, widths=WIDTHS, classes=10)
    layers = (nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 10))
    return nn.Sequential(*layers)


def our_step(name: str, dtype: str, optimizer: str) -> Step:
    """Returns a step of imperative Gluon, in float16 with master copies."""
    mx.random.seed(0)
    net, shape = make_gluon(name)
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    single = dtype == "float32"
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss() if single else gluon_networks.SingleLoss()
    settings = {"learning_rate": 1e-3, "multi_precision": not single}
    if optimizer == "sgd":
        settings["momentum"] = 0.9
    trainer = gluon.Trainer(net.collect_params(), optimizer, settings)
    data = nd.random.normal(shape=shape).astype(dtype)
    labels = nd.random.randint(0, 10, shape[:1]).astype("float32")

    def step() -> None:
        with autograd.record():
            loss = loss_of(net(data), labels)
        loss.backward()
        trainer.step(shape[0])

    return step


def torch_step(name: str, dtype: str, optimizer: str) -> Step:
    """Returns a step of torch, whose weights are in single precision in every row."""
    torch.manual_seed(0)
    net, (_, shape) = make_torch(name), make_gluon(name)
    if optimizer == "sgd":
        update = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9, foreach=True)
    else:
        update = torch.optim.Adam(net.parameters(), lr=1e-3, foreach=True)
    data, labels = torch.randn(shape), torch.randint(10, shape[:1])
    casts = dtype == "float16" and name != "MLP"

    def step() -> None:
        update.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=casts):
            loss = torch.nn.functional.cross_entropy(net(data), labels)
        loss.backward()
        update.step()

    return step


def processor_time(step: Step, count: int) -> float:
    """Returns the microseconds of one step."""
    start = time.process_time()
    for _ in range(count):
        step()
    return (time.process_time() - start) / count * 1e6


def count_kernels(step: Step) -> Counter[str]:
    """Returns how often a step runs each operator."""
    with _Kernels() as kernels:
        step()
    return kernels.counts


def compare(row: tuple[str, str, str], rounds: int, listed: bool) -> None:
    """Prints the line of one row.

    Args:
        row: Network, dtype and optimizer.
        rounds: Number of rounds.
        listed: Whether to name the operators that differ.
    """
    steps = our_step(*row), torch_step(*row)
    for step in steps:
        processor_time(step, 5)
    best = [float("inf")] * 2
    for _ in range(rounds):
        for number, step in enumerate(steps):
            once = min(best[number], processor_time(step, 2))
            count = max(2, int(SAMPLE_SECONDS * 1e6 / once))
            best[number] = min(best[number], processor_time(step, count))
    calls = [str(len(count_calls(step).python)) for step in steps]
    kernels = [count_kernels(step) for step in steps]
    cells = [" ".join(row), *(f"{item:.0f}" for item in best), f"{best[0] / best[1]:.2f}", *calls]
    print("| " + " | ".join([*cells, *(str(item.total()) for item in kernels)]) + " |", flush=True)
    if listed:
        print(f"  ours more often: {dict((kernels[0] - kernels[1]).most_common())}")
        print(f"  torch more often: {dict((kernels[1] - kernels[0]).most_common())}")


def main() -> None:
    """Measures what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", nargs="+", default=[""], help="beginnings of names of rows")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--operators", action="store_true", help="name operators that differ")
    options = parser.parse_args()
    print("| us | ours | torch | / torch | Python calls | torch | kernels | torch |")
    print("| --- " * 8 + "|")
    for name in ("MLP", "ResNet-18"):
        for dtype in ("float32", "float16"):
            for optimizer in ("sgd", "adam"):
                row = (name, dtype, optimizer)
                if " ".join(row).startswith(tuple(options.rows)):
                    compare(row, options.rounds, options.operators)


if __name__ == "__main__":
    main()
