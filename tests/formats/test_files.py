"""Files are replaced whole or not at all, alone or several together."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
import threading
import time
from pathlib import Path

import pytest

from mxnet._formats.files import (
    journal,
    load_together,
    read_saved,
    saving,
    write_atomically,
    written_together,
)
from mxnet._formats.files import temporary as _beside
from mxnet._formats.files import temporary as _temporary
from mxnet.errors import FileFormatError
from mxnet.gluon.utils import check_sha1


def test_writes_and_replaces(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, [b"one ", memoryview(b"two")])
    assert path.read_bytes() == b"one two"
    write_atomically(str(path), [b"three"])
    assert path.read_bytes() == b"three"
    assert list(tmp_path.iterdir()) == [path]


def test_a_program_that_holds_an_empty_file_open_reads_what_is_saved(tmp_path):
    with tempfile.NamedTemporaryFile("w+b", dir=tmp_path) as file:
        write_atomically(file.name, [b"content"])
        assert file.read() == b"content"
        assert Path(file.name).read_bytes() == b"content"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_stays_empty_if_the_disk_is_full(tmp_path, monkeypatch):
    sync, calls = os.fsync, []

    def fail_at_last(fd):
        calls.append(fd)
        if len(calls) > 1:  # the first is that of the temporary file
            raise OSError(28, "No space left on device")
        sync(fd)

    path = tmp_path / "file"
    path.touch()
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, failing_chunks())
    monkeypatch.setattr(os, "fsync", fail_at_last)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, [b"new"])
    assert [item.read_bytes() for item in tmp_path.iterdir()] == [b""]


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


@pytest.fixture
def small_is_large(monkeypatch):
    monkeypatch.setattr(_beside, "LARGE", 4)


def wait_for_threads():
    for thread in threading.enumerate():
        if thread.name == _beside.THREAD_NAME:
            thread.join()


@pytest.mark.usefixtures("small_is_large")
def test_large_files_are_brought_to_the_disk_while_they_are_written(tmp_path, monkeypatch):
    synced = threading.Event()
    monkeypatch.setattr(os, "fdatasync", lambda _: synced.set())

    def chunks():
        yield b"first part"
        assert synced.wait(timeout=60)
        yield b", second part"

    write_atomically(tmp_path / "file", chunks())
    assert (tmp_path / "file").read_bytes() == b"first part, second part"


@pytest.mark.usefixtures("small_is_large")
def test_a_failure_of_the_disk_while_a_large_file_is_written_leaves_the_old_one(
    tmp_path, monkeypatch
):
    failed = threading.Event()

    def fail(_):
        failed.set()
        raise OSError(5, "Input/output error")

    def chunks():
        yield b"new "
        assert failed.wait(timeout=60)
        yield b"content"

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fdatasync", fail)
    with pytest.raises(OSError, match="Input/output error") as caught:
        write_atomically(path, chunks())
    assert caught.value.filename == str(path)
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"old"]


@pytest.mark.usefixtures("small_is_large")
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs the list of open files")
def test_a_large_file_that_was_replaced_is_closed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old content")
    write_atomically(path, [b"new content"])
    wait_for_threads()
    links = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
    assert not [link for link in links if link.startswith(str(tmp_path))]
    assert path.read_bytes() == b"new content"


@pytest.mark.usefixtures("small_is_large")
def test_large_files_are_saved_where_no_thread_can_be_started(tmp_path, monkeypatch):
    def fail(_):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    path = tmp_path / "file"
    path.write_bytes(b"old content")
    monkeypatch.setattr(threading.Thread, "start", fail)
    write_atomically(path, [b"new ", b"content"])
    assert path.read_bytes() == b"new content"


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


def test_a_pipe_is_written_through_its_link():
    source, sink = os.pipe()
    write_atomically(f"/proc/self/fd/{sink}", [b"new"])
    os.close(sink)
    with os.fdopen(source, "rb") as file:
        assert file.read() == b"new"


def test_is_private_until_it_is_complete(tmp_path):
    path = tmp_path / "file"

    def chunks():
        yield b"half"
        (temporary,) = tmp_path.iterdir()
        modes.append(stat.S_IMODE(temporary.stat().st_mode))

    modes = []
    write_atomically(path, chunks())
    assert modes == [0o600]


@pytest.mark.parametrize("name", ["a" * 240, "ü" * 120, "a" + "語" * 84, "a" * 255], ids=len)
def test_long_names(tmp_path, name):
    path = tmp_path / name
    for content in (b"old", b"new"):
        write_atomically(path, [content])
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_long_names_are_saved_together(tmp_path):
    paths = [tmp_path / f"{'ü' * 115}-{ending}" for ending in ("0000.params", "symbol.json")]
    save_set(paths, b"old")
    save_set(paths, b"new")
    assert {path.read_bytes() for path in paths} == {b"new"}
    assert sorted(tmp_path.iterdir()) == paths


def save_set(paths, content):
    with written_together():
        for path in paths:
            write_atomically(path, [content])


@pytest.fixture
def pair(tmp_path):
    paths = [tmp_path / "net-0000.params", tmp_path / "net-symbol.json"]
    save_set(paths, b"old")
    return paths


def contents(paths):
    return [read_saved(path) for path in paths]


class Killed(BaseException):
    """Ends a save as a kill does: nothing is cleaned up."""


def stop_amid_renames(paths, monkeypatch):
    """Leaves what a process leaves that is killed after the first of two renames."""
    replace, count = os.replace, iter(range(9))

    def fail_second(*args):
        if next(count):
            patched.setattr(Path, "unlink", lambda *_, **__: None)
            raise Killed
        replace(*args)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail_second)
        with pytest.raises(Killed):
            save_set(paths, b"new")


def test_nothing_is_replaced_if_one_file_fails(pair):
    with pytest.raises(KeyboardInterrupt), written_together():
        write_atomically(pair[0], [b"new"])
        write_atomically(pair[1], failing_chunks())
    assert contents(pair) == [b"old", b"old"]
    assert sorted(pair[0].parent.iterdir()) == pair


def test_a_failed_file_is_left_out_if_its_error_is_caught(pair):
    with written_together():
        write_atomically(pair[0], [b"new"])
        with pytest.raises(KeyboardInterrupt):
            write_atomically(pair[1], failing_chunks())
    assert contents(pair) == [b"new", b"old"]


def test_a_block_inside_of_another_is_part_of_it(pair):
    with written_together():
        save_set(pair, b"new")
        assert contents(pair) == [b"old", b"old"]
    assert contents(pair) == [b"new", b"new"]


def test_the_last_content_of_a_file_counts(pair):
    with written_together():
        save_set(pair, b"first")
        save_set(pair, b"second")
    assert contents(pair) == [b"second", b"second"]
    assert sorted(pair[0].parent.iterdir()) == pair


def test_a_reader_sees_new_content_amid_renames_and_changes_nothing(pair, monkeypatch):
    stop_amid_renames(pair, monkeypatch)
    assert [path.read_bytes() for path in pair] == [b"new", b"old"]
    before = sorted(pair[0].parent.iterdir())
    assert contents(pair) == [b"new", b"new"]
    assert sorted(pair[0].parent.iterdir()) == before


@pytest.mark.parametrize("name", ["net-symbol.json", "other.params"])
def test_the_next_writer_finishes_and_cleans_up(pair, monkeypatch, name):
    stop_amid_renames(pair, monkeypatch)
    saving._next_sweeps.clear()
    path = pair[0].parent / name
    write_atomically(path, [b"newer"])
    expected = [b"new", b"newer" if path in pair else b"new"]
    assert [path.read_bytes() for path in pair] == expected
    assert {*pair[0].parent.iterdir()} == {*pair, path}


def test_a_save_that_another_came_before_is_read_whole_amid_renames(pair, monkeypatch):
    link, others = os.link, [b"other"]

    def come_second(*args):
        if others:  # between the journal and its first link
            content = others.pop()
            thread = threading.Thread(target=save_set, args=(pair, content))
            with monkeypatch.context() as patched:
                patched.setattr(os, "replace", replace)
                thread.start()
                thread.join()
        link(*args)

    replace = os.replace
    monkeypatch.setattr(os, "link", come_second)
    stop_amid_renames(pair, monkeypatch)
    assert [path.read_bytes() for path in pair] == [b"new", b"other"]
    assert contents(pair) == [b"new", b"new"]


def test_a_file_that_others_have_replaced_is_not_overwritten(pair, monkeypatch):
    stop_amid_renames(pair, monkeypatch)
    pair[1].write_bytes(b"by another program")
    assert contents(pair) == [b"new", b"by another program"]
    saving._next_sweeps.clear()
    write_atomically(pair[0].parent / "other", [b""])
    assert contents(pair) == [b"new", b"by another program"]


def test_an_interrupted_save_of_several_files_is_finished(pair, monkeypatch):
    replace, count = os.replace, iter(range(9))

    def interrupt_second(*args):
        if next(count) == 1:
            raise KeyboardInterrupt
        replace(*args)

    monkeypatch.setattr(os, "replace", interrupt_second)
    with pytest.raises(KeyboardInterrupt):
        save_set(pair, b"new")
    assert [path.read_bytes() for path in pair] == [b"new", b"new"]
    assert sorted(pair[0].parent.iterdir()) == pair


def test_a_first_rename_that_fails_leaves_the_old_files(pair, monkeypatch):
    def fail(*_):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail)
        with pytest.raises(OSError, match=r"Input/output error: .*net-0000\.params"):
            save_set(pair, b"new")
    assert contents(pair) == [b"old", b"old"]
    assert sorted(pair[0].parent.iterdir()) == pair


def test_a_second_rename_that_fails_leaves_the_new_files(pair, monkeypatch):
    replace = os.replace

    def fail_for_symbol(source, target):
        if str(target).endswith(".json"):
            raise OSError(5, "Input/output error")
        replace(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail_for_symbol)
        with pytest.raises(OSError, match="Input/output error"):
            save_set(pair, b"new")
    assert contents(pair) == [b"new", b"new"]
    save_set(pair, b"newer")
    assert sorted(pair[0].parent.iterdir()) == pair


def test_file_systems_without_hard_links_get_renames_in_order(pair, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    order = []
    replace = os.replace
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(os, "replace", lambda a, b: (order.append(Path(b)), replace(a, b)))
    save_set(pair, b"new")
    assert order == pair
    assert contents(pair) == [b"new", b"new"]
    assert sorted(pair[0].parent.iterdir()) == pair


def test_files_in_several_folders_are_saved_through_their_links(tmp_path):
    (tmp_path / "store").mkdir()
    target = tmp_path / "store" / "graph.json"
    target.write_bytes(b"old")
    link = tmp_path / "net-symbol.json"
    link.symlink_to(target)
    save_set([tmp_path / "net-0000.params", link], b"new")
    assert link.is_symlink()
    assert target.read_bytes() == (tmp_path / "net-0000.params").read_bytes() == b"new"


HOSTILE = {
    "no JSON": "{",
    "another form": '{"a": 1}',
    "deep": "[" * 10**5,
    "a path": '[["../net-symbol.json", "TOKEN", null]]',
    "a program": '[["run.py", "TOKEN", null], ["net-symbol.json", "TOKEN", null]]',
    "no token": '[["net-symbol.json", "../../x", null]]',
    "numbers": '[["net-symbol.json", "TOKEN", [1e400, "x"]]]',
    "nothing": "[]",
    "no text": '[["\\ud800.json", "TOKEN", null], ["net-symbol.json", "TOKEN", null]]',
    "a zero": '[["\\u0000.json", "TOKEN", null], ["net-symbol.json", "TOKEN", null]]',
    "short rows": '[["net-symbol.json", "TOKEN"], 5]',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_journal_moves_nothing(pair, name):
    token = "0" * 24
    folder = pair[0].parent
    (folder / "run.py").write_text("good")
    (folder / f".run.py.{token}.saving").write_text("bad")
    (folder / ".net-symbol.json.pending").write_text(HOSTILE[name].replace("TOKEN", token))
    assert contents(pair) == [b"old", b"old"]
    saving._next_sweeps.clear()
    save_set(pair, b"new")
    assert contents(pair) == [b"new", b"new"]
    assert (folder / "run.py").read_text() == "good"


def test_a_journal_is_of_no_use_in_a_copy_of_its_folder(pair, monkeypatch, tmp_path):
    stop_amid_renames(pair, monkeypatch)
    copy = tmp_path / "copy"
    copy.mkdir()
    command = f"tar -C {tmp_path} --exclude=./copy -cf - . | tar -C {copy} -xpf -"
    assert os.system(command) == 0
    assert contents([copy / path.name for path in pair]) == [b"new", b"old"]
    assert contents(pair) == [b"new", b"new"]


def forge_journal(path, content=b"hidden", **changes):
    """Makes a journal by which a hidden file is read in place of a file."""
    token = "0" * 24
    hidden = path.with_name(_temporary.temporary_name(path.name, token))
    hidden.write_bytes(content)
    after = journal.identity_of(hidden.lstat())
    row = [path.name, token, journal.signature_of(path), changes.get("after", after)]
    marker = journal.marker_of(path)
    marker.write_text(json.dumps([row]))
    marker.chmod(changes.get("mode", 0o644))
    return hidden, marker


def test_a_journal_of_this_user_counts(pair):
    forge_journal(pair[1])
    assert read_saved(pair[1]) == b"hidden"


def test_hashes_are_taken_of_what_is_read(pair):
    forge_journal(pair[1])
    assert check_sha1(pair[1], hashlib.sha1(b"hidden").hexdigest())
    assert not check_sha1(pair[1], hashlib.sha1(b"old").hexdigest())


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_a_journal_that_others_may_write_is_not_believed(pair, mode):
    forge_journal(pair[1], mode=mode)
    assert read_saved(pair[1]) == b"old"
    save_set(pair, b"new")
    assert contents(pair) == [b"new", b"new"]


def test_a_journal_about_another_file_is_not_believed(pair):
    for place in range(4):
        hidden, _ = forge_journal(pair[1])
        after = list(journal.identity_of(hidden.lstat()))
        after[place] += 1
        forge_journal(pair[1], after=after)
        assert read_saved(pair[1]) == b"old"


def test_a_temporary_file_that_was_changed_later_is_not_read(pair):
    hidden, _ = forge_journal(pair[1])
    before = hidden.stat()
    hidden.write_bytes(b"HIDDEN")
    os.utime(hidden, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read_saved(pair[1]) == b"old"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files")
@pytest.mark.parametrize("which", [0, 1])
def test_what_another_user_wrote_is_neither_read_nor_removed(pair, which):
    stranger = forge_journal(pair[1])[which]
    os.chown(stranger, 65534, 65534)
    if which == 0:  # which has changed its time, so that only the owner is wrong
        marker = journal.marker_of(pair[1])
        (row,) = json.loads(marker.read_text())
        row[3] = journal.identity_of(stranger.lstat())
        marker.write_text(json.dumps([row]))
    assert read_saved(pair[1]) == b"old"
    saving._next_sweeps.clear()
    write_atomically(pair[0].parent / "other", [b""])
    assert stranger.exists()


def test_a_foreign_file_that_is_locked_for_ever_does_not_stop_a_save(pair):
    _, marker = forge_journal(pair[1], mode=0o666)
    with marker.open("rb") as file:
        assert _temporary.try_lock(file.fileno())
        begin = time.monotonic()
        save_set(pair, b"new")
    assert time.monotonic() - begin < 2
    assert contents(pair) == [b"new", b"new"]


def test_many_hostile_journals_do_not_slow_down_saving(pair):
    rows = [[f"{n}.json", "0" * 24, None, [0, 0, 0, 0]] for n in range(4000)]
    for number in range(150):
        name = f"{number}.json"
        rows[0][0] = name
        (pair[0].parent / f".{name}.pending").write_text(json.dumps(rows))
        (pair[0].parent / f".{name}.{'0' * 24}.saving").write_bytes(b"")
    saving._next_sweeps.clear()
    begin = time.process_time()
    save_set(pair, b"new")
    assert time.process_time() - begin < 2
    assert contents(pair) == [b"new", b"new"]


def test_more_files_than_a_journal_takes_are_saved_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "_MAX_BYTES", 100)
    paths = [tmp_path / "a.params", tmp_path / "b.json"]
    save_set(paths, b"new")
    assert sorted(tmp_path.iterdir()) == paths


def test_pipes_are_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "net.params")
    with pytest.raises(FileFormatError, match=r"net\.params: is a pipe"):
        read_saved(tmp_path / "net.params")


def leave_temporary(folder, system=_temporary._SYSTEM, age=0.0):
    path = folder / _temporary.temporary_name("file", system + "0" * 16)
    path.write_bytes(b"half")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_temporary_files_of_the_living_stay(tmp_path):
    path = leave_temporary(tmp_path)
    with path.open("rb") as file:
        assert _temporary.try_lock(file.fileno())
        write_atomically(tmp_path / "file", [b"new"])
        assert path.exists()
    saving._next_sweeps.clear()
    write_atomically(tmp_path / "other", [b"new"])
    assert not path.exists()


@pytest.mark.parametrize(("age", "stays"), [(0.0, True), (3600.0, True), (90000.0, False)])
def test_temporary_files_of_other_machines_stay_for_a_day(tmp_path, age, stays):
    path = leave_temporary(tmp_path, "f" * 8, age)
    write_atomically(tmp_path / "file", [b"new"])
    assert path.exists() == stays


def test_other_hidden_files_are_left_alone(tmp_path):
    names = [".profile", ".file.saving", f".file.{'0' * 24}.tmp", ".x.pending"]
    for name in names:
        (tmp_path / name).write_bytes(b"mine")
    (tmp_path / f".link.{_temporary._SYSTEM}{'0' * 16}.saving").symlink_to(tmp_path / ".profile")
    write_atomically(tmp_path / "file", [b"new"])
    assert all((tmp_path / name).read_bytes() == b"mine" for name in names)


def test_a_reader_of_several_files_tries_again_if_they_change(pair):
    states = iter([b"newer", b"newest", None])

    def load():
        first = read_saved(pair[0])
        if content := next(states):
            save_set(pair, content)
        return first, read_saved(pair[1])

    assert load_together(pair, load) == (b"newest", b"newest")


def test_errors_name_the_file_that_was_asked_for(tmp_path):
    link = tmp_path / "link.params"
    link.symlink_to(tmp_path / "missing" / "file.params")
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(link, [b"new"])
    assert caught.value.filename == str(link)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically("/dev/full", [b"new"])
    assert caught.value.filename == "/dev/full"
