"""The networks of benchmarks that the model zoo does not have, written as Gluon users do."""

from __future__ import annotations

from typing import Any

from mxnet import gluon
from mxnet.gluon import nn, rnn


class LanguageModel(gluon.HybridBlock):
    """Embedding, a recurrent network of two layers and a product with the vocabulary."""

    def __init__(self, cell: type[rnn.LSTM], words: int, size: int) -> None:
        super().__init__()
        with self.name_scope():
            self.words = nn.Embedding(words, size)
            self.cells = cell(size, 2, input_size=size)
            self.output = nn.Dense(words, flatten=False, in_units=size)
        self._shape = (-1, words)

    def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ARG002 - Gluon passes it
        return self.output(self.cells(self.words(x))).reshape(self._shape)


class _Layer(gluon.HybridBlock):
    """Attention in the form of GluonNLP, and two dense layers."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self._heads = heads
        with self.name_scope():
            self.inputs = nn.Dense(3 * size, flatten=False, in_units=size)
            self.outputs = nn.Dense(size, flatten=False, in_units=size)
            self.first_norm = nn.LayerNorm(in_channels=size)
            self.second_norm = nn.LayerNorm(in_channels=size)
            self.wide = nn.Dense(4 * size, flatten=False, in_units=size)
            self.narrow = nn.Dense(size, flatten=False, in_units=4 * size)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        inputs = self.inputs(x)
        scores = F.contrib.interleaved_matmul_selfatt_qk(inputs, heads=self._heads)
        weights = F.softmax(scores, axis=-1)
        attended = F.contrib.interleaved_matmul_selfatt_valatt(inputs, weights, heads=self._heads)
        x = self.first_norm(x + self.outputs(attended))
        return self.second_norm(x + self.narrow(F.LeakyReLU(self.wide(x), act_type="gelu")))


class Encoder(gluon.HybridBlock):
    """Layers of attention over sequences of shape `(time, batch)`, then two classes."""

    def __init__(self, words: int, size: int, heads: int, layers: int) -> None:
        super().__init__()
        with self.name_scope():
            self.words = nn.Embedding(words, size)
            self.layers = nn.HybridSequential()
            for _ in range(layers):
                self.layers.add(_Layer(size, heads))
            self.output = nn.Dense(2, in_units=size)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        first = F.slice_axis(self.layers(self.words(x)), axis=0, begin=0, end=1)
        return self.output(F.squeeze(first, axis=0))
