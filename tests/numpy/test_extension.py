"""`mx.npx`: files, checks, names of operators; their results are compared as samples."""

from __future__ import annotations

import inspect
import json
import pickle

import numpy as onp
import pytest

import mxnet as mx
from mxnet import autograd, np, npx
from mxnet.errors import MXNetError


@pytest.fixture(autouse=True)
def dialect():
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


def make_arrays() -> list:
    """Returns arrays of several dtypes, one without axes and one without elements."""
    return [
        np.array([1.0, 2.0]),
        np.array(3.0, dtype="float64"),
        np.zeros((0, 2)),
        np.array([True, False], dtype="bool"),
        np.array([[1, 2]], dtype="int32"),
    ]


def assert_equal(found, expected) -> None:
    assert type(found) is np.ndarray
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    assert (found.asnumpy() == expected.asnumpy()).all()


def test_lists_dictionaries_and_single_arrays_come_back(tmp_path):
    arrays = make_arrays()
    path = str(tmp_path / "arrays")
    npx.save(path, arrays)
    for found, expected in zip(npx.load(path), arrays, strict=True):
        assert_equal(found, expected)
    named = dict(zip("abcde", arrays, strict=True))
    npx.save(path, named)
    loaded = npx.load(path)
    assert list(loaded) == list(named)
    for name, expected in named.items():
        assert_equal(loaded[name], expected)
    npx.save(path, arrays[0])
    assert_equal(npx.load(path)[0], arrays[0])
    npx.save(path, [])
    assert npx.load(path) == []


def test_files_are_those_of_the_original(tmp_path):
    path = tmp_path / "arrays"
    npx.save(path, [np.array([1.0, 2.0]), np.array(3.0)])
    assert path.read_bytes().hex() == (
        "120100000000000000000000000000000200000000000000"
        "cafa93f9000000000100000002000000000000000100000000000000000000000000803f00000040"
        "cafa93f90000000000000000010000000000000000000000000040400000000000000000"
    )


def test_classic_files_and_archives_of_numpy_are_read(tmp_path):
    path = str(tmp_path / "classic")
    mx.nd.save(path, {"w": mx.nd.ones(2)})
    assert_equal(npx.load(path)["w"], np.ones(2))
    npx.savez(str(tmp_path / "archive.npz"), np.ones(2), named=np.array(3.0))
    with onp.load(tmp_path / "archive.npz") as archive:
        assert {name: archive[name].tolist() for name in archive} == {"arr_0": [1, 1], "named": 3}
    assert_equal(npx.load(str(tmp_path / "archive.npz"))["named"], np.array(3.0))


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (3, ValueError),
        ((1, 2), ValueError),
        (onp.ones(2), ValueError),
        ([1], TypeError),
        ({"a": 1}, TypeError),
    ],
)
def test_save_takes_arrays_of_this_dialect(tmp_path, data, error):
    with pytest.raises(error, match=r"mx\.np"):
        npx.save(str(tmp_path / "arrays"), data)


def test_the_other_dialect_is_told_what_to_call(tmp_path):
    with pytest.raises(TypeError, match="as_np_ndarray"):
        npx.save(str(tmp_path / "arrays"), [mx.nd.ones(2)])
    with mx.util.np_array(False), pytest.raises(ValueError, match="set_np"):
        npx.save(str(tmp_path / "arrays"), np.ones(2))
    with mx.util.np_array(False), pytest.raises(ValueError, match="set_np"):
        npx.load(str(tmp_path / "arrays"))
    with pytest.raises(TypeError, match="path"):
        npx.load(3)
    with pytest.raises(MXNetError):
        npx.load(str(tmp_path / "none"))


def test_constraint_check():
    assert npx.constraint_check(np.array([True, True], dtype="bool"), "wrong").item() is True
    with pytest.raises(ValueError, match="it is wrong"):
        npx.constraint_check(np.array([True, False], dtype="bool"), "it is wrong").asnumpy()


def test_operators_have_their_own_arguments_on_arrays_and_symbols():
    x = np.array([[1.0, -2.0], [3.0, 4.0]])
    names = [name for name in dir(npx) if name in dir(mx.sym.npx)]
    assert {"activation", "softmax", "pick", "topk", "one_hot", "batch_norm"} <= {*names}
    for name in ("relu", "sigmoid", "softmax", "log_softmax", "erf", "batch_flatten"):
        symbol = getattr(mx.sym.npx, name)(mx.sym.var("x").as_np_ndarray())
        (expected,) = symbol.eval(mx.cpu(), x=x)
        found = getattr(npx, name)(x)
        assert type(found) is type(expected) is np.ndarray
        assert (found.asnumpy() == expected.asnumpy()).all()
    assert "act_type" in inspect.signature(npx.activation).parameters


def test_files_have_the_names_of_the_original():
    x = mx.sym.var("x").as_np_ndarray()
    for symbol, operator in (
        (mx.sym.npx.relu(x), "_npx_relu"),
        (mx.sym.npx.activation(x, act_type="relu"), "Activation"),
        (mx.sym.npx.fully_connected(x, num_hidden=2), "FullyConnected"),
        (mx.sym.npx.reshape(x, (1, -1)), "_npx_reshape"),
        (mx.sym.npx.constraint_check(x, "m"), "_npx_constraint_check"),
    ):
        assert json.loads(symbol.tojson())["nodes"][-1]["op"] == operator


def test_layers_by_hand_train():
    x, weight = np.array([[1.0, 2.0]]), np.ones((3, 2))
    weight.attach_grad()
    with autograd.record():
        loss = npx.pick(
            npx.log_softmax(npx.fully_connected(x, weight, num_hidden=3, no_bias=True)),
            np.array([1]),
        ).sum()
    loss.backward()
    onp.testing.assert_allclose(
        weight.grad.asnumpy(), [[-1 / 3, -2 / 3], [2 / 3, 4 / 3], [-1 / 3, -2 / 3]], rtol=1e-5
    )


def test_images():
    image = np.array(onp.arange(24).reshape(4, 2, 3), dtype="uint8")
    tensor = npx.image.to_tensor(image)
    assert (type(tensor), tensor.shape, tensor.dtype) == (np.ndarray, (3, 4, 2), onp.float32)
    assert npx.image.crop(image, x=0, y=1, width=2, height=2).shape == (2, 2, 3)
    assert npx.image.copyMakeBorder(image, top=1, bot=1, left=2, right=2).shape == (6, 6, 3)


def test_arrays_survive_a_pickle():
    for array in make_arrays():
        assert_equal(pickle.loads(pickle.dumps(array)), array)


def test_in_mxnet_2_a_single_array_is_saved_in_numpys_format(tmp_path):
    path = tmp_path / "array"
    before = mx.set_version(2)
    try:
        for x in (mx.np.ones((2, 0, 1)), mx.np.array(3, dtype="int64"), mx.np.array([[1.5, 2]])):
            npx.save(path, x)
            found = npx.load(path)
            assert type(found) is mx.np.ndarray
            assert (found.tolist(), found.dtype) == (x.tolist(), x.dtype)
            assert onp.load(path).tolist() == x.tolist()
        npx.save(path, mx.nd.ones(2))
        assert npx.load(path).tolist() == [1, 1]
        npx.save(path, [x, x])
        assert len(npx.load(path)) == 2
        npx.savez(path, x)
        assert list(npx.load(path)) == ["arr_0"]
    finally:
        mx.set_version(before)
