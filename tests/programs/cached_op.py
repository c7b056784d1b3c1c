"""Graphs called like operators, and operators that write into an array."""

from __future__ import annotations

import mxnet as mx
from mxnet import autograd, nd

from .cached_op_helpers import outputs, symbols_and_arrays
from .core import functions, lines

CALLS = lines(
    symbols_and_arrays,
    """
    nd.CachedOp(a * b + a)(x, y)
    nd.CachedOp(b - a)(x, y)
    nd.CachedOp(mx.sym.Group([a * b, a]), [('static_alloc', True)])(x, y)
    nd.CachedOp(a * b)(x)
    nd.CachedOp(a * b)(a=x, b=y)
    nd.CachedOp(a * b)(x, y, out=nd.zeros((2,)))
    nd.CachedOp(mx.sym.BatchNorm(a))(nd.ones((2, 3)), *[nd.ones((3,)) for _ in range(4)])
    """,
)

WRITES = lines(
    outputs,
    """
    (nd._internal._set_value(3.5, out=x), x)
    nd._internal._set_value(2, out=i)
    nd._internal._set_value(src=3)
    (nd._internal._copyto(nd.ones((2, 3)), out=x), x)
    nd._internal._copyto(nd.ones((2, 3)), out=y)
    nd._internal._copyto(nd.ones((3,)), out=x)
    nd._internal._copyto(nd.ones((3,)))
    mx.base.mx_real_t
    nd.split_v2(x, 2.5)
    """,
)


def gradient_of_a_graph():
    x = nd.array([1.0, 2])
    x.attach_grad()
    call = nd.CachedOp(mx.sym.var("a") * mx.sym.var("b"))
    with autograd.record():
        y = call(x, nd.array([3.0, 4]))
    y.backward()
    return x.grad


PROGRAMS = CALLS | WRITES | functions(globals())
