"""Measures what a small operator costs: this package, torch and, if it is at hand, the original.

    python benchmarks/dispatch.py [--oracle PYTHON] [--record] [--check]

On arrays of 8x8 the arithmetic is next to nothing, so the time is that of the way to it, on one
thread. `--oracle` names an interpreter with MXNet 1.9.1, which runs this file as a worker.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from harness import Benchmark, Case, main

TARGETS = {
    "a + b": (1.6, 4.0),
    "relu(a)": (1.6, 4.0),
    "dot(a, b)": (1.6, 4.0),
    "a[1:3]": (1.6, 1.5),
    "record 3 ops, backward": (1.25, 2.5),
}


def mxnet_cases() -> tuple[dict[str, Case], Case]:
    """Returns the cases on `mxnet`, ours or the original, and what waits for results."""
    from mxnet import autograd, nd

    a, b = nd.random.uniform(shape=(8, 8)), nd.random.uniform(shape=(8, 8))
    x = nd.random.uniform(shape=(8, 8))
    x.attach_grad()
    relu, dot, record = nd.relu, nd.dot, autograd.record

    def step() -> None:
        with record():
            y = x * b
            total = relu(y) + y
        total.backward()

    calls = (lambda: a + b, lambda: relu(a), lambda: dot(a, b), lambda: a[1:3], step)
    return dict(zip(TARGETS, calls, strict=True)), nd.waitall


def torch_cases() -> tuple[dict[str, Case], Case]:
    """Returns the same cases on tensors, through torch's public functions.

    `Tensor.backward` checks its arguments in Python, for about a third of the recorded case. We
    call the engine below it, so a ratio near one there hides what recording itself costs.
    """
    import torch

    torch.set_num_threads(1)
    a, b = torch.rand(8, 8), torch.rand(8, 8)
    x = torch.rand(8, 8, requires_grad=True)
    relu, dot, ones_like = torch.relu, torch.mm, torch.ones_like

    def step() -> None:
        y = x * b
        total = relu(y) + y
        x.grad = None
        total.backward(ones_like(total))

    calls = (lambda: a + b, lambda: relu(a), lambda: dot(a, b), lambda: a[1:3], step)
    return dict(zip(TARGETS, calls, strict=True)), lambda: None


if __name__ == "__main__":
    benchmark = Benchmark(
        "Dispatch",
        "8x8 float32, microseconds",
        "dispatch",
        mxnet_cases,
        torch_cases,
        TARGETS,
        seconds=0.004,  # short ones find moments in which nothing else runs on the processor
        rounds=150,
    )
    raise SystemExit(main(benchmark))
