"""Layers of one's own: without parameters, with parameters, and with an inferred input size.

python examples/custom_layers.py
"""

from __future__ import annotations

from typing import Any

from mxnet import init, nd
from mxnet.gluon import nn


class Center(nn.Block):
    """Subtracts the mean; a layer without parameters is nothing but its `forward`."""

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        """Centers the input."""
        return x - x.mean()


class MyDense(nn.Block):
    """A dense layer that gets its parameters from `self.params`, so that they are saved."""

    def __init__(self, units: int, in_units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=(in_units, units))
        self.bias = self.params.get("bias", shape=(units,), init="zeros")

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        """Computes the affine map and clips it."""
        return nd.relu(nd.dot(x, self.weight.data(x.context)) + self.bias.data(x.context))


class Affine(nn.HybridBlock):
    """The same as a hybrid layer: parameters come as arguments, 0 is a size to be found out."""

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._units = units
        self.weight = self.params.get("weight", shape=(units, 0), allow_deferred_init=True)
        self.bias = self.params.get("bias", shape=(units,), init="zeros")

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any) -> Any:
        """Computes the affine map with the operators of `F`."""
        return F.FullyConnected(x, weight, bias, num_hidden=self._units)


def main() -> None:
    """Runs the three layers."""
    print("centered:", Center()(nd.array([1, 2, 3, 4, 5])).asnumpy())

    dense = MyDense(3, in_units=5)
    dense.initialize(init.One())
    print("dense:", dense(nd.ones((2, 5))).asnumpy().tolist())
    print(dense.collect_params())

    net = nn.Sequential()
    net.add(Affine(8), Center())
    net.initialize()
    output = net(nd.random.uniform(shape=(4, 6)))
    mean = abs(output.mean().asscalar())
    print(f"weight of shape {net[0].weight.shape}, mean of the output {mean:.6f}")


if __name__ == "__main__":
    main()
