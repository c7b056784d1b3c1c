"""A language model of characters on sentences of several lengths, with `BucketingModule`.

    python examples/bucketing_lm.py [--epochs 40]

Sentences of about the same length form a bucket. Each bucket has a network of its own, unrolled
to its length, and all networks share their parameters.
"""

from __future__ import annotations

import argparse
import logging

import numpy as np

import mxnet as mx

SENTENCES = """the cat sat on the mat
the dog ran to the cat
a bird sang in the tree
the cat saw the bird
a dog sat in the rain
the rain fell on the tree
a mouse ran on the mat
the bird flew to the mouse
the old dog slept in the sun all day
a small bird sat on the old tree in the rain
the cat and the dog ran in the rain all day
the mouse saw the old cat and ran to the tree""".splitlines()
BUCKETS = (24, 48)
BATCH = 6
LETTERS = {letter: number for number, letter in enumerate(sorted(set("".join(SENTENCES))), 1)}


class Sentences(mx.io.DataIter):
    """Batches of sentences of one bucket; each letter's label is the next letter."""

    def __init__(self) -> None:
        super().__init__(BATCH)
        self.default_bucket_key = max(BUCKETS)
        self._rng = np.random.RandomState(1)
        self._batches: list[tuple[int, np.ndarray]] = []
        self.reset()

    def reset(self) -> None:
        """Puts the sentences into batches in a new order."""
        self._batches = []
        shuffled = self._rng.permutation(SENTENCES)
        for low, size in zip((0, *BUCKETS), BUCKETS, strict=False):
            rows = [[LETTERS[c] for c in s] for s in shuffled if low <= len(s) < size]
            padded = np.array([row + [0] * (size + 1 - len(row)) for row in rows])
            usable = len(padded) - len(padded) % BATCH or len(padded)
            self._batches += [
                (size, np.resize(padded[i : i + BATCH], (BATCH, size + 1)))
                for i in range(0, usable, BATCH)
            ]

    @staticmethod
    def describe(kind: str, size: int) -> list[mx.io.DataDesc]:
        """The shape of data or labels of a bucket."""
        return [mx.io.DataDesc(kind, (BATCH, size), layout="NT")]

    @property
    def provide_data(self) -> list[mx.io.DataDesc]:
        """The shape of the data of the largest bucket."""
        return self.describe("data", self.default_bucket_key)

    @property
    def provide_label(self) -> list[mx.io.DataDesc]:
        """The shape of the labels of the largest bucket."""
        return self.describe("softmax_label", self.default_bucket_key)

    def next(self) -> mx.io.DataBatch:
        """The next batch, which says to which bucket it belongs."""
        if not self._batches:
            raise StopIteration
        size, rows = self._batches.pop()
        return mx.io.DataBatch(
            [mx.nd.array(rows[:, :-1])],
            [mx.nd.array(rows[:, 1:])],
            bucket_key=size,
            provide_data=self.describe("data", size),
            provide_label=self.describe("softmax_label", size),
        )


def network(size: int) -> tuple[mx.sym.Symbol, tuple[str], tuple[str]]:
    """An LSTM for sentences of one bucket, and the names of data and labels."""
    data, label = mx.sym.var("data"), mx.sym.var("softmax_label")
    letters = len(LETTERS) + 1
    net = mx.sym.Embedding(data, input_dim=letters, output_dim=24, name="embedding")
    net = mx.sym.swapaxes(net, dim1=0, dim2=1)
    weights = mx.sym.var("lstm_parameters", init=mx.init.Uniform(0.2))
    start = [mx.sym.zeros((1, BATCH, 64)) for _ in range(2)]
    net = mx.sym.RNN(net, weights, *start, state_size=64, num_layers=1, mode="lstm", name="lstm")
    net = mx.sym.reshape(mx.sym.swapaxes(net, dim1=0, dim2=1), (-1, 64))
    net = mx.sym.FullyConnected(net, num_hidden=letters, name="fc")
    label = mx.sym.reshape(label, (BATCH * size,))
    net = mx.sym.SoftmaxOutput(net, label, use_ignore=True, ignore_label=0, name="softmax")
    return net, ("data",), ("softmax_label",)


def main(epochs: int) -> None:
    """Trains the model and prints its perplexity."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    mx.random.seed(1)
    data = Sentences()
    module = mx.mod.BucketingModule(network, default_bucket_key=data.default_bucket_key)
    perplexity = mx.metric.Perplexity(ignore_label=0)
    module.bind(data.provide_data, data.provide_label)
    module.init_params(mx.init.Xavier())
    before = dict(module.score(data, perplexity))["perplexity"]
    data.reset()
    module.fit(
        data,
        eval_metric=perplexity,
        optimizer="adam",
        optimizer_params={"learning_rate": 0.02, "clip_gradient": 5, "rescale_grad": 1 / BATCH},
        num_epoch=epochs,
    )
    after = dict(module.score(data, perplexity))["perplexity"]
    print(f"buckets: {', '.join(map(str, sorted(module._buckets)))}")
    print(f"perplexity before: {before:.2f}, after: {after:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=40)
    main(parser.parse_args().epochs)
