"""Measures hybridized networks on the CPU against torch eager and the original.

    python benchmarks/hybrid.py [--oracle PYTHON] [--rounds N] [--record]

Training steps of an MLP and LeNet, batch 64, and predictions of MobileNetV2 and ResNet-50, batch 1.
No compiler is used. All candidates take turns in one run; the best time of each counts, because
machines are shared.
"""

from __future__ import annotations

from collections.abc import Callable

import training
from harness import Benchmark, main

TARGETS = {
    "MLP, training": (1.0, None),
    "LeNet, training": (1.0, None),
    "MobileNetV2, prediction": (1 / 1.6, None),
    "ResNet-50, prediction": (1 / 1.3, None),
}


def mxnet_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the cases on `mxnet`, ours or the original."""
    from mxnet import gluon, nd
    from mxnet.gluon.model_zoo import vision

    def hybridized(net: gluon.HybridBlock) -> gluon.HybridBlock:
        net.hybridize()
        return net

    def predict(net: gluon.HybridBlock) -> Callable[[], None]:
        net.initialize()
        data = nd.random.uniform(shape=(1, 3, 224, 224))
        return lambda: net(data).wait_to_read()

    cases, wait = training.mxnet_cases(hybridized)
    calls = (
        cases["MLP, SGD momentum"],
        cases["LeNet, SGD momentum"],
        predict(hybridized(vision.mobilenet_v2_1_0())),
        predict(hybridized(vision.resnet50_v1())),
    )
    return dict(zip(TARGETS, calls, strict=True)), wait


def torch_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the same cases in torch eager."""
    import torch
    from torch_networks import mobilenet_v2, predict, resnet50

    def prediction(net: torch.nn.Module) -> Callable[[], None]:
        net.eval()
        data = torch.rand(1, 3, 224, 224)
        return lambda: predict(net, data)

    cases, wait = training.torch_cases()
    calls = (
        cases["MLP, SGD momentum"],
        cases["LeNet, SGD momentum"],
        prediction(mobilenet_v2()),
        prediction(resnet50()),
    )
    return dict(zip(TARGETS, calls, strict=True)), wait


if __name__ == "__main__":
    benchmark = Benchmark(
        "Hybridized networks",
        "microseconds",
        "hybrid",
        mxnet_cases,
        torch_cases,
        TARGETS,
        seconds=0.5,
        rounds=8,
    )
    raise SystemExit(main(benchmark))
