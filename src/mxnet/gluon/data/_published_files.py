"""Finding the published files of a dataset, and reading them: plain, gzipped or in an archive.

An existing file is read whatever its hash is, because users repack files; its content is checked
instead. Only downloaded files must have the published hash.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray as NumpyArray

from mxnet._formats.archives import (
    UNPACKING_ERRORS,
    open_archive,
    open_unpacked,
    read_at_most,
    unpack_file,
)
from mxnet._formats.files import read_foreign, warn_of_others
from mxnet.errors import FileFormatError, MissingFileError, MXNetError
from mxnet.gluon.utils import _download_at_most, _get_repo_file_url, check_sha1

Bytes = NumpyArray[np.uint8]

_UNSIGNED_BYTES = 8
_MAX_DATASET = 1 << 29
"""Larger than any file of a dataset as it was published."""


class StoredFile(NamedTuple):
    """A file as it was published."""

    name: str
    sha1: str

    @property
    def unpacked(self) -> str:
        """Name of the file after gunzip."""
        return self.name.removesuffix(".gz")


def locate(
    owner: str, root: str | os.PathLike[str], namespace: str, pairs: Sequence[tuple[str, str]]
) -> list[Path]:
    """Finds files in a folder, gzipped or unpacked, and downloads those that are not there.

    Args:
        owner: Name of the dataset, for messages.
        root: The folder.
        namespace: Folder of the dataset in the repository.
        pairs: Name and SHA-1 of each file.

    Raises:
        MissingFileError: naming every missing file, if one cannot be downloaded.
    """
    folder, files = Path(root), [StoredFile(*pair) for pair in pairs]
    warn_of_others(folder)
    paths = [_find(folder, file) for file in files]
    missing = [file for file, path in zip(files, paths, strict=True) if path is None]
    try:
        for file in missing:
            address = _get_repo_file_url(f"gluon/dataset/{namespace}", file.name)
            _download_at_most(
                _MAX_DATASET, address, path=folder / file.name, sha1_hash=file.sha1, retries=1
            )
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
    except UNPACKING_ERRORS as error:
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
    contents = _members(archive, frozenset(names))
    missing = [name for name in names if name not in contents]
    if missing:
        raise FileFormatError(f"{archive}: the archive does not have {', '.join(missing)}")
    return {archive / name: contents[name] for name in names}


def _members(archive: Path, names: frozenset[str]) -> dict[str, bytes]:
    with open_archive(archive) as members:
        return {
            member.base_name: member.read()
            for member in members
            if member.kind == "file" and member.base_name in names
        }


_MAX_SIZE = 1 << 34
"""Larger than any published file; an archive that unpacks to more is damaged or malicious."""


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
    warn_of_others(folder)
    path = folder / file.name
    if path.is_file() and check_sha1(path, file.sha1):
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / file.download_name
        _download_at_most(_MAX_SIZE, file.url, path=target, sha1_hash=file.download_sha1, retries=1)
        if target != path:
            unpack_file(target, path, partial(_check_blocks, target))
    except (OSError, MXNetError) as error:
        raise PublishedFileError(_explain(owner, path, file, error)) from error
    return path


def _check_blocks(archive: Path, blocks: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for block in blocks:
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
