"""Comparisons of several runs, statistics, sparse arrays and iterators."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet import test_utils as helpers


def make_net(prefix=None):
    net = gluon.nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(gluon.nn.Dense(3, in_units=2, activation="tanh"), gluon.nn.Dense(1, in_units=3))
    return net


def test_a_network_is_the_same_after_hybridize():
    data = [mx.nd.array([[1, 2], [3, 4]])]
    helpers.check_gluon_hybridize_consistency(make_net, data)
    with pytest.raises(AssertionError):
        helpers.check_gluon_hybridize_consistency(make_net, data, numpy_func=lambda x: x[:, :1])


def test_differences_may_be_logged(caplog):
    x = mx.sym.var("x")
    runs = [{"ctx": mx.cpu(0), "x": (2, 3)}] * 2
    with caplog.at_level(logging.WARNING):
        helpers.check_consistency([x * 1, x * 2], runs, raise_on_err=False)
    assert "run 1" in caplog.text


def test_the_right_results_may_be_given():
    x = mx.sym.var("x")
    product = mx.sym.broadcast_add(x, x, name="s")
    runs = [{"ctx": mx.cpu(i), "x": (3,)} for i in range(2)]
    truth = {"s_output": np.array([2, 4, 6]), "x": np.array([4, 8, 12])}
    given = {"x": np.array([1, 2, 3])}
    found = helpers.check_consistency(product, runs, arg_params=given, ground_truth=truth)
    assert found == truth
    truth["x"] = truth["x"] + 1
    with pytest.raises(AssertionError, match="x of run 0"):
        helpers.check_consistency(product, runs, arg_params=given, ground_truth=truth)


def test_generators():
    values = np.random.RandomState(0)
    buckets, probs = helpers.gen_buckets_probs_with_ppf(lambda q: 2 * q, 5)
    p_values = helpers.verify_generator(
        lambda n: values.uniform(0, 2, n), buckets, probs, nsamples=10000, nrepeat=3
    )
    assert len(p_values) == 3
    with pytest.raises(AssertionError, match="0 of 3"):
        helpers.verify_generator(
            lambda n: values.uniform(0, 1.8, n), buckets, probs, nsamples=10000, nrepeat=3
        )
    p, observed, expected = helpers.chi_square_check(
        lambda n: np.arange(n) % 4, [0, 1, 2, 3], [0.25] * 4, nsamples=100
    )
    assert p == 1
    assert list(observed) == list(expected) == [25] * 4
    assert helpers.mean_check(lambda n: values.normal(1, 2, n), 1, 2, 10000)
    assert not helpers.mean_check(lambda n: values.normal(1.5, 2, n), 1, 2, 10000)
    assert helpers.var_check(lambda n: values.normal(1, 2, n), 2, 10000)
    assert not helpers.var_check(lambda n: values.normal(1, 2.2, n), 2, 10000)


@pytest.mark.parametrize("density", [0, 0.3, 1])
def test_sparse_rows(density):
    np.random.seed(0)
    array, (ends, columns, values) = helpers.rand_sparse_ndarray(
        (50, 20), "csr", density=density, data_init=3, shuffle_csr_indices=True
    )
    assert ends.shape == (51,)
    assert abs(len(columns.asnumpy()) / 1000 - density) < 0.05
    assert set(values.asnumpy()) <= {3}
    assert array.asnumpy().sum() == 3 * len(columns.asnumpy())


def test_an_iterator_that_gives_the_same_batch():
    data = mx.io.NDArrayIter(np.arange(8).reshape(4, 2), np.arange(4), batch_size=2)
    dummy = helpers.DummyIter(data)
    first = dummy.next()
    assert [batch is first for _, batch in zip(range(5), dummy, strict=False)] == [True] * 5
    assert dummy.provide_data == data.provide_data
    np.testing.assert_array_equal(first.data[0].asnumpy(), [[0, 1], [2, 3]])


def test_matrices():
    q = helpers.new_orthonormal_matrix_2d(4)
    np.testing.assert_allclose(q @ q.T, np.eye(4), atol=1e-12)
    real = helpers.new_matrix_with_real_eigvals_nd((2, 3, 3))
    assert np.abs(np.linalg.eigvals(real).imag).max() < 1e-9
    symmetric = helpers.new_sym_matrix_with_real_eigvals_nd((2, 3, 3))
    np.testing.assert_array_equal(symmetric, symmetric.transpose(0, 2, 1))
