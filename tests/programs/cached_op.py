"""Graphs called like operators, and operators that write into an array."""

from .core import of

CALLS = of(
    "a = mx.sym.var('a'); b = mx.sym.var('b'); x = nd.array([1., 2]); y = nd.array([3., 4])",
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

GRADIENT = """
x = nd.array([1., 2]); x.attach_grad()
call = nd.CachedOp(mx.sym.var('a') * mx.sym.var('b'))
with autograd.record():
    y = call(x, nd.array([3., 4]))
y.backward()
r = x.grad
"""

WRITES = of(
    "x = nd.zeros((2, 3)); y = nd.zeros((2, 3), ctx=mx.cpu(1)); i = nd.ones((2,), dtype='int32')",
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

PROGRAMS = CALLS | WRITES | {"gradient of a graph": GRADIENT}
