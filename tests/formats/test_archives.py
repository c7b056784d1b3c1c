"""Packed files."""

from __future__ import annotations

import ast
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest

import mxnet as mx
from mxnet._formats.archives import (
    check_unpacked,
    open_archive,
    open_unpacked,
    read_at_most,
    unpack,
    unpack_file,
)
from mxnet.errors import FileFormatError, LimitExceededError

CONTENT = b"one two three" * 1000


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_file_is_read_as_what_it_holds(pack, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(pack(CONTENT))
    with open_unpacked(path) as file:
        assert file.read(5) == CONTENT[:5]
        assert file.read() == CONTENT[5:]


def test_more_than_ten_times_the_file_counts():
    with mx.limits.scope(archive_bytes=100):
        check_unpacked("a.gz", 1100, 100)
        with pytest.raises(
            LimitExceededError, match=r"a\.gz: 100 packed bytes: asks for 101 bytes"
        ):
            check_unpacked("a.gz", 1101, 100)


def test_stream_ends_where_too_much_comes_out(tmp_path):
    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(bytes(1 << 20)))
    refused = pytest.raises(LimitExceededError, match=r"zeros\.gz")
    with mx.limits.scope(archive_bytes=1 << 16), open_unpacked(path) as file, refused:
        read_at_most(file, 1 << 40)
    with open_unpacked(path) as file:
        assert len(read_at_most(file, 1 << 40)) == 1 << 20


def test_plain_files_have_no_limit(tmp_path):
    path = tmp_path / "plain"
    path.write_bytes(CONTENT)
    with mx.limits.scope(archive_bytes=0), open_unpacked(path) as file:
        assert file.read() == CONTENT


def test_at_most_what_is_there_is_read(tmp_path):
    path = tmp_path / "plain"
    path.write_bytes(CONTENT)
    with open_unpacked(path) as file:
        assert read_at_most(file, 7) == CONTENT[:7]
        assert read_at_most(file, 1 << 50) == CONTENT[7:]


MEMBERS = {"a.txt": b"one", "folder/b.bin": CONTENT, f"{'long/' * 40}c": b"three", "d": b""}


def pack_tar(path, mode, **options):
    with tarfile.open(path, mode, **options) as archive:
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in MEMBERS.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


def pack_zip(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("folder") if hasattr(archive, "mkdir") else archive.writestr("folder/", "")
        for name, content in MEMBERS.items():
            archive.writestr(name, content)


PACKERS = {
    "zip": pack_zip,
    "tar": lambda path: pack_tar(path, "w"),
    "gz": lambda path: pack_tar(path, "w:gz"),
    "bz2": lambda path: pack_tar(path, "w:bz2"),
    "xz": lambda path: pack_tar(path, "w:xz"),
    "gnu": lambda path: pack_tar(path, "w", format=tarfile.GNU_FORMAT),
    "pax": lambda path: pack_tar(
        path, "w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "x"}
    ),
    "ustar": lambda path: pack_tar(path, "w", format=tarfile.USTAR_FORMAT),
}


@pytest.fixture(params=PACKERS)
def archive(request, tmp_path):
    path = tmp_path / "archive"
    PACKERS[request.param](path)
    return path


def test_members_are_read_in_their_order(archive):
    with open_archive(archive) as members:
        found = [(item.name.rstrip("/"), item.kind, item.read()) for item in members]
    files = [(name, "file", content) for name, content in MEMBERS.items()]
    assert found == [("folder", "folder", b""), *files]


def test_members_that_are_not_read_are_passed_over(archive):
    with open_archive(archive) as members:
        assert [item.size for item in members] == [0, *map(len, MEMBERS.values())]


def test_an_archive_is_unpacked_below_a_folder(archive, tmp_path):
    unpack(archive, tmp_path / "new")
    for name, content in MEMBERS.items():
        assert (tmp_path / "new" / name).read_bytes() == content


def test_one_file_is_unpacked(archive, tmp_path):
    unpack_file(archive, tmp_path / "b.bin", lambda blocks: blocks)
    assert (tmp_path / "b.bin").read_bytes() == CONTENT
    with pytest.raises(FileFormatError, match="does not have x"):
        unpack_file(archive, tmp_path / "x", lambda blocks: blocks)


def test_members_are_counted(archive):
    with mx.limits.scope(archive_members=2), pytest.raises(LimitExceededError):  # noqa: SIM117
        with open_archive(archive) as members:
            list(members)


READERS = {"bz2", "gzip", "lzma", "tarfile", "zipfile", "urllib.request", "requests"}
PLACES = {"mxnet/_formats/archives.py", "mxnet/_formats/downloads.py"}


def opened_by(path: Path) -> set[str]:
    """Returns what a module calls of Python's readers of archives and of the network."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {item.name for node in nodes if isinstance(node, ast.Import) for item in node.names}
    taken = {node.module for node in nodes if isinstance(node, ast.ImportFrom)} & READERS
    named = {node.value for node in nodes if isinstance(node, ast.Constant)} & READERS
    calls = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    words = ("urlopen", "urlretrieve", "unpack_archive", "make_archive")
    readers = (plain | named) & READERS
    return taken | {
        call
        for call in calls
        if call.rpartition(".")[0] in readers or call.rpartition(".")[2] in words
    }


def test_nothing_else_opens_archives_or_addresses():
    root = Path(mx.__file__).parents[1]
    found = {
        str(path.relative_to(root)): opened_by(path)
        for package in ("mxnet", "glueball")
        for path in (root / package).rglob("*.py")
    }
    assert {name for name, calls in found.items() if calls} <= PLACES
    assert found["mxnet/_formats/archives.py"] and found["mxnet/_formats/downloads.py"]
