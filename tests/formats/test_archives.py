"""Packed files."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pytest

import mxnet as mx
from mxnet._formats.archives import check_unpacked, open_unpacked, read_at_most
from mxnet.errors import LimitExceededError

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
