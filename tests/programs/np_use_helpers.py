"""Arrays and functions of programs on the NumPy dialect."""

from __future__ import annotations

import inspect

import mxnet as mx
import numpy as onp
from mxnet import _numpy_op_doc, autograd, gluon, np, npx
from mxnet.util import use_np

from .np_helpers import both, count, deferred, kept, slopes

npx.set_np()
x = np.array([0.1, 0.9, -2.0])
y = np.array([float("nan"), 1.0, float("inf")])
m = x.max()
n = np.array(2, dtype="int32")
halves = np.array(onp.linspace(0.1, 3.3, 30), dtype="float16")


def F_shape(size, dtype):
    mean = np.array([1, 10]).astype(dtype)
    covariance = np.array([[1, 0], [0, 10]]).astype(dtype)
    found = both(lambda F, m, c: F.np.random.multivariate_normal(m, c, size), mean, covariance)
    return [item[:3] for item in found]


def tensorsolve(a_shape, b_shape, axes):
    size = int(onp.prod(b_shape))
    a = np.array((onp.eye(size) + onp.arange(size)).reshape(a_shape))
    b = np.array(onp.arange(1, 1 + size).reshape(b_shape))
    return both(lambda F, a, b: F.np.linalg.tensorsolve(a, b, axes), a, b)


def index_slopes(key):
    array = count(3, 4, dtype="int32")
    array.attach_grad()
    with autograd.record():
        part = array[key]
    part.backward()
    return [kept(part), kept(array.grad)]


def copy_slope():
    array = count(3, dtype="int32")
    array.attach_grad()
    with autograd.record():
        copied = array.copy()
    copied.backward()
    return kept(array.grad)


def assigned(data_shape, mask_shape, start_axis, value):
    data = count(*data_shape)
    mask = np.array(onp.arange(onp.prod(mask_shape)).reshape(mask_shape) % 3 == 0, dtype="bool")
    internal = mx.nd.np._internal
    if isinstance(value, float):
        assign = internal.boolean_mask_assign_scalar
        return kept(assign(data, mask, value, start_axis=start_axis, out=data))
    values = np.array(value, dtype="float32")
    if start_axis:
        values = np.broadcast_to(values, (2, int(mask.asnumpy().sum())))
    assign = internal.boolean_mask_assign_tensor
    return kept(assign(data, mask, values, start_axis=start_axis, out=data))


@use_np
class _Product(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.w = self.params.get("w", shape=(3, 4), allow_deferred_init=True)

    def hybrid_forward(self, F, x, w):
        return F.np.dot(x, w)


def kinds_of_parameters():
    """Reads parameters of a block that has the dialect outside of it."""
    npx.reset_np()
    kinds = []
    for active in (False, True):
        net = _Product()
        net.initialize()
        net.hybridize(active)
        out = net(np.ones((2, 3)))
        kinds += [type(item).__name__ for item in (out, net.w.data(), net.w.grad())]
        kinds += [type(item).__name__ for item in net.w.list_data() + net.w.list_grad()]
    return kinds


class classic(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x.as_nd_ndarray() + 1, x.as_nd_ndarray() * 2


class numpy_like(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x.as_np_ndarray() + 1, x.as_np_ndarray() * 2


def kinds_of_results(block):
    npx.reset_np()
    kinds = []
    for active in (False, True):
        for array in (np.ones((2,)), mx.nd.ones((2,))):
            net = block()
            net.hybridize(active)
            kinds.append([type(item).__name__ for item in net(array)])
    return kinds


def signature(name):
    found = mx.numpy_op_signature._get_builtin_op(name)
    documented = inspect.signature(getattr(_numpy_op_doc, name))
    return [list(found.__signature__.parameters), list(documented.parameters)]
