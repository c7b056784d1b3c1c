"""Arrays of `mx.np` for all tests of this room."""

import pytest

import mxnet as mx


@pytest.fixture(autouse=True)
def np_arrays():
    with mx.np_array(True), mx.np_shape(True):
        yield
