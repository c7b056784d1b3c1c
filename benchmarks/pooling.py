"""Measures the maxima of windows of 2x2 on the CPU against torch and the original.

    python benchmarks/pooling.py [--oracle PYTHON] [--rounds N] [--record]

The shapes are those of LeNet with batch 64 and of the first part of a network for large images.
"""

from __future__ import annotations

from collections.abc import Callable

from harness import Benchmark, main

SHAPES = ((64, 20, 24, 24), (64, 50, 8, 8), (8, 64, 56, 56))
USES = ("prediction", "training")
TARGETS = {f"{'x'.join(map(str, shape))}, {use}": (1.0, None) for shape in SHAPES for use in USES}


def mxnet_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the cases on `mxnet`, ours or the original."""
    from mxnet import autograd, nd

    def pool(data: nd.NDArray) -> nd.NDArray:
        return nd.Pooling(data, kernel=(2, 2), stride=(2, 2), pool_type="max")

    def train(data: nd.NDArray) -> None:
        with autograd.record():
            output = pool(data)
        output.backward()

    calls: list[Callable[[], None]] = []
    for shape in SHAPES:
        data = nd.random.normal(shape=shape)
        data.attach_grad()
        calls += [lambda data=data: pool(data), lambda data=data: train(data)]
    return dict(zip(TARGETS, calls, strict=True)), nd.waitall


def torch_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the same cases in torch."""
    import torch
    from torch.nn.functional import max_pool2d

    def train(data: torch.Tensor) -> None:
        output = max_pool2d(data, 2)
        output.backward(torch.ones_like(output))

    calls: list[Callable[[], None]] = []
    for shape in SHAPES:
        plain = torch.randn(shape)
        learnt = plain.clone().requires_grad_()
        calls += [lambda plain=plain: max_pool2d(plain, 2), lambda learnt=learnt: train(learnt)]
    return dict(zip(TARGETS, calls, strict=True)), lambda: None


if __name__ == "__main__":
    benchmark = Benchmark(
        "Pooling", "microseconds", "pooling", mxnet_cases, torch_cases, TARGETS, seconds=0.1
    )
    raise SystemExit(main(benchmark))
