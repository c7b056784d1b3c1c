"""Files of records, read or written in order or by key; they grow by whole records."""

from __future__ import annotations

import os
import warnings
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mxnet import errors
from mxnet._formats.files import access_error, open_saved, read_saved
from mxnet._start import PublicInit, level_of_program, public_methods
from mxnet.recordio import _format

if TYPE_CHECKING:
    from typing_extensions import Self


@public_methods()
class MXRecordIO(PublicInit):
    """Reads or writes a file of records in order.

    A reader that is used in a forked process reopens the file there; a writer raises. A reader
    can be pickled; the copy begins at the first record.

    A writer that is killed leaves a file of whole records, of which the last may be cut off: a
    reader returns all whole ones and then raises a `RecordError` that names the position. A full
    disk raises `OSError`; the file then ends with a whole record, and the writer can go on.

    Args:
        uri: Path of the file.
        flag: `"r"` to read, `"w"` to write.

    Example:
        >>> import tempfile, mxnet as mx
        >>> path = tempfile.mkdtemp() + "/a.rec"
        >>> writer = mx.recordio.MXRecordIO(path, "w")
        >>> writer.write(b"one")
        >>> writer.close()
        >>> reader = mx.recordio.MXRecordIO(path, "r")
        >>> reader.read(), reader.read()
        (b'one', None)

        A damaged file can be read as far as it is good:

        >>> def read_all(reader):
        ...     while True:
        ...         try:
        ...             record = reader.read()
        ...         except mx.recordio.RecordError:
        ...             if not reader.resync():
        ...                 return
        ...             continue
        ...         if record is None:
        ...             return
        ...         yield record
    """

    def __init__(self, uri: str | os.PathLike[str], flag: str) -> None:
        self.uri = os.fspath(uri)
        self.flag = flag
        self.handle: Any = None
        self.pid: int | None = None
        self.is_open = False
        self.writable = False
        self.open()

    def open(self) -> None:
        """Opens the file; a file that is open for writing becomes empty.

        Raises:
            MissingFileError: if there is no such file or folder.
            FileAccessError: if it cannot be opened.
        """
        if self.flag not in ("r", "w"):
            raise errors.AttributeValueError(
                f"MXRecordIO: `flag` takes 'r' or 'w', got {self.flag!r}"
            )
        self.writable = self.flag == "w"
        try:
            self._open_files()
        except (FileNotFoundError, IsADirectoryError) as error:
            raise errors.MissingFileError(
                f"MXRecordIO: cannot open {self.uri!r}: {error}"
            ) from error
        except OSError as error:
            raise access_error("MXRecordIO", self.uri, error) from error
        self.pid = os.getpid()
        self.is_open = True

    def _open_files(self) -> None:
        if self.writable:
            self.handle = Appender(self.uri)
            self.handle.clear()
        else:
            self.handle = open_saved(self.uri)

    def close(self) -> None:
        """Closes the file; closing it again does nothing."""
        if not self.is_open:
            return
        is_forked, self.is_open, self.pid = self.pid != os.getpid(), False, None
        self._close_files(is_forked)

    def _close_files(self, is_forked: bool) -> None:
        """Closes open files; a forked process leaves buffered data to its parent."""
        if isinstance(self.handle, Appender):
            self.handle.close(discard=is_forked)
        elif self.handle is not None:
            self.handle.close()

    def __del__(self) -> None:
        if getattr(self, "is_open", False):
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        if self.is_open and self.writable:
            raise errors.UnsupportedTypeError(
                f"{self.uri}: a file open for writing cannot be pickled"
            )
        return {**self.__dict__, "handle": None, "pid": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.is_open:
            self.open()

    def _check_pid(self, allow_reset: bool = False) -> None:
        """Checks that this process may use the file."""
        if self.pid == os.getpid():
            return
        if not self.is_open:
            raise errors.CheckFailedError(f"{self.uri}: the file is closed")
        if not allow_reset:
            raise errors.MXNetError(f"{self.uri}: opened for writing in another process")
        self.reset()

    def _file(self, writable: bool) -> Any:
        if self.writable != writable or self.handle is None:
            way = "writing" if writable else "reading"
            raise errors.CheckFailedError(f"{self.uri}: the file is not open for {way}")
        self._check_pid(allow_reset=not writable)
        return self.handle

    def reset(self) -> None:
        """Goes back to the first record; a file that is written becomes empty.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "a.rec")
            ...     writer = mx.recordio.MXRecordIO(path, "w")
            ...     writer.write(b"first")
            ...     writer.close()
            ...     reader = mx.recordio.MXRecordIO(path, "r")
            ...     _ = reader.read()
            ...     reader.reset()
            ...     print(reader.read())
            b'first'
        """
        self.close()
        self.open()

    def write(self, buf: bytes) -> None:
        """Writes a record.

        Args:
            buf: Its bytes, less than 512 MB of them.

        Raises:
            OSError: if the file cannot be written, as on a full disk; it holds whole records.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "a.rec")
            ...     writer = mx.recordio.MXRecordIO(path, "w")
            ...     writer.write(b"first")
            ...     writer.close()
            ...     print(mx.recordio.MXRecordIO(path, "r").read())
            b'first'
        """
        file = self._file(writable=True)
        if not isinstance(buf, (bytes, bytearray, memoryview)):
            raise errors.UnsupportedTypeError(f"{self.uri}: a record takes bytes, got {buf!r:.60}")
        file.append(_format.encode_record(bytes(buf)))

    def read(self) -> Any:
        """Reads the next record, None after the last.

        Raises:
            RecordError: if it is damaged; the position stays before it, see `resync`.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "a.rec")
            ...     writer = mx.recordio.MXRecordIO(path, "w")
            ...     writer.write(b"first")
            ...     writer.close()
            ...     reader = mx.recordio.MXRecordIO(path, "r")
            ...     print(reader.read(), reader.read())
            b'first' None
        """
        return _format.read_record(self._file(writable=False), self.uri)

    def tell(self) -> int:
        """Returns the position of the next record in the file.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "a.rec")
            ...     writer = mx.recordio.MXRecordIO(path, "w")
            ...     writer.write(b"12345")
            ...     print(writer.tell())  # a head of 8 bytes, and the record up to a multiple of 4
            ...     writer.close()
            16
        """
        position: int = self._file(self.writable).tell()
        return position

    def resync(self) -> bool:
        """Goes to the next record that looks whole, after the one at the current position.

        It looks for a magic number with a length that ends at another one or at the end of the
        file.

        Returns:
            Whether there is one; if not, the position is the end of the file.
        """
        return _format.find_record(self._file(writable=False))


@public_methods()
class MXIndexedRecordIO(MXRecordIO):
    """Reads or writes records by key, with an index file of their positions.

    The index is written after the records: even if the writer is killed, every line of the index
    has its record.

    Args:
        idx_path: Path of the index, lines of a key, a tab and a position.
        uri: Path of the records.
        flag: `"r"` to read, `"w"` to write.
        key_type: Makes a key from its text.

    Example:
        >>> import tempfile, mxnet as mx
        >>> folder = tempfile.mkdtemp()
        >>> paths = folder + "/a.idx", folder + "/a.rec"
        >>> writer = mx.recordio.MXIndexedRecordIO(*paths, "w")
        >>> writer.write_idx(7, b"seven")
        >>> writer.close()
        >>> mx.recordio.MXIndexedRecordIO(*paths, "r").read_idx(7)
        b'seven'
    """

    def __init__(
        self,
        idx_path: str | os.PathLike[str],
        uri: str | os.PathLike[str],
        flag: str,
        key_type: Callable[[Any], Any] = int,
    ) -> None:
        self.idx_path = os.fspath(idx_path)
        self.idx: dict[Any, int] = {}
        self.keys: list[Any] = []
        self.key_type = key_type
        self.fidx: Any = None
        super().__init__(uri, flag)

    def open(self) -> None:
        """Opens both files; files that are open for writing become empty."""
        super().open()
        self.idx = {}
        self.keys = []
        if self.writable:
            return
        for key, offset in read_index(self.idx_path, self.key_type, self.uri):
            self.keys.append(key)
            self.idx[key] = offset

    def _open_files(self) -> None:
        if not self.writable:
            super()._open_files()
            return
        self.handle = Appender(self.uri)
        try:
            self.fidx = Follower(self.idx_path, self.handle)
        except OSError:
            self.handle.close()
            raise
        self.fidx.clear()  # first, because an index must not outlive its records
        self.handle.clear()

    def _close_files(self, is_forked: bool) -> None:
        try:
            super()._close_files(is_forked)
        finally:
            if self.fidx is not None:
                self.fidx.close(discard=is_forked)
                self.fidx = None

    def seek(self, idx: Any) -> None:
        """Goes to the record with a key.

        Raises:
            UnknownNameError: if the index has no such key.
            RecordError: if the index gives a position outside of the file.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     index, path = os.path.join(folder, "a.idx"), os.path.join(folder, "a.rec")
            ...     writer = mx.recordio.MXIndexedRecordIO(index, path, "w")
            ...     for key in range(3):
            ...         writer.write_idx(key, f"record {key}".encode())
            ...     writer.close()
            ...     reader = mx.recordio.MXIndexedRecordIO(index, path, "r")
            ...     reader.seek(1)
            ...     print(reader.read(), reader.read())
            b'record 1' b'record 2'
        """
        file = self._file(writable=False)
        if idx not in self.idx:
            raise errors.UnknownNameError(f"{self.idx_path}: no record {idx!r}")
        offset = self.idx[idx]
        size = os.fstat(file.fileno()).st_size
        if not 0 <= offset < size:
            raise _format.RecordError(
                self.uri,
                offset,
                f"the file has {size} bytes, so {self.idx_path} is not its index (key {idx!r})",
            )
        file.seek(offset)

    def read_idx(self, idx: Any) -> Any:
        """Reads the record with a key.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     index, path = os.path.join(folder, "a.idx"), os.path.join(folder, "a.rec")
            ...     writer = mx.recordio.MXIndexedRecordIO(index, path, "w")
            ...     for key in range(3):
            ...         writer.write_idx(key, f"record {key}".encode())
            ...     writer.close()
            ...     reader = mx.recordio.MXIndexedRecordIO(index, path, "r")
            ...     print(reader.read_idx(2), reader.keys)
            b'record 2' [0, 1, 2]
        """
        self.seek(idx)
        try:
            return self.read()
        except _format.RecordError as error:
            raise _format.RecordError(
                error.path, error.offset, f"{error.what} (key {idx!r} of {self.idx_path})"
            ) from error

    def write_idx(self, idx: Any, buf: bytes) -> None:
        """Writes a record and notes its position under a key.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     index, path = os.path.join(folder, "a.idx"), os.path.join(folder, "a.rec")
            ...     writer = mx.recordio.MXIndexedRecordIO(index, path, "w", key_type=str)
            ...     writer.write_idx("cat", b"meow")
            ...     writer.close()
            ...     reader = mx.recordio.MXIndexedRecordIO(index, path, "r", key_type=str)
            ...     print(reader.read_idx("cat"), reader.keys)
            b'meow' ['cat']
        """
        key = self.key_type(idx)
        position = self.tell()
        self.write(buf)
        self.fidx.append(f"{key}\t{position}\n".encode())
        self.idx[key] = position
        self.keys.append(key)


def read_index(
    path: str | os.PathLike[str],
    key_type: Callable[[Any], Any] = int,
    records: str | os.PathLike[str] | None = None,
) -> list[tuple[Any, int]]:
    """Reads the keys and positions of an index file, in its order.

    A last line that was cut off is left out, with a warning.

    Args:
        path: The index.
        key_type: Makes a key from its text.
        records: The file of records, used to check whether a line without a newline is cut off.

    Raises:
        MissingFileError: if there is no such file.
        FileFormatError: if a line has another format.
    """
    try:
        text = read_saved(path).decode("utf-8")
    except FileNotFoundError as error:
        raise errors.MissingFileError(f"no index file {os.fspath(path)!r}") from error
    except OSError as error:
        raise access_error("index file", path, error) from error
    except UnicodeDecodeError as error:
        raise errors.FileFormatError(f"{os.fspath(path)}: no index file: {error}") from error
    *lines, unended = text.split("\n")
    entries = [_parse_line(path, key_type, number, line) for number, line in enumerate(lines, 1)]
    if unended:
        entries += _parse_unended(path, key_type, unended, entries, records)
    return entries


def _parse_line(
    path: str | os.PathLike[str], key_type: Callable[[Any], Any], number: int, line: str
) -> tuple[Any, int]:
    key, _, offset = line.strip().partition("\t")
    try:
        return key_type(key), int(offset.split("\t")[0])
    except ValueError as error:
        raise errors.FileFormatError(
            f"{os.fspath(path)}: line {number}: a key, a tab and a position expected, "
            f"got {line[:60]!r}"
        ) from error


def _parse_unended(
    path: str | os.PathLike[str],
    key_type: Callable[[Any], Any],
    line: str,
    before: Sequence[tuple[Any, int]],
    records: str | os.PathLike[str] | None,
) -> list[tuple[Any, int]]:
    """Reads a last line without a newline: it is complete, or its writer was stopped.

    A position that lost digits equals that of another line, or no record begins there.
    """
    key, _, position = line.strip().partition("\t")
    # What is left of a line is a key, and perhaps the first digits of a position.
    complete = line if position else f"{key}\t-1"
    key, offset = _parse_line(path, key_type, len(before) + 1, complete)
    is_whole = offset >= 0 and offset not in {other for _, other in before}
    if is_whole and (records is None or _format.begins_record(records, offset)):
        return [(key, offset)]
    warnings.warn(
        f"{os.fspath(path)}: the last line, {line[:60]!r}, is cut off and left out; the program "
        "that wrote the file was stopped",
        stacklevel=level_of_program(),
    )
    return []


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
                raise errors.FileAccessError(error.errno, error.strerror, self.path) from error
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
