"""What comes from others: their files, the room that these take, folders that they can write to.

Every reader of the package goes through here. A cache below `/tmp` can be made by any user before
its owner does. What is read from there and run or trusted must come from a folder that only this
user, or the administrator, can change.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from glueball.regular_files import SpecialFileError, open_regular, size_of
from mxnet import limits
from mxnet._start import level_of_program
from mxnet.errors import FileAccessError, FileFormatError, MissingFileError

if sys.platform != "win32":
    import grp
    import pwd


class Weakness(NamedTuple):
    """Why a folder is not this user's alone."""

    reason: str
    is_of_group: bool
    """Whether a group alone can write to it, which may be meant so."""


def find_weakness(folder: str | os.PathLike[str]) -> Weakness | None:
    """Returns by whom else a folder can be written or replaced, None if by no one.

    Args:
        folder: The folder, which need not be there: then the first that is counts.
    """
    if not hasattr(os, "geteuid"):
        return None
    path = Path(os.path.realpath(folder))
    found = [item for item in (path, *path.parents) if item.exists()]
    weaknesses = [_look_at(item, is_parent=item != path) for item in found]
    return min(filter(None, weaknesses), key=lambda item: item.is_of_group, default=None)


def _look_at(path: Path, is_parent: bool) -> Weakness | None:
    status = path.stat()
    if status.st_uid not in (os.geteuid(), 0):
        return Weakness(f"{path} belongs to {_user_name(status.st_uid)}", False)
    if is_parent and status.st_mode & stat.S_ISVTX:  # like /tmp, where files stay their owner's
        return None
    if status.st_mode & stat.S_IWOTH:
        return Weakness(f"{path} can be written by all users", False)
    if status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid):
        return Weakness(f"{path} can be written by the group {_group_name(status.st_gid)}", True)
    return None


def _user_name(number: int) -> str:
    with suppress(KeyError):
        return f"the user {pwd.getpwuid(number).pw_name}"
    return f"the user {number}"


def _group_name(number: int) -> str:
    with suppress(KeyError):
        return grp.getgrgid(number).gr_name
    return str(number)


def _is_own_group(number: int) -> bool:
    """Returns whether a group has no member but this user, as systems make one for each."""
    if number == 0:
        return True
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return (
        user.pw_gid == number
        and group.gr_name == user.pw_name
        and not {*group.gr_mem} - {user.pw_name}
    )


def make_private(folder: Path) -> bool:
    """Makes a folder for this user alone, if it is not there.

    Returns:
        Whether it is there now and no other user can write to it.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
    except OSError:
        return False
    is_ours = folder.is_dir() and not folder.is_symlink() and os.access(folder, os.W_OK | os.X_OK)
    return is_ours and find_weakness(folder) is None


_told: set[str] = set()


def warn_of_others(folder: str | os.PathLike[str]) -> None:
    """Warns, once for each folder, if any user can replace the files of a folder of data."""
    weakness = find_weakness(folder) if os.path.isdir(folder) else None
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if weakness is None or weakness.is_of_group or (is_root and " belongs to " in weakness.reason):
        return  # a group may share its data, and root may read those of a user
    if os.fspath(folder) not in _told:
        _told.add(os.fspath(folder))
        warnings.warn(
            f"{os.fspath(folder)}: {weakness.reason}, who can replace the files that are read from "
            "it; run `chmod go-w`, or set MXNET_HOME to a folder of your own",
            stacklevel=level_of_program(),
        )


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


def open_foreign(
    path: str | os.PathLike[str], buffering: int = -1, mode: int | None = None
) -> io.BufferedReader:
    """Opens a regular file for reading bytes.

    Args:
        path: The file.
        buffering: As for `open`.
        mode: Its kind and permissions, if they have been looked at just now.

    Raises:
        FileFormatError: if it is a pipe, a device or a socket.
    """
    try:
        return open_regular(path, buffering, mode)
    except SpecialFileError as error:
        raise FileFormatError(str(error)) from None


def access_error(
    where: str, path: str | os.PathLike[str], error: OSError
) -> FileAccessError | MissingFileError:
    """Makes the error about a file that the system does not open: a folder, a link to itself.

    Args:
        where: What reads the file, for the message.
        path: The file.
        error: What the system says; its number is kept.
    """
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileAccessError
    return kind(error.errno, f"{where}: {error.strerror}", os.fspath(path))


def read_foreign(path: str | os.PathLike[str], limit: str = "array_bytes") -> bytes:
    """Returns the content of a regular file, as long as it was when it was opened.

    Args:
        path: The file.
        limit: Name of the limit that its size is compared with before any of it is read.
    """
    with open_foreign(path) as file:
        return read_whole(file, path, limit)


def read_whole(
    file: io.BufferedReader, path: str | os.PathLike[str], limit: str = "array_bytes"
) -> bytes:
    """Returns the content of an open file, as long as it is now.

    Args:
        file: The file.
        path: What a message calls it.
        limit: Name of the limit that its size is compared with before any of it is read.
    """
    size = size_of(file)
    limits.check(limit, size, os.fspath(path))
    return file.read(size)


def read_foreign_text(
    path: str | os.PathLike[str], encoding: str = "utf-8", errors: str = "strict"
) -> str:
    """Returns the content of a text file, with line ends as Python has them.

    Raises:
        FileFormatError: if it is not text of that encoding.
    """
    content = read_foreign(path)
    try:
        return io.IncrementalNewlineDecoder(None, translate=True).decode(
            content.decode(encoding, errors), final=True
        )
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{os.fspath(path)}: byte {error.start} is not {encoding} text"
        ) from error
