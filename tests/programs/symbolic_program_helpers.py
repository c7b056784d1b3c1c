"""What whole programs on symbols share: drawn numbers and a training loop."""

from __future__ import annotations

import math
import warnings
import zlib

import mxnet as mx
import numpy as np
from mxnet import nd

warnings.simplefilter("ignore")
S, V = mx.sym, mx.sym.Variable


def drawn(name, shape, low=-1.0, high=1.0):
    return (
        np.random.RandomState(zlib.crc32(name.encode()))
        .uniform(low, high, size=shape)
        .astype("float32")
    )


def whole(name, shape, number):
    return (
        np.random.RandomState(zlib.crc32(name.encode()))
        .randint(0, number, size=shape)
        .astype("float32")
    )


class Drawn(mx.init.Initializer):
    def _init_weight(self, name, arr):
        arr[:] = drawn(str(name), arr.shape) / math.sqrt(max(1, np.prod(arr.shape[1:])))

    _init_default = _init_weight


def fill(arrays, but=()):
    for name, array in arrays.items():
        if name not in but:
            Drawn()._init_weight(name, array)


def short(*arrays):
    values = [
        np.asarray(a.asnumpy() if isinstance(a, nd.NDArray) else a, "float32") for a in arrays
    ]
    return [
        [list(v.shape), np.float16(v.ravel()[:12]), np.float16(np.abs(v).mean())] for v in values
    ]


def params(module):
    mx.nd.waitall()  # the original writes statistics late
    return {k: short(v)[0] for k, v in sorted(module.get_params()[0].items())[:6]}


def train(net, shapes, labels=(), steps=3, optimizer="sgd", made={}, **options):
    module = mx.mod.Module(net, [k for k in shapes if k not in labels], list(labels) or None)
    module.bind(
        [(k, v) for k, v in shapes.items() if k not in labels],
        [(k, shapes[k]) for k in labels] or None,
    )
    module.init_params(Drawn())
    module.init_optimizer(optimizer=optimizer, optimizer_params={"learning_rate": 0.1, **options})
    found = []
    for step in range(steps):
        arrays = {
            k: nd.array(made[k](step) if k in made else drawn(k + str(step), shapes[k]))
            for k in shapes
        }
        module.forward_backward(
            mx.io.DataBatch(
                [arrays[k] for k in shapes if k not in labels], [arrays[k] for k in labels]
            )
        )
        module.update()
        found.append(short(*module.get_outputs()))
    return found, params(module)


def unit(data, filters, name, size=3, stride=2):
    conv = S.Convolution(
        data=data,
        kernel=(size, size),
        pad=(size // 2,) * 2,
        stride=(stride,) * 2,
        num_filter=filters,
        name=name,
    )
    return S.Activation(data=conv, act_type="relu", name=name + "_relu")
