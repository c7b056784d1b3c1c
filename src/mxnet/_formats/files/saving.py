"""Saves files whole or not at all, reads what was saved last, and clears what was left behind."""

from __future__ import annotations

import io
import os
import random
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from mxnet._formats.files.foreign import open_foreign, read_whole
from mxnet._formats.files.journal import (
    SUFFIX,
    Commit,
    finish_pending,
    is_marker,
    marker_name,
    marker_of,
    read_committed,
)
from mxnet._formats.files.temporary import (
    NAME_BYTES,
    Temporary,
    is_temporary,
    name_file,
    open_if_dead,
    sync_folder,
    target_name,
)
from mxnet.errors import MXNetError


class Saving:
    """Files that are to be replaced together. They are complete before the first is renamed."""

    def __init__(self) -> None:
        self._temporaries: dict[Path, Temporary] = {}
        self._reserved: list[Temporary] = []

    def write(self, path: str | os.PathLike[str], chunks: Iterable[bytes | memoryview]) -> None:
        """Writes the new content of a file, which takes its place with the others."""
        given, target = Path(path), Path(os.path.realpath(path))
        if given.exists() and not given.is_file():
            _write_directly(given, chunks)
            return
        try:
            temporary = self._begin(target)
            temporary.fill(chunks)
            temporary.sync()
        except BaseException as error:
            self._drop(target)
            if isinstance(error, OSError) and error.filename == str(target):
                raise name_file(error, path) from error
            raise

    def reserve(self, path: str | os.PathLike[str]) -> Path:
        """Returns the path of an empty file to write to, which then takes a file's place."""
        temporary = self._begin(Path(os.path.realpath(path)))
        self._reserved.append(temporary)
        return temporary.path

    def _begin(self, target: Path) -> Temporary:
        sweep(target.parent)
        self._drop(target)
        return self._temporaries.setdefault(target, Temporary(target))

    def _drop(self, target: Path) -> None:
        if target in self._temporaries:
            self._temporaries.pop(target).discard()

    def commit(self) -> None:
        """Puts all files in their places, in the order in which they were written."""
        items = list(self._temporaries.values())
        for item in self._reserved:
            item.sync()
        for item in items:
            item.publish()
        for group in _divide(items):
            if len(group) > 1:
                Commit(group).run()
                continue
            finish_pending(marker_of(group[0].target))
            if group[0].pour():
                continue
            group[0].replace()
            sync_folder(group[0].target.parent)

    def close(self) -> None:
        """Removes what has not taken its place."""
        for item in self._temporaries.values():
            item.discard()


def _divide(items: Sequence[Temporary]) -> list[list[Temporary]]:
    """Returns groups that a journal each can be kept of: files of one folder."""
    groups: dict[Path, list[Temporary]] = {}
    for item in items:
        key = item.target.parent if Commit.takes(item) else item.target
        groups.setdefault(key, []).append(item)
    return list(groups.values())


def _write_directly(target: Path, chunks: Iterable[bytes | memoryview]) -> None:
    """Writes to a device or a pipe, which cannot be replaced."""
    try:
        with target.open("wb") as file:
            file.writelines(chunks)
    except OSError as error:
        raise name_file(error, target) from error


class _Current(threading.local):
    saving: Saving | None = None


_current = _Current()


@contextmanager
def written_together() -> Iterator[Saving]:
    """Collects the files that this thread writes, and replaces them together in the end.

    Every reader of this package sees all the old ones or all the new ones, even if the process
    is killed; other programs may see, for some microseconds, the first ones new and the others
    old. If anything fails, all old files stay. A block inside of another is part of it.

    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> with written_together():
        ...     write_atomically(f"{folder}/net-0000.params", [b"parameters"])
        ...     write_atomically(f"{folder}/net-symbol.json", [b"graph"])
    """
    if _current.saving is not None:
        yield _current.saving
        return
    _current.saving = saving = Saving()
    try:
        yield saving
        saving.commit()
    finally:
        _current.saving = None
        saving.close()


def write_atomically(path: str | os.PathLike[str], chunks: Iterable[bytes | memoryview]) -> None:
    """Replaces the content of a file in one step, or together with others.

    The chunks go to a temporary file in the same folder, which takes the file's place when it is
    complete and on the disk. If anything fails before, the temporary file is removed and the
    old file stays as it was. Devices and pipes cannot be replaced; they are written directly. What
    is complete is copied into an empty file, which a program may hold open.

    Args:
        path: File to write; a symbolic link keeps pointing where it does.
        chunks: The new content, in order.
    """
    with written_together() as saving:
        saving.write(path, chunks)


_SHARE = 50
"""A folder is looked through again after this many times the time that it took before, so that
saving into a folder of very many files does not become slow."""
_MAX_FOLDERS = 256
_MAX_LEFTOVERS = 64
_MAX_SECONDS = 0.25
"""How many files, and for how long, one look through a folder deals with. What dead processes leave
is a few; the files of a hostile folder wait for the next time."""

_next_sweeps: dict[str, float] = {}
"""By folder, `_MAX_FOLDERS` at most; an entry is of no use once its time has passed."""


def sweep(folder: Path) -> None:
    """Finishes what dead processes have begun in a folder, and removes their temporary files."""
    begin = time.monotonic()
    if begin < _next_sweeps.get(str(folder), 0.0):
        return
    names = [name for name in _list(folder) if is_marker(name) or is_temporary(name)]
    for name in _some(names):
        if is_temporary(name):
            _remove_if_dead(folder / name)
        else:
            with suppress(OSError):  # the next save of these files raises it
                finish_pending(folder / name, begin)
        if time.monotonic() > begin + _MAX_SECONDS:
            break
    if len(_next_sweeps) >= _MAX_FOLDERS:
        _next_sweeps.clear()
    end = time.monotonic()
    _next_sweeps[str(folder)] = end + _SHARE * (end - begin)


def _some(names: list[str]) -> list[str]:
    """Returns as many as one look through a folder deals with, others at another time."""
    if len(names) > _MAX_LEFTOVERS:
        names = random.Random(time.monotonic_ns()).sample(names, _MAX_LEFTOVERS)
    return sorted(names, key=is_temporary)  # journals first, which leave nothing to remove


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
        if not _is_in_journal(path):
            with suppress(OSError):
                path.unlink()
    finally:
        os.close(fd)


def _is_in_journal(path: Path) -> bool:
    """Returns whether a temporary file counts, because the journal of its file names it."""
    name = target_name(path.name)
    if len(os.fsencode(name)) < NAME_BYTES:
        markers = [path.with_name(marker_name(name))]
    else:  # of which there is only the beginning
        found = [item for item in _list(path.parent) if item.startswith(f".{name}")]
        markers = [path.with_name(item) for item in found if is_marker(item)]
    journals = (read_committed(marker) for marker in markers[:_MAX_LEFTOVERS])
    entries = (entry for journal in journals if journal is not None for entry in journal.entries)
    return any(entry.temporary == path for entry in entries)


_Loaded = TypeVar("_Loaded")
_TRIES = 100
_OTHER_SEPARATOR = os.altsep or os.sep
_SHORT = 60
"""Length of names that take less than 255 bytes with what `marker_name` adds, in any encoding."""


def find_saved(path: str | os.PathLike[str]) -> str:
    """Returns the file that holds what was saved under a path last.

    That is the file itself, but for the moments in which several files are being replaced.
    Nothing in the folder is changed.
    """
    target = os.fspath(path)
    if os.path.islink(target):
        target = os.path.realpath(target)
    name, marker = _find_marker(target)
    journal = None if marker is None else read_committed(Path(marker))
    entry = None if journal is None else journal.entry_of(name)
    return str(entry.temporary) if entry is not None and entry.is_pending() else target


def _find_marker(target: str) -> tuple[str, str | None]:
    """Returns the name of a file, and the link to its journal if there is one."""
    cut = max(target.rfind(os.sep), target.rfind(_OTHER_SEPARATOR)) + 1
    name = target[cut:]
    marker = target[:cut] + (f".{name}{SUFFIX}" if len(name) < _SHORT else marker_name(name))
    # Costs less than the error of a file that is not found.
    return name, marker if os.access(marker, os.F_OK) else None


def open_saved(path: str | os.PathLike[str], buffering: int = -1) -> io.BufferedReader:
    """Opens what was saved under a path last, for reading.

    Raises:
        FileFormatError: if it is a pipe, a device or a socket.
    """
    try:
        target = os.fspath(path)
        mode = os.lstat(target).st_mode
        if stat.S_ISREG(mode) and _find_marker(target)[1] is None:  # as it nearly always is
            return open_foreign(target, buffering, mode)
    except FileNotFoundError:
        pass
    try:
        return open_foreign(find_saved(path), buffering)
    except FileNotFoundError:  # what is found may take its place before it is opened
        return open_foreign(path, buffering)


def read_saved(path: str | os.PathLike[str], most: int = -1) -> bytes:
    """Returns the content of what was saved under a path last.

    Args:
        path: The file.
        most: How many bytes to read at the most; all if negative.
    """
    with open_saved(path) as file:
        return read_whole(file, path) if most < 0 else file.read(most)


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
    return [*map(_identity, paths)]


def _identity(path: str | os.PathLike[str]) -> tuple[int, int, int] | None:
    try:
        status = os.stat(find_saved(path))
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
