"""Finding the published files of a dataset, and reading them: plain, gzipped or in an archive.

An existing file is read whatever its hash is, because users repack files; its content is checked
instead. Only downloaded files must have the published hash.
"""

from __future__ import annotations

import lzma
import math
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray as NumpyArray

from mxnet._formats.archives import UNPACKING_ERRORS, open_unpacked, read_at_most
from mxnet._formats.files import open_foreign, read_foreign, write_atomically
from mxnet.errors import FileFormatError, MissingFileError, MXNetError
from mxnet.gluon.utils import _get_repo_file_url, check_sha1, download

Bytes = NumpyArray[np.uint8]

_UNSIGNED_BYTES = 8
_DAMAGED = (*UNPACKING_ERRORS, tarfile.TarError)


class StoredFile(NamedTuple):
    """A file as it was published."""

    name: str
    sha1: str

    @property
    def unpacked(self) -> str:
        """Name of the file after gunzip."""
        return self.name.removesuffix(".gz")


def locate(
    owner: str, root: str | os.PathLike[str], namespace: str, files: Sequence[StoredFile]
) -> list[Path]:
    """Finds files in a folder, gzipped or unpacked, and downloads those that are not there.

    Args:
        owner: Name of the dataset, for messages.
        root: The folder.
        namespace: Folder of the dataset in the repository.
        files: The files.

    Raises:
        MissingFileError: naming every missing file, if one cannot be downloaded.
    """
    folder = Path(root)
    paths = [_find(folder, file) for file in files]
    missing = [file for file, path in zip(files, paths, strict=True) if path is None]
    try:
        for file in missing:
            address = _get_repo_file_url(f"gluon/dataset/{namespace}", file.name)
            download(address, path=folder / file.name, sha1_hash=file.sha1, retries=1)
    except (MXNetError, OSError) as error:
        raise MissingFileError(_what_to_do(owner, folder, missing, error)) from error
    return [
        folder / file.name if path is None else path
        for file, path in zip(files, paths, strict=True)
    ]


def _find(folder: Path, file: StoredFile) -> Path | None:
    candidates = (folder / file.name, folder / file.unpacked)
    return next((path for path in candidates if path.is_file()), None)


def _what_to_do(owner: str, folder: Path, missing: Sequence[StoredFile], error: Exception) -> str:
    wanted = "\n".join(f"  {file.name} (SHA-1 {file.sha1})" for file in missing)
    return (
        f"{owner}: files are missing in {folder} and could not be downloaded ({error}).\n"
        f"Put these files there, as they are or unpacked:\n{wanted}\n"
        "or give the folder that has them as root, or a mirror's address in MXNET_GLUON_REPO"
    )


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Converts errors of reading to ones that name the file."""
    try:
        yield
    except FileNotFoundError:
        raise
    except _DAMAGED as error:
        raise FileFormatError(f"{path}: the file is damaged or incomplete: {error}") from error


def read_idx(path: Path, num_axes: int) -> Bytes:
    """Reads an array of bytes in the format of MNIST's files.

    The file starts with four bytes: two zeros, the code of the element type, the number of axes;
    then comes the length of each axis, big-endian, then the elements.

    Args:
        path: The file, plain or gzipped.
        num_axes: Number of axes that the array must have.
    """
    with _reading(path), open_unpacked(path) as stream:
        return _parse_idx(path, stream, num_axes)


def _parse_idx(path: Path, stream: IO[bytes], num_axes: int) -> Bytes:
    start = bytes((0, 0, _UNSIGNED_BYTES, num_axes))
    header = stream.read(4 + 4 * num_axes)
    if len(header) < 4 + 4 * num_axes or not header.startswith(start):
        raise FileFormatError(
            f"{path}: expected an idx file of bytes with {num_axes} axes, "
            f"got one that starts with {header[:4].hex(' ') or 'nothing'}"
        )
    shape = struct.unpack(f">{num_axes}I", header[4:])
    size = math.prod(shape)
    content = read_at_most(stream, size + 1)
    if len(content) != size:
        length = "more" if len(content) > size else len(content)
        raise FileFormatError(
            f"{path}: the header announces {size} bytes for shape {shape}, got {length}"
        )
    return np.frombuffer(content, np.uint8).reshape(shape)


def read_records(path: Path, content: bytes, length: int) -> Bytes:
    """Splits a file into records of one length; each row of the result is a record."""
    if not content or len(content) % length:
        raise FileFormatError(
            f"{path}: expected records of {length} bytes, got {len(content)} bytes in all"
        )
    return np.frombuffer(content, np.uint8).reshape(-1, length)


def read_unpacked(folders: Sequence[Path], names: Sequence[str]) -> dict[Path, bytes] | None:
    """Reads files unpacked from an archive; returns None unless one folder has all of them."""
    for folder in folders:
        paths = [folder / name for name in names]
        if all(path.is_file() for path in paths):
            return {path: read_foreign(path) for path in paths}
    return None


def read_archived(archive: Path, names: Sequence[str]) -> Mapping[Path, bytes]:
    """Reads files from any folder of a tar archive, without unpacking it to the disk."""
    with _reading(archive):
        contents = _members(archive, frozenset(names))
    missing = [name for name in names if name not in contents]
    if missing:
        raise FileFormatError(f"{archive}: the archive does not have {', '.join(missing)}")
    return {archive / name: contents[name] for name in names}


def _members(archive: Path, names: frozenset[str]) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    # As a stream, so that the limits also apply to members that are skipped.
    with open_unpacked(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            name = member.name.rpartition("/")[2]
            file = tar.extractfile(member) if member.isfile() and name in names else None
            if file is not None:
                contents[name] = file.read()
    return contents


_BLOCK_SIZE = 1 << 20
_MAX_SIZE = 1 << 34
"""Larger than any published file; an archive that unpacks to more is damaged or malicious."""

# Encrypted members raise RuntimeError, unknown compressions NotImplementedError.
_DAMAGED_ZIP = (
    EOFError,
    NotImplementedError,
    RuntimeError,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


class PublishedFileError(MXNetError, FileNotFoundError, ValueError):
    """A published file is missing or has the wrong content, and cannot be downloaded."""

    __str__ = Exception.__str__  # that of OSError expects an error number


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file that was published, by itself or in an archive.

    Args:
        name: Name of the file, also in the archive.
        sha1: Its hash.
        url: Address of the archive, or of the file itself.
        download_sha1: Hash of what is at that address; None if it is not known.
    """

    name: str
    sha1: str
    url: str
    download_sha1: str | None

    @property
    def download_name(self) -> str:
        """Name of what is downloaded."""
        return self.url.rpartition("/")[2]


def obtain(owner: str, folder: Path, file: PublishedFile) -> Path:
    """Returns the path of a published file, after downloading and unpacking it if necessary.

    Args:
        owner: What needs the file, for messages.
        folder: Where it is looked for and stored.
        file: The file.

    Raises:
        PublishedFileError: if it cannot be obtained; the message says which file to put where.
    """
    path = folder / file.name
    if path.is_file() and check_sha1(path, file.sha1):
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / file.download_name
        download(file.url, path=target, sha1_hash=file.download_sha1, retries=1)
        if target != path:
            _unpack(target, path)
    except (OSError, MXNetError) as error:
        raise PublishedFileError(_explain(owner, path, file, error)) from error
    return path


def _unpack(archive: Path, path: Path) -> None:
    """Extracts the one wanted file from an archive, and nothing else."""
    unpack = _unpack_zip if archive.suffix == ".zip" else _unpack_tar
    try:
        unpack(archive, path)
    except MXNetError:
        raise
    except _DAMAGED_ZIP as error:
        raise FileFormatError(f"{archive}: the archive is damaged: {error}") from error


def _unpack_zip(archive: Path, path: Path) -> None:
    with open_foreign(archive) as file, zipfile.ZipFile(file) as files:
        names = [name for name in files.namelist() if _is_named(name, path.name)]
        if not names:
            raise FileFormatError(f"{archive}: the archive does not have {path.name}")
        with files.open(names[0]) as stream:
            write_atomically(path, _blocks(archive, stream))


def _unpack_tar(archive: Path, path: Path) -> None:
    with open_foreign(archive) as file, tarfile.open(fileobj=file, mode="r:*") as files:
        members = (item for item in files if item.isfile() and _is_named(item.name, path.name))
        member = next(members, None)
        stream = None if member is None else files.extractfile(member)
        if stream is None:
            raise FileFormatError(f"{archive}: the archive does not have {path.name}")
        write_atomically(path, _blocks(archive, stream))


def _is_named(member: str, name: str) -> bool:
    return member.rpartition("/")[2] == name


def _blocks(archive: Path, stream: IO[bytes]) -> Iterator[bytes]:
    size = 0
    while block := stream.read(_BLOCK_SIZE):
        size += len(block)
        if size > _MAX_SIZE:
            raise FileFormatError(f"{archive}: a file in it is larger than {_MAX_SIZE} bytes")
        yield block


def _explain(owner: str, path: Path, file: PublishedFile, error: Exception) -> str:
    state = "has another content than the published one" if path.exists() else "is not there"
    packed = "" if file.download_name == file.name else f" or the archive {file.download_name}"
    packed += f" (SHA-1 {file.download_sha1})" if packed and file.download_sha1 else ""
    return (
        f"{owner}: {path} {state}, and getting it from {file.url} failed ({error}). "
        f"Put {file.name} (SHA-1 {file.sha1}){packed} into {path.parent}, or set "
        "MXNET_GLUON_REPO to a mirror"
    )
