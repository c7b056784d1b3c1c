"""Functions and operators written in Python."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


class Sigmoid(autograd.Function):
    def forward(self, x):
        y = 1 / (1 + nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


class Two(autograd.Function):
    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a * b, a + b

    def backward(self, dm, ds):
        a, b = self.saved_tensors
        return dm * b + ds, dm * a + ds


class Square(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 2 * in_data[0] * out_grad[0])


@mx.operator.register("program_square")
class SquareProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Square()


class Pair(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        a, b = in_data
        self.assign(out_data[0], req[0], a * b)
        self.assign(out_data[1], req[1], (a + b).sum())

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        a, b = in_data
        self.assign(in_grad[0], req[0], out_grad[0] * b + out_grad[1])
        self.assign(in_grad[1], req[1], out_grad[0] * a + out_grad[1])


@mx.operator.register("program_pair")
class PairProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ["a", "b"]

    def list_outputs(self):
        return ["product", "sum"]

    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0], [1]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Pair()


class Scale(mx.operator.CustomOp):
    def __init__(self, factor):
        self.factor = factor

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * self.factor)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * self.factor)


@mx.operator.register("program_scale")
class ScaleProp(mx.operator.CustomOpProp):
    def __init__(self, factor="2", **rest):
        super(ScaleProp, self).__init__(need_top_grad=True)
        seen.append((factor, sorted(rest.items())))
        self.factor = float(factor)

    def create_operator(self, ctx, shapes, dtypes):
        return Scale(self.factor)


seen = []


class Count(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        aux[0][:] = aux[0] + (1 if is_train else 100)
        self.assign(out_data[0], req[0], in_data[0] + aux[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * aux[0])


@mx.operator.register("program_count")
class CountProp(mx.operator.CustomOpProp):
    def list_auxiliary_states(self):
        return ["count"]

    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0]], [[1]]

    def create_operator(self, ctx, shapes, dtypes):
        return Count()


class Loss(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.softmax(in_data[0]))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label = nd.one_hot(in_data[1], out_data[0].shape[1])
        self.assign(in_grad[0], req[0], out_data[0] - label)


@mx.operator.register("program_loss")
class LossProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(LossProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def infer_shape(self, in_shape):
        return [in_shape[0], [in_shape[0][0]]], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Loss()


class Cast(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0].astype("float64"))


@mx.operator.register("program_cast")
class CastProp(mx.operator.CustomOpProp):
    def infer_type(self, in_type):
        return in_type, [np.float64], []

    def create_operator(self, ctx, shapes, dtypes):
        return Cast()
