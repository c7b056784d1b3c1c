"""Opens files of other origin; every reader of the package goes through here."""

from __future__ import annotations

import io
import os

from glueball.regular_files import SpecialFileError, open_regular, size_of
from mxnet import limits
from mxnet.errors import FileAccessError, FileFormatError, MissingFileError


def open_foreign(
    path: str | os.PathLike[str], buffering: int = -1, mode: int | None = None
) -> io.BufferedReader:
    """Opens a regular file for reading bytes.

    Args:
        path: The file.
        buffering: As for `open`.
        mode: Its kind and permissions, if they have been looked at just now.

    Raises:
        FileFormatError: if it is a pipe, a device or a socket.
    """
    try:
        return open_regular(path, buffering, mode)
    except SpecialFileError as error:
        raise FileFormatError(str(error)) from None


def access_error(
    where: str, path: str | os.PathLike[str], error: OSError
) -> FileAccessError | MissingFileError:
    """Makes the error about a file that the system does not open: a folder, a link to itself.

    Args:
        where: What reads the file, for the message.
        path: The file.
        error: What the system says; its number is kept.
    """
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileAccessError
    return kind(error.errno, f"{where}: {error.strerror}", os.fspath(path))


def read_foreign(path: str | os.PathLike[str], limit: str = "array_bytes") -> bytes:
    """Returns the content of a regular file, as long as it was when it was opened.

    Args:
        path: The file.
        limit: Name of the limit that its size is compared with before any of it is read.
    """
    with open_foreign(path) as file:
        return read_whole(file, path, limit)


def read_whole(
    file: io.BufferedReader, path: str | os.PathLike[str], limit: str = "array_bytes"
) -> bytes:
    """Returns the content of an open file, as long as it is now.

    Args:
        file: The file.
        path: What a message calls it.
        limit: Name of the limit that its size is compared with before any of it is read.
    """
    size = size_of(file)
    limits.check(limit, size, os.fspath(path))
    return file.read(size)


def read_foreign_text(
    path: str | os.PathLike[str], encoding: str = "utf-8", errors: str = "strict"
) -> str:
    """Returns the content of a text file, with line ends as Python has them.

    Raises:
        FileFormatError: if it is not text of that encoding.
    """
    content = read_foreign(path)
    try:
        return io.IncrementalNewlineDecoder(None, translate=True).decode(
            content.decode(encoding, errors), final=True
        )
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{os.fspath(path)}: byte {error.start} is not {encoding} text"
        ) from error
