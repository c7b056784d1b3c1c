"""Measures hybridized networks on the CPU against torch eager and the original.

    python benchmarks/hybrid.py [--oracle PYTHON] [--rounds N] [--record]

Training steps with SGD and predictions of networks for images and for text; the batch is in the
name of a row. No compiler is used. All candidates take turns in one run; the best time of each
counts, because machines are shared.
"""

from __future__ import annotations

from collections.abc import Callable

import training
from harness import Benchmark, main

AT_MOST = 1 / 0.95
"""Of torch's time, in every row."""

TARGETS = {
    "MLP, training, 64": (AT_MOST, 1.0),
    "LeNet, training, 64": (AT_MOST, 1.0),
    "ResNet-18, training, 8": (AT_MOST, 1.0),
    "MobileNetV2, training, 8": (AT_MOST, 1.0),
    "LSTM language model, training, 20": (AT_MOST, 1.0),
    "GRU language model, training, 20": (AT_MOST, 1.0),
    "encoder of 4 layers, training, 8": (AT_MOST, 1.0),
    "MobileNetV2, prediction, 1": (1 / 1.6, 1.0),
    "ResNet-18, prediction, 1": (AT_MOST, 1.0),
    "ResNet-50, prediction, 1": (1 / 1.3, 1.0),
    "ResNet-50, prediction, 16": (AT_MOST, 1.0),
    "VGG-11, prediction, 1": (AT_MOST, 1.0),
    "LSTM language model, prediction, 20": (AT_MOST, 1.0),
    "encoder of 4 layers, prediction, 1": (AT_MOST, 1.0),
}

WORDS, SIZE, TIME = 2000, 200, 35
"""Of the language models."""

ENCODER = {"words": 5000, "layers": 4, "units": 256, "heads": 4, "dropout": 0.0}

LENGTH = 64
"""Of the sequences of the encoder."""

SIDE = 224
"""Of images to predict."""

SMALL_SIDE = 96
"""Of images to train on."""


def mxnet_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the cases on `mxnet`, ours or the original."""
    from gluon_networks import Bert, LanguageModel

    from mxnet import autograd, gluon, nd
    from mxnet.gluon import rnn
    from mxnet.gluon.model_zoo import vision

    def hybridized(net: gluon.HybridBlock) -> gluon.HybridBlock:
        net.hybridize()
        return net

    loss_of = hybridized(gluon.loss.SoftmaxCrossEntropyLoss())

    def predict(net: gluon.HybridBlock, data: nd.NDArray) -> Callable[[], None]:
        hybridized(net).initialize()
        return lambda: net(data).wait_to_read()

    def train(net: gluon.HybridBlock, data: nd.NDArray, count: int) -> Callable[[], None]:
        hybridized(net).initialize()
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": training.RATE})
        labels = nd.zeros((count,))

        def step() -> None:
            with autograd.record():
                loss = loss_of(net(data), labels)
            loss.backward()
            trainer.step(count)

        return step

    def images(count: int, side: int = SIDE) -> nd.NDArray:
        return nd.random.uniform(shape=(count, 3, side, side))

    def words(most: int, *shape: int) -> nd.NDArray:
        return nd.random.randint(0, most, shape=shape).astype("float32")

    cases, wait = training.mxnet_cases(hybridized)
    text = words(WORDS, TIME, 20)
    calls = (
        cases["MLP, SGD momentum"],
        cases["LeNet, SGD momentum"],
        train(vision.resnet18_v1(), images(8, SMALL_SIDE), 8),
        train(vision.mobilenet_v2_1_0(), images(8, SMALL_SIDE), 8),
        train(LanguageModel(WORDS, SIZE, rnn.LSTM), text, TIME * 20),
        train(LanguageModel(WORDS, SIZE, rnn.GRU), text, TIME * 20),
        train(Bert(**ENCODER), words(ENCODER["words"], LENGTH, 8), 8),
        predict(vision.mobilenet_v2_1_0(), images(1)),
        predict(vision.resnet18_v1(), images(1)),
        predict(vision.resnet50_v1(), images(1)),
        predict(vision.resnet50_v1(), images(16)),
        predict(vision.vgg11(), images(1)),
        predict(LanguageModel(WORDS, SIZE, rnn.LSTM), text),
        predict(Bert(**ENCODER), words(ENCODER["words"], LENGTH, 1)),
    )
    return dict(zip(TARGETS, calls, strict=True)), wait


def torch_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the same cases in torch eager."""
    import torch
    import torch_networks as networks
    from torch import nn

    loss_of = nn.CrossEntropyLoss()

    def predict(net: nn.Module, data: torch.Tensor) -> Callable[[], None]:
        net.eval()
        return lambda: networks.predict(net, data)

    def train(net: nn.Module, data: torch.Tensor, count: int) -> Callable[[], None]:
        update = torch.optim.SGD(net.parameters(), lr=training.RATE)
        labels = torch.zeros(count, dtype=torch.long)

        def step() -> None:
            update.zero_grad()
            loss_of(net(data), labels).backward()
            update.step()

        return step

    def images(count: int, side: int = SIDE) -> torch.Tensor:
        return torch.rand(count, 3, side, side)

    cases, wait = training.torch_cases()
    text = torch.randint(0, WORDS, (TIME, 20))
    calls = (
        cases["MLP, SGD momentum"],
        cases["LeNet, SGD momentum"],
        train(networks.resnet18(), images(8, SMALL_SIDE), 8),
        train(networks.mobilenet_v2(), images(8, SMALL_SIDE), 8),
        train(networks.LanguageModel(WORDS, SIZE, nn.LSTM), text, TIME * 20),
        train(networks.LanguageModel(WORDS, SIZE, nn.GRU), text, TIME * 20),
        train(networks.Bert(**ENCODER), torch.randint(0, ENCODER["words"], (8, LENGTH)), 8),
        predict(networks.mobilenet_v2(), images(1)),
        predict(networks.resnet18(), images(1)),
        predict(networks.resnet50(), images(1)),
        predict(networks.resnet50(), images(16)),
        predict(networks.vgg11(), images(1)),
        predict(networks.LanguageModel(WORDS, SIZE, nn.LSTM), text),
        predict(networks.Bert(**ENCODER), torch.randint(0, ENCODER["words"], (1, LENGTH))),
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
