"""Symbols and arrays of both dialects for programs that random ones were reduced to."""

from __future__ import annotations

import mxnet as mx

x = mx.sym.var("x")
a = mx.sym.var("a").as_np_ndarray()
A = mx.nd.array([[1.0, 3.0, 2.0], [6.0, 5.0, 4.0]])


def in_numpy(action):
    """Returns what an action gives in the NumPy dialect."""
    with mx.util.np_shape(True), mx.util.np_array(True):
        result = action()
        return [part.asnumpy() if hasattr(part, "asnumpy") else part for part in result]


def types(symbol, **given):
    return symbol.infer_type(**given)[1]


def bound(symbol):
    executor = symbol.bind(mx.cpu(), {"x": A}, args_grad={"x": mx.nd.zeros((2, 3))})
    outputs = executor.forward(is_train=True)
    executor.backward([mx.nd.ones(out.shape, dtype=out.dtype) for out in outputs])
    return outputs + executor.grad_arrays
