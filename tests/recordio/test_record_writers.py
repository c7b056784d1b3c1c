"""What writers of records leave when the disk is full or their process is stopped."""

from __future__ import annotations

import os
import warnings

import pytest

from mxnet.errors import MXNetError
from mxnet.recordio import MXIndexedRecordIO, MXRecordIO, RecordError, read_index

RECORDS = [b"%d:" % number + b"x" * (number * 37 % 500) for number in range(400)]
HUGE = b"y" * 200_000


def read_all(path):
    with MXRecordIO(path, "r") as reader:
        return list(iter(reader.read, None))


class SmallDisk:
    """Takes the place of `os.write`, with room for some bytes in all files together."""

    def __init__(self, room):
        self.room = room
        self._write = os.write

    def __call__(self, fd, content):
        if self.room <= 0:
            raise OSError(28, "No space left on device")
        written = self._write(fd, content[: self.room])
        self.room -= written
        return written


@pytest.fixture
def paths(tmp_path):
    return tmp_path / "a.idx", tmp_path / "a.rec"


def write_while_possible(writer, records):
    """Returns how many records were taken before the disk was full."""
    for number, record in enumerate(records):
        try:
            writer.write_idx(number, record)
        except OSError as error:
            assert isinstance(error, MXNetError)
            assert error.filename in (writer.uri, writer.idx_path)
            return number
    return len(records)


@pytest.mark.parametrize("room", [0, 3, 70_000, 100_001, 131_072, 140_000])
@pytest.mark.parametrize("records", [RECORDS * 5, [*RECORDS, HUGE, *RECORDS]], ids=["many", "huge"])
def test_a_full_disk_leaves_whole_records_and_their_index(paths, monkeypatch, room, records):
    writer = MXIndexedRecordIO(*paths, "w")
    monkeypatch.setattr(os, "write", SmallDisk(room))
    taken = write_while_possible(writer, records)
    assert taken < len(records)
    with pytest.raises(OSError, match=r"No space left on device: .*a\.(rec|idx)"):
        writer.close()
    writer.close()
    found = read_all(paths[1])
    assert found == records[: len(found)]
    with MXIndexedRecordIO(*paths, "r") as reader:
        assert len(reader.keys) <= len(found)
        assert [reader.read_idx(key) for key in reader.keys] == found[: len(reader.keys)]


@pytest.mark.parametrize("room", [0, 70_000, 100_001])
@pytest.mark.parametrize("records", [RECORDS * 5, [*RECORDS, HUGE, *RECORDS]], ids=["many", "huge"])
def test_writing_goes_on_when_there_is_room_again(paths, monkeypatch, room, records):
    writer = MXIndexedRecordIO(*paths, "w")
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", SmallDisk(room))
        taken = write_while_possible(writer, records)
    for number, record in enumerate(records[taken:], taken):
        writer.write_idx(number, record)
    writer.close()
    assert read_all(paths[1]) == records
    with MXIndexedRecordIO(*paths, "r") as reader:
        assert [reader.read_idx(number) for number in range(len(records))] == records


def test_an_interrupt_leaves_whole_records(paths, monkeypatch):
    class Interrupted(SmallDisk):
        def __call__(self, fd, content):
            if self.room <= 0:
                raise KeyboardInterrupt
            return super().__call__(fd, content)

    with MXRecordIO(paths[1], "w") as writer:
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", Interrupted(40_000))
            with pytest.raises(KeyboardInterrupt):
                writer.write(HUGE)
        writer.write(b"after")
    assert read_all(paths[1]) == [b"after"]


def test_records_are_written_before_their_index(paths):
    writer = MXIndexedRecordIO(*paths, "w", key_type=str)
    for number in range(300):
        writer.write_idx(f"{number}-" + "long key" * 40, b"short")
        for _, offset in read_index(paths[0], str):
            assert offset < os.path.getsize(paths[1])
    writer.close()
    assert len(read_index(paths[0], str)) == 300


def test_an_old_index_does_not_outlive_its_records(paths, monkeypatch):
    with MXIndexedRecordIO(*paths, "w") as writer:
        writer.write_idx(1, b"old")
    emptied = []
    ftruncate = os.ftruncate

    def note(fd, size):
        emptied.append(os.path.basename(os.readlink(f"/proc/self/fd/{fd}")))
        ftruncate(fd, size)

    monkeypatch.setattr(os, "ftruncate", note)
    MXIndexedRecordIO(*paths, "w").close()
    assert emptied == ["a.idx", "a.rec"]


def test_files_that_cannot_both_be_opened_stay_as_they_are(paths, tmp_path):
    with MXIndexedRecordIO(*paths, "w") as writer:
        writer.write_idx(1, b"old")
    with pytest.raises(FileNotFoundError):
        MXIndexedRecordIO(tmp_path / "missing" / "a.idx", paths[1], "w")
    with pytest.raises(FileNotFoundError):
        MXIndexedRecordIO(paths[0], tmp_path / "missing" / "a.rec", "w")
    assert MXIndexedRecordIO(*paths, "r").read_idx(1) == b"old"


def test_a_forked_process_does_not_write_what_waits(paths):
    writer = MXRecordIO(paths[1], "w")
    writer.write(b"one")
    child = os.fork()
    if child == 0:
        writer.close()
        os._exit(0)
    os.waitpid(child, 0)
    writer.close()
    assert read_all(paths[1]) == [b"one"]


@pytest.mark.parametrize("cut", range(1, 40))
def test_an_index_that_is_cut_off_gives_the_records_that_it_has(paths, cut):
    with MXIndexedRecordIO(*paths, "w") as writer:
        for number, record in enumerate(RECORDS):
            writer.write_idx(number, record)
    content = paths[0].read_bytes()
    paths[0].write_bytes(content[:-cut])
    lines = content[:-cut].count(b"\n")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        reader = MXIndexedRecordIO(*paths, "r")
    whole = content[len(content) - cut :].startswith(b"\n")
    assert len(reader.keys) == lines + whole
    assert [reader.read_idx(key) for key in reader.keys] == RECORDS[: lines + whole]
    assert bool(told) == (not whole and not content[:-cut].endswith(b"\n"))


def test_a_hand_made_index_needs_no_newline_at_its_end(paths):
    with MXIndexedRecordIO(*paths, "w") as writer:
        for number in range(3):
            writer.write_idx(number, RECORDS[number])
    offsets = [offset for _, offset in read_index(paths[0])]
    paths[0].write_text(f"7\t{offsets[2]}\n8\t{offsets[0]}")
    reader = MXIndexedRecordIO(*paths, "r")
    assert (reader.read_idx(7), reader.read_idx(8)) == (RECORDS[2], RECORDS[0])


def test_a_device_that_is_full_is_named():
    writer = MXRecordIO("/dev/full", "w")
    writer.write(b"one")
    with pytest.raises(OSError, match="/dev/full"):
        writer.close()


@pytest.mark.parametrize("offset", [10**6, 2**63 - 1, 2**63, 2**200])
def test_an_index_that_ends_far_beyond_its_records(paths, offset):
    with MXIndexedRecordIO(*paths, "w") as writer:
        writer.write_idx(0, b"whole")
    paths[0].write_text(f"{paths[0].read_text()}1\t{offset}")
    with pytest.warns(UserWarning, match="is cut off and left out"):
        reader = MXIndexedRecordIO(*paths, "r")
    assert reader.keys == [0]
    assert reader.read_idx(0) == b"whole"


def test_a_cut_record_ends_reading_with_its_place(paths):
    with MXRecordIO(paths[1], "w") as writer:
        for record in RECORDS[:3]:
            writer.write(record)
        last = writer.tell()
        writer.write(HUGE)
    os.truncate(paths[1], last + 1000)
    reader = MXRecordIO(paths[1], "r")
    assert [reader.read() for _ in range(3)] == RECORDS[:3]
    with pytest.raises(RecordError, match=f"a.rec: record at offset {last}: truncated"):
        reader.read()
