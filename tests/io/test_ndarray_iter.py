"""`NDArrayIter`, where it goes beyond the original; the rest is in `tests/programs`."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.io import NDArrayIter


def values(iterator):
    return [batch.data[0].asnumpy().tolist() for batch in iterator]


def test_shuffling_keeps_the_element_type():
    large = mx.nd.array([2**25 + 1, 2**25 + 3], dtype="int32")
    batch = NDArrayIter(large, None, 2, shuffle=True).next()
    assert batch.data[0].dtype == np.int32
    assert sorted(batch.data[0].asnumpy().tolist()) == [2**25 + 1, 2**25 + 3]


def test_data_and_labels_are_shuffled_alike():
    iterator = NDArrayIter(np.arange(20), np.arange(20) * 3, 5, shuffle=True)
    for _ in range(3):
        for batch in iterator:
            assert np.array_equal(batch.data[0].asnumpy() * 3, batch.label[0].asnumpy())
        iterator.reset()


def test_sparse_data_is_shuffled():
    data = mx.nd.array(np.diag(np.arange(1, 7))).tostype("csr")
    iterator = NDArrayIter(data, np.arange(6), 2, shuffle=True, last_batch_handle="discard")
    for batch in iterator:
        rows = batch.data[0].asnumpy().argmax(axis=1)
        assert rows.tolist() == batch.label[0].asnumpy().tolist()


def test_the_layout_says_along_which_axis_to_cut():
    data = np.arange(12).reshape(2, 6)
    iterator = NDArrayIter(data, np.arange(6), 4, layout="TN")
    assert iterator.num_data == 6
    assert iterator.provide_data[0].shape == (2, 4)
    assert iterator.provide_label[0].shape == (4,)
    first, second = list(iterator)
    assert first.data[0].asnumpy().tolist() == data[:, :4].tolist()
    assert second.data[0].asnumpy().tolist() == data[:, [4, 5, 0, 1]].tolist()
    assert second.label[0].asnumpy().tolist() == [4, 5, 0, 1]
    shuffled = NDArrayIter(data, np.arange(6), 6, layout="TN", shuffle=True).next()
    assert (shuffled.data[0].asnumpy()[0] == shuffled.label[0].asnumpy()).all()


def test_data_smaller_than_half_a_batch():
    padded = NDArrayIter(np.arange(2), None, 5)
    batch = padded.next()
    assert batch.data[0].asnumpy().tolist() == [0, 1, 0, 1, 0]
    assert batch.pad == 3
    rolled = NDArrayIter(np.arange(2), None, 5, last_batch_handle="roll_over")
    rounds = []
    for _ in range(4):
        rounds.append(values(rolled))
        rolled.reset()
    assert rounds == [[], [], [[0, 1, 0, 1, 0]], []]


def test_a_second_reset_drops_what_rolled_over():
    iterator = NDArrayIter(np.arange(5), None, 4, last_batch_handle="roll_over")
    values(iterator)
    iterator.reset()
    assert values(iterator) == [[4, 0, 1, 2]]
    iterator.reset()
    iterator.reset()
    assert values(iterator) == [[0, 1, 2, 3]]


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="pad, discard, roll_over, got 'keep'"):
        NDArrayIter(np.arange(4), None, 2, last_batch_handle="keep")
    with pytest.raises(ValueError, match="`batch_size` takes a positive number, got 0"):
        NDArrayIter(np.arange(4), None, 0)
    with pytest.raises(TypeError, match=r"`data` takes .* got tuple"):
        NDArrayIter((np.arange(4),), None, 2)
    with pytest.raises(TypeError, match="got the number"):
        NDArrayIter(np.array(5), None, 1)


def test_array_likes_of_other_libraries_are_taken():
    class Dataset:
        """Looks like a dataset of h5py."""

        shape = (4,)

        def __array__(self, dtype=None, copy=None):
            return np.arange(4, dtype=dtype)

    assert values(NDArrayIter(Dataset(), None, 4)) == [[0, 1, 2, 3]]


def test_helpers_have_the_names_of_the_original():
    assert mx.io._init_data(np.ones(2), False, "d")[0][0] == "d"
    assert mx.io.utils._has_instance([("a", mx.nd.ones(2))], mx.nd.NDArray)
    assert mx.io.io.NDArrayIter is NDArrayIter
