"""Programs in the style of MXNet 2, which run under its 2.0.0b1 and here.

Blocks have a `forward` on arrays, layers get no prefixes, devices are given as `device=`, and
parameters are known by their paths.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as onp

import mxnet as mx
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn, rnn

STEPS = 4


class Program(NamedTuple):
    """A network, how it is trained, and what it is called with."""

    make: Callable[[], Any]
    inputs: tuple[onp.ndarray, ...]
    labels: onp.ndarray
    loss: Callable[[], Any] = gluon.loss.SoftmaxCrossEntropyLoss
    optimizer: tuple[str, dict[str, float]] = ("sgd", {"learning_rate": 0.1})


def numbers(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    """Returns small numbers that depend on a name alone."""
    state = onp.random.RandomState(zlib.crc32(name.encode()))
    return (state.standard_normal(shape) * 0.3).astype("float32")


def classes(count: int, size: int) -> onp.ndarray:
    return onp.random.RandomState(size).randint(0, count, size=(size,)).astype("float32")


class Perceptron(nn.HybridBlock):
    """Two layers, of which one is written out with parameters without names."""

    def __init__(self, hidden: int, outputs: int) -> None:
        super().__init__()
        self.weight = gluon.Parameter(shape=(hidden, -1), allow_deferred_init=True)
        self.bias = gluon.Parameter("bias", shape=(hidden,), init=init.Zero())
        self.scale = gluon.Constant(np.array([0.5]))
        self.output = nn.Dense(outputs)

    def infer_shape(self, x: Any, *_: Any) -> None:
        self.weight.shape = (self.weight.shape[0], x.shape[1])

    def forward(self, x: Any) -> Any:
        device = x.device
        hidden = np.dot(x, self.weight.data(device).T) + self.bias.data(device)
        return self.output(npx.relu(hidden) * self.scale.data(device))


class Residual(nn.HybridBlock):
    """Two convolutions with normalization, and a shortcut."""

    def __init__(self, channels: int, shortcut: bool = False, strides: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1, strides=strides)
        self.conv2 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.conv3 = nn.Conv2D(channels, kernel_size=1, strides=strides) if shortcut else None
        self.bn1 = nn.BatchNorm()
        self.bn2 = nn.BatchNorm()

    def forward(self, x: Any) -> Any:
        y = npx.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        if self.conv3:
            x = self.conv3(x)
        return npx.relu(y + x)


class LanguageModel(nn.HybridBlock):
    """Embedding, a recurrent layer and a classifier of each step."""

    def __init__(self, vocabulary: int, hidden: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.cell = rnn.GRUCell(hidden, input_size=hidden)
        self.output = nn.Dense(vocabulary, flatten=False)

    def forward(self, tokens: Any) -> Any:
        steps = self.embedding(tokens)
        outputs, _ = self.cell.unroll(tokens.shape[1], steps, layout="NTC", merge_outputs=True)
        return self.output(outputs[:, -1])


class Tagger(nn.HybridBlock):
    """Embedding, recurrent layers in both directions and in one, and a classifier of each word."""

    def __init__(self, vocabulary: int, hidden: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.encoder = rnn.LSTM(hidden, 2, layout="NTC", bidirectional=True)
        self.decoder = rnn.GRU(hidden, layout="NTC")
        self.output = nn.Dense(3, flatten=False)

    def forward(self, tokens: Any) -> Any:
        return self.output(self.decoder(self.encoder(self.embedding(tokens))))[:, -1]


class Attention(nn.HybridBlock):
    """Attention with several heads on arrays of shape `(batch, length, units)`."""

    def __init__(self, units: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Dense(units, use_bias=False, flatten=False)
        self.key = nn.Dense(units, use_bias=False, flatten=False)
        self.value = nn.Dense(units, use_bias=False, flatten=False)
        self.output = nn.Dense(units, use_bias=False, flatten=False)

    def split(self, x: Any) -> Any:
        x = x.reshape(x.shape[0], x.shape[1], self.heads, -1).transpose(0, 2, 1, 3)
        return x.reshape(-1, x.shape[2], x.shape[3])

    def forward(self, x: Any) -> Any:
        query, key, value = (
            self.split(self.query(x)),
            self.split(self.key(x)),
            self.split(self.value(x)),
        )
        scores = npx.batch_dot(query, key, transpose_b=True) / math.sqrt(query.shape[-1])
        mixed = npx.batch_dot(npx.softmax(scores, axis=-1), value)
        mixed = mixed.reshape(-1, self.heads, mixed.shape[1], mixed.shape[2]).transpose(0, 2, 1, 3)
        return self.output(mixed.reshape(mixed.shape[0], mixed.shape[1], -1))


class Transformer(nn.HybridBlock):
    """A block of an encoder behind embeddings of words and positions."""

    def __init__(self, vocabulary: int, units: int, length: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, units)
        self.positions = gluon.Parameter("positions", shape=(1, length, units), init=init.Zero())
        self.attention = Attention(units, 2)
        self.norm1 = nn.LayerNorm()
        self.norm2 = nn.LayerNorm()
        self.ffn = nn.HybridSequential()
        self.ffn.add(nn.Dense(2 * units, flatten=False), nn.GELU(), nn.Dense(units, flatten=False))
        self.output = nn.Dense(3)

    def forward(self, tokens: Any) -> Any:
        x = self.embedding(tokens) + self.positions.data()
        x = self.norm1(x + self.attention(x))
        x = self.norm2(x + self.ffn(x))
        return self.output(x[:, 0])


def split_heads(x: Any, heads: int) -> Any:
    return npx.reshape(x, (-2, -2, heads, -1))


class MaskedAttention(nn.HybridBlock):
    """Attention of one sequence to another by `einsum`, where a mask allows it."""

    def __init__(self, units: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        self._heads, self._scale = heads, math.sqrt(units // heads)
        self.queries = nn.Dense(units, flatten=False, in_units=units)
        self.keys_values = nn.Dense(2 * units, flatten=False, in_units=units)
        self.projection = nn.Dense(units, flatten=False, in_units=units)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Any, memory: Any, mask: Any) -> Any:
        query = split_heads(self.queries(x), self._heads)
        keys, values = np.split(self.keys_values(memory), 2, axis=-1)
        keys, values = split_heads(keys, self._heads), split_heads(values, self._heads)
        scores = np.einsum("bqhd,bkhd->bhqk", query, keys) / self._scale
        weights = self.dropout(npx.masked_softmax(scores, np.expand_dims(mask, 1), axis=-1))
        mixed = np.einsum("bhqk,bkhd->bqhd", weights, values)
        return self.projection(npx.reshape(mixed, (-2, -2, -1)))


class Layer(nn.HybridBlock):
    """Attention to itself, and to a memory if there is one, and two dense layers behind it."""

    def __init__(self, units: int, heads: int, has_memory: bool = False) -> None:
        super().__init__()
        self._has_memory = has_memory
        self.attention = MaskedAttention(units, heads)
        self.attention_norm = nn.LayerNorm(epsilon=1e-12, in_channels=units)
        if has_memory:
            self.memory_attention = MaskedAttention(units, heads)
            self.memory_norm = nn.LayerNorm(in_channels=units)
        self.ffn_1 = nn.Dense(2 * units, flatten=False, in_units=units)
        self.ffn_2 = nn.Dense(units, flatten=False, in_units=2 * units)
        self.ffn_norm = nn.LayerNorm(in_channels=units)

    def forward(self, x: Any, mask: Any, memory: Any = None, memory_mask: Any = None) -> Any:
        x = self.attention_norm(x + self.attention(x, x, mask))
        if self._has_memory:
            x = self.memory_norm(x + self.memory_attention(x, memory, memory_mask))
        hidden = npx.leaky_relu(self.ffn_1(x), act_type="gelu")
        return self.ffn_norm(x + self.ffn_2(hidden))


class Bert(nn.HybridBlock):
    """Embeddings of words, kinds and positions, layers, and heads on first and on all words."""

    def __init__(self, vocabulary: int, units: int, longest: int, depth: int) -> None:
        super().__init__()
        self.word_embed = nn.Embedding(vocabulary, units)
        self.type_embed = nn.Embedding(2, units)
        self.position_embed = nn.Embedding(longest, units)
        self.embed_norm = nn.LayerNorm(in_channels=units)
        self.layers = nn.HybridSequential()
        for _ in range(depth):
            self.layers.add(Layer(units, 2))
        self.pooler = nn.Dense(units, activation="tanh", flatten=False, in_units=units)
        self.classifier = nn.HybridSequential()
        self.classifier.add(nn.Dropout(0.0), nn.Dense(3, in_units=2 * units))

    def forward(self, tokens: Any, types: Any, lengths: Any) -> Any:
        steps = npx.arange_like(tokens, axis=1)
        valid = np.expand_dims(steps, 0) < np.expand_dims(lengths, 1)
        x = self.word_embed(tokens) + self.type_embed(types)
        x = self.embed_norm(x + np.expand_dims(self.position_embed(steps), 0))
        for layer in self.layers:
            x = layer(x, np.expand_dims(valid, 1))
        x = npx.sequence_mask(x, lengths, use_sequence_length=True, axis=1)
        mean = np.sum(x, axis=1) / np.expand_dims(lengths, 1)
        return self.classifier(np.concatenate([self.pooler(x[:, 0, :]), mean], axis=-1))


class Translator(nn.HybridBlock):
    """An encoder, and a decoder whose words see those before them and the whole source."""

    def __init__(self, vocabulary: int, units: int) -> None:
        super().__init__()
        self._factor = math.sqrt(units)
        self.source_embed = nn.Embedding(vocabulary, units)
        self.target_embed = nn.Embedding(vocabulary, units)
        self.encoder, self.decoder = Layer(units, 2), Layer(units, 2, has_memory=True)
        self.output = nn.Dense(vocabulary, flatten=False, in_units=units)

    def forward(self, source: Any, target: Any, lengths: Any) -> Any:
        steps = npx.arange_like(source, axis=1)
        valid = np.expand_dims(np.expand_dims(steps, 0) < np.expand_dims(lengths, 1), 1)
        memory = self.encoder(self.source_embed(source) * self._factor, valid)
        places = npx.arange_like(target, axis=1)
        before = np.expand_dims(places, 0) <= np.expand_dims(places, 1)
        x = self.target_embed(target) * self._factor
        x = self.decoder(x, np.expand_dims(before, 0), memory, valid)
        return npx.log_softmax(self.output(x), axis=-1)[:, -1]


def softmax_regression() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Flatten(), nn.Dense(4))
    return net


def convolutions() -> Any:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(4, kernel_size=3, padding=1),
        nn.BatchNorm(),
        nn.Activation("relu"),
        Residual(4),
        Residual(6, shortcut=True, strides=2),
        nn.GlobalAvgPool2D(),
        nn.Dense(3),
    )
    return net


TOKENS = onp.random.RandomState(3).randint(0, 11, size=(5, 6)).astype("float32")
TARGET = onp.random.RandomState(4).randint(0, 11, size=(5, 4)).astype("float32")
TYPES = (onp.arange(6) > onp.arange(5)[:, None]).astype("float32")
LENGTHS = onp.array([6, 2, 4, 1, 5], "float32")
PROGRAMS = {
    "softmax regression": Program(softmax_regression, (numbers("x", (8, 2, 3)),), classes(4, 8)),
    "perceptron": Program(
        lambda: Perceptron(6, 3),
        (numbers("x", (8, 5)),),
        classes(3, 8),
        optimizer=("adam", {"learning_rate": 0.05}),
    ),
    "regression": Program(
        lambda: nn.Dense(1), (numbers("x", (8, 5)),), numbers("y", (8, 1)), gluon.loss.L2Loss
    ),
    "convolutions": Program(convolutions, (numbers("x", (4, 2, 8, 8)),), classes(3, 4)),
    "recurrent": Program(lambda: LanguageModel(11, 5), (TOKENS,), classes(11, 5)),
    "recurrent layers": Program(lambda: Tagger(11, 4), (TOKENS,), classes(3, 5)),
    "transformer": Program(
        lambda: Transformer(11, 8, 6),
        (TOKENS,),
        classes(3, 5),
        optimizer=("sgd", {"learning_rate": 0.1, "momentum": 0.9}),
    ),
    "bert": Program(
        lambda: Bert(11, 8, 6, 2),
        (TOKENS, TYPES, LENGTHS),
        classes(3, 5),
        # Adam would make steps of mere rounding, as biases of keys have no gradient.
        optimizer=("sgd", {"learning_rate": 0.1, "wd": 0.01, "momentum": 0.9}),
    ),
    "translation": Program(
        lambda: Translator(11, 8),
        (TOKENS, TARGET, LENGTHS),
        classes(11, 5),
        lambda: gluon.loss.SoftmaxCrossEntropyLoss(from_logits=True),
        ("sgd", {"learning_rate": 0.2}),
    ),
}


def input_names(program: Program) -> list[str]:
    """Returns the names that an exported graph has for its inputs."""
    count = len(program.inputs)
    return ["data"] if count == 1 else [f"data{number}" for number in range(count)]


def build(program: Program) -> tuple[Any, list[Any]]:
    """Returns the network with fixed values in its parameters, and its arguments."""
    net = program.make()
    net.initialize(init.Normal(0.01), device=mx.cpu())
    arguments = [np.array(values, device=mx.cpu()) for values in program.inputs]
    net(*arguments)
    for path, parameter in net.collect_params(".*(weight|bias|positions|rnn_param)").items():
        parameter.set_data(np.array(numbers(path, parameter.shape)))
    return net, arguments


def run(program: Program, hybridize: bool = False) -> Iterator[tuple[str, onp.ndarray]]:
    """Trains the network for some steps and yields what is compared."""
    net, arguments = build(program)
    if hybridize:
        net.hybridize()
    yield "before", net(*arguments).asnumpy()
    loss = program.loss()
    name, options = program.optimizer
    trainer = gluon.Trainer(net.collect_params(), name, options)
    labels = np.array(program.labels, device=mx.cpu())
    losses = []
    for _ in range(STEPS):
        with autograd.record():
            value = loss(net(*arguments), labels)
        value.backward()
        trainer.step(len(program.labels))
        losses.append(float(value.mean().item()))
    yield "losses", onp.array(losses, "float32")
    yield "after", net(*arguments).asnumpy()
    for path, parameter in net.collect_params().items():
        yield path, parameter.data().asnumpy()


def file_name(name: str) -> str:
    """Returns what files of a program begin with."""
    return name.replace(" ", "_")
