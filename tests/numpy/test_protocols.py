"""NumPy's protocols, functions that NumPy computes, and the exchange of memory."""

import numpy as onp
import pytest

import mxnet as mx
from mxnet import autograd, np

_X = onp.array([[3, 1, 2], [4, 6, 5]], dtype="float32")
_V, _W = onp.array([1, 2, 4, 7], dtype="float32"), onp.array([2, 1, 3, 5], dtype="float32")
_HOLES = onp.array([[1, onp.nan], [3, 4]], dtype="float32")
_MATRIX = onp.array([[2, 1], [1, 3]], dtype="float32")


def _on_arrays(function, *values):
    """Calls a function with arrays in the place of NumPy's."""
    return function(*[np.array(item) if isinstance(item, onp.ndarray) else item for item in values])


def test_functions_of_numpy_run_ours():
    x = np.array(_X)
    for result in (onp.sin(x), onp.concatenate([x, x]), onp.add(x, 1), onp.add(x, x)):
        assert type(result) is np.ndarray
    assert onp.sin(x).asnumpy().tolist() == np.sin(x).asnumpy().tolist()
    assert type(onp.float32(2) * x) is np.ndarray


def test_functions_of_numpy_are_differentiable():
    x = np.array(_X)
    x.attach_grad()
    with autograd.record():
        y = onp.square(x)
    y.backward()
    assert x.grad.asnumpy().tolist() == (2 * _X).tolist()


def test_functions_that_only_numpy_has_give_arrays():
    result = onp.logaddexp(np.array(_X), np.array(_X))
    assert type(result) is np.ndarray
    assert onp.allclose(result.asnumpy(), onp.logaddexp(_X, _X))
    assert onp.add.reduce(np.array(_X)).asnumpy().tolist() == [7, 7, 7]


def test_results_of_ufuncs_are_written_to_either_kind_of_array():
    x, theirs, ours = np.array(_X), onp.zeros_like(_X), np.array(onp.zeros_like(_X))
    assert onp.add(x, x, out=theirs) is theirs
    assert onp.add(x, x, out=ours) is ours
    assert theirs.tolist() == ours.asnumpy().tolist() == (2 * _X).tolist()


def test_arrays_of_numpy_do_not_mix_with_ours():
    with pytest.raises(TypeError, match=r"mx\.np\.array"):
        _X + np.array(_X)
    with pytest.raises(TypeError, match="not supported"):
        np.array(_X) + _X


def test_gradients_are_not_lost_silently():
    x = np.array(_X)
    x.attach_grad()
    with autograd.record(), pytest.raises(ValueError, match="no gradient"):
        onp.nextafter(x, x)


_CALLS = [
    ("argwhere", _X > 2),
    ("choose", onp.array([1, 0]), [_X[0, :2], _X[1, :2]]),
    ("compress", [True, False], _X, 0),
    ("corrcoef", _X),
    ("correlate", _V, _W),
    ("cov", _V, _W),
    ("digitize", _V, _W[[1, 0, 2]]),
    ("extract", _X > 2, _X),
    ("flatnonzero", _X > 2),
    ("float_power", _V, 2),
    ("heaviside", _V - 2, 0.5),
    ("i0", _V),
    ("interp", _V, _V, _W),
    ("intersect1d", _V, _W),
    ("isin", _X, _V),
    ("nancumsum", _HOLES),
    ("nanmax", _HOLES, 0),
    ("nanprod", _HOLES, 1),
    ("partition", _W, 2),
    ("polyfit", _V, _W, 1),
    ("polymul", _V, _W),
    ("ptp", _X, 0),
    ("rollaxis", _X, 1),
    ("searchsorted", _V, _W),
    ("select", [_V < 2, _V > 4], [_V, _W]),
    ("take_along_axis", _X, onp.array([[0], [1]]), 1),
    ("union1d", _V, _W),
    ("vander", _V),
    ("linalg.matrix_power", _MATRIX, 3),
]


@pytest.mark.parametrize("call", _CALLS, ids=lambda call: call[0])
def test_functions_that_numpy_computes(call):
    name, *args = call
    theirs, ours = onp, np
    for part in name.split("."):
        theirs, ours = getattr(theirs, part), getattr(ours, part)
    nested = [
        [np.array(i) for i in item]
        if isinstance(item, list) and isinstance(item[0], onp.ndarray)
        else item
        for item in args
    ]
    result, expected = _on_arrays(ours, *nested), theirs(*args)
    assert (type(result), result.dtype, result.shape) == (
        np.ndarray,
        expected.dtype,
        expected.shape,
    )
    assert onp.allclose(result.asnumpy(), expected)


_DIFFERENTIABLE = [
    *(("corrcoef", _X), ("cov", _X), ("nanmax", _HOLES, 0), ("nancumsum", _HOLES), ("ptp", _X, 1)),
    *(("nanprod", _HOLES), ("nancumprod", _HOLES), ("nanmedian", _HOLES), ("trapz", _V)),
    *(("vander", _V), ("i0", _V), ("rollaxis", _X, 1), ("positive", _V), ("partition", _W, 1)),
    *(("take_along_axis", _X, onp.array([[0], [-1]]), 1), ("extract", _X > 2, _X)),
    *(("nanquantile", _HOLES, 0.3), ("nanpercentile", _HOLES, 30, 1), ("float_power", _V, 3)),
    *(("linalg.matrix_power", _MATRIX, 2), ("linalg.cond", _MATRIX), ("linalg.qr", _MATRIX)),
]


@pytest.mark.parametrize("call", _DIFFERENTIABLE, ids=lambda call: call[0])
def test_recorded_calls_are_computed_by_torch(call):
    name, *args = call
    ours = np
    for part in name.split("."):
        ours = getattr(ours, part)
    arrays = [np.array(item) if isinstance(item, onp.ndarray) else item for item in args]
    variable = arrays[1] if name == "extract" else arrays[0]
    expected = ours(*arrays)
    variable.attach_grad()
    with autograd.record():
        result = ours(*arrays)
    results = result if isinstance(result, tuple) else (result,)
    for item, other in zip(
        results, expected if isinstance(result, tuple) else (expected,), strict=True
    ):
        assert onp.allclose(item.asnumpy(), onp.asarray(other), rtol=1e-5)
    autograd.backward(list(results))
    gradient = variable.grad.asnumpy()
    assert onp.isfinite(gradient).all() and (gradient.any() or name in ("corrcoef", "cov"))


def test_functions_that_numpy_has_removed_say_so():
    with pytest.raises(NotImplementedError, match="numpy_financial"):
        np.npv(0.1, [1, 2])


def test_memory_is_exchanged():
    x = np.array(_X)
    theirs = onp.from_dlpack(x)
    x[0, 0] = -1
    assert theirs[0, 0] == -1
    assert onp.asarray(x).tolist() == x.tolist()
    assert type(mx.nd.from_dlpack(x)) is mx.nd.NDArray


def test_items_and_lists():
    x = np.array(_X)
    assert (x.item(2), x.item(1, 0), x.item((1, 2)), np.array(3).item()) == (2, 4, 5, 3)
    assert (x.tolist(), np.array(2).tolist()) == (_X.tolist(), 2)
    with pytest.raises(ValueError, match="size 1"):
        x.item()


def test_functions_with_other_defaults_are_those_of_numpy():
    matrix = np.arange(6).reshape(2, 3)
    left, values, right = onp.linalg.svd(matrix)
    assert (left.shape, values.shape, right.shape) == ((2, 2), (2,), (3, 3))
    assert isinstance(right, np.ndarray)
    counts, edges = onp.histogram(matrix)
    assert (int(counts.sum()), edges.shape) == (6, (11,))
