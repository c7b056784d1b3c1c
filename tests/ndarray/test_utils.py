"""Saving and loading arrays, and files that are missing, damaged or half-written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd

DTYPES = (
    "float16",
    "float32",
    "float64",
    "bfloat16",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "bool",
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "arrays.params"


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_trip_of_every_dtype(path, dtype):
    x = nd.array([[0, 1, 2], [3, 4, 5]], dtype=dtype)
    nd.save(path, {"x": x})
    loaded = nd.load(path)["x"]
    assert loaded.dtype == x.dtype
    assert loaded.shape == x.shape
    assert loaded.asnumpy().tobytes() == x.asnumpy().tobytes()


@pytest.mark.parametrize("kind", [str, Path, os.fspath])
def test_names_of_files(path, kind):
    nd.save(kind(path), nd.array([1]))
    assert nd.load(kind(path))[0].asscalar() == 1


def test_lists_and_dictionaries(path):
    x, y = nd.array([1]), nd.array([[2]])
    nd.save(path, [x, y])
    assert [item.shape for item in nd.load(path)] == [(1,), (1, 1)]
    nd.save(path, {"arg:w": x, "aux:b": y})
    assert list(nd.load(path)) == ["arg:w", "aux:b"]
    nd.save(path, x)
    assert len(nd.load(path)) == 1


def test_views_and_strided_arrays(path):
    x = nd.arange(6).reshape((2, 3))
    strided = nd.from_torch(x.to_torch().T)
    nd.save(path, [x[1], x.T, strided])
    values = [item.asnumpy().tolist() for item in nd.load(path)]
    assert values == [[3, 4, 5], [[0, 3], [1, 4], [2, 5]], [[0, 3], [1, 4], [2, 5]]]


def test_saving_an_array_of_a_graph(path):
    x = nd.array([1, 2])
    x.attach_grad()
    with mx.autograd.record():
        y = x * 2
        nd.save(path, [x, y])
    y.backward()
    assert [item.asnumpy().tolist() for item in nd.load(path)] == [[1, 2], [2, 4]]
    assert nd.load(path)[0].grad is None


def test_loaded_arrays_own_their_memory(path):
    nd.save(path, nd.array([1, 2]))
    first, second = nd.load(path)[0], nd.load(path)[0]
    first += 5
    assert second.asnumpy().tolist() == [1, 2]


def test_from_a_buffer(path):
    nd.save(path, {"x": nd.array([1, 2])})
    content = path.read_bytes()
    for buffer in (content, bytearray(content), memoryview(content)):
        assert nd.load_frombuffer(buffer)["x"].asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("missing", ["none.params", "no/folder/none.params"])
def test_a_missing_file_is_both_errors(tmp_path, missing):
    path = tmp_path / missing
    with pytest.raises(mx.MXNetError) as caught:
        nd.load(path)
    error = caught.value
    assert isinstance(error, FileNotFoundError)
    assert error.errno == errno.ENOENT
    assert error.filename == str(path)
    assert str(path) in str(error)
    assert "load: No such file" in str(error)


def test_saving_into_a_missing_folder_is_both_errors(tmp_path):
    path = tmp_path / "missing" / "arrays.params"
    with pytest.raises(mx.MXNetError, match=r"save: No such file.*arrays\.params'$") as caught:
        nd.save(path, nd.array([1]))
    assert isinstance(caught.value, FileNotFoundError)


def test_a_folder_in_place_of_a_file(tmp_path):
    for use in (nd.load, lambda path: nd.save(path, nd.array([1]))):
        with pytest.raises(OSError, match="Is a directory") as caught:
            use(tmp_path)
        assert isinstance(caught.value, mx.MXNetError)


def test_every_half_written_file_is_an_error(path):
    nd.save(path, {"weight": nd.arange(4).reshape((2, 2)), "bias": nd.array([1], dtype="int64")})
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(mx.MXNetError) as caught:
            nd.load(path)
        assert isinstance(caught.value, ValueError)
        assert str(path) in str(caught.value)


def test_a_failed_save_leaves_the_old_file(path, monkeypatch):
    nd.save(path, nd.array([1]))
    before = path.read_bytes()

    def fail(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(mx.MXNetError, match="No space left"):
        nd.save(path, nd.array([2, 3]))
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_what_cannot_be_saved_creates_no_file(path):
    for data in (5, None, "abc", np.ones(2), [1], [nd.array([1]), 2], {"a": 1}, {1: nd.array([1])}):
        with pytest.raises(TypeError):
            nd.save(path, data)
    assert not path.exists()
