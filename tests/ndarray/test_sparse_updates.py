"""Updates of `mx.nd.sparse`; the expected numbers are what the original gives."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.errors import MXNetError

GRADIENT = ([[1.0, 2.0], [3.0, 4.0]], [1, 3])


def make_gradient():
    return mx.nd.sparse.row_sparse_array(GRADIENT, shape=(4, 2))


def test_adagrad_changes_the_rows_of_the_gradient():
    weight, history = mx.nd.ones((4, 2)), mx.nd.zeros((4, 2))
    result = mx.nd.sparse.adagrad_update(weight, make_gradient(), history, out=weight, lr=0.1)
    assert result is weight
    np.testing.assert_allclose(weight.asnumpy(), [[1, 1], [0.9, 0.9], [1, 1], [0.9, 0.9]])
    np.testing.assert_array_equal(history.asnumpy(), [[0, 0], [1, 4], [0, 0], [9, 16]])


def test_adagrad_updates_sparse_weights():
    weight, history = (mx.nd.ones((4, 2)).tostype("row_sparse") for _ in range(2))
    options = {"rescale_grad": 0.5, "clip_gradient": 0.6}
    mx.nd.sparse.adagrad_update(weight, make_gradient(), history, out=weight, lr=0.1, **options)
    assert weight.stype == history.stype == "row_sparse"
    expected = [[1, 1], [0.95527864, 0.9485504], [1, 1], [0.9485504, 0.9485504]]
    np.testing.assert_allclose(weight.asnumpy(), expected, rtol=1e-6)
    sums = [[1, 1], [1.25, 1.36], [1, 1], [1.36, 1.36]]
    np.testing.assert_allclose(history.asnumpy(), sums, rtol=1e-6)


def test_adagrad_has_no_decay():
    weight, history = mx.nd.ones((4, 2)), mx.nd.zeros((4, 2))
    with pytest.raises(MXNetError, match="wd must be 0"):
        mx.nd.sparse.adagrad_update(weight, make_gradient(), history, out=weight, lr=0.1, wd=0.1)


@pytest.mark.parametrize("hybridized", [False, True])
def test_a_table_in_half_precision_is_used_twice(hybridized):
    class Twice(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.table = gluon.nn.Embedding(5, 2, sparse_grad=True)

        def hybrid_forward(self, F, x):
            return self.table(x) + self.table(F.ones_like(x)) * 2

    net = Twice()
    net.cast("float16")
    net.initialize()
    if hybridized:
        net.hybridize()
    for _ in range(2):
        with autograd.record():
            y = net(nd.array([3, 3, 0]))
        y.backward()
    gradient = net.table.weight.grad()
    assert (gradient.stype, gradient.dtype) == ("row_sparse", np.float16)
    assert gradient.indices.asnumpy().tolist() == [0, 1, 3]
    assert gradient.data.asnumpy().tolist() == [[1, 1], [6, 6], [2, 2]]
