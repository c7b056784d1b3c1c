"""Measures eager training steps of Gluon networks against torch eager and the original.

    python benchmarks/training.py [--oracle PYTHON] [--rounds N] [--record]

Batch 64: an MLP 784-256-256-10 with SGD momentum and with Adam, and LeNet with SGD momentum. All
candidates take turns in one run; the best time of each counts, because machines are shared.
"""

from __future__ import annotations

from collections.abc import Callable

from harness import Benchmark, main

TARGETS = {
    "MLP, SGD momentum": (1.4, 1.3),
    "MLP, Adam": (1.4, None),
    "LeNet, SGD momentum": (1.15, 1.3),
}

RATE = 1e-7
"""So small that the networks stay what they are: one that has learnt its batch by heart has tiny
gradients, with which processors are slow."""


def mxnet_cases(
    prepare: Callable[[object], object] = lambda net: net,
) -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the cases on `mxnet`, ours or the original.

    Args:
        prepare: Called with each network and loss, for `hybridize`.
    """
    from mxnet import autograd, gluon, nd
    from mxnet.gluon import nn

    loss_of = prepare(gluon.loss.SoftmaxCrossEntropyLoss())
    labels = nd.random.randint(0, 10, shape=(64,)).astype("float32")

    def make(net: nn.Block, data: nd.NDArray, optimizer: str, options: dict) -> Callable[[], None]:
        prepare(net).initialize()
        trainer = gluon.Trainer(net.collect_params(), optimizer, options)

        def step() -> None:
            with autograd.record():
                loss = loss_of(net(data), labels)
            loss.backward()
            trainer.step(64)

        return step

    def mlp() -> nn.Block:
        net = nn.HybridSequential()
        net.add(nn.Dense(256, activation="relu"), nn.Dense(256, activation="relu"), nn.Dense(10))
        return net

    def lenet() -> nn.Block:
        net = nn.HybridSequential()
        net.add(
            nn.Conv2D(20, 5, activation="relu"),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(50, 5, activation="relu"),
            nn.MaxPool2D(2, 2),
            nn.Dense(500, activation="relu"),
            nn.Dense(10),
        )
        return net

    rows, images = nd.random.uniform(shape=(64, 784)), nd.random.uniform(shape=(64, 1, 28, 28))
    momentum = {"learning_rate": RATE, "momentum": 0.9}
    calls = (
        make(mlp(), rows, "sgd", momentum),
        make(mlp(), rows, "adam", {"learning_rate": RATE}),
        make(lenet(), images, "sgd", momentum),
    )
    return dict(zip(TARGETS, calls, strict=True)), nd.waitall


def torch_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the same cases in torch eager."""
    import torch
    from torch import nn

    labels = torch.randint(0, 10, (64,))
    loss_of = nn.CrossEntropyLoss()

    def make(
        net: nn.Module, data: torch.Tensor, optimizer: Callable[..., torch.optim.Optimizer]
    ) -> Callable[[], None]:
        update = optimizer(net.parameters())

        def step() -> None:
            update.zero_grad()
            loss_of(net(data), labels).backward()
            update.step()

        return step

    def mlp() -> nn.Module:
        return nn.Sequential(
            nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)
        )

    lenet = nn.Sequential(
        nn.Conv2d(1, 20, 5),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(20, 50, 5),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Linear(800, 500),
        nn.ReLU(),
        nn.Linear(500, 10),
    )

    def momentum(parameters: object) -> torch.optim.Optimizer:
        return torch.optim.SGD(parameters, lr=RATE, momentum=0.9)

    def adam(parameters: object) -> torch.optim.Optimizer:
        return torch.optim.Adam(parameters, lr=RATE)

    calls = (
        make(mlp(), torch.rand(64, 784), momentum),
        make(mlp(), torch.rand(64, 784), adam),
        make(lenet, torch.rand(64, 1, 28, 28), momentum),
    )
    return dict(zip(TARGETS, calls, strict=True)), lambda: None


if __name__ == "__main__":
    benchmark = Benchmark(
        "Eager training step",
        "batch 64, microseconds",
        "training",
        mxnet_cases,
        torch_cases,
        TARGETS,
        seconds=0.5,
        rounds=8,
    )
    raise SystemExit(main(benchmark))
