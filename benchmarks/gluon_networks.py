"""The networks of benchmarks that the model zoo does not have, as users write them in Gluon."""

from __future__ import annotations

from typing import Any

from mxnet import gluon
from mxnet.gluon import nn, rnn


def mlp() -> nn.HybridSequential:
    """784-256-256-10."""
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(256, activation="relu"), nn.Dense(10))
    return net


class LanguageModel(nn.HybridBlock):
    """Two recurrent layers between an embedding and a dense layer, on `(time, batch)`."""

    def __init__(
        self, words: int = 10_000, size: int = 650, recurrent: Any = rnn.LSTM, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._words = words
        with self.name_scope():
            self.embedding = nn.Embedding(words, size)
            self.layers = recurrent(size, num_layers=2, input_size=size)
            self.output = nn.Dense(words, flatten=False, in_units=size)

    def hybrid_forward(self, F: Any, words: Any) -> Any:  # noqa: ARG002 - the interface
        """Returns the scores of the next word, one row for each place."""
        scores = self.output(self.layers(self.embedding(words)))
        return scores.reshape((-1, self._words))


class Attention(nn.HybridBlock):
    """Attention as GluonNLP writes it, on `(time, batch, units)`."""

    def __init__(self, units: int, heads: int, dropout: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._heads = heads
        with self.name_scope():
            self.projections = nn.Dense(3 * units, flatten=False, in_units=units)
            self.output = nn.Dense(units, flatten=False, in_units=units)
            self.dropout = nn.Dropout(dropout)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns the mixture of values for each place."""
        mixed = self.projections(x)
        scores = F.contrib.interleaved_matmul_selfatt_qk(mixed, heads=self._heads)
        weights = self.dropout(F.softmax(scores, axis=-1))
        values = F.contrib.interleaved_matmul_selfatt_valatt(mixed, weights, heads=self._heads)
        return self.output(values)


class EncoderLayer(nn.HybridBlock):
    """A layer of BERT."""

    def __init__(self, units: int, heads: int, hidden: int, dropout: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.attention = Attention(units, heads, dropout)
            self.norms = nn.HybridSequential()
            self.norms.add(nn.LayerNorm(in_channels=units), nn.LayerNorm(in_channels=units))
            self.hidden = nn.Dense(hidden, flatten=False, in_units=units)
            self.output = nn.Dense(units, flatten=False, in_units=hidden)
            self.dropout = nn.Dropout(dropout)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns the layer's result for each place."""
        x = self.norms[0](x + self.dropout(self.attention(x)))
        hidden = F.LeakyReLU(self.hidden(x), act_type="gelu")
        return self.norms[1](x + self.dropout(self.output(hidden)))


class Bert(nn.HybridBlock):
    """An encoder, of BERT's size if not told otherwise, with a classifier on the first place."""

    def __init__(
        self,
        words: int = 30_522,
        layers: int = 12,
        units: int = 768,
        heads: int = 12,
        dropout: float = 0.1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(words, units)
            self.layers = nn.HybridSequential()
            for _ in range(layers):
                self.layers.add(EncoderLayer(units, heads, 4 * units, dropout))
            self.output = nn.Dense(2, in_units=units)

    def hybrid_forward(self, F: Any, words: Any) -> Any:
        """Returns the scores of two classes."""
        encoded = self.layers(self.embedding(words))
        return self.output(F.squeeze(F.slice_axis(encoded, axis=0, begin=0, end=1), axis=0))


class SingleLoss(gluon.loss.SoftmaxCrossEntropyLoss):
    """Cross entropy in single precision, of scores in any."""

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Returns the loss of each sample."""
        return super().hybrid_forward(F, F.cast(pred, dtype="float32"), label, sample_weight)
