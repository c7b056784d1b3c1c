"""Files are replaced whole or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from mxnet._files import write_atomically


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, [b"one ", memoryview(b"two")])
    assert path.read_bytes() == b"one two"
    write_atomically(str(path), [b"three"])
    assert path.read_bytes() == b"three"
    assert list(tmp_path.iterdir()) == [path]


def failing_chunks():
    yield b"half"
    raise KeyboardInterrupt


@pytest.mark.parametrize("existed", [False, True])
def test_failure_between_chunks_leaves_nothing(tmp_path, existed):
    path = tmp_path / "file"
    if existed:
        path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, failing_chunks())
    assert [p.read_bytes() for p in tmp_path.iterdir()] == ([b"old"] if existed else [])


@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_failure_of_the_system_leaves_the_old_file(tmp_path, monkeypatch, function):
    def fail(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, function, fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, [b"new"])
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"old"]


def test_content_is_on_the_disk_before_it_takes_the_place(tmp_path, monkeypatch):
    calls = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda *args: (calls.append("fsync"), fsync(*args)))
    monkeypatch.setattr(os, "replace", lambda *args: (calls.append("replace"), replace(*args)))
    write_atomically(tmp_path / "file", [b"new"])
    assert calls[:2] == ["fsync", "replace"]


def test_keeps_permissions_and_links(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(path)
    write_atomically(link, [b"new"])
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_new_file_has_the_usual_permissions(tmp_path):
    usual = tmp_path / "usual"
    usual.write_bytes(b"")
    write_atomically(tmp_path / "file", [b"new"])
    assert (tmp_path / "file").stat().st_mode == usual.stat().st_mode


def test_devices_are_written_and_folders_refused(tmp_path):
    write_atomically(os.devnull, [b"gone"])
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path, [b"new"])
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "missing" / "file", [b"new"])
