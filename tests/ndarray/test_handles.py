"""Callbacks that are written for handles of the original get arrays from them."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import mxnet as mx
from mxnet.base import MXNetError, NDArrayHandle


def test_callbacks_turn_handles_into_arrays():
    seen = {}

    def look(name: bytes, handle: object) -> None:
        array = mx.nd.NDArray(ctypes.cast(handle, NDArrayHandle), writable=False)
        seen[name] = array.copyto(mx.cpu()).asnumpy()

    executor = mx.sym.exp(mx.sym.var("x"), name="e").bind(mx.cpu(), {"x": mx.nd.ones(2)})
    executor.set_monitor_callback(look)
    executor.forward()
    assert seen.keys() == {b"e_output"}
    assert np.allclose(seen[b"e_output"], np.e)


def test_an_array_of_a_handle_shares_its_storage():
    array = mx.nd.zeros(3)
    same = mx.nd.NDArray(ctypes.cast(array, NDArrayHandle))
    same[:] = 2
    assert array.asnumpy().tolist() == [2, 2, 2]
    assert same.context == array.context


def test_other_handles_raise():
    array = mx.nd.zeros(3)
    handle = ctypes.cast(array, NDArrayHandle)
    del array
    for wrong in (handle, 5):
        with pytest.raises(MXNetError, match=r"expected the handle of an array.*mx\.nd\.array"):
            mx.nd.NDArray(wrong)


def test_an_array_without_a_handle_is_empty():
    assert mx.nd.NDArray().size == 0
