"""Helpers, and the switches of the NumPy interface, which stay off."""

from __future__ import annotations

import os

import pytest

import mxnet as mx
from mxnet import base, util


def test_folders_are_made_once(tmp_path):
    for _ in range(2):
        util.makedirs(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()


def test_environment(monkeypatch):
    monkeypatch.delenv("MXNET_TEST_X", raising=False)
    assert util.getenv("MXNET_TEST_X") is None
    util.setenv("MXNET_TEST_X", "3")
    assert util.getenv("MXNET_TEST_X") == os.environ["MXNET_TEST_X"] == "3"
    util.setenv("MXNET_TEST_X", None)
    assert util.getenv("MXNET_TEST_X") is None


def test_gpus():
    assert util.get_gpu_count() == mx.num_gpus()
    with pytest.raises(ValueError, match="takes a GPU context"):
        util.get_cuda_compute_capability(mx.cpu())


def test_module_of_a_function_can_be_set():
    @util.set_module("mxnet.numpy")
    def function():
        pass

    assert function.__module__ == "mxnet.numpy"


def test_names_in_base(monkeypatch, tmp_path):
    assert base._as_list(3) == [3]
    assert base._as_list((3,)) == (3,)
    assert repr(base._Null) == "_Null"
    assert base.py_str(b"x") == "x"
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    assert base.data_dir() == str(tmp_path)
    monkeypatch.delenv("MXNET_HOME")
    assert base.data_dir() == base.data_dir_default()
