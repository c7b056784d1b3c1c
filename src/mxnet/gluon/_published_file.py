"""Getting one published file: from a folder, from an archive there, or from the network."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mxnet._formats.files import write_atomically
from mxnet.errors import FileFormatError, MXNetError
from mxnet.gluon.utils import check_sha1, download

_BLOCK_SIZE = 1 << 20
_MAX_SIZE = 1 << 34
"""Larger than any published file; an archive that unpacks to more is damaged or malicious."""

# Encrypted members raise RuntimeError, unknown compressions NotImplementedError.
_DAMAGED = (
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
    except _DAMAGED as error:
        raise FileFormatError(f"{archive}: the archive is damaged: {error}") from error


def _unpack_zip(archive: Path, path: Path) -> None:
    with zipfile.ZipFile(archive) as files:
        names = [name for name in files.namelist() if _is_named(name, path.name)]
        if not names:
            raise FileFormatError(f"{archive}: the archive does not have {path.name}")
        with files.open(names[0]) as stream:
            write_atomically(path, _blocks(archive, stream))


def _unpack_tar(archive: Path, path: Path) -> None:
    with tarfile.open(archive, "r:*") as files:
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
