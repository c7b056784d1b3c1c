"""Measures predictions in float16 on a GPU: Gluon in four ways against torch in three.

    python benchmarks/gpu_prediction.py [--rows NAME ...] [--rounds N] [--budget SECONDS]

Convolutions of torch are in channels-last. `gpu_harness.py` says how it is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gluon_networks
import torch
import torch_networks
from gpu_harness import INDUCTOR, STATIC, main
from networks_text import gpt

import mxnet as mx
from mxnet import gluon, nd


@dataclass(frozen=True)
class PredictionRow:
    """One network with a batch.

    Attributes:
        name: Name of the row.
        gluon: Makes our network.
        torch: Makes that of torch.
        words: Number of words, None for images.
        shape: Shape of the input.
        is_batch_first: Whether torch's network takes words in the same order of axes.
        share: Share of the time of the benchmark.
    """

    name: str
    gluon: Callable[[], Any]
    torch: Callable[[], torch.nn.Module]
    words: int | None
    shape: tuple[int, ...]
    is_batch_first: bool = False
    share: float = 0.2

    def candidates(self, device: str) -> dict[str, Callable[[], Callable[[], Any]]]:
        """Returns what makes the call of each candidate; those that matter most come first."""

        def ours(**options: Any) -> Callable[[], Callable[[], Any]]:
            return lambda: self._make_ours(mx.gpu() if device == "cuda" else mx.cpu(), options)

        def theirs(**options: Any) -> Callable[[], Callable[[], Any]]:
            return lambda: self._make_torchs(device, options)

        return {
            "torch eager": theirs(),
            "static + inductor": ours(**STATIC, **INDUCTOR),
            "torch reduce-overhead": theirs(mode="reduce-overhead"),
            "static": ours(**STATIC),
            "hybridize": ours(),
            "imperative": lambda: self._make_ours(mx.gpu() if device == "cuda" else mx.cpu(), None),
            "torch compile": theirs(mode="default"),
        }

    def _make_ours(self, ctx: mx.Context, options: dict[str, Any] | None) -> Callable[[], Any]:
        mx.random.seed(0)
        net = self.gluon()
        net.initialize(mx.init.Xavier(), ctx=ctx)
        net.cast("float16")
        if options is not None:
            net.hybridize(strict=True, **options)
        if self.words is None:
            data = nd.random.normal(shape=self.shape, ctx=ctx).astype("float16")
        else:
            data = nd.random.randint(0, self.words, self.shape, ctx=ctx).astype("float32")
        return lambda: net(data).to_torch()

    def _make_torchs(self, device: str, options: dict[str, Any]) -> Callable[[], Any]:
        torch.manual_seed(0)
        net = self.torch().to(device).half().eval()
        if self.words is None:
            data = torch.randn(self.shape, device=device).half()
            net = net.to(memory_format=torch.channels_last)
            data = data.to(memory_format=torch.channels_last)
        else:
            order = self.shape if self.is_batch_first else self.shape[::-1]
            data = torch.randint(self.words, order, device=device)
        run = torch.compile(net, **options) if options else net

        def predict() -> torch.Tensor:
            with torch.no_grad():
                return run(data)

        return predict


def _resnet(batch: int) -> PredictionRow:
    make = gluon.model_zoo.vision.resnet50_v1
    shape = (batch, 3, 224, 224)
    return PredictionRow(f"ResNet-50 b{batch}", make, torch_networks.resnet50, None, shape)


def _bert(batch: int) -> PredictionRow:
    name = f"BERT-base b{batch} t128"
    return PredictionRow(name, gluon_networks.Bert, torch_networks.Bert, 30_522, (128, batch))


def _gpt(batch: int) -> PredictionRow:
    words, time = 30_000, 512
    both = gpt(batch, time, words=words, units=512, heads=8, count=6)
    make, name = (lambda: both.gluon().net), f"GPT of 6 layers b{batch} t{time}"
    return PredictionRow(name, make, lambda: both.torch().net, words, (batch, time), True)


ROWS = [_resnet(1), _resnet(128), _bert(1), _bert(32), _gpt(1)]


if __name__ == "__main__":
    main(__file__, __doc__, ROWS, 130)
