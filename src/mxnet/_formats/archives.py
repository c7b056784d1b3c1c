"""Compressed files and archives: limits on what comes out of them, and readers that keep to these.

A few kilobytes of gzip expand to gigabytes of zeros. Uncompressed data may take ten times the size
of the compressed file, and `archive_bytes` of `mx.limits` beyond that. Archives are read member by
member, `archive_members` at most; what they say of links, devices and places outside of a folder is
refused. Nothing else in the package uses Python's readers of archives.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, cast

from mxnet import limits
from mxnet._formats import files
from mxnet.errors import FileFormatError, MXNetError

_RATIO = 10
"""Uncompressed bytes that each byte of a compressed file may have before the limit counts."""

_BLOCK_SIZE = 1 << 20

_OPENERS: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
"""Decompressors by the first bytes of a file."""

UNPACKING_ERRORS = (EOFError, OSError, zlib.error, lzma.LZMAError)
"""What decompressing a damaged file raises."""

DAMAGES = (
    *UNPACKING_ERRORS,
    NotImplementedError,  # unknown compressions
    RuntimeError,  # encrypted members
    ValueError,
    OverflowError,
    KeyError,
    struct.error,
    tarfile.TarError,
    zipfile.BadZipFile,
)
"""What readers of damaged archives raise."""

ZIP_PREFIXES = (b"PK\x03\x04", b"PK\x05\x06")


def check_unpacked(where: str, unpacked: int, packed: int) -> None:
    """Raises if the uncompressed size of a file exceeds the limit.

    Args:
        where: The file and the part of it, for the message.
        unpacked: Uncompressed size in bytes, as far as it is known.
        packed: Size of the compressed file in bytes.

    Raises:
        LimitExceededError: if it does.
    """
    limits.check("archive_bytes", unpacked - _RATIO * packed, f"{where}: {packed:,} packed bytes")


class _Bounded(io.RawIOBase):
    """A stream that raises once more bytes were read from it than the limit allows."""

    def __init__(self, stream: Any, where: str, packed: int) -> None:
        self._stream, self._where, self._packed = stream, where, packed
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads bytes into a buffer; returns their number."""
        count: int = self._stream.readinto(buffer)
        self._read += count
        check_unpacked(self._where, self._read, self._packed)
        return count


def read_at_most(stream: IO[bytes], size: int) -> bytearray:
    """Reads at most `size` bytes, in blocks: the size in a header is not allocated beforehand."""
    content = bytearray()
    while len(content) < size and (block := stream.read(min(_BLOCK_SIZE, size - len(content)))):
        content += block
    return content


@contextmanager
def open_unpacked(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Opens a file for reading, decompressed if it is compressed by gzip, bzip2 or xz.

    Args:
        path: The file.

    Raises:
        LimitExceededError: from reads of the stream, beyond the limit.
    """
    name = os.fspath(path)
    with files.open_foreign(name) as file:
        start = file.read(max(map(len, _OPENERS)))
        file.seek(0)
        packer = next((begin for begin in _OPENERS if start.startswith(begin)), None)
        if packer is None:
            yield file
            return
        size = os.fstat(file.fileno()).st_size
        with _OPENERS[packer](file) as stream:
            yield io.BufferedReader(_Bounded(stream, name, size), 1 << 16)


@contextmanager
def reporting(where: str) -> Iterator[None]:
    """Converts what readers of a damaged archive raise to errors that name it.

    Raises:
        FileFormatError: if the archive is damaged.
    """
    try:
        yield
    except MXNetError:
        raise
    except DAMAGES as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise  # of the disk; readers that seek to a forged place get the other
        raise FileFormatError(f"{where}: damaged archive: {error}") from error


@dataclass(frozen=True)
class Member:
    """A file or folder of an archive.

    Attributes:
        archive: Name of the archive.
        name: Its path in the archive, as it stands there.
        size: How many bytes it unpacks to.
        kind: `"file"`, `"folder"`, or what else it is.
        opened: Opens it. Of a tar archive that is possible until the next member is asked for.
    """

    archive: str
    name: str
    size: int
    kind: str
    opened: Callable[[], IO[bytes]]

    @property
    def base_name(self) -> str:
        """The last part of the path."""
        return self.name.rpartition("/")[2]

    def blocks(self) -> Iterator[bytes]:
        """Yields the content.

        Raises:
            FileFormatError: if the archive is damaged.
        """
        with reporting(self.archive), self.opened() as stream:
            while block := stream.read(_BLOCK_SIZE):
                yield block

    def read(self) -> bytes:
        """Returns the content."""
        return b"".join(self.blocks())

    def place(self) -> Path:
        """Returns where the member belongs below a folder.

        Raises:
            FileFormatError: if that would be outside of the folder.
        """
        parts = self.name.replace("\\", "/").split("/")
        inside = [part for part in parts if part not in ("", ".")]
        drive = os.path.splitdrive(self.name)[0]
        if not inside or parts[0] == "" or drive or ".." in parts or "\0" in self.name:
            raise FileFormatError(f"{self.archive}: {self.name[:200]!r} leads out of the folder")
        return Path(*inside)


@contextmanager
def open_archive(path: str | os.PathLike[str]) -> Iterator[Iterator[Member]]:
    """Opens an archive: zip, or tar, which may be compressed.

    Archives inside of it are files like others. Nothing is written.

    Raises:
        FileFormatError: from the iterator too, if the archive is damaged.
        LimitExceededError: from the iterator too, if it unpacks to too much.
    """
    where = os.fspath(path)
    with files.open_foreign(path) as file:
        start = file.read(4)
        file.seek(0)
        if start in ZIP_PREFIXES:
            with open_zip(file, where) as archive:
                check_members(archive, where)
                yield _zip_members(archive, where)
            return
    with open_unpacked(path) as stream:
        yield _tar_members(stream, where)


def unpack(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> None:
    """Writes all files of an archive below a folder.

    Raises:
        FileFormatError: if the archive is damaged, or holds a link or a path that leads elsewhere.
        LimitExceededError: if it unpacks to too much.
    """
    with open_archive(path) as members:
        for member in members:
            try:
                _unpack_member(member, Path(folder) / member.place())
            except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
                raise FileFormatError(
                    f"{member.archive}: {member.name[:200]!r} is a file and a folder: {error}"
                ) from error


def _unpack_member(member: Member, target: Path) -> None:
    if member.kind == "folder":
        target.mkdir(parents=True, exist_ok=True)
        return
    if member.kind != "file":
        raise FileFormatError(f"{member.archive}: {member.name[:200]!r} is {member.kind}")
    target.parent.mkdir(parents=True, exist_ok=True)
    files.check_room(target, member.size, member.archive)
    files.write_atomically(target, files.while_room(target, member.blocks()))


def unpack_file(
    path: str | os.PathLike[str], target: Path, check: Callable[[Iterator[bytes]], Iterator[bytes]]
) -> None:
    """Writes the one file of an archive that has the name of another, in whatever folder it is.

    Args:
        path: The archive.
        target: File to write.
        check: Is given the blocks of the file and returns them, or raises.

    Raises:
        FileFormatError: if the archive is damaged, or does not have the file.
    """
    with open_archive(path) as members:
        for member in members:
            if member.kind == "file" and member.base_name == target.name:
                files.check_room(target, member.size, member.archive)
                files.write_atomically(target, files.while_room(target, check(member.blocks())))
                return
    raise FileFormatError(f"{os.fspath(path)}: the archive does not have {target.name}")


@contextmanager
def open_zip(file: IO[bytes], where: str) -> Iterator[zipfile.ZipFile]:
    """Opens a zip archive, if the list of its members is not too long.

    Args:
        file: The archive.
        where: Its name.
    """
    size = file.seek(0, os.SEEK_END)
    with reporting(where):
        # Each member takes 46 bytes of the list and more, a few hundred in memory.
        limits.check("archive_members", _directory_size(file, size) // (4 * 46), where)
        with zipfile.ZipFile(file) as archive:
            limits.check("archive_members", len(archive.infolist()), where)
            yield archive


def check_members(archive: zipfile.ZipFile, where: str) -> None:
    """Raises if the members of a zip archive are more than it can hold, or unpack to too much.

    Args:
        archive: The archive.
        where: Its name.
    """
    size = 0 if archive.fp is None else archive.fp.seek(0, os.SEEK_END)
    packed = sum(entry.compress_size for entry in archive.infolist())
    # Members that overlap, each unpacking the same bytes, make the worst archives.
    if packed > size:
        raise FileFormatError(
            f"{where}: entries of {packed} bytes are too much for an archive of {size} bytes"
        )
    check_unpacked(where, sum(entry.file_size for entry in archive.infolist()), size)


_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_LONG_END = struct.Struct("<4sQ2H2L4Q")


def _directory_size(file: IO[bytes], size: int) -> int:
    """Returns how many bytes the list of a zip archive's members claims to have."""
    first = max(0, size - _END.size - 0xFFFF)
    file.seek(first)
    tail = file.read(size - first)
    ends = {tail.rfind(b"PK\5\6"), len(tail) - _END.size}
    found = [_claimed(file, tail, first, place) for place in ends if place >= 0]
    file.seek(0)
    return min(size, max(found, default=0))


def _claimed(file: IO[bytes], tail: bytes, first: int, place: int) -> int:
    if tail[place : place + 4] != b"PK\5\6" or place + _END.size > len(tail):
        return 0
    claims = [int(_END.unpack_from(tail, place)[5])]
    before = place - _LOCATOR.size
    if before >= 0 and tail[before : before + 4] == b"PK\6\7":
        given = _LOCATOR.unpack_from(tail, before)[2]
        for offset in (given, first + before - _LONG_END.size):
            if 0 <= offset <= first + place:
                file.seek(offset)
                record = file.read(_LONG_END.size)
                if len(record) == _LONG_END.size and record[:4] == b"PK\6\6":
                    claims.append(int(_LONG_END.unpack(record)[8]))
    return max(claims)


def _zip_members(archive: zipfile.ZipFile, where: str) -> Iterator[Member]:
    for entry in archive.infolist():
        kind = "folder" if entry.is_dir() else "file"
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            kind = "a link" if stat.S_ISLNK(mode) else "a special file"
        opened = cast(Callable[[], IO[bytes]], partial(archive.open, entry))
        yield Member(where, entry.filename, entry.file_size, kind, opened)


_TAR_BLOCK = 512
_MAX_HEADER = 1 << 16
"""Bytes of a long name, or of the further fields of a member."""
_MAX_DIGITS = 9
"""Digits of the length of a field, with the space after them."""
_MOST_IN_A_ROW = 16
"""Headers that may say more of one member; writers of archives make two or three."""
_FIELDS_EACH = 16
"""Fields that each member may have, on average."""
_FIELDS = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_LONG_NAMES = {tarfile.GNUTYPE_LONGNAME: "path", tarfile.GNUTYPE_LONGLINK: "linkpath"}
_TAR_KINDS = {
    **dict.fromkeys(tarfile.REGULAR_TYPES, "file"),
    tarfile.GNUTYPE_SPARSE: "a file with holes",
    tarfile.DIRTYPE: "folder",
    tarfile.SYMTYPE: "a link",
    tarfile.LNKTYPE: "a link",
}


def _tar_members(stream: IO[bytes], where: str) -> Iterator[Member]:
    """Yields the members of a tar archive as they come.

    Python's own reader takes further fields of any size into memory, and lists of holes; only its
    decoder of a single header is used.
    """
    with reporting(where):
        fields: dict[str, str] = {}
        count = num_fields = in_a_row = 0
        while True:
            header = bytes(read_at_most(stream, _TAR_BLOCK))
            if not header.strip(b"\0"):
                return
            count += 1
            limits.check("archive_members", count + num_fields // _FIELDS_EACH, where)
            info = _decode_header(header, where, is_first=count == 1)
            if info.type in _FIELDS or info.type in _LONG_NAMES or info.type == tarfile.XGLTYPE:
                in_a_row += 1
                if in_a_row > _MOST_IN_A_ROW:
                    raise FileFormatError(f"{where}: {in_a_row} headers before one file")
                said = _read_fields(stream, info, where)
                num_fields += len(said)
                fields.update(said)
                continue
            yield from _read_member(stream, info, fields, where)
            fields, in_a_row = {}, 0


def _decode_header(header: bytes, where: str, is_first: bool) -> tarfile.TarInfo:
    try:
        return tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
    except tarfile.HeaderError as error:
        if not is_first:
            raise
        raise FileFormatError(f"{where}: not a zip file, and no tar archive: {error}") from error


def _read_fields(stream: IO[bytes], info: tarfile.TarInfo, where: str) -> list[tuple[str, str]]:
    """Reads what is said of the member that follows; of two fields of a name the last holds."""
    if not 0 <= info.size <= _MAX_HEADER:
        raise FileFormatError(f"{where}: a header of {info.size} bytes is too long")
    content = bytes(read_at_most(stream, info.size))
    _pass(stream, -info.size % _TAR_BLOCK)
    if info.type in _LONG_NAMES:
        name = content.rstrip(b"\0").decode("utf-8", "surrogateescape")
        return [(_LONG_NAMES[info.type], name)]
    if info.type == tarfile.XGLTYPE:  # of all that follow, such as a comment
        return []
    fields, start = [], 0
    while start < len(content):
        length = content[start : start + _MAX_DIGITS].partition(b" ")[0]
        if not length.isdigit() or not len(length) + 2 <= int(length) <= len(content) - start:
            raise FileFormatError(f"{where}: a header is damaged")
        end = start + int(length)
        key, _, value = content[start + len(length) + 1 : end - 1].partition(b"=")
        fields.append((key.decode("utf-8", "replace"), value.decode("utf-8", "surrogateescape")))
        start = end
    return fields


def _read_member(
    stream: IO[bytes], info: tarfile.TarInfo, fields: Mapping[str, str], where: str
) -> Iterator[Member]:
    kind = _TAR_KINDS.get(info.type, "a special file")
    if any(key.startswith("GNU.sparse") for key in fields):
        kind = "a file with holes"
    size = int(fields.get("size", info.size))
    if size < 0 or size >> 60:
        raise FileFormatError(f"{where}: a file of {size} bytes")
    has_content = kind != "folder" and kind != "a link" and info.type not in _DEVICES
    body = _Body(stream, size if has_content else 0)
    name = fields.get("path", info.name)
    yield Member(where, name, body.left, kind, lambda: io.BufferedReader(body))
    _pass(stream, body.left)
    if has_content:
        _pass(stream, -size % _TAR_BLOCK)


_DEVICES = (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE)


class _Body(io.RawIOBase):
    """The content of a member, as a part of the stream of its archive."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream, self.left = stream, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads bytes into a buffer; returns their number."""
        block = self._stream.read(min(len(buffer), self.left))
        if not block and self.left and len(buffer):
            raise EOFError("it ends amid a file")
        buffer[: len(block)] = block
        self.left -= len(block)
        return len(block)


def _pass(stream: IO[bytes], size: int) -> None:
    """Reads and forgets bytes; compressed ones count as well."""
    while size > 0:
        block = stream.read(min(_BLOCK_SIZE, size))
        if not block:
            raise EOFError("it ends amid a file")
        size -= len(block)
