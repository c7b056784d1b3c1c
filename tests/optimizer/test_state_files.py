"""Errors of files of states name the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import mxnet as mx
from mxnet import optimizer
from mxnet._formats import files
from mxnet.errors import MXNetError
from mxnet.optimizer._updater import load_states, save_states


def make_updater(**attributes):
    made = optimizer.SGD(momentum=0.9)
    vars(made).update(attributes)
    updater = optimizer.get_updater(made)
    updater(0, mx.nd.ones(2), mx.nd.ones(2))
    return updater


def test_a_missing_folder_is_named(tmp_path: Path):
    path = tmp_path / "missing" / "net.states"
    with pytest.raises(FileNotFoundError) as caught:
        save_states(make_updater(), path)
    assert caught.value.filename == str(path)
    with pytest.raises(FileNotFoundError) as caught:
        load_states([make_updater()], path, {})
    assert caught.value.filename == str(path)


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "write_atomically", fail)
    with pytest.raises(OSError, match=r"No space left.*net\.states"):
        save_states(make_updater(), tmp_path / "net.states")


@pytest.mark.filterwarnings("ignore:the optimizer can be saved")
def test_what_cannot_be_saved_names_the_file_and_leaves_it(tmp_path: Path):
    path = tmp_path / "net.states"
    save_states(make_updater(), path, dump_optimizer=True)
    before = path.read_bytes()
    with pytest.raises(MXNetError, match=r"net\.states: the states cannot be saved: .*lambda"):
        save_states(make_updater(extra=lambda: 0), path, dump_optimizer=True)
    assert path.read_bytes() == before


class Extra:
    """A class of a program that is no optimizer."""


def test_saving_warns_of_what_could_not_be_loaded(tmp_path: Path):
    updater = make_updater(extra=Extra())
    with pytest.warns(UserWarning, match="not loaded again: .*Extra"):
        save_states(updater, tmp_path / "x", dump_optimizer=True)
    with pytest.raises(MXNetError, match=r"x: byte \d+: refuses to load .*Extra"):
        load_states([updater], tmp_path / "x", {})


def test_all_updaters_get_the_states_or_none(tmp_path: Path):
    save_states(make_updater(), tmp_path / "x")
    updaters = [make_updater(), optimizer.get_updater(optimizer.Adam())]
    before = [updater.states for updater in updaters]
    with pytest.raises(MXNetError, match="Adam expects"):
        load_states(updaters, tmp_path / "x", {})
    assert all(updater.states is old for updater, old in zip(updaters, before, strict=True))
