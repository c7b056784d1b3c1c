"""Sparse arrays and lazy updates on an accelerator."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.ndarray import sparse

pytestmark = pytest.mark.gpu


def test_arrays_move_and_compute():
    rows = sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2), ctx=mx.gpu())
    assert str(rows) == "\n<RowSparseNDArray 4x2 @gpu(0)>"
    assert (rows + rows).asnumpy().tolist() == (rows.as_in_context(mx.cpu()) * 2).asnumpy().tolist()
    matrix = nd.array([[0, 1], [2, 0]], ctx=mx.gpu()).tostype("csr")
    product = nd.dot(matrix, nd.ones((2, 3), ctx=mx.gpu()))
    assert product.context == mx.gpu(0)
    assert product.asnumpy().tolist() == [[1, 1, 1], [2, 2, 2]]
    assert sparse.retain(rows, nd.array([3], ctx=mx.gpu())).asnumpy()[3].tolist() == [3, 4]


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "adagrad"])
def test_training_is_that_on_the_cpu(optimizer):
    found = []
    for ctx in (mx.cpu(), mx.gpu()):
        layer = gluon.nn.Embedding(7, 3, sparse_grad=True)
        layer.initialize(ctx=ctx)
        layer.weight.set_data(nd.arange(21).reshape((7, 3)) / 10)
        trainer = gluon.Trainer(layer.collect_params(), optimizer, {"learning_rate": 0.1})
        for step in range(5):
            with autograd.record():
                loss = (layer(nd.array([step % 3, 5, 5], ctx=ctx)) ** 2).sum()
            loss.backward()
            trainer.step(3)
        assert layer.weight.grad().stype == "row_sparse"
        found.append(layer.weight.data().asnumpy())
    assert found[0] == pytest.approx(found[1], abs=1e-5)
