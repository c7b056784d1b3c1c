"""Measures training by several processes against torch's DistributedDataParallel.

    python benchmarks/distributed.py [--processes N] [--rounds N] [--samples N]

Processes with one thread each train a network with SGD momentum over gloo, each on a batch of its
own. Both candidates take turns in the same processes, and the best round of each counts, because
machines are shared; the median is that of the ratios of rounds. A round is timed from a barrier to
the end of its last step, on rank 0, by the clock and by the time of the processor. The last column
has the bytes that a step hands to the network, and those of the gradients.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parents[1] / "src"
RATE = 1e-7
"""So small that the networks stay what they are."""


class Candidate(NamedTuple):
    """A training step, and how many bytes it has sent so far."""

    step: Callable[[], None]
    count_bytes: Callable[[], int]


class Times(NamedTuple):
    """Milliseconds of a step by the clock, and of the processor on rank 0, all threads together."""

    clock: float
    processor: float


def mxnet_candidates() -> dict[str, Candidate]:
    """Returns the cases on `mxnet`."""
    import gluon_networks

    from mxnet import autograd, gluon, nd
    from mxnet.gluon import nn
    from mxnet.gluon.model_zoo import vision

    def make(net: nn.HybridBlock, data: nd.NDArray) -> Candidate:
        net.initialize()
        net.hybridize()
        loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
        loss_of.hybridize()
        labels = nd.random.randint(0, 10, shape=(len(data),)).astype("float32")
        options = {"learning_rate": RATE, "momentum": 0.9}
        trainer = gluon.Trainer(net.collect_params(), "sgd", options, kvstore="dist_sync")

        def step() -> None:
            with autograd.record():
                loss = loss_of(net(data), labels)
            loss.backward()
            trainer.step(len(data))

        return Candidate(step, lambda: trainer._shared._reducer.num_bytes)

    return {
        "MLP, batch 64": make(gluon_networks.mlp(), nd.random.uniform(shape=(64, 784))),
        "wide MLP, batch 64": make(_wide_gluon_mlp(nn), nd.random.uniform(shape=(64, 784))),
        "ResNet-18, batch 8": make(
            vision.resnet18_v1(classes=10), nd.random.uniform(shape=(8, 3, 64, 64))
        ),
    }


def _wide_gluon_mlp(nn: object) -> object:
    net = nn.HybridSequential()
    for _ in range(4):
        net.add(nn.Dense(1024, activation="relu"))
    net.add(nn.Dense(10))
    return net


def torch_candidates() -> dict[str, Candidate]:
    """Returns the same cases on torch."""
    import torch
    import torch_networks
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    def make(net: nn.Module, data: torch.Tensor) -> Candidate:
        with warnings.catch_warnings():  # newer releases have another word for broadcast_buffers
            warnings.simplefilter("ignore", FutureWarning)
            net = DistributedDataParallel(
                net, broadcast_buffers=False, gradient_as_bucket_view=True
            )
        update = torch.optim.SGD(net.parameters(), lr=RATE, momentum=0.9, foreach=True)
        labels = torch.randint(0, 10, (len(data),))
        loss_of = nn.CrossEntropyLoss()

        def step() -> None:
            update.zero_grad()
            loss_of(net(data), labels).backward()
            update.step()

        size = sum(p.numel() * p.element_size() for p in net.parameters())
        return Candidate(step, lambda: size)

    wide = [nn.Linear(784, 1024), nn.ReLU()]
    for _ in range(3):
        wide += [nn.Linear(1024, 1024), nn.ReLU()]
    resnet = torch_networks.resnet18()
    resnet[-1] = nn.Linear(resnet[-1].in_features, 10)
    return {
        "MLP, batch 64": make(torch_networks.mlp(), torch.rand(64, 784)),
        "wide MLP, batch 64": make(nn.Sequential(*wide, nn.Linear(1024, 10)), torch.rand(64, 784)),
        "ResNet-18, batch 8": make(resnet, torch.rand(8, 3, 64, 64)),
    }


def measure(step: Callable[[], None], count: int) -> Times:
    """Returns the milliseconds of a step, over some of them."""
    from torch import distributed

    distributed.barrier()
    begin, begin_work = time.perf_counter(), time.process_time()
    for _ in range(count):
        step()
    ends = time.perf_counter(), time.process_time()
    return Times((ends[0] - begin) / count * 1e3, (ends[1] - begin_work) / count * 1e3)


def work(rounds: int, samples: int, only: str) -> None:
    """Measures in one of the processes; rank 0 prints."""
    from mxnet._state import processes

    processes.join("benchmark")
    ours, theirs = mxnet_candidates(), torch_candidates()
    if processes.rank() == 0:
        print(f"{'case, ms a step':30}{'mxnet':>9}{'DDP':>9}{'ratio':>8}{'median':>8}   bytes sent")
    for name, (step, count_bytes) in ours.items():
        if only not in name:
            continue
        other, size = theirs[name]
        for warm in (step, other) * 3:
            warm()
        before = count_bytes()
        own_times, other_times = [], []
        for _ in range(rounds):
            own_times.append(measure(step, samples))
            other_times.append(measure(other, samples))
        sent = (count_bytes() - before) / (rounds * samples)
        if processes.rank() == 0:
            for kind in Times._fields:
                own = [getattr(item, kind) for item in own_times]
                others = [getattr(item, kind) for item in other_times]
                middle = statistics.median(a / b for a, b in zip(own, others, strict=True))
                print(
                    f"{f'{name}, {kind}':30}{min(own):9.2f}{min(others):9.2f}"
                    f"{min(own) / min(others):8.3f}{middle:8.3f}   {sent:,.0f} of {size():,}"
                )


def main() -> None:
    """Starts the processes, or works as one of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--only", default="", help="part of the names of cases to measure")
    given = parser.parse_args()
    if "RANK" in os.environ:
        work(given.rounds, given.samples, given.only)
        return
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port = trial.getsockname()[1]
    shared = {
        **os.environ,
        "PYTHONPATH": f"{SOURCE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "OMP_NUM_THREADS": "1",
        "WORLD_SIZE": str(given.processes),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
    }
    started = [
        subprocess.Popen([sys.executable, *sys.argv], env={**shared, "RANK": str(rank)})
        for rank in range(given.processes)
    ]
    sys.exit(max(process.wait() for process in started))


if __name__ == "__main__":
    main()
