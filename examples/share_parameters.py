"""One set of parameters in two layers.

python examples/share_parameters.py
"""

from __future__ import annotations

from mxnet import autograd, nd
from mxnet.gluon import nn


def main() -> None:
    """Shares a layer's parameters and looks at value and gradient."""
    net = nn.Sequential()
    shared = nn.Dense(8, activation="relu", in_units=8)
    net.add(
        nn.Dense(8, activation="relu"),
        shared,
        nn.Dense(8, activation="relu", in_units=8, params=shared.params),
        nn.Dense(10),
    )
    net.initialize()
    x = nd.random.uniform(shape=(2, 20))
    with autograd.record():
        y = net(x).sum()
    y.backward()
    print("the same parameter:", net[1].weight is net[2].weight)
    equal = net[1].weight.grad() == net[2].weight.grad()
    print("the same gradient: ", bool(equal.min().asscalar()))
    print("names:", ", ".join(net.collect_params(".*weight")))


if __name__ == "__main__":
    main()
