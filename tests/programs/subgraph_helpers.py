"""A graph of vertices."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

D = [[1, 0, 0, 2], [3, 0, 4, 0], [0, 5, 0, 0], [0, 9, 10, 0]]
g = nd.array(D, dtype="int64").tostype("csr")
v = nd.array([0, 1, 2], dtype="int64")
u = nd.array([1, 3], dtype="int64")
full = nd.sparse.csr_matrix(
    (
        np.arange(1, 21),
        [1, 2, 3, 4, 0, 2, 3, 4, 0, 1, 3, 4, 0, 1, 2, 4, 0, 1, 2, 3],
        [0, 4, 8, 12, 16, 20],
    ),
    shape=(5, 5),
    dtype="int64",
)
s = nd.array([0], dtype="int64")
t = nd.array([4], dtype="int64")


def q(arrays):
    arrays = arrays if isinstance(arrays, list) else [arrays]
    return [(x.stype, x.asnumpy(), x.data if x.stype == "csr" else None) for x in arrays]


def compact():
    found = nd.contrib.dgl_csr_neighbor_uniform_sample(full, s, num_neighbor=4, max_num_vertices=5)
    return q(
        nd.contrib.dgl_graph_compact(found[1], found[0], graph_sizes=[5], return_mapping=False)
    )
