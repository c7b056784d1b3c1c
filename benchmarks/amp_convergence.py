"""Trains a residual network and a transformer in mixed precision and in float32: equal losses?

Each precision is trained in a process of its own, on the same data from the same weights. Labels
are noisy and every batch is new, so that losses approach a number above zero, of which 2 % means
something. On a CPU the networks are small; on a GPU they are ResNet-18 and BERT-base.

Usage: python benchmarks/amp_convergence.py [--device gpu] [--steps 200] [--networks resnet bert]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.contrib import amp
from mxnet.gluon import nn
from mxnet.gluon.model_zoo.vision.resnet import BasicBlockV1, ResNetV1

CLASSES = 10
KEPT = 0.6
"""Share of the labels that are right."""
AVERAGED = 50
"""Steps at the end whose losses are averaged."""
TOLERANCE = 0.02
PRECISIONS = ("float32", "float16", "bfloat16")


class Attention(gluon.HybridBlock):
    """Self-attention and what follows it, written as in GluonNLP."""

    def __init__(self, units: int, heads: int) -> None:
        super().__init__()
        self._heads = heads
        self.qkv = nn.Dense(3 * units, flatten=False, in_units=units)
        self.project = nn.Dense(units, flatten=False, in_units=units)
        self.norm = nn.LayerNorm(in_channels=units)
        self.widen = nn.Dense(4 * units, flatten=False, in_units=units)
        self.gelu = nn.GELU()
        self.narrow = nn.Dense(units, flatten=False, in_units=4 * units)
        self.last_norm = nn.LayerNorm(in_channels=units)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Takes and returns `(length, batch, units)`."""
        qkv = self.qkv(x)
        scores = F.contrib.interleaved_matmul_selfatt_qk(qkv, heads=self._heads)
        weights = F.softmax(scores, axis=-1)
        found = F.contrib.interleaved_matmul_selfatt_valatt(qkv, weights, heads=self._heads)
        x = self.norm(x + self.project(found))
        return self.last_norm(x + self.narrow(self.gelu(self.widen(x))))


class Encoder(gluon.HybridBlock):
    """A transformer that classifies sequences of words."""

    def __init__(self, words: int, units: int, heads: int, layers: int, length: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, units)
        self.positions = self.params.get("positions", shape=(length, 1, units))
        self.norm = nn.LayerNorm(in_channels=units)
        self.layers = nn.HybridSequential()
        self.layers.add(*(Attention(units, heads) for _ in range(layers)))
        self.out = nn.Dense(CLASSES, in_units=units)

    def hybrid_forward(self, F: Any, words: Any, positions: Any) -> Any:
        """Takes words of shape `(batch, length)`, returns `(batch, CLASSES)`."""
        x = F.transpose(self.embed(words), axes=(1, 0, 2))
        x = self.layers(self.norm(F.broadcast_add(x, positions)))
        return self.out(F.mean(x, axis=0))


Batches = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]


def images(size: int, batch: int) -> Batches:
    """Makes batches of pictures of ten kinds, with noise."""
    kinds = np.random.default_rng(1).normal(size=(CLASSES, 3, size, size)).astype("float32")

    def make(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        labels = random.integers(CLASSES, size=batch)
        noise = random.normal(size=(batch, 3, size, size)).astype("float32")
        return kinds[labels] + 2 * noise, labels

    return make


def sentences(words: int, length: int, batch: int) -> Batches:
    """Makes batches of sentences, in which words of ten groups prevail."""

    def make(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        labels = random.integers(CLASSES, size=batch)
        text = random.integers(words, size=(batch, length))
        group = text - text % CLASSES + labels[:, None]
        fits = random.random(text.shape) < 0.5
        return np.where(fits & (group < words), group, text).astype("float32"), labels

    return make


def make_network(name: str, on_gpu: bool) -> tuple[gluon.HybridBlock, Batches, dict[str, Any]]:
    """Returns a network, what makes its batches, and the arguments of its optimizer."""
    if name == "resnet":
        options = {"optimizer": "sgd", "learning_rate": 0.005, "momentum": 0.9}
        if on_gpu:
            return gluon.model_zoo.vision.resnet18_v1(classes=CLASSES), images(64, 32), options
        net = ResNetV1(BasicBlockV1, [1, 1, 1], [8, 8, 16, 32], classes=CLASSES, thumbnail=True)
        return net, images(16, 32), options
    if on_gpu:
        net = Encoder(words=30000, units=768, heads=12, layers=12, length=128)
        return net, sentences(30000, 128, 32), {"optimizer": "adam", "learning_rate": 2e-5}
    net = Encoder(words=200, units=32, heads=4, layers=2, length=16)
    return net, sentences(200, 16, 32), {"optimizer": "adam", "learning_rate": 1e-3}


def train(
    name: str, precision: str, device: str, steps: int, first_scale: float | None = None
) -> list[float]:
    """Trains a network and returns its losses.

    Args:
        name: `"resnet"` or `"bert"`.
        precision: float32, or the low precision of `amp.init`, which stays on afterwards.
        device: `"cpu"` or `"gpu"`.
        steps: Number of steps.
        first_scale: Scale of the loss to begin with. The usual one is so large that some steps of
            float16 are skipped until it fits.
    """
    if precision != "float32":
        amp.init(precision)
    ctx = mx.gpu() if device == "gpu" else mx.cpu()
    mx.random.seed(0)
    np.random.seed(0)
    net, make_batch, options = make_network(name, device == "gpu")
    net.initialize(mx.init.Xavier() if name == "resnet" else mx.init.Normal(0.02), ctx=ctx)
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), options.pop("optimizer"), options)
    if precision != "float32":
        amp.init_trainer(trainer)
        if first_scale is not None:
            scaler = trainer._amp_loss_scaler
            scaler._loss_scale = scaler._next_loss_scale = first_scale
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    random = np.random.default_rng(2)
    losses = []
    for _ in range(steps):
        data, labels = make_batch(random)
        wrong = random.random(len(labels)) > KEPT
        labels = np.where(wrong, random.integers(CLASSES, size=len(labels)), labels)
        data, labels = nd.array(data, ctx=ctx), nd.array(labels, ctx=ctx)
        with autograd.record():
            loss = loss_of(net(data), labels)
            if precision == "float32":
                autograd.backward(loss)
            else:
                with amp.scale_loss(loss, trainer) as scaled:
                    autograd.backward(scaled)
        trainer.step(len(data))
        losses.append(float(loss.astype("float32").mean().asscalar()))
    return losses


def final(losses: list[float]) -> float:
    """Returns the loss at the end of a training."""
    return float(np.mean(losses[-AVERAGED:]))


def _train_apart(name: str, precision: str, device: str, steps: int) -> list[float]:
    command = [sys.executable, __file__, "--worker", name, precision]
    command += ["--device", device, "--steps", str(steps)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    losses: list[float] = json.loads(output.splitlines()[-1])
    return losses


def main() -> int:
    """Prints a table; returns 1 if a loss is further than 2 % from that of float32."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--networks", nargs="+", default=["resnet", "bert"])
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(train(*options.worker, options.device, options.steps)))
        return 0
    failed = 0
    print("| network | precision | first loss | last loss | of float32 |")
    print("| --- | --- | --- | --- | --- |")
    for name in options.networks:
        exact = 0.0
        for precision in PRECISIONS:
            losses = _train_apart(name, precision, options.device, options.steps)
            last = final(losses)
            exact = exact or last
            failed += abs(last / exact - 1) > TOLERANCE
            print(f"| {name} | {precision} | {losses[0]:.3f} | {last:.4f} | {last / exact:.4f} |")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
