"""A variable of the NumPy dialect, and values for it."""

from __future__ import annotations

import mxnet as mx

x = mx.sym.var("x").as_np_ndarray()
X = mx.np.array([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]])


def attributes(symbol):
    return symbol.attr_dict()


def in_np_shape(infer):
    with mx.util.np_shape(True):
        return infer()


def missing(name):
    try:
        getattr(x, name)()
    except AttributeError:
        return "missing"
    return "there"
