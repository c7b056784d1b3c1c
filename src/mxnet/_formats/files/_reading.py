"""Reading what was saved last, also if the writer was stopped amid its renames."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar, cast

from mxnet._formats.files._journal import marker_name, read_committed
from mxnet.errors import MXNetError

_Loaded = TypeVar("_Loaded")
_TRIES = 100


def find_saved(path: str | os.PathLike[str]) -> str:
    """Returns the file that holds what was saved under a path last.

    That is the file itself, but for the moments in which several files are being replaced.
    Nothing in the folder is changed.
    """
    target = os.fspath(path)
    if os.path.islink(target):
        target = os.path.realpath(target)
    folder, name = os.path.split(target)
    marker = os.path.join(folder, marker_name(name))
    journal = read_committed(Path(marker)) if os.path.lexists(marker) else None
    entry = None if journal is None else journal.entry_of(name)
    return str(entry.temporary) if entry is not None and entry.is_pending() else target


def open_saved(path: str | os.PathLike[str], buffering: int = -1) -> io.BufferedReader:
    """Opens what was saved under a path last, for reading."""
    with suppress(FileNotFoundError):  # what is found may take its place before it is opened
        return cast(io.BufferedReader, open(find_saved(path), "rb", buffering))
    return cast(io.BufferedReader, open(path, "rb", buffering))


def read_saved(path: str | os.PathLike[str], most: int = -1) -> bytes:
    """Returns the content of what was saved under a path last.

    Args:
        path: The file.
        most: How many bytes to read at the most; all if negative.
    """
    with open_saved(path) as file:
        return file.read(most)


def load_together(paths: Sequence[str | os.PathLike[str]], load: Callable[[], _Loaded]) -> _Loaded:
    """Loads files that were saved together, again if they are replaced meanwhile.

    Args:
        paths: The files.
        load: Reads them all.

    Returns:
        What `load` returned for files of one and the same save.
    """
    for _ in range(_TRIES):
        before = _identify(paths)
        try:
            loaded = load()
        except (MXNetError, OSError):
            if _identify(paths) == before:
                raise
        else:
            if _identify(paths) == before:
                return loaded
    return load()


def _identify(paths: Sequence[str | os.PathLike[str]]) -> list[tuple[int, int, int] | None]:
    return [_identity(path) for path in paths]


def _identity(path: str | os.PathLike[str]) -> tuple[int, int, int] | None:
    try:
        status = os.stat(find_saved(path))
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
