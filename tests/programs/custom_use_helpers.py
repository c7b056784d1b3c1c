"""Operators written in Python: without inputs, on sparse arrays."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


class Made(mx.operator.CustomOp):
    def __init__(self, rows, columns):
        super().__init__()
        self.values = nd.arange(rows * columns).reshape((rows, columns))

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], self.values)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        pass


@mx.operator.register("program_made")
class MadeProp(mx.operator.CustomOpProp):
    def __init__(self, rows, columns="2"):
        super().__init__()
        self.size = int(rows), int(columns)

    def list_arguments(self):
        return []

    def infer_shape(self, in_shape):
        return [], [self.size], []

    def infer_type(self, in_type):
        return [], [np.float32], []

    def create_operator(self, ctx, shapes, dtypes):
        return Made(*self.size)


class Cube(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0]
        seen.append((x.stype, out_data[0].stype))
        if x.stype == "csr":
            x = nd.sparse.csr_matrix((x.data**3, x.indices, x.indptr), shape=x.shape)
            self.assign(out_data[0], req[0], x)
        else:
            self.assign(out_data[0], req[0], x * x * x)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        seen.append((out_grad[0].stype, in_data[0].stype, in_grad[0].stype))
        square = nd.sparse.square(in_data[0])
        self.assign(in_grad[0], req[0], 3 * nd.sparse.elemwise_mul(square, out_grad[0]))


@mx.operator.register("program_cube")
class CubeProp(mx.operator.CustomOpProp):
    def infer_storage_type(self, in_stype):
        return in_stype, in_stype, []

    def infer_storage_type_backward(self, ograd_stype, in_stype, out_stype, igrad_stype, aux_stype):
        return ["default"], in_stype, out_stype, in_stype, []

    def create_operator(self, ctx, shapes, dtypes):
        return Cube()


seen = []


class Named(mx.operator.CustomOp):
    def forward(self, **given):
        seen.append(sorted(given))
        self.assign(given["out_data"][0], given["req"][0], given["in_data"][0] + 1)

    def backward(self, in_grad, out_grad, req, **rest):
        seen.append(sorted(rest))
        self.assign(in_grad[0], req[0], out_grad[0] * 3)


@mx.operator.register("program_named")
class NamedProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Named()


class Add(mx.gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + F.Custom(rows=3, op_type="program_made")


def differentiated(x, name):
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type=name)
    y.backward()
    return y.stype, y.asnumpy(), x.grad.stype, x.grad.asnumpy(), seen
