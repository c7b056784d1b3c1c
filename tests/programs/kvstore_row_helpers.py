"""A store with rows, and a sparse array to pull them into."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

sparse_store = mx.kv.create()
full = nd.array([[1, 2], [3, 4], [5, 6]]).tostype("row_sparse")
sparse_store.init("e", full)
out = nd.sparse.zeros("row_sparse", (3, 2))


def pulled_rows(arrays, rows):
    sparse_store.row_sparse_pull("e", out=arrays, row_ids=rows)
    return [x.asnumpy() for x in arrays]
