"""The journal of files that take their places together.

A journal is one small file with a hard link beside every file that it is about, `.NAME.pending`.
It holds all names and, for each, which temporary file is to take the place. The moment at which the
last link appears is the moment at which all files are replaced: from then on the temporary files
count, wherever the renames have got to. Readers look through the journal and change nothing;
the next writer finishes what a dead one has left.

A journal decides which bytes are read under a name, so it is believed only if this user or the
administrator has written it, and only about the very files that it was written about: it notes
their inode numbers and the times of their last change, which no archive, copy or download brings
along and no program can set.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mxnet._formats.files.temporary import (
    SPECIAL_FLAGS,
    Temporary,
    cut_name,
    is_at,
    is_token,
    is_trusted,
    open_to_lock,
    sync_folder,
    temporary_name,
    try_lock,
)

SUFFIX = ".pending"
_KINDS = (".json", ".params", ".states", ".buckets", ".rec", ".idx", ".lst")
"""Endings of the files that are saved together. Nothing else is ever renamed on the word of a
journal, which may have come with a folder from a stranger."""

_MAX_BYTES = 1 << 18
"""Room for more than a thousand files. Larger sets are renamed without a journal."""
_MAX_NAME_BYTES = 255
_WAIT_SECONDS = 10.0
"""How long another writer gets to finish. Afterwards its renames are done for it."""
_POLL_SECONDS = 0.002
_TRIES = 100
"""How often other writers may come first, before files are renamed without a journal."""

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
"""What file systems without hard links say. They get the renames alone, in their order."""

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

Signature = tuple[int, int] | None
"""Size and time of a file, None if there is none."""

Identity = tuple[int, int, int, int]
"""Inode number, size, and times of the last write and of the last change of any kind."""


def signature_of(path: Path) -> Signature:
    """Returns what shows whether a program without journals has replaced a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def identity_of(status: os.stat_result) -> Identity:
    """Returns what tells a file from all others, and from itself after any change."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def marker_name(name: str) -> str:
    """Returns the name of the link to the journal beside a file of a name."""
    if len(os.fsencode(name)) + len(SUFFIX) < _MAX_NAME_BYTES:
        return f".{name}{SUFFIX}"
    digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
    return f".{cut_name(name)}.{digest}{SUFFIX}"


def marker_of(path: Path) -> Path:
    """Returns the path of the link to the journal beside a file."""
    return path.with_name(marker_name(path.name))


def is_marker(name: str) -> bool:
    """Returns whether a name is that of a link to a journal."""
    return name.startswith(".") and name.endswith(SUFFIX)


@dataclass(frozen=True)
class Entry:
    """A file of a journal."""

    target: Path
    token: str
    before: Signature
    """What the file was when the journal was written."""
    after: Identity
    """The file with the new content."""

    @property
    def temporary(self) -> Path:
        """The file with the new content."""
        return self.target.with_name(temporary_name(self.target.name, self.token))

    def is_pending(self) -> bool:
        """Returns whether the new content is still to take its place."""
        try:
            status = self.temporary.lstat()
        except OSError:
            return False
        if not stat.S_ISREG(status.st_mode) or not is_trusted(status.st_uid):
            return False
        return identity_of(status) == self.after and signature_of(self.target) == self.before


@dataclass(frozen=True)
class Journal:
    """What a journal holds."""

    entries: tuple[Entry, ...]

    def markers(self) -> list[Path]:
        """Returns the links in the order in which they are made."""
        return sorted(marker_of(entry.target) for entry in self.entries)

    def entry_of(self, name: str) -> Entry | None:
        """Returns the entry of a file of the folder."""
        return next((entry for entry in self.entries if entry.target.name == name), None)

    def is_about_present_files(self) -> bool:
        """Returns whether no file has been replaced since the journal was written."""
        return all(signature_of(entry.target) == entry.before for entry in self.entries)

    def encode(self) -> bytes:
        """Returns the content of the file."""
        rows = [[item.target.name, item.token, item.before, item.after] for item in self.entries]
        return json.dumps(rows).encode()

    def rename_pending(self) -> None:
        """Puts new content in its place, in the order of the entries."""
        for entry in self.entries:
            if entry.is_pending():
                with suppress(FileNotFoundError):
                    os.replace(entry.temporary, entry.target)


def _decode(content: bytes, folder: Path) -> Journal | None:
    """Reads a journal; one of another form is none at all."""
    try:
        rows = json.loads(content)
        entries = tuple(_decode_row(row, folder) for row in rows)
    except (ValueError, TypeError, RecursionError):
        return None
    if len({entry.target for entry in entries}) != len(entries):
        return None
    return Journal(entries) if entries else None


def _decode_row(row: Any, folder: Path) -> Entry:
    name, token, before, after = row
    if not isinstance(name, str) or not is_token(token):
        raise TypeError("a file's name and a token expected")
    if os.path.basename(name) != name or not name.endswith(_KINDS) or b"\0" in os.fsencode(name):
        raise ValueError("not a file that is saved together with others")
    inode, size, written, changed = after
    identity = inode, size, written, changed
    if before is None:
        return Entry(folder / name, token, None, identity)
    size_before, written_before = before
    return Entry(folder / name, token, (size_before, written_before), identity)


def _read(fd: int, folder: Path) -> Journal | None:
    return _decode(os.pread(fd, _MAX_BYTES, 0), folder) if _is_ours(fd) else None


def _is_ours(fd: int) -> bool:
    """Returns whether an open file can be a journal that is believed."""
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_BYTES:
        return False
    if os.name == "nt":  # where modes tell nothing of other users
        return True
    return is_trusted(status.st_uid) and not status.st_mode & _OTHERS_WRITE


def read_committed(marker: Path) -> Journal | None:
    """Returns the journal at a marker, if the new content of its files counts by now."""
    try:
        fd = os.open(marker, os.O_RDONLY | SPECIAL_FLAGS)
    except OSError:
        return None
    try:
        journal = _read(fd, marker.parent)
    except OSError:
        return None
    else:
        return journal if journal is not None and is_at(fd, journal.markers()[-1]) else None
    finally:
        os.close(fd)


def finish_pending(marker: Path, deadline: float | None = None) -> bool:
    """Ends what the journal at a marker has begun, if its writer is gone or does not get on.

    Args:
        marker: A link to the journal.
        deadline: Until when to wait for its writer, in the seconds of `time.monotonic`; what has
            passed already leaves a journal whose writer is at work; ten seconds from now if None.

    Returns:
        Whether a journal can be there: not if another file has that name, which stays as it
        is.
    """
    fd = open_to_lock(marker)
    if fd is None:
        return not os.path.lexists(marker)
    try:
        if not _is_ours(fd):  # which may be locked for ever
            return False
        begin = time.monotonic()
        end = begin + _WAIT_SECONDS if deadline is None else deadline
        while try_lock(fd) is False:
            if end <= begin:
                return True
            if time.monotonic() > end:
                break
            time.sleep(_POLL_SECONDS)
        return not is_at(fd, marker) or _finish(fd, marker.parent)
    finally:
        os.close(fd)


def _finish(fd: int, folder: Path) -> bool:
    journal = _read(fd, folder)
    if journal is None:
        return False
    markers = journal.markers()
    if is_at(fd, markers[-1]):
        journal.rename_pending()
        sync_folder(folder)
    _remove(fd, markers)
    return True


def _remove(fd: int, markers: Sequence[Path]) -> None:
    """Removes the links to an open journal, first the one that makes it count."""
    for marker in reversed(markers):
        if is_at(fd, marker):
            with suppress(OSError):
                marker.unlink()


class Commit:
    """Replaces files of one folder together.

    Args:
        temporaries: Complete files, in the order in which they take their places.
    """

    def __init__(self, temporaries: Sequence[Temporary]) -> None:
        self._temporaries = temporaries
        self._markers = sorted(marker_of(item.target) for item in temporaries)

    @staticmethod
    def takes(temporary: Temporary) -> bool:
        """Returns whether a journal may be kept of a file."""
        return temporary.target.name.endswith(_KINDS)

    def run(self) -> None:
        """Writes the journal, renames all files and removes the journal."""
        for _ in range(_TRIES):
            note = Temporary(self._temporaries[0].target)
            try:
                if self._try(note):
                    return
            finally:
                note.discard()
            deadline = time.monotonic() + _WAIT_SECONDS  # one for all that stand in the way
            if not all([finish_pending(marker, deadline) for marker in self._markers]):
                break
        _rename_in_order(self._temporaries)

    def _try(self, note: Temporary) -> bool:
        """Returns whether the files are in their places; not if another journal is in the way."""
        journal = Journal(tuple(map(_entry_of, self._temporaries)))
        content = journal.encode()
        if len(content) > _MAX_BYTES:
            _rename_in_order(self._temporaries)
            return True
        note.fill([content])
        note.sync()
        note.publish(~_OTHERS_WRITE)
        try:
            for marker in self._markers[:-1]:
                os.link(note.path, marker)
            # Before the first link another writer may have come and gone. What the journal says of
            # the old files must be true when it begins to count: readers compare it with them.
            if not journal.is_about_present_files():
                self._settle(note)
                return False
            os.link(note.path, self._markers[-1])
            sync_folder(note.path.parent)
            _rename_in_order(self._temporaries)
        except BaseException as error:
            self._settle(note)
            if isinstance(error, FileExistsError):
                return False
            if not isinstance(error, OSError) or error.errno not in _NO_LINKS:
                raise
            _rename_in_order(self._temporaries)
        sync_folder(note.path.parent)
        _remove(note.file.fileno(), self._markers)
        return True

    def _settle(self, note: Temporary) -> None:
        """Takes the journal back or, if files have been renamed already, brings it to its end."""
        if not all(item.path.exists() for item in self._temporaries):
            try:
                _rename_in_order(self._temporaries)
            except OSError:
                for item in self._temporaries:
                    item.is_kept = True  # the journal stays, and with it the new content counts
                return
        _remove(note.file.fileno(), self._markers)


def _entry_of(item: Temporary) -> Entry:
    status = item.path.lstat()
    return Entry(item.target, item.token, signature_of(item.target), identity_of(status))


def _rename_in_order(temporaries: Sequence[Temporary]) -> None:
    for item in temporaries:
        item.replace()
