"""A module with sparse data and a weight of which few rows change."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .module_log_helpers import f, lines, log

rng = np.random.RandomState(0)
dense = rng.rand(8, 6) * (rng.rand(8, 6) < 0.4)
labels = rng.rand(8)


def rows(batch):
    return {"w": nd.array(np.unique(np.nonzero(batch.data[0].asnumpy())[1]))}


def network():
    w = mx.sym.var("w", stype="row_sparse", shape=(6, 1), init=mx.init.One())
    b = mx.sym.var("b", shape=(1,), init=mx.init.Zero())
    net = mx.sym.sparse.dot(mx.sym.var("data", stype="csr"), w)
    return mx.sym.LinearRegressionOutput(mx.sym.broadcast_add(net, b), name="softmax")


def train(store, contexts, optimizer, rows=None, **options):
    data = nd.array(dense).tostype("csr")
    data = mx.io.NDArrayIter(data, labels, 4, last_batch_handle="discard")
    m = mx.mod.Module(network(), context=[mx.cpu(i) for i in range(contexts)])
    m.fit(
        data,
        num_epoch=2,
        kvstore=store,
        optimizer=optimizer,
        eval_metric="mse",
        sparse_row_id_fn=rows,
        optimizer_params={"learning_rate": 0.1, **options},
    )
    if rows:
        m.prepare(None, lambda batch: {"w": nd.arange(6)})
    stypes = [[array.stype for array in part] for part in m._exec_group.grad_arrays]
    return stypes, {name: array.asnumpy() for name, array in m.get_params()[0].items()}
