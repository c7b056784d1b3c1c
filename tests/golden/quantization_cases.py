"""Networks that are quantized by the original and here, with their parameters and data."""

from __future__ import annotations

import numpy as np

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn


class Residual(gluon.HybridBlock):
    """A block of two convolutions beside a way past them."""

    def __init__(self, channels, **options):
        super().__init__(**options)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix="")
            self.body.add(
                nn.Conv2D(channels, 3, padding=1, use_bias=False),
                nn.BatchNorm(),
                nn.Activation("relu"),
                nn.Conv2D(channels, 3, padding=1, use_bias=False),
                nn.BatchNorm(),
            )

    def hybrid_forward(self, F, x):
        return F.Activation(self.body(x) + x, act_type="relu")


class Branches(gluon.HybridBlock):
    """Two convolutions whose results are joined."""

    def __init__(self, **options):
        super().__init__(**options)
        with self.name_scope():
            self.left = nn.Conv2D(4, 1, activation="relu")
            self.right = nn.Conv2D(4, 3, padding=1, activation="relu")

    def hybrid_forward(self, F, x):
        return F.concat(self.left(x), self.right(x), dim=1)


def _stack(*layers):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        for layer in layers:
            net.add(layer())
    return net


def plain():
    """Returns convolutions, pooling and a dense layer."""
    return _stack(
        lambda: nn.Conv2D(8, 3, padding=1),
        nn.BatchNorm,
        lambda: nn.Activation("relu"),
        lambda: nn.MaxPool2D(2),
        lambda: nn.Conv2D(8, 3, activation="relu"),
        nn.Flatten,
        lambda: nn.Dense(16, activation="relu"),
        lambda: nn.Dense(6),
    )


def residual():
    """Returns a small residual network.

    With multiples of 16 channels both compute the same bits, on which thresholds depend.
    """
    return _stack(
        lambda: nn.Conv2D(16, 3, padding=1, use_bias=False),
        nn.BatchNorm,
        lambda: nn.Activation("relu"),
        lambda: Residual(16),
        lambda: Residual(16),
        nn.GlobalAvgPool2D,
        lambda: nn.Dense(6),
    )


def separable():
    """Returns convolutions of single channels, as those of MobileNet."""
    return _stack(
        lambda: nn.Conv2D(8, 3, strides=2, padding=1, use_bias=False),
        nn.BatchNorm,
        lambda: nn.Activation("relu"),
        lambda: nn.Conv2D(8, 3, padding=1, groups=8, use_bias=False),
        nn.BatchNorm,
        lambda: nn.Activation("relu"),
        lambda: nn.Conv2D(12, 1, use_bias=False),
        nn.BatchNorm,
        lambda: nn.Activation("relu"),
        nn.GlobalAvgPool2D,
        nn.Flatten,
        lambda: nn.Dense(6),
    )


def branches():
    """Returns branches that are joined, and an activation that is not quantized."""
    return _stack(
        Branches,
        lambda: nn.AvgPool2D(2),
        lambda: nn.Conv2D(6, 3, activation="sigmoid"),
        nn.Flatten,
        lambda: nn.Dense(6, use_bias=False),
    )


NETWORKS = {"plain": plain, "residual": residual, "separable": separable, "branches": branches}
OPTIONS = {
    "none": {},
    "naive": {"calib_mode": "naive"},
    "entropy": {"calib_mode": "entropy"},
    "int8": {"calib_mode": "naive", "quantized_dtype": "int8", "quantize_mode": "smart"},
    "channels": {"calib_mode": "naive", "quantize_granularity": "channel-wise"},
    "layers": {"calib_mode": "naive", "exclude_layers_match": ["conv1", "dense0"]},
    "operators": {"calib_mode": "naive", "exclude_operators": ["Pooling", "_sg_mkldnn_conv"]},
}
CASES = {
    f"{network} {option}": (network, option)
    for network in NETWORKS
    for option in (OPTIONS if network == "plain" else ("none", "naive", "entropy", "int8"))
}
DATA = np.random.RandomState(7).uniform(-1, 1, (12, 3, 8, 8)).astype("float32")
"""Examples; the first eight calibrate."""


def build(name):
    """Returns a network whose parameters are the same everywhere."""
    net = NETWORKS[name]()
    net.initialize()
    net(mx.nd.array(DATA[:1]))
    random = np.random.RandomState(3)
    for parameter in net.collect_params().values():
        values = random.uniform(-0.4, 0.4, parameter.shape)
        if parameter.name.endswith(("gamma", "var")):
            values = values + 1
        parameter.set_data(mx.nd.array(values))
    return net


def quantize(name, option):
    """Returns a quantized network."""
    data = gluon.data.ArrayDataset(DATA[:8], np.zeros(8, "float32"))
    loader = gluon.data.DataLoader(data, batch_size=4)
    return mx.contrib.quantization.quantize_net_v2(
        build(name), calib_data=loader, **OPTIONS[option]
    )
