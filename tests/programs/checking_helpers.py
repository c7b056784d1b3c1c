"""Symbols and arrays for checks."""

from __future__ import annotations

import random

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet import test_utils as t

np.random.seed(1)
random.seed(2)
a = np.array([[1, 2, 3]], dtype="float32")
x, y = mx.sym.var("x"), mx.sym.var("y")
named = mx.sym.broadcast_mul(x, y, name="m")
twice = mx.sym.broadcast_add(x, x, name="twice")
w = mx.sym.FullyConnected(x, num_hidden=2, name="fc")
bn = mx.sym.BatchNorm(x, name="bn", fix_gamma=False)
