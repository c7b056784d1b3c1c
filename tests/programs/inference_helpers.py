"""Variables whose shapes are inferred, and how results are shown."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

S = mx.sym
v = S.var


def found(symbol, **shapes):
    arguments, outputs, states = symbol.infer_shape(**shapes)
    names = symbol.list_arguments(), symbol.list_auxiliary_states()
    return dict(zip(names[0], arguments)), outputs, dict(zip(names[1], states))


data = v("data")
x, y, z = v("x"), v("y"), v("z")


def types(symbol, **given):
    return symbol.infer_type(**given)


shifted = S.FullyConnected(data=data, weight=v("weight") + 1, name="fc", num_hidden=7)
