"""A gradient of one's own: clip values going forward, but let the gradient pass unchanged.

    python examples/custom_function.py

`autograd.Function` takes the place of an operator whose gradient is not what the chain rule gives.
"""

from __future__ import annotations

import mxnet as mx
from mxnet import autograd, nd
from mxnet.gluon import nn


class ClipStraightThrough(autograd.Function):
    """Clips to [-1, 1]; its gradient is that of the identity."""

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        """Computes the output; nothing here is recorded."""
        return x.clip(-1, 1)

    def backward(self, gradient: nd.NDArray) -> nd.NDArray:
        """Returns the gradient of the input, from that of the output."""
        return gradient


class Clip(nn.Block):
    """The function as a layer."""

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        """Applies a new instance of the function."""
        return ClipStraightThrough()(x)


def main() -> None:
    """Compares the gradient with that of the plain operator."""
    x = nd.array([-3, -0.5, 0.5, 3])
    x.attach_grad()
    with autograd.record():
        plain = x.clip(-1, 1)
    plain.backward()
    print("clip:            ", x.grad.asnumpy())
    with autograd.record():
        passed = Clip()(x)
    passed.backward()
    print("straight through:", x.grad.asnumpy())


if __name__ == "__main__":
    mx.random.seed(1)
    main()
