"""Writing files so that readers find the old content or the new one, never half of either."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from mxnet._formats.files._journal import Commit, finish_pending, marker_of
from mxnet._formats.files._leftovers import sweep
from mxnet._formats.files._temporary import Temporary, name_file, sync_folder


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
    old file stays as it was. Devices and pipes cannot be replaced; they are written directly.

    Args:
        path: File to write; a symbolic link keeps pointing where it does.
        chunks: The new content, in order.
    """
    with written_together() as saving:
        saving.write(path, chunks)
