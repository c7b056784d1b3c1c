"""Operators written in Python, and symbols that use them."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


class Scaled(mx.operator.CustomOp):
    def __init__(self, factor):
        self.factor = factor
        self.calls = 0

    def forward(self, is_train, req, in_data, out_data, aux):
        self.calls += 1
        aux[0][:] = aux[0] + 1
        self.assign(out_data[0], req[0], in_data[0] * in_data[1] * self.factor)
        self.assign(out_data[1], req[1], in_data[0] + self.calls)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * in_data[1] * self.factor + out_grad[1])
        self.assign(in_grad[1], req[1], out_grad[0] * in_data[0] * self.factor)


@mx.operator.register("scaled")
class ScaledProp(mx.operator.CustomOpProp):
    def __init__(self, factor="2"):
        super().__init__(need_top_grad=True)
        self.factor = float(factor)

    def list_arguments(self):
        return ["data", "weight"]

    def list_outputs(self):
        return ["product", "sum"]

    def list_auxiliary_states(self):
        return ["count"]

    def infer_shape(self, in_shape):
        return [in_shape[0], in_shape[0]], [in_shape[0], in_shape[0]], [[1]]

    def create_operator(self, ctx, shapes, dtypes):
        return Scaled(self.factor)


class Loss(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.softmax(in_data[0]))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        hot = nd.one_hot(in_data[1], out_data[0].shape[1])
        self.assign(in_grad[0], req[0], out_data[0] - hot)


@mx.operator.register("python_softmax")
class LossProp(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def infer_shape(self, in_shape):
        return [in_shape[0], [in_shape[0][0]]], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Loss()


data, q = mx.sym.var("data"), mx.sym.var("q")
c = mx.sym.Custom(data, op_type="scaled", name="c", factor=3)
loss = mx.sym.Custom(
    mx.sym.FullyConnected(data, num_hidden=3, name="fc"), op_type="python_softmax", name="l"
)
