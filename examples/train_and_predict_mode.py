"""Training mode and prediction mode: who drops out, and when.

python examples/train_and_predict_mode.py
"""

from __future__ import annotations

import mxnet as mx
from mxnet import autograd, nd
from mxnet.gluon import nn


def main() -> None:
    """Runs a network with dropout in both modes."""
    mx.random.seed(1)
    net = nn.Sequential()
    net.add(nn.Dense(64, activation="relu"), nn.Dropout(0.5), nn.Dense(10))
    net.initialize()
    x = nd.ones((1, 784))

    print("training outside of record():", autograd.is_training())
    print("the same twice:", bool((net(x) == net(x)).min().asscalar()))
    with autograd.train_mode():
        print("training in train_mode():", autograd.is_training())
        print("the same twice:", bool((net(x) == net(x)).min().asscalar()))
    with autograd.record():
        print("training in record():", autograd.is_training())
    with autograd.record(train_mode=False):
        print("training in record(train_mode=False):", autograd.is_training())
        print("the same twice:", bool((net(x) == net(x)).min().asscalar()))


if __name__ == "__main__":
    main()
