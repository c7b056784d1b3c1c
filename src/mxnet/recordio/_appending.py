"""Files that grow by whole items (records or lines), even if their writer is killed."""

from __future__ import annotations

import os
from bisect import bisect_right
from contextlib import suppress

from mxnet.errors import FileAccessError

_BUFFER_BYTES = 1 << 16


class Appender:
    """Appends items to a file, many at a time, each of them whole.

    A process that is killed leaves whole items and at most a part of one at the end. If the disk is
    full, the file is cut after the last item that fitted and the others stay buffered for the
    next try, so that writing can go on once there is room again.

    Args:
        path: The file; it keeps its content until `clear`.
    """

    def __init__(self, path: str) -> None:
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        self.path = path
        self.end = 0
        """Number of bytes handed to the system."""
        self._fd = os.open(path, flags, 0o666)
        self._items: list[bytes] = []
        self._waiting = 0

    def clear(self) -> None:
        """Makes the file empty."""
        with suppress(OSError):  # a pipe or a device
            os.ftruncate(self._fd, 0)

    def tell(self) -> int:
        """Returns where the next item will begin."""
        return self.end + self._waiting

    def append(self, item: bytes) -> None:
        """Appends an item; if that fails, the item is not part of the file."""
        size = len(item)
        if self._waiting + size > _BUFFER_BYTES and self._items:
            self.flush()
        self._items.append(item)
        self._waiting += size
        if size > _BUFFER_BYTES:
            try:
                self.flush()
            except BaseException:
                if self._items:
                    self._waiting -= len(self._items.pop())
                raise

    def flush(self) -> None:
        """Writes all buffered items."""
        self._write_first(len(self._items))

    def _write_first(self, count: int) -> None:
        content = memoryview(b"".join(self._items[:count]))
        try:
            while content:
                content = content[os.write(self._fd, content) :]
        except BaseException as error:
            self._cut_after_whole_items()
            if isinstance(error, OSError):
                raise FileAccessError(error.errno, error.strerror, self.path) from error
            raise
        self._forget_first(count)

    def _cut_after_whole_items(self) -> None:
        """Cuts the file after the last whole item; the other items stay buffered."""
        try:
            room = os.lseek(self._fd, 0, os.SEEK_CUR) - self.end
        except OSError:  # a pipe, where writes cannot be undone
            return
        count = 0
        while count < len(self._items) and len(self._items[count]) <= room:
            room -= len(self._items[count])
            count += 1
        self._forget_first(count)
        with suppress(OSError):
            os.lseek(self._fd, self.end, os.SEEK_SET)
            os.ftruncate(self._fd, self.end)

    def _forget_first(self, count: int) -> None:
        """Removes items that have been written from the buffer."""
        written = sum(map(len, self._items[:count]))
        del self._items[:count]
        self.end += written
        self._waiting -= written

    def close(self, *, discard: bool = False) -> None:
        """Writes what is buffered and closes the file, even if writing fails.

        Args:
            discard: Whether to drop what is buffered, because it belongs to the process that
                this one was forked from.
        """
        try:
            if not discard:
                self.flush()
        finally:
            os.close(self._fd)


class Follower(Appender):
    """Appends items about those of another file, after these have been written.

    Args:
        path: The file.
        leader: The other file. An item here is about the last one there.
    """

    def __init__(self, path: str, leader: Appender) -> None:
        super().__init__(path)
        self._leader = leader
        self._needs: list[int] = []
        """For each item, the size that the leader must have before it is written."""
        self._known_end = 0

    def append(self, item: bytes) -> None:
        """Appends an item about the last one of the leader."""
        self._items.append(item)
        self._waiting += len(item)
        self._needs.append(self._leader.tell())
        if self._waiting > _BUFFER_BYTES:
            self._leader.flush()
        if self._leader.end != self._known_end:
            self.flush()

    def flush(self) -> None:
        """Writes the items whose counterparts in the leader have been written."""
        self._known_end = self._leader.end
        self._write_first(bisect_right(self._needs, self._known_end))

    def _forget_first(self, count: int) -> None:
        del self._needs[:count]
        super()._forget_first(count)
