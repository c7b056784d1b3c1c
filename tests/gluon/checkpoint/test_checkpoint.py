import json
import os
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet._state import processes
from mxnet.gluon import nn
from mxnet.gluon.checkpoint import _storage
from tests.distributed._ranks import run_ranks
from tests.gluon.checkpoint.jobs import make, train, train_together


@pytest.fixture(autouse=True)
def _leave():
    yield
    processes.leave()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return [train(tmp_path_factory.mktemp("undisturbed"), num_workers=count) for count in (0, 1)]


@pytest.mark.parametrize("stop", [1, 5, 6, 7, 12])
@pytest.mark.parametrize("num_workers", [0, 1])
def test_training_goes_on_as_if_it_had_not_stopped(undisturbed, tmp_path, stop, num_workers):
    losses, weights = undisturbed[num_workers]
    train(tmp_path, stop=stop, num_workers=num_workers)
    again, ended = train(tmp_path, num_workers=num_workers)
    assert list(again) == list(range(stop - stop % 2 + 1, len(losses) + 1))
    assert again == {step: losses[step] for step in again}
    for name, value in weights.items():
        np.testing.assert_array_equal(ended[name], value)


def test_saved_by_four_ranks_and_read_by_two_and_by_one(tmp_path):
    """Three steps on four ranks, two on two and two on one are seven steps on one."""
    folder = str(tmp_path / "saved")
    together = run_ranks(train_together, 4, tmp_path / "four", folder, 3)
    assert [one.result[0] for one in together] == [None] * 4
    by_two = run_ranks(train_together, 2, tmp_path / "two", folder, 2)
    assert [one.result[:2] for one in by_two] == [(3, {"seen": 5})] * 2
    restored, extra, rate, weights = train_together(folder, 2, sharded=False)
    assert (restored, extra) == (5, {"seen": 7})
    _, _, expected_rate, expected = train_together(str(tmp_path / "alone"), 7, sharded=False)
    assert rate == expected_rate < 0.05
    for name, value in expected.items():
        np.testing.assert_allclose(weights[name], value, atol=1e-5, err_msg=name)


def saved(folder, **options):
    net, trainer = make(**options)
    net(mx.nd.ones((2, 4)))
    checkpoint = gluon.Checkpoint(folder, net, trainer, keep=2)
    checkpoint.step = 4
    checkpoint.save()
    return checkpoint


def test_deferred_parameters_get_their_shapes_from_the_checkpoint(tmp_path):
    saved(tmp_path)
    net, trainer = make()
    assert gluon.Checkpoint(tmp_path, net, trainer).restore_latest() == 4
    assert net[0].weight.shape == (9, 4)


def test_an_empty_folder_restores_nothing(tmp_path):
    net, trainer = make()
    checkpoint = gluon.Checkpoint(tmp_path / "new", net, trainer)
    assert checkpoint.restore_latest() is None
    assert checkpoint.step == 0
    with pytest.raises(mx.MXNetError, match=r"step-00000007.*does not exist; there are \[\]"):
        checkpoint.restore(7)


def test_older_checkpoints_are_removed(tmp_path):
    checkpoint = saved(tmp_path)
    for step in (5, 6):
        checkpoint.step = step
        checkpoint.save()
    assert checkpoint.steps() == [5, 6]
    assert sorted(os.listdir(tmp_path)) == ["step-00000005", "step-00000006"]


def test_a_checkpoint_shows_the_state_of_the_moment_it_was_asked_for(tmp_path, monkeypatch):
    net, trainer = make()
    net(mx.nd.ones((2, 4)))
    before = net[0].weight.data().asnumpy()
    checkpoint = gluon.Checkpoint(tmp_path, net, trainer)
    changed = []
    write = _storage.FolderWriter.write_data

    def write_after_a_change(self, plan, planner):
        net[0].weight.set_data(mx.nd.zeros((9, 4)))
        changed.append(True)
        return write(self, plan, planner)

    monkeypatch.setattr(_storage.FolderWriter, "write_data", write_after_a_change)
    checkpoint.save_async()
    checkpoint.wait()
    assert changed
    checkpoint.restore_latest()
    np.testing.assert_array_equal(net[0].weight.data().asnumpy(), before)


@pytest.mark.parametrize("failing", ["write_data", "finish"])
def test_what_is_not_complete_is_not_there(tmp_path, monkeypatch, failing):
    checkpoint = saved(tmp_path)
    checkpoint.step = 5
    real = getattr(_storage.FolderWriter, failing)

    def fail(self, *args, **kwargs):
        monkeypatch.setattr(_storage, "_sync_folder", lambda _: 1 / 0)
        real(self, *args, **kwargs)
        raise OSError("disk full")

    monkeypatch.setattr(_storage.FolderWriter, failing, fail)
    checkpoint.save_async()
    with pytest.raises(mx.MXNetError, match=r"Checkpoint\.save: failed in rank 0: "):
        checkpoint.wait()
    assert checkpoint.steps() == [4]
    monkeypatch.undo()
    checkpoint.save()
    assert checkpoint.steps() == [4, 5]
    assert sorted(os.listdir(tmp_path)) == ["step-00000004", "step-00000005"]


def test_what_does_not_fit_is_listed_and_changes_nothing(tmp_path):
    saved(tmp_path)
    net = nn.HybridSequential()
    net.add(nn.Dense(3, in_units=4), nn.BatchNorm(in_channels=9), nn.Dense(2, in_units=9))
    net.initialize(mx.init.One())
    checkpoint = gluon.Checkpoint(tmp_path, net)
    with pytest.raises(mx.MXNetError) as caught:
        checkpoint.restore_latest()
    assert "net/0.weight is float32 (9, 4), expected float32 (3, 4)" in str(caught.value)
    assert "net/2.weight is missing" in str(caught.value)
    assert (net[0].weight.data().asnumpy() == 1).all()


def test_extra_must_be_json(tmp_path):
    checkpoint = saved(tmp_path)
    checkpoint.extra["array"] = mx.nd.ones(2)
    with pytest.raises(TypeError, match="not JSON serializable"):
        checkpoint.save_async()


def test_arguments_are_checked(tmp_path):
    with pytest.raises(mx.MXNetError, match="keep and every take 1 or more"):
        gluon.Checkpoint(tmp_path, nn.Dense(1), every=0)


def _change(index, path, value):
    *front, last = path
    for key in front:
        index = index[key]
    index[last] = value


HOSTILE = {
    "another format": (("format",), 2),
    "no ranks": (("ranks",), 0),
    "ranks by name": (("ranks",), "4"),
    "no tensors": (("tensors",), []),
    "no notes": (("notes",), 3),
    "a position before the start": (("notes", "batches"), -1),
    "an unknown dtype": (("tensors", "net/0.weight", 0), "object"),
    "a shape that is none": (("tensors", "net/0.weight", 1), [9, "4"]),
    "a negative shape": (("tensors", "net/0.weight", 1), [9, -4]),
    "a large shape": (("tensors", "net/0.weight", 1), [1 << 40, 1 << 40]),
    "rows that are not there": (("tensors", "net/0.weight", 2, 0, 1), 3),
    "rows twice": (("tensors", "net/0.weight", 2, 0, 0), 1),
    "a file outside": (("tensors", "net/0.weight", 2, 0, 2), "../../secret"),
    "an absolute path": (("tensors", "net/0.weight", 2, 0, 2), "/etc/passwd"),
    "another file": (("tensors", "net/0.weight", 2, 0, 2), "index.json"),
    "a missing file": (("tensors", "net/0.weight", 2, 0, 2), "rank7.bin"),
    "bytes after the end": (("tensors", "net/0.weight", 2, 0, 3), 1 << 40),
    "bytes before the start": (("tensors", "net/0.weight", 2, 0, 3), -8),
    "a length of its own": (("tensors", "net/0.weight", 2, 0, 4), 8),
    "a wrong checksum": (("tensors", "net/0.weight", 2, 0, 5), 1),
    "a chunk of one number": (("tensors", "net/0.weight", 2, 0), [0]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_index_is_refused(tmp_path, name):
    checkpoint = saved(tmp_path)
    path = tmp_path / "step-00000004" / "index.json"
    index = json.loads(path.read_text())
    _change(index, *HOSTILE[name])
    path.write_text(json.dumps(index))
    before = checkpoint._contents._net[0].weight.data().asnumpy()
    with pytest.raises(mx.MXNetError, match="Checkpoint: "):
        checkpoint.restore_latest()
    np.testing.assert_array_equal(checkpoint._contents._net[0].weight.data().asnumpy(), before)


class Planted:
    def __reduce__(self):
        return os.system, ("echo planted",)


@pytest.mark.parametrize("file", ["optimizer.states", "index.json", "rank0.json", "rank0.bin"])
def test_planted_pickles_do_not_run(tmp_path, file, capfd):
    checkpoint = saved(tmp_path)
    path = tmp_path / "step-00000004" / file
    path.write_bytes(pickle.dumps(Planted()))
    with pytest.raises(mx.MXNetError):
        checkpoint.restore_latest()
    assert "planted" not in capfd.readouterr().out


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("numpy", ["AAAA", 0, 0, 0.0]),
        ("numpy", [[], 700, 0, 0.0]),
        ("python", [3, "AAAA", None]),
        ("mxnet", {"cpu0": "AAAA"}),
        ("mxnet", {"cpu0/../x": "AAAA"}),
        ("mxnet", []),
    ],
)
def test_damaged_random_states_are_refused(tmp_path, name, state):
    checkpoint = saved(tmp_path)
    path = tmp_path / "step-00000004" / "rank0.json"
    content = json.loads(path.read_text())
    content["random"][name] = state
    path.write_text(json.dumps(content))
    with pytest.raises(mx.MXNetError, match=r"random states are damaged|generator is damaged"):
        checkpoint.restore_latest()


def test_a_truncated_checkpoint_is_refused(tmp_path):
    checkpoint = saved(tmp_path)
    path = tmp_path / "step-00000004" / "rank0.bin"
    os.truncate(path, path.stat().st_size - 4)
    with pytest.raises(mx.MXNetError, match="ends before its rows do"):
        checkpoint.restore_latest()


def test_links_and_pipes_are_no_files_of_a_checkpoint(tmp_path):
    checkpoint = saved(tmp_path)
    place = tmp_path / "step-00000004"
    (place / "rank0.bin").rename(tmp_path / "elsewhere")
    (place / "rank0.bin").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(mx.MXNetError, match="which is no file of it"):
        checkpoint.restore_latest()
    (place / "index.json").unlink()
    os.mkfifo(place / "index.json")
    with pytest.raises(mx.MXNetError, match="is not there"):
        checkpoint.restore_latest()


def test_leftovers_of_a_killed_run_do_not_disturb(tmp_path):
    checkpoint = saved(tmp_path)
    shutil.copytree(tmp_path / "step-00000004", tmp_path / ".step-00000005.partial")
    (tmp_path / "step-6").mkdir()
    assert checkpoint.steps() == [4]
    checkpoint.step = 5
    checkpoint.save()
    assert sorted(os.listdir(tmp_path)) == ["step-00000004", "step-00000005", "step-6"]


def stop_at(monkeypatch, count):
    """Makes the process stop, as if killed, before the n-th time that it renames a folder."""
    rename, left = Path.rename, iter(range(count, -1, -1))

    def count_down(self, target):
        if next(left) == 0:
            raise KilledError
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", count_down)
    monkeypatch.setattr(_storage.FolderWriter, "abandon", lambda _: None)


class KilledError(Exception):
    """Ends a save amid its renames."""


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_step_that_is_saved_again_can_be_restored_at_any_moment(tmp_path, monkeypatch, count):
    checkpoint = saved(tmp_path)
    checkpoint.extra = {"round": 2}
    with monkeypatch.context() as patched:
        stop_at(patched, count)
        with pytest.raises(mx.MXNetError):
            checkpoint.save()
    again = gluon.Checkpoint(tmp_path, *make())
    assert again.steps() == [4]
    assert again.restore_latest() == 4
    assert again.extra == ({} if count == 0 else {"round": 2})
    again.extra = {"round": 3}
    again.save()
    assert os.listdir(tmp_path) == ["step-00000004"]
    again.restore_latest()
    assert again.extra == {"round": 3}


def test_a_step_saved_by_itself_and_then_by_a_call_is_saved_once(tmp_path):
    net, trainer = make()
    net(mx.nd.ones((2, 4)))
    checkpoint = gluon.Checkpoint(tmp_path, net, trainer, every=1)
    checkpoint.advance()
    checkpoint.extra = {"later": True}
    checkpoint.save()
    assert os.listdir(tmp_path) == ["step-00000001"]
    checkpoint.restore_latest()
    assert checkpoint.extra == {"later": True}


def test_a_save_that_fails_leaves_nothing(tmp_path, monkeypatch):
    checkpoint = saved(tmp_path)
    checkpoint.step = 5

    def fail(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(_storage, "_sync", fail)
        with pytest.raises(mx.MXNetError, match=r"No space left.*rank0\.bin"):
            checkpoint.save()
    assert os.listdir(tmp_path) == ["step-00000004"]


def test_leftovers_that_are_links_lead_nowhere(tmp_path):
    checkpoint = saved(tmp_path)
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    (tmp_path / ".step-00000004.partial").symlink_to(kept)
    (tmp_path / ".step-00000004.removed").symlink_to(kept)
    checkpoint.save()
    assert sorted(os.listdir(tmp_path)) == ["kept", "step-00000004"]
    assert (kept / "file").exists()
