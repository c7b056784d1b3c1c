"""Compares what networks keep between forward and backward pass: imperative Gluon against torch.

    python benchmarks/kept_memory.py [--dtype float16] [--units N] [--length N] [--list]

Both sides compute an encoder as GluonNLP writes it, operator by operator. Memory counts once, if
several operators keep a part of it; that of parameters does not count. `--list` shows the shapes.
On a CPU dropout keeps a mask of numbers, on a GPU one of truth values, on both sides.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import gluon_networks
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import mxnet as mx
from mxnet import autograd, nd

WORDS, LAYERS, HEADS, BATCH = 100, 2, 4, 8


class TorchLayer(nn.Module):
    """A layer of BERT, on `(time, batch, units)`."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.projections, self.mixed = nn.Linear(units, 3 * units), nn.Linear(units, units)
        self.norms = nn.ModuleList(nn.LayerNorm(units) for _ in range(2))
        self.hidden, self.output = nn.Linear(units, 4 * units), nn.Linear(4 * units, units)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> Tensor:
        """Returns the layer's result for each place."""
        x = self.norms[0](x + self.dropout(self.attend(x)))
        return self.norms[1](x + self.dropout(self.output(F.gelu(self.hidden(x)))))

    def attend(self, x: Tensor) -> Tensor:
        """Returns the mixture of values for each place."""
        length, batch, units = x.shape
        split = self.projections(x).view(length, batch * HEADS, 3, units // HEADS)
        queries, keys, values = (part.transpose(0, 1) for part in split.unbind(2))
        scores = torch.bmm(queries * (units // HEADS) ** -0.5, keys.transpose(1, 2))
        mixed = torch.bmm(self.dropout(scores.softmax(-1)), values)
        return self.mixed(mixed.transpose(0, 1).reshape(length, batch, units))


class TorchEncoder(nn.Module):
    """An encoder with a classifier on the first place."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, units)
        self.layers = nn.Sequential(*(TorchLayer(units) for _ in range(LAYERS)))
        self.output = nn.Linear(units, 2)

    def forward(self, words: Tensor) -> Tensor:
        """Returns the scores of two classes."""
        return self.output(self.layers(self.embedding(words))[0])


class Kept:
    """Notes the tensors that autograd keeps."""

    def __init__(self) -> None:
        self._tensors: list[Tensor] = []

    def run(self, forward: Callable[[], Any]) -> Any:
        """Runs a forward pass."""
        hooks = torch.autograd.graph.saved_tensors_hooks(self._note, lambda tensor: tensor)
        with hooks:
            return forward()

    def _note(self, tensor: Tensor) -> Tensor:
        self._tensors.append(tensor)
        return tensor

    def count(self, parameters: Iterable[Tensor]) -> Counter[str]:
        """Returns the bytes that are kept, by shape and dtype of the first tensor on them."""
        seen = {item.untyped_storage().data_ptr() for item in parameters}
        counts: Counter[str] = Counter()
        for tensor in self._tensors:
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in seen:
                seen.add(storage.data_ptr())
                counts[f"{tuple(tensor.shape)} {tensor.dtype}"] += storage.nbytes()
        return counts


def measure_gluon(units: int, length: int, dtype: str) -> Counter[str]:
    """Returns what a network of Gluon keeps."""
    net = gluon_networks.Bert(WORDS, LAYERS, units, HEADS)
    net.initialize()
    net.cast(dtype)
    loss_of = gluon_networks.SingleLoss()
    words, labels = nd.zeros((length, BATCH)), nd.zeros((BATCH,))

    def forward() -> nd.NDArray:
        with autograd.record():
            return loss_of(net(words), labels)

    kept = Kept()
    loss = kept.run(forward)
    counts = kept.count(item.data().to_torch() for item in net.collect_params().values())
    del loss  # it holds what is kept
    return counts


def measure_torch(units: int, length: int, dtype: str) -> Counter[str]:
    """Returns what the same network in torch keeps."""
    net = TorchEncoder(units).to(getattr(torch, dtype))
    words, labels = torch.zeros(length, BATCH, dtype=torch.int64), torch.zeros(BATCH).long()
    kept = Kept()
    loss = kept.run(lambda: F.cross_entropy(net(words).float(), labels))
    counts = kept.count(net.parameters())
    del loss
    return counts


def main() -> None:
    """Prints what both sides keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dtype", default="float16")
    parser.add_argument("--units", type=int, default=64)
    parser.add_argument("--length", type=int, default=16)
    parser.add_argument("--list", action="store_true", help="show shapes")
    options = parser.parse_args()
    mx.random.seed(0)
    for name, measure in (("ours", measure_gluon), ("torch", measure_torch)):
        counts = measure(options.units, options.length, options.dtype)
        print(f"{name}: {counts.total() / 1024:.1f} KiB")
        if options.list:
            for shape, size in counts.most_common():
                print(f"  {size / 1024:8.1f} KiB {shape}")


if __name__ == "__main__":
    main()
