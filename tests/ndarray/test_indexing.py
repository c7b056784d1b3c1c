"""Indices that end the original's process or spoil its memory."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet import nd


@pytest.fixture
def x():
    return nd.arange(24).reshape((2, 3, 4))


@pytest.mark.parametrize(
    "key",
    [[5], [-3], nd.array([5]), ([0, 1], [0, 5]), (slice(None), [3]), (slice(None, None, -1), [3])],
)
def test_index_arrays_are_checked_before_a_write(x, key):
    before = x.asnumpy().tolist()
    for value in (1, nd.ones((1,)), [1, 2, 3, 4]):
        with pytest.raises(IndexError):
            x[key] = value
    assert x.asnumpy().tolist() == before


def test_integers_divided_by_zero_do_not_end_the_process():
    i, zero = nd.array([1, 2], dtype="int32"), nd.array([0, 1], dtype="int32")
    for divide in (lambda: i / 0, lambda: i / zero, lambda: 1 / zero):
        with pytest.raises(mx.MXNetError, match="ZeroDivisionError"):
            divide()
    for remainder in (i % 0, i % zero):
        assert remainder.asnumpy().tolist() == [0, 0]


def test_a_value_may_overlap_with_what_it_is_assigned_to():
    x = nd.arange(6)
    x[2:] = x[:-2]
    assert x.asnumpy().tolist() == [0, 1, 0, 1, 2, 3]
    x[::-1] = x
    assert x.asnumpy().tolist() == [3, 2, 1, 0, 1, 0]
    y = nd.arange(4).reshape((2, 2))
    y[:] = y[1]
    assert y.asnumpy().tolist() == [[2, 3], [2, 3]]


@pytest.mark.parametrize(("dtype", "wrapped"), [("uint8", 44), ("int8", 44), ("int32", 300)])
def test_numbers_that_an_integer_cannot_hold_wrap_around(dtype, wrapped):
    x = nd.zeros((2,), dtype=dtype)
    x[0] = 300
    x[1:] = 300
    assert x.asnumpy().tolist() == [wrapped, wrapped]
