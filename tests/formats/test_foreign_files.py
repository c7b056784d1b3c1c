"""Files of other origin are opened if they are regular, and read as far as they go."""

from __future__ import annotations

import os
import socket

import pytest

import mxnet as mx
from mxnet._formats.files import open_foreign, read_foreign, read_foreign_text
from mxnet.errors import FileFormatError, LimitExceededError


def make_pipe(path):
    os.mkfifo(path)


def make_link_to_device(path):
    path.symlink_to("/dev/zero")


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
@pytest.mark.parametrize("make", [make_pipe, make_link_to_device, make_socket])
def test_special_files_are_refused(tmp_path, make, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    path = tmp_path / "data"
    make(path.relative_to(tmp_path) if make is make_socket else path)
    with pytest.raises(FileFormatError, match=r"data: is a .*, takes a regular file"):
        read_foreign(path)


def test_folders_and_missing_files_raise_as_open_does(tmp_path):
    with pytest.raises(IsADirectoryError):
        open_foreign(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_foreign(tmp_path / "nothing")


def test_reading_stops_at_the_size_of_the_file(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"a\r\nb\n")
    assert read_foreign(path) == b"a\r\nb\n"
    assert read_foreign_text(path) == "a\nb\n"
    with mx.limits.scope(array_bytes=4), pytest.raises(LimitExceededError, match="data"):
        read_foreign(path)


def test_text_of_another_encoding_names_the_byte(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes(b"ab\xff")
    with pytest.raises(FileFormatError, match=r"words\.txt: byte 2 is not utf-8 text"):
        read_foreign_text(path)
