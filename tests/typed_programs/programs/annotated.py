"""A program with annotations of its own, which a strict checker takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from typing_extensions import assert_type

import mxnet as mx
from mxnet import autograd, gluon, nd, np, npx
from mxnet.gluon import nn
from mxnet.gluon.data import DataLoader


class Dense(gluon.HybridBlock):
    def __init__(
        self,
        units: int,
        in_units: int = 0,
        prefix: str | None = None,
        params: gluon.ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.units = units
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(units, in_units))

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        return F.FullyConnected(x, weight, None, num_hidden=self.units, no_bias=True)


class Encoder(nn.Block):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential()
        self.layers.add(nn.Dense(4), nn.Dense(2))

    def forward(self, X: np.ndarray, *args: np.ndarray) -> np.ndarray:
        return self.layers(X)


def scores(net: gluon.Block, batches: Sequence[nd.NDArray]) -> Iterator[float]:
    for batch in batches:
        yield float(net(batch).mean().asscalar())


def train(net: gluon.HybridBlock, loader: DataLoader, trainer: gluon.Trainer) -> float:
    loss_fn: gluon.loss.Loss = gluon.loss.L2Loss()
    total = 0.0
    for data, label in loader:
        with autograd.record():
            loss = loss_fn(net(data), label)
        loss.backward()
        trainer.step(data.shape[0])
        total += float(loss.sum().asscalar())
    return total


def to_context(arrays: dict[str, nd.NDArray], ctx: mx.Context) -> dict[str, nd.NDArray]:
    return {name: array.as_in_context(ctx) for name, array in arrays.items()}


def pairwise(X: np.ndarray, scale: float = 1.0) -> np.ndarray:
    squares = (X**2).sum(axis=1)
    return scale * (squares[:, None] + squares[None] - 2 * X @ X.T)


net = Dense(2, 3)
net.initialize(mx.init.Xavier(), ctx=mx.cpu())
x = nd.random.uniform(shape=(6, 3))
dataset = gluon.data.ArrayDataset(x, nd.zeros((6, 2)))
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
assert_type(train(net, DataLoader(dataset, batch_size=3), trainer), float)
assert_type(net(x), nd.NDArray)
assert_type(net.weight, gluon.Parameter)
print(list(scores(net, [x, x])), sorted(to_context({"x": x}, mx.cpu())))
npx.set_np()
encoder = Encoder()
encoder.initialize()
X = np.random.normal(size=(3, 4))
assert_type(encoder(X), np.ndarray)
assert_type(pairwise(X), np.ndarray)
npx.reset_np()
