"""Iterators written by users, and a module that is fitted on them."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

DataBatch, DataDesc = mx.io.DataBatch, mx.io.DataDesc
X = np.arange(40, dtype="float32").reshape(10, 4) / 40
Y = (np.arange(10) % 3).astype("float32")


def net(label="softmax_label", data="data"):
    x = mx.sym.FullyConnected(mx.sym.var(data), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(x, mx.sym.var(label), name="softmax")


class Simple(mx.io.DataIter):
    def __init__(self, names=("data", "softmax_label"), desc=True, pad=0):
        super().__init__(batch_size=5)
        self.names, self.at, self.desc, self.padding = names, 0, desc, pad

    def describe(self, name, shape):
        return DataDesc(name, shape) if self.desc else (name, shape)

    @property
    def provide_data(self):
        return [self.describe(self.names[0], (5, 4))]

    @property
    def provide_label(self):
        return [self.describe(self.names[1], (5,))]

    def reset(self):
        self.at = 0

    def next(self):
        if self.at == 2:
            raise StopIteration
        self.at += 1
        part = slice(self.at * 5 - 5, self.at * 5)
        return DataBatch([nd.array(X[part])], [nd.array(Y[part])], pad=self.padding)


class Parts(mx.io.DataIter):
    batch_size, at = 5, 0
    provide_data = [("data", (5, 4))]
    provide_label = [("softmax_label", (5,))]

    def iter_next(self):
        self.at += 1
        return self.at < 3

    def getdata(self):
        return [nd.array(X[self.at * 5 - 5 : self.at * 5])]

    def getlabel(self):
        return [nd.array(Y[self.at * 5 - 5 : self.at * 5])]

    def getpad(self):
        return 0

    def getindex(self):
        return None

    def reset(self):
        self.at = 0


class Generator:
    batch_size = 5
    provide_data = [("data", (5, 4))]
    provide_label = [("softmax_label", (5,))]

    def __iter__(self):
        for k in range(2):
            yield DataBatch(
                [nd.array(X[k * 5 : k * 5 + 5])],
                [nd.array(Y[k * 5 : k * 5 + 5])],
                pad=0,
                index=None,
            )

    def reset(self):
        pass


def fit(it, symbol=None, epochs=2, **more):
    names = more.pop("names", ("data", "softmax_label"))
    mod = mx.mod.Module(
        symbol or net(names[1], names[0]), data_names=[names[0]], label_names=[names[1]]
    )
    mod.fit(
        it,
        num_epoch=epochs,
        initializer=mx.init.One(),
        optimizer_params={"learning_rate": 0.5},
        **more,
    )
    it.reset()
    return (
        [(k, float(v)) for k, v in mod.score(it, "acc")],
        mod.predict(it).asnumpy().round(3).ravel()[:6].tolist(),
        mod.get_params()[0]["fc_weight"].asnumpy().round(3).ravel().tolist(),
    )


N = mx.io.NDArrayIter
