"""Automatic differentiation, and operators with a gradient of one's own."""

from typing_extensions import assert_type

import mxnet as mx
from mxnet import autograd, nd

x = nd.arange(4).reshape((4, 1))
x.attach_grad()
with autograd.record():
    y = 2 * nd.dot(x.T, x)
y.backward()
print(x.grad, autograd.is_training(), autograd.is_recording())
with autograd.record(train_mode=False), autograd.train_mode():
    z = (x**3).sum()
gradient = autograd.grad(z, [x], create_graph=False, retain_graph=True)[0]
assert_type(gradient, nd.NDArray)
with autograd.pause(), autograd.predict_mode():
    print((x + 1).sum())
with autograd.record():
    heads = [x * 2, x * 3]
autograd.backward(heads, [nd.ones_like(x), None])


class Sigmoid(autograd.Function):
    def forward(self, x):
        y = 1 / (1 + nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


x = nd.random.uniform(shape=(10,))
x.attach_grad(grad_req="add")
with autograd.record():
    out = Sigmoid()(x)
assert_type(out, nd.NDArray)
out.backward()


class Clip(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.clip(in_data[0], 0, 0.5))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * (in_data[0] < 0.5))


@mx.operator.register("clip_to_half")
class ClipProp(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(need_top_grad=True)

    def list_arguments(self):
        return ["data"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        return [in_shape[0]], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Clip()


with autograd.record():
    clipped = nd.Custom(x, op_type="clip_to_half")
clipped.backward()
assert_type(x.grad, nd.NDArray)
