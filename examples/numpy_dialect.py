"""The NumPy dialect: `mx.np` arrays, gradients, a network on them, and `mx.nd` beside them.

    python examples/numpy_dialect.py

docs/dialects.md says which dialect to use when. Runs as well under the original MXNet.
"""

from __future__ import annotations

from typing import Any

import numpy as onp

import mxnet as mx
from mxnet import autograd, gluon, nd, np, npx
from mxnet.gluon import nn

npx.set_np()  # layers, losses and data loaders give and take mx.np arrays from here on


class Scaled(nn.HybridBlock):
    """Divides rows by their lengths; `F.np` has arrays or, while `hybridize` traces, symbols."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Scales the rows of the input."""
        return x / (F.np.sqrt(F.np.sum(x**2, axis=1, keepdims=True)) + 1e-6)


def spirals(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Makes points of two spirals that wind around each other, and the number of the spiral."""
    rng = onp.random.RandomState(1)
    angle = rng.uniform(0.5, 6, count)
    label = rng.randint(0, 2, count)
    turned = angle + onp.pi * label
    points = onp.stack([angle * onp.cos(turned), angle * onp.sin(turned)], axis=1)
    return np.array(points / 3, dtype="float32"), np.array(label, dtype="int32")


def show_arrays() -> None:
    """Selects by masks, writes through indices and computes a gradient."""
    x = np.arange(-3, 3).reshape(2, 3)
    x[x < -1] = 10
    print("written through a mask:", x.tolist(), "| sum:", x.sum().item(), x.sum().shape)
    x.attach_grad()
    with autograd.record():
        y = np.where(x > 0, x**2, -x).sum()
    y.backward()
    print("gradient:", x.grad.tolist())
    classic = nd.array([1, 2, 3])
    same = classic.as_np_ndarray()  # the same memory in the other dialect
    same += 1
    print("classic array, written to as mx.np:", classic.asnumpy().tolist())


def train(net: nn.HybridSequential, points: np.ndarray, labels: np.ndarray) -> None:
    """Trains on batches of the points."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    batches = gluon.data.DataLoader(gluon.data.ArrayDataset(points, labels), 50, shuffle=True)
    for epoch in range(60):
        total = np.zeros(())
        for batch, target in batches:
            with autograd.record():
                loss = loss_of(net(batch), target)
            loss.backward()
            trainer.step(len(batch))
            total += loss.sum()
        if epoch % 20 == 19:
            print(f"epoch {epoch + 1}: loss {total.item() / len(points):.3f}")


def main() -> None:
    """Shows arrays, and trains a network on them."""
    show_arrays()
    mx.random.seed(1)
    onp.random.seed(1)
    points, labels = spirals(500)
    net = nn.HybridSequential()
    net.add(nn.Dense(32, activation="relu"), nn.Dense(32, activation="relu"), Scaled(), nn.Dense(2))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    train(net, points, labels)
    right = net(points).argmax(axis=1).astype("int32") == labels
    print(f"accuracy: {right.mean().item():.1%}, wrong points: {points[~right].shape[0]}")


if __name__ == "__main__":
    main()
