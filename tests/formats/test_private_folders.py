"""Folders that other users can write to."""

from __future__ import annotations

import os
import tempfile
import warnings
from pathlib import Path

import pytest

from mxnet._formats.files.foreign import find_weakness, make_private, warn_of_others
from mxnet.errors import FileAccessError
from mxnet.graph.run import compiler_cache

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes tell nothing there")


@pytest.fixture
def shared(tmp_path, monkeypatch):
    """A folder like `/tmp`, with a home beside it."""
    place = tmp_path / "shared"
    place.mkdir()
    place.chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", compiler_cache.INDUCTOR, compiler_cache.TRITON):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(compiler_cache.INDUCTOR, "")
    monkeypatch.delenv(compiler_cache.INDUCTOR)
    return place


def test_a_folder_of_ones_own_is_private(shared):
    assert make_private(shared / "mine")
    assert (shared / "mine").stat().st_mode & 0o777 == 0o700
    assert find_weakness(shared / "mine") is None
    assert find_weakness(shared / "not" / "there") is None


@pytest.mark.parametrize(("mode", "words"), [(0o777, "all users"), (0o1777, "all users")])
def test_a_folder_open_to_all_is_not(shared, mode, words):
    (shared / "open").mkdir()
    (shared / "open").chmod(mode)
    assert words in find_weakness(shared / "open").reason
    assert not make_private(shared / "open")


def test_a_folder_below_one_that_others_can_replace_is_not(shared):
    (shared / "open" / "inside").mkdir(parents=True)
    (shared / "open").chmod(0o777)
    assert "open can be written" in find_weakness(shared / "open" / "inside").reason


def test_the_usual_folder_is_taken_if_it_is_ones_own(shared):
    for _ in range(2):
        compiler_cache.secure()
        assert Path(os.environ[compiler_cache.INDUCTOR]) == compiler_cache._usual_folder()
    assert compiler_cache._usual_folder().parent == shared


@pytest.mark.usefixtures("shared")
def test_another_folder_is_taken_if_the_usual_one_is_not(tmp_path):
    place = compiler_cache._usual_folder()
    place.mkdir()
    place.chmod(0o777)
    compiler_cache.secure()
    taken = Path(os.environ[compiler_cache.INDUCTOR])
    assert taken == tmp_path / "home" / ".cache" / "glueball" / "torchinductor"


@pytest.mark.parametrize("variable", [compiler_cache.INDUCTOR, compiler_cache.TRITON])
def test_a_chosen_folder_is_checked(shared, monkeypatch, variable):
    monkeypatch.setenv(variable, str(shared / "chosen"))
    compiler_cache.secure()
    assert os.environ[variable] == str(shared / "chosen")
    (shared / "chosen").chmod(0o777)
    with pytest.raises(FileAccessError, match=f"{variable}: .*chosen can be written by all users"):
        compiler_cache.secure()


def test_data_that_all_can_replace_is_told_of_once(shared):
    (shared / "data").mkdir()
    warn_of_others(shared / "data")
    warn_of_others(shared / "missing")
    (shared / "data").chmod(0o777)
    with pytest.warns(UserWarning, match="data can be written by all users, who can replace"):
        warn_of_others(shared / "data")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_others(shared / "data")
