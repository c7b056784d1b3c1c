"""Packed files: how much may come out of them, and streams that give no more than that.

A few kilobytes of gzip unpack to gigabytes of zeros. What is unpacked into memory may be ten times
the size of the packed file, and beyond that as much as the limit `archive_bytes` says.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from mxnet import limits

_RATIO = 10
"""Bytes that each byte of a packed file may unpack to without counting."""

_BLOCK_SIZE = 1 << 20

_OPENERS: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
"""How packed files begin, and what unpacks them."""

UNPACKING_ERRORS = (EOFError, OSError, zlib.error, lzma.LZMAError)
"""What unpacking a damaged file raises."""


def check_unpacked(where: str, unpacked: int, packed: int) -> None:
    """Raises if a packed file unpacks to more than is allowed.

    Args:
        where: The file, and the part of it that is unpacked.
        unpacked: Bytes that it unpacks to, as far as that is known.
        packed: Size of the packed file.

    Raises:
        LimitExceededError: if it is too much.
    """
    limits.check("archive_bytes", unpacked - _RATIO * packed, f"{where}: {packed:,} packed bytes")


class _Bounded(io.RawIOBase):
    """A stream that raises once more than is allowed has been read from it."""

    def __init__(self, stream: Any, where: str, packed: int) -> None:
        self._stream, self._where, self._packed = stream, where, packed
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fills a buffer as far as the stream has bytes."""
        count: int = self._stream.readinto(buffer)
        self._read += count
        check_unpacked(self._where, self._read, self._packed)
        return count


def read_at_most(stream: IO[bytes], size: int) -> bytearray:
    """Reads up to that many bytes, in blocks: what a header announces is not allocated before."""
    content = bytearray()
    while len(content) < size and (block := stream.read(min(_BLOCK_SIZE, size - len(content)))):
        content += block
    return content


@contextmanager
def open_unpacked(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Opens a file to read what it holds, unpacked if it is packed by gzip, bzip2 or xz.

    Args:
        path: The file.

    Raises:
        LimitExceededError: from the stream, when it gives more than is allowed.
    """
    name = os.fspath(path)
    with Path(name).open("rb") as file:
        start = file.read(max(map(len, _OPENERS)))
        file.seek(0)
        packer = next((begin for begin in _OPENERS if start.startswith(begin)), None)
        if packer is None:
            yield file
            return
        size = os.fstat(file.fileno()).st_size
        with _OPENERS[packer](file) as stream:
            yield io.BufferedReader(_Bounded(stream, name, size), 1 << 16)
