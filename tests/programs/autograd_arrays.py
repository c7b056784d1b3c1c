"""Programs about gradients of views and copies, and about writing into arrays while recording."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import Program, functions, named


def assign_to_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        x[:] = x * 2


def assign_a_number_to_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        x[:] = 1


def assign_to_a_part_of_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        x[0] = 1


def assign_to_a_slice_of_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        x[0:2] = 1


def assign_to_indices_of_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        x[[0, 1]] = 1


def add_to_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        x += 1


def add_to_a_recorded_array():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y += 1


def multiply_a_recorded_array():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y *= x


def assign_to_a_recorded_array():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y[:] = 3


def assign_to_a_part_of_a_recorded_array():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        y[1] = 3


def out_is_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        nd.relu(nd.ones(3), out=x)


def out_is_the_input():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        nd.relu(x, out=x)


def out_is_a_recorded_array():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = x * 2
        nd.relu(x, out=y)


def out_of_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    c = nd.array([1, -1, 2.0])
    with autograd.record():
        nd.relu(c, out=c)
    return c


def add_to_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        c = nd.ones(3)
        c += 1
        y = x * c
    y.backward()
    return c, x.grad


def add_a_variable_to_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        c = nd.ones(3)
        c += x


def assign_a_variable_to_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        c = nd.zeros(3)
        c[:] = x * 2
        y = c * c
    y.backward()
    return c, x.grad


def assign_a_number_to_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        c = nd.zeros(3)
        c[:] = 2
        c[0] = 5
        y = c * x
    y.backward()
    return c, x.grad


def copyto_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        c = nd.zeros(3)
        x.copyto(c)
        y = c * c
    y.backward()
    return c, x.grad


def copyto_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        nd.ones(3).copyto(x)


def out():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        c = nd.zeros(3)
        nd.square(x, out=c)
        y = c * 2
    y.backward()
    return c, x.grad


def out_given_before():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    c = nd.zeros(3)
    with autograd.record():
        d = nd.square(x, out=c)
    c.backward()
    return d is c, c, x.grad


def out_used_twice():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    c = nd.zeros(3)
    for _ in range(2):
        with autograd.record():
            nd.square(x, out=c)
        c.backward()
    return c, x.grad


def write_after_backward_inside_of_the_scope():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        y.backward()
        y += 1
        z = y * x
    z.backward()
    return y, x.grad


def write_while_paused():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
        with autograd.pause():
            x += 1
    return x


def write_to_a_result_before_backward():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        z = y + 1
    y[:] = 100
    z.backward()
    return y, z, x.grad


def write_to_a_constant_between_the_backwards_of_one_scope():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    c = nd.array([5, 6, 7.0])
    with autograd.record():
        y = x * 2
        z = x * c
    y.backward()
    c[:] = 10
    z.backward()
    return x.grad


def write_to_a_constant_between_the_backwards_of_two_scopes():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    c = nd.array([5, 6, 7.0])
    with autograd.record():
        y = x * 2
    with autograd.record():
        z = x * c
    y.backward()
    c += 1
    z.backward()
    return x.grad


def write_to_a_constant_of_the_graph_while_recording():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    c = nd.array([5, 6, 7.0])
    with autograd.record():
        y = x * c
        c[:] = 10
    y.backward()
    return x.grad


def write_to_a_variable_after_recording():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x + 1
    x[:] = 100
    y.backward()
    return x, y, x.grad


def a_variable_written_is_read_in_the_next_scope():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    x[1] = 10
    x += 1
    with autograd.record():
        y = x * x
    y.backward()
    return x, x.grad


def a_view_of_a_variable_writes_it():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    v = x[1:]
    v[:] = 7
    with autograd.record():
        y = x * x
    y.backward()
    return x, x.grad


def a_view_made_outside_is_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    v = x[0:2]
    with autograd.record():
        y = v * x[0:2]
    y.backward()
    return x.grad


def a_view_of_a_result_made_outside_is_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    v = y[0:2]
    with autograd.record():
        z = v * x[1:]
    z.backward()
    return x.grad


def a_result_read_outside():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    z = y * 2
    y.backward()
    return z, z.grad, x.grad


def detach():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
        z = y.detach() * x
    z.backward()
    return x.grad


def detach_shares_memory():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    d = x.detach()
    d[:] = 4
    return x, d.grad


def detached_backward():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = (x * 2).detach()
    y.backward()


def integer_variable():
    x = nd.array([1, 2], dtype="int32")
    x.attach_grad()
    return x.grad


def half_precision():
    x = nd.array([1, 2, 3], dtype="float16")
    x.attach_grad()
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    return y, x.grad


def double_precision():
    x = nd.array([1, 2, 3], dtype="float64")
    x.attach_grad()
    with autograd.record():
        y = (x / 3).sum()
    y.backward()
    return y, x.grad


def mixed_precision():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = (x.astype("float16") * 2).astype("float64") * 3
    y.backward()
    return y, x.grad


def gradients_on_two_contexts():
    a, b = nd.ones(2, ctx=mx.cpu(0)), nd.ones(2, ctx=mx.cpu(1))
    a.attach_grad()
    b.attach_grad()
    with autograd.record():
        y = a * 2 + (b * 3).as_in_context(mx.cpu(0))
    y.backward()
    return a.grad, b.grad


def aux_states_are_no_part_of_the_graph():
    d = nd.array([[1, 2], [3, 4], [5, 9.0]])
    d.attach_grad()
    g, b, mean, var = nd.ones(2), nd.zeros(2), nd.zeros(2), nd.ones(2)
    with autograd.record():
        y = nd.BatchNorm(d, g, b, mean, var, fix_gamma=False, momentum=0.5)
        z = y * mean
    z.backward(nd.array([[1, 0], [0, 2], [3, 0.0]]))
    return mean, var


def linear_regression():
    np.random.seed(1)
    x = nd.array(np.random.randn(20, 2))
    t = 2 * x[:, 0] - 3.4 * x[:, 1] + 4.2
    w, b = nd.zeros((2, 1)), nd.zeros(1)
    for p in w, b:
        p.attach_grad()
    for _ in range(20):
        for i in range(0, 20, 5):
            j = nd.array(range(i, i + 5))
            with autograd.record():
                loss = (nd.dot(x.take(j), w) + b - t.take(j).reshape((-1, 1))) ** 2 / 2
            loss.backward()
            for p in w, b:
                p[:] = p - 0.2 * p.grad / 5
    return w, b


_VECTOR_VIEWS = """
x[0]
x[-1]
x[0:2]
x[1:]
x[:]
x[::2]
x[::-1]
x[None]
x[...]
x[[0, 2]]
x[[0, 0, 1]]
x[nd.array([0, 0])]
x[nd.array([2, 0], dtype='int32')]
x[np.array([1, 1, 2])]
x.reshape((3, 1))
x.reshape(-1)
x.reshape((1, -1))
x.reshape_like(nd.ones((3, 1)))
x.expand_dims(0)
x.expand_dims(axis=0, inplace=True)
x.copy()
x.copyto(mx.cpu(1))
x.as_in_context(mx.cpu(1))
x.as_in_context(mx.cpu(0))
x.as_nd_ndarray()
x.astype('float64')
x.astype('float16')
x.astype('float32')
x.astype('float32', copy=False)
nd.identity(x)
x.slice(begin=(0,), end=(2,))
x.take(nd.array([1, 1]))
x.broadcast_to((2, 3))
x.tile((2,))
x.repeat(2)
x.flip(0)
x.sum()
x.mean(axis=0, keepdims=True)
x.max()
x.clip(1.5, 2.5)
-x
abs(x)
x + 1
1 - x
2 / x
x ** 2
2 ** x
x % 2
x.pick(nd.array([1]), axis=0)
nd.concat(x, x, dim=0)
nd.stack(x, x * 2)
nd.where(x > 1, x, -x)
nd.maximum(x, 2)
nd.minimum(2, x)
nd.add_n(x, x, x)
x.one_hot(4) * x.reshape((3, 1))
"""

_MATRIX_VIEWS = """
m[0]
m[0, 1]
m[0, 1:]
m[:, 1]
m[:, ::2]
m[:, [0, 2]]
m[[0, 1], [2, 0]]
m[[1, 1]]
m[..., 0]
m[:, None, 1:]
m[nd.array([1, 0, 1])]
m[1][2]
m[0:1][0]
m.T
m.T[0]
m.transpose((1, 0))
m.reshape((3, 2))
m.reshape((0, -1))
m.reshape(-1)[1:3]
m.flatten()
m.swapaxes(0, 1)
m.squeeze()
m[0:1].squeeze()
m.expand_dims(1)
m.split(3, axis=1)[1]
m.slice_axis(axis=1, begin=0, end=2)
m.sum(axis=1)
m.max(axis=0)
m.norm()
m.softmax()
m.dot(m.T)
nd.dot(m, m, transpose_b=True)
m.diag()
next(iter(m))
"""

_CONSTANTS = """
x > 1
x >= 2
x == 2
x != 2
x < x
x.argmax(axis=0)
x.argmin(axis=0)
x.argsort()
x.sign()
x.floor()
x.round()
nd.zeros_like(x)
nd.ones_like(x)
x.one_hot(4)
nd.BlockGrad(x)
nd.stop_gradient(x) + x
(x > 1) * x
x * (x.argmax(axis=0) + 1)
"""


def _table(title: str, expressions: str, call: str) -> dict[str, Program]:
    """Makes one program of every line: a call of a helper with a function of the line."""
    rows = {f"{title} {line}": call.format(line) for line in expressions.strip().splitlines()}
    return named("autograd_array_helpers", rows)


PROGRAMS = {
    **_table("through", _VECTOR_VIEWS, "of_squares(lambda: {}, x)"),
    **_table("through", _MATRIX_VIEWS, "of_squares(lambda: {}, m)"),
    **_table("zero gradient of", _CONSTANTS, "gradient(lambda: {}, x)"),
    **functions(globals()),
}
