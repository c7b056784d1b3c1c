"""Bringing a file to the disk while it is still being written.

A file that is synced when it is complete keeps the disk idle until then, and the writer waiting
afterwards. Linux can be asked to begin earlier, which promises nothing: a file must be synced in
the end as before, but then there is little left to do.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator

PIECE_BYTES = 1 << 23
"""How much is written before the disk begins with it."""

_SYNC_FILE_RANGE_WRITE = 2


def _find_function() -> Callable[[int, int, int, int], int] | None:
    """Returns the function of the system that begins to write a part of a file, if it has one."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        function: Callable[[int, int, int, int], int] = ctypes.CDLL(None).sync_file_range
    except (OSError, AttributeError):
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint]  # type: ignore[attr-defined]
    return function


_begin = _find_function()


def start_writeback(fd: int, start: int, size: int) -> None:
    """Asks the system to begin writing a part of an open file to the disk.

    Where that is not possible, nothing happens.
    """
    if _begin is not None:
        _begin(fd, start, size, _SYNC_FILE_RANGE_WRITE)


def cut(chunk: bytes | memoryview) -> Iterator[bytes | memoryview]:
    """Returns bytes in pieces that the disk can begin with."""
    if len(chunk) <= PIECE_BYTES:
        yield chunk
        return
    view = memoryview(chunk).cast("B")
    for start in range(0, len(view), PIECE_BYTES):
        yield view[start : start + PIECE_BYTES]
