"""Indexing and assignment of `mx.np` arrays, which are NumPy's."""

import numpy as onp
import pytest

import mxnet as mx
from mxnet import autograd, np

_VALUES = onp.arange(24, dtype="float32").reshape(2, 3, 4)
_MASK = _VALUES > 5

KEYS = [
    *(0, -1, (0, 1), (0, 1, 2), slice(0, 1), slice(None, None, -1), slice(5, 0, -2), slice(1, 1)),
    *((slice(None), 1), (slice(None), slice(None, None, 2)), (slice(0, 0), 1), onp.int64(1)),
    *(None, (None, 0), (0, None), Ellipsis, (..., 0), (0, ...), (0, ..., None)),
    *([0, 1], [0], [[0, 1], [1, 0]], ([0, 1], [1, 2]), ([0, 1], slice(None), [1, 2])),
    *((0, slice(None), [1, 2]), (slice(None), [0, 2], [1, 2]), ([[0], [1]], [0, 1])),
    *(([-1, 0], 1), ([0, 1], None), ([0, 1], None, [0, 1]), (1, slice(None, None, -1), [0, 1])),
    *(_MASK, _MASK[..., 0], (0, _MASK[0]), ([True, False], 0), (0, [True, False, True])),
    *((slice(None), onp.array([True, False, True])), [True, False], True, False),
    *(onp.array([1, 0]), onp.array(1), onp.array([], dtype="int64")),
]


def _as_mx(key):
    """Replaces NumPy's arrays in a key by ours."""
    if isinstance(key, tuple):
        return tuple(map(_as_mx, key))
    return np.array(key) if isinstance(key, onp.ndarray) else key


def _names(key):
    return repr(key).replace("\n", "")[:40]


@pytest.mark.parametrize("key", KEYS, ids=_names)
def test_parts_are_those_of_numpy(key):
    for given in (key, _as_mx(key)):
        part = np.array(_VALUES)[given]
        assert (type(part), part.shape) == (np.ndarray, _VALUES[key].shape)
        assert part.asnumpy().tolist() == _VALUES[key].tolist()


@pytest.mark.parametrize("key", KEYS, ids=_names)
@pytest.mark.parametrize("value", [-1, onp.float32(-2), "array"])
def test_assignments_are_those_of_numpy(key, value):
    expected, array = _VALUES.copy(), np.array(_VALUES)
    if isinstance(value, str):
        value = onp.full_like(_VALUES[key], -4)
    expected[key] = value
    array[_as_mx(key)] = np.array(value) if isinstance(value, onp.ndarray) else value
    assert array.asnumpy().tolist() == expected.tolist()


@pytest.mark.parametrize("key", KEYS, ids=_names)
def test_parts_are_differentiable(key):
    array = np.array(_VALUES)
    array.attach_grad()
    with autograd.record():
        result = array[_as_mx(key)] * 2
    result.backward()
    expected = onp.zeros_like(_VALUES)
    onp.add.at(expected, key, 2)
    assert array.grad.asnumpy().tolist() == expected.tolist()


def test_one_block_of_memory_is_shared():
    array = np.array(_VALUES)
    array[0, 1][...] = -1
    array[0, 0, 0][()] = -2
    array[:, 2][...] = 7  # not one block: a copy
    assert array[0].asnumpy().tolist() == [[-2, 1, 2, 3], [-1] * 4, [8, 9, 10, 11]]


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (5, IndexError),
        ((0, 1, 2, 3), IndexError),
        ((..., ...), IndexError),
        ([2, 0], IndexError),
        (([0, 1], [0, 1, 2]), ValueError),
        (np.array(_MASK[0]), IndexError),
        (1.0, ValueError),
        ("a", ValueError),
    ],
)
def test_keys_that_do_not_fit(key, error):
    with pytest.raises(error):
        np.array(_VALUES)[key]
    with pytest.raises(error):
        np.array(_VALUES)[key] = 1


def test_classic_arrays_have_scalars_inside_of_np_shape():
    array = mx.nd.ones((2, 2))
    with mx.util.np_shape():
        assert array[0, 0].shape == ()
    assert array[0, 0].shape == (1,)
