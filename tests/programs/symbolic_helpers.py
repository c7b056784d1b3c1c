"""What programs on symbols share: data, weights and a small network."""

from __future__ import annotations

import warnings

import mxnet as mx
import numpy as np

warnings.simplefilter("ignore")
S = mx.sym


def wave(shape, start=0.0, scale=1.0):
    return (
        (np.sin(np.arange(int(np.prod(shape))) * 1.3 + start) * scale)
        .reshape(shape)
        .astype("float32")
    )


class Waves(mx.init.Initializer):
    def _init_weight(self, name, arr):
        arr[:] = wave(arr.shape, len(name) % 7, 0.5)


def short(values):
    return np.asarray(values, "float16").ravel()  # which is compared to some thousandths


def near(pairs):
    return {k: [list(v.shape), short(v.asnumpy())] for k, v in sorted(pairs.items())}


def digits(n=64, classes=4, size=8, seed=0):
    rng = np.random.RandomState(seed)
    y = rng.randint(0, classes, n)
    x = rng.rand(n, size).astype("float32") * 0.3
    x[np.arange(n), y] += 1.0
    return x, y.astype("float32")


def mlp(hidden=8, classes=4):
    net = S.FullyConnected(S.var("data"), num_hidden=hidden, name="fc1")
    net = S.Activation(net, act_type="relu", name="relu1")
    net = S.FullyConnected(net, num_hidden=classes, name="fc2")
    return S.SoftmaxOutput(net, name="softmax")
