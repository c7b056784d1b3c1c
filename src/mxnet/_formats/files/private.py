"""Folders that other users can write to: code and data from them may be another's.

A cache below `/tmp` can be made by any user before its owner does. What is read from there and run
or trusted must come from a folder that only this user, or the administrator, can change.
"""

from __future__ import annotations

import os
import stat
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mxnet._start import level_of_program

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
