"""Room on the disk, which a stranger's file must not take up to the last byte."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from mxnet.errors import FileAccessError

_RESERVE = 64 << 20
_SHARE = 256
"""What stays free: so many bytes, or this part of a small disk."""

_STRIDE = 16 << 20
"""Bytes after which the disk is looked at again."""


def check_room(path: str | os.PathLike[str], size: int, where: str = "") -> None:
    """Raises if a disk has no room for so many bytes more.

    Args:
        path: The file that they are for; its folder must be there.
        size: Number of bytes.
        where: What asks for them, for the message.

    Raises:
        FileAccessError: if there is less room, naming the file.
    """
    usage = shutil.disk_usage(Path(path).absolute().parent)
    free = max(0, usage.free - min(_RESERVE, usage.total // _SHARE))
    if size > free:
        text = f"{size:,} bytes are to be written where {free:,} are free"
        raise FileAccessError(errno.ENOSPC, f"{where}: {text}" if where else text, str(path))


def while_room(path: str | os.PathLike[str], blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields blocks that are written to a file, as long as there is room for more."""
    due = 0
    for block in blocks:
        due -= len(block)
        if due <= 0:
            check_room(path, len(block))
            due = _STRIDE
        yield block
