"""Measures training steps on a GPU: Gluon in seven ways against torch in four.

    python benchmarks/gpu_training.py [--rows NAME ...] [--rounds N] [--budget SECONDS]

Ours is float16 with master copies of the weights in float32. Torch has weights in float32 and
computes in bfloat16 by autocast, convolutions in channels-last; its MLP is all in float32, which is
faster. `gpu_harness.py` says how it is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gluon_networks
import torch
import torch_networks
from gpu_harness import INDUCTOR, STATIC, main

import mxnet as mx
from mxnet import autograd, gluon, nd

RATE = 1e-3


@dataclass(frozen=True)
class TrainingRow:
    """One network with a batch.

    Attributes:
        name: Name of the row.
        gluon: Makes our network.
        torch: Makes that of torch.
        data: Shape of the data, or number of words and shape.
        labels: Number of classes and number of labels.
        share: Share of the time of the benchmark.
        autocast: Whether torch computes in bfloat16.
        batch_axis: Axis of the samples in our data.
    """

    name: str
    gluon: Callable[[], Any]
    torch: Callable[[], torch.nn.Module]
    data: tuple[int | None, tuple[int, ...]]
    labels: tuple[int, int]
    share: float
    autocast: bool = True
    batch_axis: int = 0

    def candidates(self, device: str) -> dict[str, Callable[[], Callable[[], Any]]]:
        """Returns what makes the step of each candidate; those that matter most come first."""
        ours = Ours(self, mx.gpu() if device == "cuda" else mx.cpu())
        theirs = Torchs(self, device)
        return {
            "torch eager": theirs.make,
            "torch captured by hand": theirs.capture,
            "imperative": lambda: ours.make(None),
            "hybridize": lambda: ours.make({}),
            "static": lambda: ours.make(STATIC),
            "TrainStep": lambda: ours.make({}, whole=True),
            "TrainStep + inductor": lambda: ours.make(INDUCTOR, whole=True),
            "torch reduce-overhead": lambda: theirs.make(mode="reduce-overhead"),
            "static + inductor": lambda: ours.make({**STATIC, **INDUCTOR}),
            "inductor": lambda: ours.make(INDUCTOR),
            "torch compile": lambda: theirs.make(mode="default"),
        }


class Ours:
    """Training steps of a row in Gluon.

    Args:
        row: The row.
        ctx: Where to run.
    """

    def __init__(self, row: TrainingRow, ctx: mx.Context) -> None:
        self._row, self._ctx = row, ctx
        words, shape = row.data
        if words is None:
            self._data = nd.random.normal(shape=shape, ctx=ctx).astype("float16")
        else:
            self._data = nd.random.randint(0, words, shape, ctx=ctx).astype("float32")
        classes, count = row.labels
        self._labels = nd.random.randint(0, classes, (count,), ctx=ctx).astype("float32")

    def make(self, options: dict[str, Any] | None, whole: bool = False) -> Callable[[], Any]:
        """Returns a step.

        Args:
            options: Arguments of `hybridize`, None for an imperative network.
            whole: Whether the step is a `TrainStep`.
        """
        mx.random.seed(0)
        net, loss_of = self._row.gluon(), gluon_networks.SingleLoss()
        net.initialize(mx.init.Xavier(), ctx=self._ctx)
        net.cast("float16")
        if options is not None:
            net.hybridize(strict=True, **options)
            loss_of.hybridize(strict=True, **options)
        settings = {"learning_rate": RATE, "momentum": 0.9, "multi_precision": True}
        trainer = gluon.Trainer(net.collect_params(), "sgd", settings)
        size = self._data.shape[self._row.batch_axis]
        if whole:
            train = gluon.TrainStep(net, loss_of, trainer, strict=True)
            return lambda: train(self._data, self._labels, size).to_torch()

        def step() -> torch.Tensor:
            with autograd.record():
                loss = loss_of(net(self._data), self._labels)
            loss.backward()
            trainer.step(size)
            return loss.to_torch()

        return step


class Torchs:
    """Training steps of a row in torch.

    Args:
        row: The row.
        device: Where to run.
    """

    def __init__(self, row: TrainingRow, device: str) -> None:
        self._row, self._device = row, device
        words, shape = row.data
        if words is None:
            self._data = torch.randn(shape, device=device)
        else:
            self._data = torch.randint(words, shape, device=device)
            if row.torch is torch_networks.Bert:
                self._data = self._data.t().contiguous()
        classes, count = row.labels
        self._labels = torch.randint(classes, (count,), device=device)

    def make(self, **compile_options: Any) -> Callable[[], Any]:
        """Returns a step of a network, compiled if there are options."""
        torch.manual_seed(0)
        net, data = self._row.torch().to(self._device), self._data
        if data.dim() == 4:
            net = net.to(memory_format=torch.channels_last)
            data = data.to(memory_format=torch.channels_last)
        optimizer = torch.optim.SGD(net.parameters(), lr=RATE, momentum=0.9, foreach=True)
        forward = torch.compile(net, **compile_options) if compile_options else net

        def step() -> torch.Tensor:
            optimizer.zero_grad()
            with torch.autocast(self._device, torch.bfloat16, enabled=self._row.autocast):
                loss = torch.nn.functional.cross_entropy(forward(data), self._labels)
            loss.backward()
            optimizer.step()
            return loss.detach()

        return step

    def capture(self) -> Callable[[], Any]:
        """Returns a step that was captured by hand, as torch's manual shows it."""
        step = self.make()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(5):
                step()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = step()
        return Replay(graph, step, loss)


@dataclass(frozen=True)
class Replay:
    """A captured step; it keeps the step, with whose weights the capture computes."""

    graph: torch.cuda.CUDAGraph
    step: Callable[[], torch.Tensor]
    loss: torch.Tensor

    def __call__(self) -> torch.Tensor:
        """Runs the step and returns the loss."""
        self.graph.replay()
        return self.loss


def _zoo(name: str) -> Callable[[], Any]:
    return lambda: getattr(gluon.model_zoo.vision, name)()


_IMAGE = (3, 224, 224)
ROWS = [
    TrainingRow(
        "MLP b64",
        gluon_networks.mlp,
        torch_networks.mlp,
        (None, (64, 784)),
        (10, 64),
        0.1,
        autocast=False,
    ),
    TrainingRow(
        "ResNet-18 b32",
        _zoo("resnet18_v1"),
        torch_networks.resnet18,
        (None, (32, *_IMAGE)),
        (1000, 32),
        0.2,
    ),
    TrainingRow(
        "ResNet-50 b128",
        _zoo("resnet50_v1"),
        torch_networks.resnet50,
        (None, (128, *_IMAGE)),
        (1000, 128),
        0.34,
    ),
    TrainingRow(
        "LSTM LM b20 t35",
        gluon_networks.LanguageModel,
        torch_networks.LanguageModel,
        (10_000, (35, 20)),
        (10_000, 700),
        0.12,
        batch_axis=1,
    ),
    TrainingRow(
        "BERT-base b32 t128",
        gluon_networks.Bert,
        torch_networks.Bert,
        (30_522, (128, 32)),
        (2, 32),
        0.24,
        batch_axis=1,
    ),
]


if __name__ == "__main__":
    main(__file__, __doc__, ROWS, 320)
