"""A small transformer on `mx.np` arrays that learns to write sequences backwards.

    python examples/numpy_transformer.py

Attention and the places are written with `F.np` and `F.npx`, so that the network can be
hybridized. Runs as well under the original MXNet.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as onp

import mxnet as mx
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()

SYMBOLS, LENGTH, WIDTH, HEADS = 8, 6, 32, 4


class Attention(nn.HybridBlock):
    """Looks at all places of a sequence from each of them, once for every head."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.inner = nn.Dense(3 * WIDTH, flatten=False, use_bias=False)
        self.outer = nn.Dense(WIDTH, flatten=False, use_bias=False)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Mixes the places by how well queries fit keys."""
        parts = F.np.split(self.inner(x), 3, axis=2)
        queries, keys, values = (self._split(F, part) for part in parts)
        scores = F.npx.batch_dot(queries, keys, transpose_b=True) / math.sqrt(WIDTH // HEADS)
        mixed = F.npx.batch_dot(F.npx.softmax(scores), values)
        mixed = F.np.reshape(mixed, (-1, HEADS, LENGTH, WIDTH // HEADS))
        return self.outer(F.np.reshape(F.np.transpose(mixed, (0, 2, 1, 3)), (-1, LENGTH, WIDTH)))

    @staticmethod
    def _split(F: Any, x: Any) -> Any:
        x = F.np.reshape(x, (-1, LENGTH, HEADS, WIDTH // HEADS))
        return F.np.reshape(F.np.transpose(x, (0, 2, 1, 3)), (-1, LENGTH, WIDTH // HEADS))


class Layer(nn.HybridBlock):
    """Attention and a network for each place, both around a shortcut."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.attention, self.first, self.second = Attention(), nn.LayerNorm(), nn.LayerNorm()
        self.hidden = nn.Dense(2 * WIDTH, flatten=False, activation="relu")
        self.output = nn.Dense(WIDTH, flatten=False)

    def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ARG002 - Gluon gives it
        """Applies both parts."""
        x = self.first(x + self.attention(x))
        return self.second(x + self.output(self.hidden(x)))


class Transformer(nn.HybridBlock):
    """Embeds symbols, adds what tells places apart, and predicts a symbol for each place."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.embedding = nn.Embedding(SYMBOLS, WIDTH)
        self.place = self.params.get("place", shape=(1, LENGTH, WIDTH), init=mx.init.Normal(1.0))
        self.layers = nn.HybridSequential()
        self.layers.add(Layer(), Layer())
        self.output = nn.Dense(SYMBOLS, flatten=False)

    def hybrid_forward(self, F: Any, tokens: Any, place: Any) -> Any:  # noqa: ARG002
        """Returns the scores of all symbols for each place."""
        return self.output(self.layers(self.embedding(tokens) + place))


def main() -> None:
    """Trains on random sequences and writes some backwards."""
    mx.random.seed(1)
    rng = onp.random.RandomState(1)
    net, loss_of = Transformer(), gluon.loss.SoftmaxCrossEntropyLoss()
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003})
    for step in range(300):
        tokens = np.array(rng.randint(0, SYMBOLS, (64, LENGTH)))
        with autograd.record():
            loss = loss_of(net(tokens), np.flip(tokens, axis=1))
        loss.backward()
        trainer.step(64)
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss.mean().item():.3f}")
    tokens = np.array(rng.randint(0, SYMBOLS, (200, LENGTH)))
    written = net(tokens).argmax(axis=2)
    right = (written == np.flip(tokens, axis=1)).astype("float32").mean()
    print(f"{right.item():.1%} of the symbols are right")
    print([int(token) for token in tokens[0]], "->", [int(token) for token in written[0]])


if __name__ == "__main__":
    main()
