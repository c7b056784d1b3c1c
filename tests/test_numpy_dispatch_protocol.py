"""`mx.numpy_dispatch_protocol`: what NumPy's functions run on arrays of `mx.np`."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx

protocol = mx.numpy_dispatch_protocol


def test_what_runs_for_a_function_of_numpy():
    assert protocol._NUMPY_ARRAY_FUNCTION_DICT[np.mean] is mx.np.mean
    assert protocol._NUMPY_ARRAY_FUNCTION_DICT[np.linalg.norm] is mx.np.linalg.norm
    assert protocol._NUMPY_ARRAY_UFUNC_DICT["add"] is mx.np.add


def test_names_of_the_original():
    functions = "all argsort clip concatenate dot einsum pad reshape take where linalg.inv"
    assert set(functions.split()) <= set(protocol._NUMPY_ARRAY_FUNCTION_LIST)
    ufuncs = "add arctan2 bitwise_and exp hypot logical_not matmul power sqrt true_divide"
    assert set(ufuncs.split()) <= set(protocol._NUMPY_ARRAY_UFUNC_LIST)


def test_names_that_only_mxnet_2_has_run_ours_and_are_not_listed():
    assert np.isin(["cross", "median", "triu"], protocol._NUMPY_ARRAY_FUNCTION_LIST).sum() == 0
    assert np.isin(["floor_divide", "gcd"], protocol._NUMPY_ARRAY_UFUNC_LIST).sum() == 0
    assert type(np.triu(mx.np.ones((2, 2)))) is mx.np.ndarray
    assert type(np.floor_divide(mx.np.array([4]), mx.np.array([6]))) is mx.np.ndarray


@pytest.mark.parametrize(
    "decorate", [protocol.with_array_function_protocol, protocol.with_array_ufunc_protocol]
)
def test_decorators(decorate):
    results = []

    @decorate
    def compute(x, *, axis):
        results.append(np.mean(np.add(x, 1), axis=axis))
        return 5

    assert compute(mx.np.ones((2, 3)), axis=0) is None
    assert compute.__name__ == "compute"
    assert type(results[0]) is mx.np.ndarray
    with pytest.raises(RuntimeError, match="function compute failed with NumPy's array"):
        compute(mx.np.ones((2, 3)), axis=7)


def test_duplicates():
    assert protocol._find_duplicate(["a", "b", "a", "b"]) == "a"
    assert protocol._find_duplicate(["a", "b"]) is None


def test_implements_lists_a_function(monkeypatch):
    functions = {}
    monkeypatch.setattr(protocol, "_NUMPY_ARRAY_FUNCTION_DICT", functions)

    @protocol._implements(np.prod)
    def multiply(*args):
        return args

    assert functions == {np.prod: multiply}
