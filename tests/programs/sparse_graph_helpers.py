"""Sparse arrays that store zeros, and one that is not sparse."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def stored_zeros():
    c = nd.sparse.csr_matrix(([0.0, 5, 7], [1, 0, 2], [0, 1, 3]), shape=(2, 3))
    e = nd.sparse.zeros("csr", (2, 3))
    return locals()


def dense_array():
    S = nd.sparse
    a = nd.ones((2, 2))
    return locals()
