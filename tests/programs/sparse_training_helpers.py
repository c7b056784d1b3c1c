"""A table, sparse data, and a parameter that is sparse."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def parts(x):
    return x if x.stype == "default" else (x.stype, x.shape, x.data, x.indices)


w = nd.arange(8).reshape((4, 2))
c = nd.sparse.csr_matrix(([1, 2, 3], [1, 0, 1], [0, 1, 2, 3]), shape=(3, 4))


def embed(indices, table):
    return nd.Embedding(indices, table, input_dim=4, output_dim=2, sparse_grad=True)


p = gluon.Parameter("w", shape=(4, 2), stype="row_sparse", grad_stype="row_sparse")
p.initialize(init=mx.init.One())
rows = nd.array([1, 2])
