"""The one way to open a file of other origin: a regular one, and no more of it than it holds.

A path that a stranger chose may lead to a pipe, on which reading waits for ever, or to a device
such as `/dev/zero`, which never ends. The module stands here and not in `mxnet`, which imports it,
because `glueball scan` reads files without importing torch.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from typing import NoReturn, cast

_FLAGS: int = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe does not wait for its other end
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class SpecialFileError(ValueError):
    """A path leads to a pipe, a device or a socket where a file is read."""


def open_regular(
    path: str | os.PathLike[str], buffering: int = -1, mode: int | None = None
) -> io.BufferedReader:
    """Opens a regular file for reading bytes.

    Args:
        path: The file.
        buffering: As for `open`.
        mode: Its kind and permissions, if they have been looked at just now.

    Raises:
        SpecialFileError: if it is a pipe, a device or a socket, of which nothing has been read.
        OSError: as `open` does, for folders and missing files too.
    """
    # Opening a device can already have an effect, so it is looked at before; afterwards what was
    # opened is looked at again, because the path may lead elsewhere by then.
    if mode is None:
        mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        _refuse(mode, path)
    fd = os.open(path, _FLAGS)
    try:
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            _refuse(mode, path)
        return cast(io.BufferedReader, open(fd, "rb", buffering))
    except BaseException:
        os.close(fd)
        raise


def _refuse(mode: int, path: str | os.PathLike[str]) -> NoReturn:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    kind = next((text for test, text in _KINDS if test(mode)), "a special file")
    raise SpecialFileError(f"{os.fspath(path)}: is {kind}, takes a regular file")


def size_of(file: io.BufferedReader) -> int:
    """Returns how many bytes an open file holds now."""
    return os.fstat(file.fileno()).st_size


def read_regular(path: str | os.PathLike[str]) -> bytes:
    """Returns the content of a regular file, as long as it was when it was opened."""
    with open_regular(path) as file:
        return file.read(size_of(file))
