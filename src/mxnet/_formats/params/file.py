"""Parameter files to and from NumPy arrays: those of every version of MXNet, and safetensors.

Needs neither torch nor the array classes. Readers tell the formats apart by their first bytes
and check every size against the bytes present before they allocate. What they return is aligned
and may be written to; no two arrays share elements. Writers go by the ending of the path.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence

from mxnet._formats.array_record import ArrayRecord, Cursor
from mxnet._formats.files import open_saved, write_atomically
from mxnet._formats.params.binary import (
    arrays_to_chunks,
    read_arrays,
    read_record,
    record_to_chunks,
)
from mxnet._formats.params.npz import (
    NPY_PREFIX,
    NPZ_PREFIXES,
    PICKLE_PREFIXES,
    explain_torch_file,
    read_npy,
    read_npz,
)
from mxnet._formats.params.safetensors import (
    is_safetensors,
    looks_like_safetensors,
    read_safetensors,
    safetensors_to_chunks,
)

__all__ = [
    "ArrayRecord",
    "decode_record",
    "encode_record",
    "load_params",
    "read_params",
    "save_params",
    "write_params",
]


def read_params(source: bytes | memoryview, origin: str) -> tuple[list[ArrayRecord], list[str]]:
    """Reads the content of a parameter file.

    Args:
        source: The content.
        origin: Where it comes from, for error messages.

    Returns:
        The arrays and their names; no names if the file is a list.

    Raises:
        FileFormatError: The content is damaged or no parameter file.
    """
    return _read(io.BytesIO(source), origin)


def load_params(path: str | os.PathLike[str]) -> tuple[list[ArrayRecord], list[str]]:
    """Reads a parameter file.

    Args:
        path: File to read.

    Returns:
        The arrays and their names; no names if the file is a list.

    Raises:
        FileFormatError: The file is damaged or no parameter file.
    """
    with open_saved(path) as file:
        return _read(file, os.fspath(path))


def _read(file: io.BufferedIOBase, origin: str) -> tuple[list[ArrayRecord], list[str]]:
    cursor = _open_cursor(file, origin)
    prefix = cursor.peek(4)
    if is_safetensors(origin) or looks_like_safetensors(cursor):
        return read_safetensors(cursor, origin)
    if prefix[:2] in PICKLE_PREFIXES:
        raise explain_torch_file(origin)
    if prefix in NPZ_PREFIXES:
        return read_npz(file, cursor.remaining, origin)
    if prefix == NPY_PREFIX:
        return [ArrayRecord.dense(read_npy(cursor))], []
    return read_arrays(cursor)


def _open_cursor(file: io.BufferedIOBase, origin: str) -> Cursor:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return Cursor(file, size, origin)


def write_params(
    records: Sequence[ArrayRecord], names: Sequence[str] = (), *, np_shape: bool = False
) -> bytes:
    """Makes the content of a parameter file, byte for byte as MXNet 1.9.1 does.

    Args:
        records: The arrays.
        names: One name for each array, or none.
        np_shape: Whether to write records for NumPy's idea of shapes, where a scalar has no
            dimensions and a size may be 0. The original reads them in that mode only.

    Raises:
        MXNetError: An array cannot be stored.
    """
    return b"".join(arrays_to_chunks(records, names, np_shape=np_shape))


def save_params(
    path: str | os.PathLike[str],
    records: Sequence[ArrayRecord],
    names: Sequence[str] = (),
    *,
    np_shape: bool = False,
) -> None:
    """Writes a parameter file; if that fails, an old file of this name stays as it was.

    Args:
        path: File to write, in the format of safetensors if it ends with `.safetensors`.
        records: The arrays.
        names: One name for each array, or none.
        np_shape: As for `write_params`.

    Raises:
        MXNetError: An array cannot be stored.
    """
    if is_safetensors(path):
        write_atomically(path, safetensors_to_chunks(records, names))
    else:
        write_atomically(path, arrays_to_chunks(records, names, np_shape=np_shape))


def encode_record(record: ArrayRecord, *, np_shape: bool = False) -> bytes:
    """Makes the bytes of one array, as they are in files and in pickles of arrays.

    Args:
        record: The array.
        np_shape: As for `write_params`.

    Raises:
        MXNetError: The array cannot be stored.
    """
    return b"".join(record_to_chunks(record, "array", np_shape=np_shape))


def decode_record(source: bytes | memoryview, origin: str = "stored array") -> ArrayRecord:
    """Reads the bytes of one array of any generation.

    Args:
        source: The bytes; what follows the array is ignored, as the original does.
        origin: Where they come from, for error messages.

    Raises:
        FileFormatError: The bytes are damaged or no array.
    """
    return read_record(_open_cursor(io.BytesIO(source), origin))
