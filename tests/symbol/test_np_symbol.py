"""Symbols of the NumPy dialect."""

import numpy as onp
import pytest

import mxnet as mx
from mxnet import np

_X = onp.arange(24, dtype="float32").reshape(2, 3, 4)


@pytest.mark.parametrize(
    "key",
    [
        *(0, -1, (0, 1), (0, 1, 2), (0, -1), slice(1, 2), slice(None, None, -1), slice(None), ()),
        *((slice(None), 1), (slice(None), slice(None, None, 2)), (0, slice(1, 3), -1)),
    ],
    ids=str,
)
def test_parts_are_those_of_arrays(key):
    part = mx.sym.var("x").as_np_ndarray()[key]
    (result,) = part.eval(x=np.array(_X))
    assert (result.shape, result.tolist()) == (_X[key].shape, _X[key].tolist())


def test_outputs_are_picked_by_number_and_name():
    x = mx.sym.var("x").as_np_ndarray()
    group = mx.sym.Group([x, x + 1]).as_np_ndarray()
    assert group[1].list_outputs() == group.list_outputs()[1:]
    assert group.get_internals()["x"].list_outputs() == ["x"]


@pytest.mark.parametrize("key", [None, ..., [0, 1], 1.5])
def test_other_keys_are_refused(key):
    with pytest.raises(IndexError, match="integers and slices"):
        mx.sym.var("x").as_np_ndarray()[key]


def test_operators_take_numbers_and_symbols_of_the_dialect():
    x = mx.sym.var("x").as_np_ndarray()
    graph = (2 - x * 3) / (x + x) > 0.5
    (result,) = graph.eval(x=np.array([0.25, 1.0]))
    assert (str(result.dtype), result.tolist()) == ("bool", [True, False])
    with pytest.raises(TypeError, match="as_np_ndarray"):
        x + mx.sym.var("y")
    with pytest.raises(TypeError, match="as_nd_ndarray"):
        mx.sym.relu(x)
    with pytest.raises(NotImplementedError, match="x = x"):
        x += 1


def test_shapes_may_be_empty():
    x = mx.sym.var("x").as_np_ndarray()
    assert mx.sym.np.exp(x).infer_shape(x=())[1] == [()]
    assert mx.sym.np.exp(x).infer_shape(x=(0, 2))[1] == [(0, 2)]
