"""Sparse arrays, and how they are shown."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

D = np.array([[0, 1, 0], [2, 0, 3], [0, 0, 0.0]], dtype="float32")
d = nd.array(D)
c = d.tostype("csr")
w = d.tostype("row_sparse")
I = nd._internal


def q(x):
    return (x.stype, x.asnumpy(), None if x.stype == "default" else x.indices)
