"""What processes that died while they were saving have left in a folder."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from mxnet._formats.files._journal import finish_pending, is_marker, read_committed
from mxnet._formats.files._temporary import is_temporary, open_if_dead

_SHARE = 50
"""A folder is looked through again after this many times the time that it took before, so that
saving into a folder of very many files does not become slow."""
_MAX_FOLDERS = 256

_next_sweeps: dict[str, float] = {}
"""By folder, `_MAX_FOLDERS` at most; an entry is of no use once its time has passed."""


def sweep(folder: Path) -> None:
    """Finishes what dead processes have begun in a folder, and removes their temporary files."""
    begin = time.monotonic()
    if begin < _next_sweeps.get(str(folder), 0.0):
        return
    names = [name for name in _list(folder) if is_marker(name) or is_temporary(name)]
    for name in filter(is_marker, names):
        with suppress(OSError):  # the next save of these files raises it
            finish_pending(folder / name, wait_seconds=0)
    for name in filter(is_temporary, names):
        _remove_if_dead(folder / name)
    if len(_next_sweeps) >= _MAX_FOLDERS:
        _next_sweeps.clear()
    end = time.monotonic()
    _next_sweeps[str(folder)] = end + _SHARE * (end - begin)


def _list(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # a folder that may be written to, but not listed
        return []


def _remove_if_dead(path: Path) -> None:
    fd = open_if_dead(path)
    if fd is None:
        return
    try:
        # Its writer is gone, so that no journal will name the file which does not do so by now.
        if path not in _files_of_journals(path.parent):
            with suppress(OSError):
                path.unlink()
    finally:
        os.close(fd)


def _files_of_journals(folder: Path) -> set[Path]:
    """Returns the temporary files that count, because a journal names them."""
    found: set[Path] = set()
    for name in filter(is_marker, _list(folder)):
        journal = read_committed(folder / name)
        if journal is not None:
            found.update(entry.temporary for entry in journal.entries)
    return found
