"""When an error appears: in the call, when somebody waits, or when elements are read."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd

S = mx.sym
v = S.var
x = nd.array([[1, 2], [3, 4.0]])
indefinite = nd.array([[1, 2], [2, 1.0]])


def bad():
    return nd.random.normal(0, -1, (2, 2))


def moment(make):
    """The stage in which something raises, whether waiting for all still does, and the shape."""
    found = []
    try:
        y = make()
    except mx.MXNetError:
        return "call"
    for stage in (y.wait_to_read, y.asnumpy, nd.waitall):
        if found and stage is not nd.waitall:
            continue
        try:
            stage()
        except (mx.MXNetError, IndexError):
            found.append(stage.__name__)
    return found, y.shape


def reading(make):
    """The same without waiting before elements are read."""
    y = make()
    try:
        y.asnumpy()
    except (mx.MXNetError, IndexError):
        return "read", y.shape
    return "never"


def value_moment(make):
    """When something raises a `ValueError`."""
    try:
        y = make()
    except ValueError:
        return "call"
    try:
        y.asnumpy()
    except ValueError:
        return "read", y.shape
    finally:
        attempts(lambda _: nd.waitall(), 1, 2)  # lest the next program gets what is left
    return "never"


def np_check():
    with mx.util.np_shape(True), mx.util.np_array(True):
        return mx.np.ones(2) * mx.npx.constraint_check(mx.np.ones(2) < 0, "below zero")


def np_block(hybridize):
    class Random(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return x + F.np.random.exponential(-1.0, (2,))

    with mx.util.np_shape(True), mx.util.np_array(True):
        made = Random()
        made.hybridize(hybridize)
        return made(mx.np.ones(2))


def block(hybridize, train=False):
    class Random(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.dot(x, F.random.normal(0, -1, shape=(2, 2)))

    made = Random()
    made.hybridize(hybridize)
    if not train:
        return made(x)
    x.attach_grad()
    with autograd.record():
        return made(x) * 2


def executor():
    out = S.dot(v("x"), S.random.normal(0, -1, (2, 2)))
    return out.bind(mx.cpu(), {"x": x}).forward()[0]


def network(wait):
    net = gluon.nn.Sequential()
    net.add(gluon.nn.Dense(4, activation="tanh", flatten=False), gluon.nn.Dense(3))
    net.initialize()
    z = net(nd.random.normal(10, -10, (4, 2, 5)))
    if wait:
        z.wait_to_read()
    return z.shape


def attempts(function, *choices):
    """Whether a function raises, for several arguments."""
    raised = []
    for choice in choices:
        try:
            function(choice)
            raised.append(False)
        except mx.MXNetError:
            raised.append(True)
    return raised


def told(setup, *uses):
    """Names of the uses that raise, of those of what a function makes, in order."""
    made = setup()
    found = []
    for use in uses:
        try:
            use(made)
        except mx.MXNetError:
            found.append(use.__name__)
    return found


def first(made):
    made[0].asnumpy()


def second(made):
    made[1].wait_to_read()


def every(_):
    nd.waitall()


def with_copy():
    a = bad()
    return a, a.copy()


def with_row():
    a = bad()
    return a, a[0]


def rows():
    return list(nd.random.normal(0, -1, (2, 2)).copyto(mx.cpu()))


def assigned():
    a, b = bad(), nd.ones((2, 2))
    b[0] = a[1]
    a[:] = 1
    return b, a


def written():
    out = nd.zeros((2, 2))
    nd.random.normal(0, -1, out=out)
    nd.random.normal(0, 1, out=out)
    return out, out + 1


def added():
    a = nd.ones((2, 2))
    a += bad()
    return a, a.reshape((4,))


class Fails(mx.operator.CustomOp):
    def __init__(self, where):
        super().__init__()
        self.where = where

    def forward(self, is_train, req, in_data, out_data, aux):
        if self.where == "forward":
            raise ValueError("on purpose")
        self.assign(out_data[0], req[0], in_data[0] * 2)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        raise ValueError("on purpose")


@mx.operator.register("program_fails")
class FailsProp(mx.operator.CustomOpProp):
    def __init__(self, where):
        super().__init__()
        self.where = where

    def create_operator(self, ctx, in_shapes, in_dtypes):
        if self.where == "create":
            raise ValueError("on purpose")
        return Fails(self.where)


class FailsBackward(autograd.Function):
    def forward(self, x):
        return x * 2

    def backward(self, dy):
        raise ValueError("on purpose")


def differentiated(compute):
    """The gradient of a variable and the head, after `backward`."""
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = compute(x)
    y.backward()
    return x.grad, y


def failed_variable():
    """The same of a variable that could not be computed."""
    x = bad()
    x.attach_grad()
    with autograd.record():
        y = x * 2
    y.backward()
    return x.grad, y


def executed(compute):
    """The same of an executor."""
    executor = compute(v("x")).bind(mx.cpu(), {"x": nd.ones((2, 2))}, {"x": nd.zeros((2, 2))})
    executor.forward(is_train=True)
    executor.backward(nd.ones((2, 2)))
    return executor.grad_dict["x"], executor.outputs[0]


def custom(x, where):
    F = nd if isinstance(x, nd.NDArray) else S
    return F.Custom(x, op_type="program_fails", where=where)
