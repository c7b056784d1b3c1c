"""The array class of the NumPy dialect."""

import copy
import operator
import pickle

import numpy as onp
import pytest

import mxnet as mx
from mxnet import np, npx


def test_arrays_may_have_no_axes_or_no_elements():
    scalar, empty = np.array(3), np.array([[], []])
    assert (scalar.shape, scalar.size, float(scalar)) == ((), 1, 3.0)
    assert (empty.shape, empty.size) == ((2, 0), 0)
    with pytest.raises(TypeError, match="unsized"):
        len(scalar)


@pytest.mark.parametrize(
    ("source", "dtype"),
    [
        ([1, 2], "float32"),
        (True, "float32"),
        (onp.array([1, 2]), "int64"),
        (onp.float64(3), "float64"),
        (onp.array([True]), "bool"),
    ],
)
def test_dtype_of_new_arrays(source, dtype):
    assert np.array(source).dtype == onp.dtype(dtype)


def test_arrays_of_the_other_dialect_are_converted_not_copied():
    classic = mx.nd.ones(2)
    array = classic.as_np_ndarray()
    array[:] = 3
    assert (type(array), classic.asnumpy().tolist()) == (np.ndarray, [3, 3])
    assert type(array.as_nd_ndarray()) is mx.nd.NDArray
    with pytest.raises(ValueError, match="as_np_ndarray"):
        np.array(classic)


def test_mixing_dialects_says_what_to_call():
    array, classic = np.array([1.0, 2]), mx.nd.ones(2)
    with pytest.raises(TypeError, match="as_nd_ndarray"):
        mx.nd.relu(array)
    for left, right in ((classic, array), (array, classic)):
        with pytest.raises(TypeError, match="as_np_ndarray"):
            left + right
    with pytest.raises(TypeError, match="as_np_ndarray"):
        np.sin(classic)
    with pytest.raises(TypeError, match="as_np_ndarray"):
        mx.sym.np.sin(mx.sym.var("x"))


@pytest.mark.parametrize("name", ["ceil", "fix", "floor", "trunc"])
@pytest.mark.parametrize(
    ("number", "dtype"),
    [(7, "float64"), (True, "float16"), (onp.int8(7), "float16"), (onp.uint16(7), "float32")],
)
def test_integers_are_rounded_to_floats_by_every_release_of_numpy(name, number, dtype):
    for package in (mx.np, mx.sym.np):
        found = getattr(package, name)(number)
        assert found == number
        assert found.dtype == dtype


def test_functions_on_numbers_are_numpys():
    assert np.sin(1.0) == onp.sin(1.0)


def test_functions_write_into_out():
    x, out = np.array([1.0, 2]), np.array([0.0, 0])
    assert np.exp(x, out=out) is out
    assert onp.allclose(out.asnumpy(), onp.exp([1, 2]))


def test_functions_are_differentiable():
    x = np.array([1.0, 2])
    x.attach_grad()
    with mx.autograd.record():
        y = np.square(x)
    y.backward()
    assert (type(x.grad), x.grad.asnumpy().tolist()) == (np.ndarray, [2, 4])


def test_options_of_ufuncs():
    x = np.array([1.0])
    assert np.sqrt(x, where=True, casting="same_kind").asnumpy() == [1]
    with pytest.raises(NotImplementedError, match="where=False"):
        np.sqrt(x, where=False)
    with pytest.raises(TypeError, match="invalid keyword"):
        np.sqrt(x, foo=1)


def test_symbols_have_the_functions_too():
    with mx.name.NameManager():
        result = mx.sym.np.sqrt(mx.sym.var("x").as_np_ndarray())
    assert (type(result), result.list_outputs()) == (mx.sym.np._Symbol, ["sqrt0_output"])
    assert type(result.as_nd_ndarray()) is mx.sym.Symbol


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.array([[1, 2.5]]), "array([[1. , 2.5]])"),
        (np.array(3), "array(3.)"),
        (np.array([1], dtype="int64"), "array([1], dtype=int64)"),
        (np.array([1, 2], dtype="float64"), "array([1., 2.], dtype=float64)"),
        (np.array(onp.zeros((0, 2), "int32")), "array([], shape=(0, 2), dtype=int32)"),
        (np.array(onp.zeros((0, 2), "float32")), "array([], shape=(0, 2))"),
        (np.array(True, dtype=bool), "array(True)"),
        (np.array(onp.zeros((2, 0), bool)), "array([], shape=(2, 0), dtype=bool)"),
    ],
)
def test_repr(array, text):
    assert repr(array) == text


def test_str_shows_the_elements_alone():
    assert (str(np.array([[1, 2]])), str(np.array(6))) == ("[[1. 2.]]", "6.0")


@pytest.mark.parametrize("values", [3, [[1, 2]], [[], []]])
def test_arrays_are_pickled(values):
    array = pickle.loads(pickle.dumps(np.array(values)))
    assert (type(array), array.tolist()) == (np.ndarray, np.array(values).tolist())
    assert type(copy.deepcopy(array)) is np.ndarray


def test_operators_keep_the_dialect():
    x = np.array([[1.0, -2], [3, 4]])
    results = [-x, abs(x), x.T, x + 1, 1 - x, x / 2, 2**x, x % 3, x @ x, x > 0, x == x, round(x)]
    assert {type(item) for item in results} == {np.ndarray}
    mask = x > 0
    mask &= ~mask
    assert (str(mask.dtype), bool(mask.any())) == ("bool", False)
    assert f"{np.array(2.5):.2f}" == "2.50"


def test_methods_of_the_other_dialect_are_not_here():
    x = np.array([1.0])
    with pytest.raises(AttributeError, match=r"mx\.npx"):
        x.relu()
    with pytest.raises(AttributeError, match="asscalar"):
        x.asscalar()


def test_numbers_stand_before_operators_on_bits():
    x = np.array([1, 2, 3], dtype="int32")
    assert [(3 & x).tolist(), (4 | x).tolist(), (3 ^ x).tolist()] == [
        [1, 2, 3],
        [5, 6, 7],
        [2, 1, 0],
    ]
    y = +x
    y += 1
    assert (x.tolist(), y.tolist()) == ([1, 2, 3], [2, 3, 4])


@pytest.mark.parametrize(("version", "in_place"), [(1, False), (2, True)])
def test_powers_in_place(version, in_place):
    before = mx.set_version(version)
    try:
        x = same = np.array([1, 2, 3])
        x **= 2
    finally:
        mx.set_version(before)
    assert x.tolist() == [1, 4, 9]
    assert (x is same) is in_place


def test_in_mxnet_2_only_single_integers_are_an_index():
    before = mx.set_version(2)
    try:
        assert operator.index(np.array(3, dtype="int64")) == 3
        for x in (np.array([3], dtype="int32"), np.array(True), np.array(3.0)):
            with pytest.raises(TypeError, match="only integers without axes"):
                operator.index(x)
    finally:
        mx.set_version(before)


def test_memory_is_shared_with_arrays_of_numpy():
    values = onp.ones((3, 2), "float32")
    x = npx.from_numpy(values)
    assert onp.shares_memory(values, x)
    assert onp.may_share_memory(x[1:], values[1:])
    assert not np.shares_memory(values[:1], x[2:])
    assert not np.shares_memory(x.copy(), values)
