"""Indexing operators on arrays that are too large for the tables of samples."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "uint8"])
@pytest.mark.parametrize("on_off", [(1, 0), (3, 2), (-1, 300)])
def test_one_hot_of_many_indices(dtype, on_off):
    indices = np.random.randint(-50, 250, (30, 40))
    on, off = on_off
    found = mx.nd.one_hot(mx.nd.array(indices), depth=200, on_value=on, off_value=off, dtype=dtype)
    expected = np.where(indices[..., None] == np.arange(200), on, off)
    np.testing.assert_array_equal(found.asnumpy(), expected.astype(dtype))
