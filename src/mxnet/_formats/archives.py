"""Compressed files: a limit on their uncompressed size, and streams that keep to it.

A few kilobytes of gzip expand to gigabytes of zeros. Uncompressed data may take ten times the size
of the compressed file, and `archive_bytes` of `mx.limits` beyond that.
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
from typing import IO, Any

from mxnet import limits
from mxnet._formats.files import open_foreign

_RATIO = 10
"""Uncompressed bytes that each byte of a compressed file may have before the limit counts."""

_BLOCK_SIZE = 1 << 20

_OPENERS: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
"""Decompressors by the first bytes of a file."""

UNPACKING_ERRORS = (EOFError, OSError, zlib.error, lzma.LZMAError)
"""What decompressing a damaged file raises."""


def check_unpacked(where: str, unpacked: int, packed: int) -> None:
    """Raises if the uncompressed size of a file exceeds the limit.

    Args:
        where: The file and the part of it, for the message.
        unpacked: Uncompressed size in bytes, as far as it is known.
        packed: Size of the compressed file in bytes.

    Raises:
        LimitExceededError: if it does.
    """
    limits.check("archive_bytes", unpacked - _RATIO * packed, f"{where}: {packed:,} packed bytes")


class _Bounded(io.RawIOBase):
    """A stream that raises once more bytes were read from it than the limit allows."""

    def __init__(self, stream: Any, where: str, packed: int) -> None:
        self._stream, self._where, self._packed = stream, where, packed
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads bytes into a buffer; returns their number."""
        count: int = self._stream.readinto(buffer)
        self._read += count
        check_unpacked(self._where, self._read, self._packed)
        return count


def read_at_most(stream: IO[bytes], size: int) -> bytearray:
    """Reads at most `size` bytes, in blocks: the size in a header is not allocated beforehand."""
    content = bytearray()
    while len(content) < size and (block := stream.read(min(_BLOCK_SIZE, size - len(content)))):
        content += block
    return content


@contextmanager
def open_unpacked(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Opens a file for reading, decompressed if it is compressed by gzip, bzip2 or xz.

    Args:
        path: The file.

    Raises:
        LimitExceededError: from reads of the stream, beyond the limit.
    """
    name = os.fspath(path)
    with open_foreign(name) as file:
        start = file.read(max(map(len, _OPENERS)))
        file.seek(0)
        packer = next((begin for begin in _OPENERS if start.startswith(begin)), None)
        if packer is None:
            yield file
            return
        size = os.fstat(file.fileno()).st_size
        with _OPENERS[packer](file) as stream:
            yield io.BufferedReader(_Bounded(stream, name, size), 1 << 16)
