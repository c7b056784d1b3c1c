"""What programs that check networks share."""

from __future__ import annotations

import os
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet import test_utils as t
from mxnet.test_utils import *  # noqa: F403 - as users of the module write

np.random.seed(0)
random.seed(0)
mx.random.seed(0)
a = np.arange(6, dtype="float32").reshape(2, 3) + 1


def fails(f):
    try:
        f()
        return False
    except AssertionError:
        return True


x = mx.sym.var("x")
