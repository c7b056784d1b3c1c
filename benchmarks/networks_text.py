"""Networks of the table that work on sequences: recurrent, convolutional and with attention."""

from __future__ import annotations

from typing import Any

import gluon_networks
import torch
import torch.nn.functional as TF
import torch_networks
from network_pairs import CLASSES, Problem, gluon_chain, integers, normal, pair
from torch import Tensor

from mxnet import gluon
from mxnet.gluon import nn, rnn

tnn = torch.nn


def _words_loss(F: Any, scores: Any, words: Any) -> Any:
    """Returns the cross entropy of each place."""
    return -F.pick(F.log_softmax(scores, axis=-1), words, axis=-1)


def _torch_words_loss(scores: Tensor, words: Tensor) -> Tensor:
    return TF.cross_entropy(scores.flatten(0, -2), words.flatten())


WORDS_LOSSES = (_words_loss, _torch_words_loss)


def language_model(batch: int, time: int, words: int, size: int) -> Problem:
    """Two layers of LSTM."""
    nets = (
        lambda: gluon_networks.LanguageModel(words, size),
        lambda: torch_networks.LanguageModel(words, size),
    )
    data, labels = integers(words, time, batch), integers(words, time * batch)
    return pair([data], [labels], nets, CLASSES)


class _GluonTranslator(gluon.HybridBlock):
    """A GRU that reads, and cells with attention that write, in a loop over places."""

    def __init__(self, words: int, size: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.source, self.target = nn.Embedding(words, size), nn.Embedding(words, size)
        self.encoder = rnn.GRU(size, input_size=size, layout="NTC")
        self.cell = rnn.GRUCell(size, input_size=2 * size)
        self.output = nn.Dense(words, flatten=False, in_units=2 * size)

    def hybrid_forward(self, F: Any, source: Any, target: Any) -> Any:
        """Returns the scores of the words of the target."""
        read = self.encoder(self.source(source))
        state = F.squeeze(F.slice_axis(read, axis=1, begin=-1, end=None), axis=1)
        written = F.split(self.target(target), num_outputs=self.time, axis=1, squeeze_axis=True)
        results = []
        for word in written:
            weights = F.softmax(F.batch_dot(read, F.expand_dims(state, axis=2)), axis=1)
            seen = F.sum(F.broadcast_mul(read, weights), axis=1)
            state, _ = self.cell(F.concat(word, seen, dim=1), [state])
            results.append(F.concat(state, seen, dim=1))
        return self.output(F.stack(*results, axis=1))

    time = 1
    """Number of places of the target."""


class _TorchTranslator(tnn.Module):
    """As `_GluonTranslator`."""

    def __init__(self, words: int, size: int) -> None:
        super().__init__()
        self.source, self.target = tnn.Embedding(words, size), tnn.Embedding(words, size)
        self.encoder = tnn.GRU(size, size, batch_first=True)
        self.cell = tnn.GRUCell(2 * size, size)
        self.output = tnn.Linear(2 * size, words)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        read, _ = self.encoder(self.source(source))
        state = read[:, -1]
        results = []
        for word in self.target(target).unbind(1):
            weights = torch.bmm(read, state[:, :, None]).softmax(1)
            seen = (read * weights).sum(1)
            state = self.cell(torch.cat((word, seen), 1), state)
            results.append(torch.cat((state, seen), 1))
        return self.output(torch.stack(results, 1))


def translator(batch: int, time: int, words: int, size: int) -> Problem:
    """Sequence to sequence, with a loop of cells with attention."""

    def ours() -> Any:
        net = _GluonTranslator(words, size)
        net.time = time
        return net

    data = [integers(words, batch, time), integers(words, batch, time)]
    labels = [integers(words, batch, time)]
    return pair(data, labels, (ours, lambda: _TorchTranslator(words, size)), WORDS_LOSSES)


class _GluonWaves(gluon.HybridBlock):
    """Gated convolutions over time whose steps double, as WaveNet has them."""

    def __init__(self, width: int, count: int, classes: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.first = nn.Conv1D(width, 1)
        self.gated, self.mixed = nn.HybridSequential(), nn.HybridSequential()
        for level in range(count):
            self.gated.add(nn.Conv1D(2 * width, 2, dilation=2**level))
            self.mixed.add(nn.Conv1D(2 * width, 1))
        self.last = gluon_chain(nn.Activation("relu"), nn.Conv1D(classes, 1))

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns the scores of each place, without those that see less than all steps."""
        x, total = self.first(x), 0
        for level, (gated, mixed) in enumerate(zip(self.gated, self.mixed, strict=True)):
            signal, gate = F.split(gated(x), num_outputs=2, axis=1)
            parts = F.split(mixed(F.tanh(signal) * F.sigmoid(gate)), num_outputs=2, axis=1)
            x = F.slice_axis(x, axis=2, begin=2**level, end=None) + parts[0]
            if level:
                total = F.slice_axis(total, axis=2, begin=2**level, end=None) + parts[1]
            else:
                total = parts[1]
        return self.last(total)


class _TorchWaves(tnn.Module):
    """As `_GluonWaves`."""

    def __init__(self, width: int, count: int, classes: int) -> None:
        super().__init__()
        self.first = tnn.Conv1d(1, width, 1)
        steps = range(count)
        self.gated = tnn.ModuleList(tnn.Conv1d(width, 2 * width, 2, dilation=2**n) for n in steps)
        self.mixed = tnn.ModuleList(tnn.Conv1d(width, 2 * width, 1) for _ in steps)
        self.last = tnn.Sequential(tnn.ReLU(), tnn.Conv1d(width, classes, 1))

    def forward(self, x: Tensor) -> Tensor:
        x, total = self.first(x), None
        for level, (gated, mixed) in enumerate(zip(self.gated, self.mixed, strict=True)):
            signal, gate = gated(x).chunk(2, 1)
            parts = mixed(signal.tanh() * gate.sigmoid()).chunk(2, 1)
            x = x[:, :, 2**level :] + parts[0]
            total = parts[1] if total is None else total[:, :, 2**level :] + parts[1]
        return self.last(total)


def waves(batch: int, time: int, width: int, count: int = 6, classes: int = 32) -> Problem:
    """Convolutions in one dimension with growing steps."""

    def loss(F: Any, scores: Any, classes: Any) -> Any:
        return -F.pick(F.log_softmax(scores, axis=1), classes, axis=1)

    length = time - 2**count + 1
    nets = (lambda: _GluonWaves(width, count, classes), lambda: _TorchWaves(width, count, classes))
    data, labels = normal(batch, 1, time), integers(classes, batch, length)
    return pair([data], [labels], nets, (loss, TF.cross_entropy))


class _GluonReader(gluon.HybridBlock):
    """Convolutions of three lengths over words, and the largest result of each."""

    def __init__(self, words: int, size: int, width: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.embedding, self.layers = nn.Embedding(words, size), nn.HybridSequential()
        self.layers.add(*[nn.Conv1D(width, length, activation="relu") for length in (3, 4, 5)])
        self.output = nn.Dense(2)

    def hybrid_forward(self, F: Any, words: Any) -> Any:
        """Returns the scores of two classes."""
        x = F.transpose(self.embedding(words), axes=(0, 2, 1))
        return self.output(F.concat(*[F.max(layer(x), axis=2) for layer in self.layers], dim=1))


class _TorchReader(tnn.Module):
    """As `_GluonReader`."""

    def __init__(self, words: int, size: int, width: int) -> None:
        super().__init__()
        self.embedding = tnn.Embedding(words, size)
        self.layers = tnn.ModuleList(tnn.Conv1d(size, width, length) for length in (3, 4, 5))
        self.output = tnn.Linear(3 * width, 2)

    def forward(self, words: Tensor) -> Tensor:
        x = self.embedding(words).transpose(1, 2)
        return self.output(torch.cat([TF.relu(layer(x)).amax(2) for layer in self.layers], 1))


def reader(batch: int, time: int, words: int, size: int) -> Problem:
    """A convolutional network for texts."""
    nets = (lambda: _GluonReader(words, size, size), lambda: _TorchReader(words, size, size))
    return pair([integers(words, batch, time)], [integers(2, batch)], nets, CLASSES)


class _GluonMixture(gluon.HybridBlock):
    """Attention as programs for MXNet spell it, on `(batch, time, units)`."""

    def __init__(self, units: int, heads: int, mask: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._heads, self._scale, self._mask = heads, (units // heads) ** -0.5, mask
        self.queries, self.keys, self.values, self.output = [
            nn.Dense(units, flatten=False, in_units=units) for _ in range(4)
        ]

    def hybrid_forward(self, F: Any, x: Any, other: Any) -> Any:
        """Returns the mixture of values for each place of `x`."""
        queries, keys, values = [
            F.reshape(
                F.transpose(F.reshape(item, shape=(0, 0, self._heads, -1)), axes=(0, 2, 1, 3)),
                shape=(-3, 0, 0),
            )
            for item in (self.queries(x), self.keys(other), self.values(other))
        ]
        scores = F.batch_dot(queries, keys, transpose_b=True) * self._scale
        if self._mask == "causal":
            places = F.contrib.arange_like(scores, axis=1)
            after = F.broadcast_greater(F.expand_dims(places, 0), F.expand_dims(places, 1))
            scores = F.broadcast_add(scores, F.expand_dims(after * -1e30, axis=0))
        mixed = F.batch_dot(F.softmax(scores, axis=-1), values)
        mixed = F.reshape(mixed, shape=(-4, -1, self._heads, 0, 0))
        return self.output(F.reshape(F.transpose(mixed, axes=(0, 2, 1, 3)), shape=(0, 0, -3)))


class _TorchMixture(tnn.Module):
    """As `_GluonMixture`, by torch's fused attention."""

    def __init__(self, units: int, heads: int, mask: str) -> None:
        super().__init__()
        self._heads, self._causal = heads, mask == "causal"
        self.queries, self.keys, self.values, self.output = [
            tnn.Linear(units, units) for _ in range(4)
        ]

    def forward(self, x: Tensor, other: Tensor) -> Tensor:
        parts = [
            item.unflatten(2, (self._heads, -1)).transpose(1, 2)
            for item in (self.queries(x), self.keys(other), self.values(other))
        ]
        mixed = TF.scaled_dot_product_attention(*parts, is_causal=self._causal)
        return self.output(mixed.transpose(1, 2).flatten(2))


class _GluonLayer(gluon.HybridBlock):
    """A layer that normalizes first, with attention to another sequence if there is one."""

    def __init__(self, units: int, heads: int, mask: str, crosses: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._crosses = crosses
        self.norms, self.mixtures = nn.HybridSequential(), nn.HybridSequential()
        for place in range(1 + crosses):
            self.norms.add(nn.LayerNorm(in_channels=units))
            self.mixtures.add(_GluonMixture(units, heads, "" if place else mask))
        self.norms.add(nn.LayerNorm(in_channels=units))
        self.hidden = nn.Dense(4 * units, flatten=False, in_units=units)
        self.output = nn.Dense(units, flatten=False, in_units=4 * units)

    def hybrid_forward(self, F: Any, x: Any, *other: Any) -> Any:
        """Returns the layer's result for each place."""
        y = self.norms[0](x)
        x = x + self.mixtures[0](y, y)
        if self._crosses:
            x = x + self.mixtures[1](self.norms[1](x), *other)
        hidden = F.LeakyReLU(self.hidden(self.norms[-1](x)), act_type="gelu")
        return x + self.output(hidden)


class _TorchLayer(tnn.Module):
    """As `_GluonLayer`."""

    def __init__(self, units: int, heads: int, mask: str, crosses: bool) -> None:
        super().__init__()
        count = 1 + crosses
        self.norms = tnn.ModuleList(tnn.LayerNorm(units) for _ in range(count + 1))
        self.mixtures = tnn.ModuleList(
            _TorchMixture(units, heads, "" if place else mask) for place in range(count)
        )
        self.hidden, self.output = tnn.Linear(units, 4 * units), tnn.Linear(4 * units, units)

    def forward(self, x: Tensor, *other: Tensor) -> Tensor:
        y = self.norms[0](x)
        x = x + self.mixtures[0](y, y)
        if other:
            x = x + self.mixtures[1](self.norms[1](x), *other)
        return x + self.output(TF.gelu(self.hidden(self.norms[-1](x))))


class _GluonStack(gluon.HybridBlock):
    """Words, places, layers and scores; it reads another sequence if that is given."""

    def __init__(
        self, words: int, units: int, heads: int, count: int, mask: str, crosses: bool, **kw: Any
    ) -> None:
        super().__init__(**kw)
        self.words, self.places = nn.Embedding(words, units), nn.Embedding(512, units)
        self.layers = nn.HybridSequential()
        for _ in range(count):
            self.layers.add(_GluonLayer(units, heads, mask, crosses))
        self.norm = nn.LayerNorm(in_channels=units)

    def hybrid_forward(self, F: Any, words: Any, *other: Any) -> Any:
        """Returns the result of each place."""
        places = self.places(F.contrib.arange_like(words, axis=1))
        x = F.broadcast_add(self.words(words), F.expand_dims(places, axis=0))
        for layer in self.layers:
            x = layer(x, *other)
        return self.norm(x)


class _TorchStack(tnn.Module):
    """As `_GluonStack`."""

    def __init__(
        self, words: int, units: int, heads: int, count: int, mask: str, crosses: bool
    ) -> None:
        super().__init__()
        self.words, self.places = tnn.Embedding(words, units), tnn.Embedding(512, units)
        self.layers = tnn.ModuleList(_TorchLayer(units, heads, mask, crosses) for _ in range(count))
        self.norm = tnn.LayerNorm(units)

    def forward(self, words: Tensor, *other: Tensor) -> Tensor:
        x = self.words(words) + self.places(torch.arange(words.shape[1], device=words.device))
        for layer in self.layers:
            x = layer(x, *other)
        return self.norm(x)


class _GluonHead(gluon.HybridBlock):
    """Scores of a stack's results: of all places, or of the first alone."""

    def __init__(self, stacks: Any, outputs: int, units: int, first: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._first, self.stacks = first, nn.HybridSequential()
        self.stacks.add(*stacks)
        self.output = nn.Dense(outputs, flatten=False, in_units=units)

    def hybrid_forward(self, F: Any, *words: Any) -> Any:
        """Returns the scores; the last sequence reads the result of the one before."""
        x = self.stacks[0](words[0])
        if len(self.stacks) > 1:
            x = self.stacks[1](words[1], x)
        if self._first:
            x = F.squeeze(F.slice_axis(x, axis=1, begin=0, end=1), axis=1)
        return self.output(x)


class _TorchHead(tnn.Module):
    """As `_GluonHead`."""

    def __init__(self, stacks: Any, outputs: int, units: int, first: bool) -> None:
        super().__init__()
        self._first, self.stacks = first, tnn.ModuleList(stacks)
        self.output = tnn.Linear(units, outputs)

    def forward(self, *words: Tensor) -> Tensor:
        x = self.stacks[0](words[0])
        if len(self.stacks) > 1:
            x = self.stacks[1](words[1], x)
        return self.output(x[:, 0] if self._first else x)


def _attending(
    sequences: int, outputs: int, first: bool, masks: tuple[str, ...], **sizes: int
) -> tuple[Any, Any]:
    """Returns makers of networks of one stack of layers, or two."""
    units = sizes["units"]

    def ours() -> Any:
        stacks = [_GluonStack(**sizes, mask=masks[n], crosses=n > 0) for n in range(sequences)]
        return _GluonHead(stacks, outputs, units, first)

    def theirs() -> Any:
        stacks = [_TorchStack(**sizes, mask=masks[n], crosses=n > 0) for n in range(sequences)]
        return _TorchHead(stacks, outputs, units, first)

    return ours, theirs


def gpt(batch: int, time: int, **sizes: int) -> Problem:
    """A decoder with a causal mask that is added to scores."""
    words = sizes["words"]
    nets = _attending(1, words, False, ("causal",), **sizes)
    data, labels = integers(words, batch, time), integers(words, batch, time)
    return pair([data], [labels], nets, WORDS_LOSSES)


def bert(batch: int, time: int, **sizes: int) -> Problem:
    """An encoder with a classifier on the first place."""
    nets = _attending(1, 2, True, ("",), **sizes)
    return pair([integers(sizes["words"], batch, time)], [integers(2, batch)], nets, CLASSES)


def t5(batch: int, time: int, **sizes: int) -> Problem:
    """An encoder, and a decoder that attends to it."""
    words = sizes["words"]
    nets = _attending(2, words, False, ("", "causal"), **sizes)
    data = [integers(words, batch, time), integers(words, batch, time)]
    return pair(data, [integers(words, batch, time)], nets, WORDS_LOSSES)


class _GluonPatches(gluon.HybridBlock):
    """Layers with attention on the patches of images."""

    def __init__(self, units: int, heads: int, count: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.patches = nn.Conv2D(units, 8, 8)
        self.layers = nn.HybridSequential()
        self.layers.add(*[_GluonLayer(units, heads, "", False) for _ in range(count)])
        self.norm, self.output = nn.LayerNorm(in_channels=units), nn.Dense(10, in_units=units)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns the scores of ten classes."""
        x = F.transpose(F.reshape(self.patches(x), shape=(0, 0, -1)), axes=(0, 2, 1))
        for layer in self.layers:
            x = layer(x)
        return self.output(F.mean(self.norm(x), axis=1))


class _TorchPatches(tnn.Module):
    """As `_GluonPatches`."""

    def __init__(self, units: int, heads: int, count: int) -> None:
        super().__init__()
        self.patches = tnn.Conv2d(3, units, 8, 8)
        self.layers = tnn.ModuleList(_TorchLayer(units, heads, "", False) for _ in range(count))
        self.norm, self.output = tnn.LayerNorm(units), tnn.Linear(units, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2)
        for layer in self.layers:
            x = layer(x)
        return self.output(self.norm(x).mean(1))


def vit(batch: int, side: int, units: int, heads: int, count: int) -> Problem:
    """A vision transformer."""
    sizes = (units, heads, count)
    nets = (lambda: _GluonPatches(*sizes), lambda: _TorchPatches(*sizes))
    return pair([normal(batch, 3, side, side)], [integers(10, batch)], nets, CLASSES)
