"""What libraries use of `NDArray` although it is not public."""

import numpy as np
import pytest

import mxnet as mx


def test_rows_share_memory():
    x = mx.nd.zeros((2, 3))
    x._slice(0, 1)[:] = 9
    x._at(1)[:] = 3
    assert x.asnumpy().tolist() == [[9, 9, 9], [3, 3, 3]]
    assert x._full(7) is x
    assert x.asnumpy().tolist() == [[7, 7, 7]] * 2


def test_elements_are_copied_from_numpy():
    x = mx.nd.zeros((2, 3))
    x._sync_copyfrom(np.arange(6).reshape(2, 3))
    assert x.asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(ValueError, match="shape"):
        x._sync_copyfrom(np.arange(6))
    with pytest.raises(TypeError, match="NumPy"):
        x._sync_copyfrom(mx.nd.ones((2, 3)))
