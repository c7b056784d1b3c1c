"""Initial values of one's own, for a whole network or for one parameter.

python examples/custom_initializer.py
"""

from __future__ import annotations

import mxnet as mx
from mxnet import init, nd
from mxnet.gluon import nn


class FarFromZero(init.Initializer):
    """Draws from [-10, 10] and sets to 0 what lies between -5 and 5."""

    def _init_weight(self, name: str, data: nd.NDArray) -> None:
        print(f"initializing {name} of shape {data.shape}")
        data[:] = nd.random.uniform(low=-10, high=10, shape=data.shape)
        data *= data.abs() >= 5


def main() -> None:
    """Initializes a network in several ways."""
    mx.random.seed(1)
    net = nn.Sequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu", in_units=3), nn.Dense(2, in_units=4))
    net.initialize(FarFromZero())
    weight = net[0].weight.data()
    print("no small values:", bool(((weight == 0) + (weight.abs() >= 5)).min().asscalar()))

    net.initialize(init.Normal(sigma=0.01), force_reinit=True)
    net[1].weight.initialize(init.Constant(0.5), force_reinit=True)
    print("second weight:", net[1].weight.data()[0].asnumpy())

    net[0].weight.set_data(net[0].weight.data() * 0 + 1)
    print("first weight: ", net[0].weight.data()[0].asnumpy())


if __name__ == "__main__":
    main()
