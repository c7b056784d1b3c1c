"""Sparse arrays beyond what the original shows; see also `tests/programs/sparse*.py`."""

from __future__ import annotations

import copy
import pickle
import sys
from types import ModuleType
from typing import get_args

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.errors import IndexOutOfBoundsError, MXNetError
from mxnet.ndarray import _sparse_dispatch, sparse
from mxnet.ops.core import registry
from mxnet.ops.core.traits import SparseAlgorithm, Storage, Traits


@pytest.fixture
def rows():
    return sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))


@pytest.fixture
def matrix():
    return sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 3]), shape=(3, 4))


def embed(indices, table, num_rows):
    return nd.Embedding(
        nd.array(indices), table, input_dim=num_rows, output_dim=table.shape[1], sparse_grad=True
    )


def test_gradient_of_an_embedding_never_becomes_dense(monkeypatch):
    table = nd.ones((1000, 2))
    table.attach_grad(stype="row_sparse")

    def refuse(*_):
        raise AssertionError("the dense form was asked for")

    monkeypatch.setattr(sparse.RowSparseNDArray, "_expand", refuse)
    monkeypatch.setattr(torch.Tensor, "to_dense", refuse)
    optimizer = mx.optimizer.create("sgd", learning_rate=0.5, momentum=0.9, wd=0.1)
    updater = mx.optimizer.get_updater(optimizer)
    for _ in range(2):
        with autograd.record():
            loss = embed([3, 999, 3], table, 1000).sum()
        loss.backward()
        updater(0, table.grad, table)
    assert table.grad.indices.asnumpy().tolist() == [3, 999]
    assert table.grad.data.asnumpy().tolist() == [[2, 2], [1, 1]]
    changed = (table.asnumpy() != 1).any(axis=1)
    assert changed.nonzero()[0].tolist() == [3, 999]


def test_gradients_of_rows_add_up():
    table = nd.ones((4, 2))
    table.attach_grad("add", stype="row_sparse")
    for indices in ([1, 3], [1, 2]):
        with autograd.record():
            loss = embed(indices, table, 4).sum()
        loss.backward()
    assert table.grad.indices.asnumpy().tolist() == [1, 2, 3]
    assert table.grad.data.asnumpy()[:, 0].tolist() == [2, 1, 1]


@pytest.mark.parametrize("request_", ["write", "add"])
def test_a_dense_gradient_array_takes_a_sparse_gradient(request_):
    table = nd.ones((4, 2))
    table.attach_grad(request_)
    with autograd.record():
        loss = embed([1, 3, 1], table, 4).sum()
    loss.backward()
    assert table.grad.stype == "default"
    assert table.grad.asnumpy()[:, 0].tolist() == [0, 2, 0, 1]


def test_a_table_that_is_computed_has_a_gradient():
    weight = nd.ones((4, 2))
    weight.attach_grad()
    with autograd.record():
        loss = embed([1, 3, 1], weight * 2, 4).sum()
    loss.backward()
    assert weight.grad.asnumpy()[:, 0].tolist() == [0, 4, 0, 2]


def test_autograd_grad_gives_dense_gradients():
    table = nd.ones((4, 2))
    table.attach_grad(stype="row_sparse")
    with autograd.record():
        loss = embed([1, 3, 1], table, 4).sum()
    (found,) = autograd.grad(loss, [table])
    assert found.asnumpy()[:, 0].tolist() == [0, 2, 0, 1]


def test_csr_gradient_array():
    weight = nd.ones((2, 2))
    weight.attach_grad(stype="csr")
    with autograd.record():
        loss = (weight * nd.array([[1, 0], [0, 2]])).sum()
    loss.backward()
    assert weight.grad.stype == "csr"
    assert weight.grad.asnumpy().tolist() == [[1, 0], [0, 2]]


def test_half_precision_rows_with_master_copies():
    table = nd.ones((4, 2), dtype="float16")
    table.attach_grad(stype="row_sparse")
    optimizer = mx.optimizer.create("sgd", learning_rate=0.5, multi_precision=True)
    updater = mx.optimizer.get_updater(optimizer)
    with autograd.record():
        loss = nd.Embedding(
            nd.array([1, 1]), table, input_dim=4, output_dim=2, dtype="float16", sparse_grad=True
        ).sum()
    loss.backward()
    updater(0, table.grad, table)
    assert table.asnumpy()[:, 0].tolist() == [1, 0, 1, 1]


def test_elements_of_any_order_are_added_up():
    made = sparse.csr_matrix(([1, 2, 4, 8], ([1, 0, 1, 1], [2, 1, 0, 2])), shape=(3, 4))
    assert made.asnumpy().tolist() == [[0, 2, 0, 0], [4, 0, 9, 0], [0, 0, 0, 0]]
    made.check_format()
    assert sparse.csr_matrix(([1], ([1], [2]))).shape == (2, 3)


def test_indices_outside_are_refused(rows, matrix):
    with pytest.raises(MXNetError, match="below 4"):
        sparse.row_sparse_array(([[1, 2]], [4]), shape=(4, 2)).asnumpy()
    with pytest.raises(MXNetError, match="below 2"):
        sparse.csr_matrix(([1], [2], [0, 1]), shape=(1, 2)).tostype("default")
    flawed = sparse.csr_matrix(([1, 2], [0, 1], [0, 1, 3]), shape=(2, 2))
    assert flawed.indptr.asnumpy().tolist() == [0, 1, 3]
    for use in (flawed.check_format, flawed.sum, flawed.copy().asnumpy, lambda: flawed + flawed):
        with pytest.raises(MXNetError, match="rise from 0"):
            use()
    with pytest.raises(MXNetError, match="rise from 0"):
        nd.dot(flawed, nd.ones((2, 2)))
    with pytest.raises(IndexOutOfBoundsError):
        rows.retain(nd.array([9]))
    with pytest.raises(IndexError):
        matrix[3]
    assert [row.asnumpy().tolist() for row in matrix][2] == [[0, 0, 3, 0]]


def test_retain_is_a_method_too(rows):
    kept = rows.retain(nd.array([3]))
    assert kept.indices.asnumpy().tolist() == [3]
    target = sparse.zeros("row_sparse", (4, 2))
    assert sparse.retain(rows, nd.array([1]), out=target) is target
    assert target.asnumpy()[1].tolist() == [1, 2]


def test_writing_elements_is_refused(rows):
    with pytest.raises(MXNetError, match="x\\[:\\]"):
        rows.to_dlpack_for_write()


def test_parts_are_copies(rows):
    rows.data[:] = 9
    assert rows.asnumpy().max() == 4


def test_an_assigned_variable_stays_one(rows):
    rows.attach_grad()
    rows[:] = nd.ones((4, 2))
    with autograd.record():
        loss = (rows * rows).sum()
    loss.backward()
    assert rows.grad.asnumpy().tolist() == [[2, 2]] * 4


def test_shape_and_size_without_the_dense_form(matrix):
    assert (matrix.size, matrix.ndim, matrix.shape) == (12, 2, (3, 4))
    assert hash(matrix) == hash(matrix)


def test_copies_share_nothing(rows, matrix):
    for array in (rows, matrix):
        other = copy.deepcopy(array)
        other *= 2
        assert (array.asnumpy() * 2 == other.asnumpy()).all()
        assert (pickle.loads(pickle.dumps(array)).asnumpy() == array.asnumpy()).all()


def test_to_scipy(matrix, monkeypatch):
    made = {}

    class Matrix:
        def __init__(self, parts, shape, dtype):
            made.update(parts=[part.tolist() for part in parts], shape=shape, dtype=dtype)

    module = ModuleType("scipy.sparse")
    module.csr_matrix = Matrix
    monkeypatch.setitem(sys.modules, "scipy", ModuleType("scipy"))
    monkeypatch.setitem(sys.modules, "scipy.sparse", module)
    assert isinstance(matrix.asscipy(), Matrix)
    assert made["parts"] == [[1, 2, 3], [1, 0, 2], [0, 1, 2, 3]]
    assert made["shape"] == (3, 4)
    assert made["dtype"] is np.float32


def test_from_scipy():
    class Matrix:
        """What is used of SciPy's class."""

        data, indices, indptr = np.array([1.0, 2.0]), np.array([1, 0]), np.array([0, 1, 2])
        shape, ndim = (2, 2), 2

        def tocsr(self):
            return self

        sorted_indices = sum_duplicates = tocsr

        def check_format(self):
            assert len(self.indptr) == 3

    Matrix.__module__ = "scipy.sparse._csr"
    assert sparse.array(Matrix()).asnumpy().tolist() == [[0, 1], [2, 0]]
    assert sparse.csr_matrix(Matrix(), dtype="float32").dtype is np.float32
    assert nd.array(Matrix()).stype == "csr"
    rows = mx.io.NDArrayIter({"data": Matrix()}, batch_size=1, last_batch_handle="discard")
    assert [batch.data[0].asnumpy().tolist() for batch in rows] == [[[0, 1]], [[2, 0]]]
    with pytest.raises(NotImplementedError):
        mx.io.NDArrayIter({"data": Matrix()}, batch_size=1)


def test_saved_parameters_keep_their_storage_type(tmp_path):
    parameters = gluon.ParameterDict("net_")
    weight = parameters.get("weight", shape=(4, 2), stype="row_sparse", grad_stype="row_sparse")
    parameters.initialize(mx.init.Zero())
    weight.set_data(nd.arange(8).reshape((4, 2)))
    path = str(tmp_path / "a.params")
    parameters.save(path)
    (saved,) = nd.load(path).values()
    assert saved.stype == "row_sparse"
    weight.set_data(nd.zeros((4, 2)))
    parameters.load(path)
    gluon.Trainer([weight], "sgd")
    assert weight.row_sparse_data(nd.array([3])).asnumpy()[3].tolist() == [6, 7]
    assert (weight.stype, weight.grad_stype) == ("row_sparse", "row_sparse")


def test_rows_of_a_parameter_are_its_variable():
    weight = gluon.Parameter("w", shape=(4, 2), stype="row_sparse", grad_stype="row_sparse")
    weight.initialize(mx.init.Zero())
    trainer = gluon.Trainer([weight], "adam", {"learning_rate": 1})
    for _ in range(2):
        with autograd.record():
            loss = embed([2], weight.row_sparse_data(nd.array([2])), 4).sum()
        loss.backward()
        trainer.step(1)
    assert weight.grad().indices.asnumpy().tolist() == [2]
    values = weight.row_sparse_data(nd.arange(4)).asnumpy()
    assert values[:, 0] == pytest.approx([0, 0, -2, 0], abs=1e-4)


def test_states_of_a_lazy_optimizer_are_saved(tmp_path):
    layer = gluon.nn.Embedding(4, 2, sparse_grad=True)
    layer.initialize()
    trainer = gluon.Trainer(layer.collect_params(), "sgd", {"momentum": 0.9})
    with autograd.record():
        loss = layer(nd.array([1])).sum()
    loss.backward()
    trainer.step(1)
    trainer.save_states(str(tmp_path / "a.states"))
    trainer.load_states(str(tmp_path / "a.states"))
    (state,) = trainer._updaters[0].states.values()
    assert (state.asnumpy() != 0).any(axis=1).tolist() == [False, True, False, False]


def test_states_may_be_sparse(rows):
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
    updater.set_states(pickle.dumps({0: rows}))
    assert updater.states[0].asnumpy().tolist() == rows.asnumpy().tolist()


def test_product_in_half_precision_and_integers():
    values = nd.array([[0, 1, 0], [2, 0, 3]])
    for dtype in ("float16", "float64", "int32"):
        left = values.astype(dtype).tostype("csr")
        right = nd.arange(6).reshape((3, 2)).astype(dtype)
        assert nd.dot(left, right).asnumpy().tolist() == [[2, 3], [12, 17]]


def test_empty_arrays():
    rows, matrix = sparse.zeros("row_sparse", (3, 2)), sparse.zeros("csr", (3, 2))
    assert not rows.asnumpy().any()
    assert not matrix.asnumpy().any()
    assert not (rows + rows).asnumpy().any()
    assert not nd.dot(matrix, nd.ones((2, 2))).asnumpy().any()
    assert nd.mean(matrix).asscalar() == 0
    assert nd.sum(matrix, axis=0).asnumpy().tolist() == [0, 0]
    assert sparse.retain(rows, nd.array([1])).asnumpy().tolist() == [[0, 0]] * 3


class TestProducts:
    """Products of csr arrays of every element type, also transposed and without elements."""

    VALUES = np.array([[0, 1, 0, 2], [0, 0, 0, 0], [3, 0, 0, 4]])

    @pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64"])
    def test_values_are_those_of_dense_matrices(self, dtype):
        matrix = nd.array(self.VALUES, dtype=dtype).tostype("csr")
        right, below = np.arange(8).reshape(4, 2), np.arange(6).reshape(3, 2)
        product = nd.dot(matrix, nd.array(right, dtype=dtype))
        flipped = nd.dot(matrix, nd.array(right.T, dtype=dtype), transpose_b=True)
        transposed = nd.dot(matrix, nd.array(below, dtype=dtype), transpose_a=True)
        assert product.asnumpy().tolist() == (self.VALUES @ right).tolist()
        assert flipped.asnumpy().tolist() == (self.VALUES @ right).tolist()
        assert transposed.asnumpy().tolist() == (self.VALUES.T @ below).tolist()

    def test_rows_of_the_transpose_are_those_of_columns_in_use(self):
        matrix = nd.array(self.VALUES).tostype("csr")
        product = nd.dot(matrix, nd.zeros((3, 2)), transpose_a=True)
        assert product.indices.asnumpy().tolist() == [0, 1, 3]

    @pytest.mark.parametrize("transposed", [False, True])
    def test_a_matrix_without_elements(self, transposed):
        matrix = sparse.zeros("csr", (3, 3))
        product = nd.dot(matrix, nd.ones((3, 2)), transpose_a=transposed)
        assert product.asnumpy().tolist() == [[0, 0]] * 3


def test_every_algorithm_that_a_declaration_can_name_exists_and_is_in_use():
    named = {op.traits.storage.algorithm for op in registry.all_ops()} - {None}
    assert named == set(_sparse_dispatch._ALGORITHMS) == set(get_args(SparseAlgorithm))


def test_a_declaration_chooses_the_algorithm_for_sparse_arrays(rows):
    traits = Traits(storage=Storage(algorithm="combine"))
    registry.elementary("odd_sum", torch.add, "Adds.", inputs=("lhs", "rhs"), traits=traits)
    try:
        result = nd.odd_sum(rows, rows)
    finally:
        registry.unregister(registry.get_op("odd_sum"))
    assert result.stype == "row_sparse"
    np.testing.assert_array_equal(result.asnumpy(), 2 * rows.asnumpy())
