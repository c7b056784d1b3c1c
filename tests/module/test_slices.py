"""Helpers of executor groups that programs import; results are those of the original."""

import numpy as np

import mxnet as mx
from mxnet.module import executor_group


def _targets(shape, *pieces):
    return [(slice(*piece), mx.nd.zeros(shape)) for piece in pieces]


def test_load_general_divides_along_the_axis():
    array = mx.nd.arange(8).reshape((4, 2))
    rows, columns = _targets((2, 2), (0, 2), (2, 4)), _targets((4, 1), (0, 1), (1, 2))
    whole, undivided = mx.nd.zeros((4, 2)), _targets((4, 2), (0, 2), (2, 4))
    executor_group._load_general(
        [array, array, array, array], [rows, columns, whole, undivided], [0, 1, 0, -1]
    )
    np.testing.assert_array_equal(rows[1][1].asnumpy(), [[4, 5], [6, 7]])
    np.testing.assert_array_equal(columns[1][1].asnumpy(), [[1], [3], [5], [7]])
    np.testing.assert_array_equal(whole.asnumpy(), array.asnumpy())
    np.testing.assert_array_equal(undivided[1][1].asnumpy(), array.asnumpy())


def test_load_data_takes_arrays_divided_already():
    halves = [mx.nd.ones((2, 2)), mx.nd.ones((2, 2)) * 2]
    targets = [mx.nd.zeros((2, 2)), mx.nd.zeros((2, 2))]
    batch = mx.io.DataBatch([halves], [halves])
    executor_group._load_data(batch, [targets], [0])
    assert targets[1].asnumpy().tolist() == [[2, 2], [2, 2]]
    executor_group._load_label(batch, [targets[::-1]], [0])
    assert targets[1].asnumpy().tolist() == [[1, 1], [1, 1]]


def test_merge_multi_context():
    array = mx.nd.ones((4, 2))
    merged = executor_group._merge_multi_context([[array, array]] * 3, [0, 1, -1])
    assert [item.shape for item in merged] == [(8, 2), (4, 4), (4, 2)]
