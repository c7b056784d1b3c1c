"""Parameter files to and from NumPy arrays: those of every version of MXNet, and safetensors.

Needs neither torch nor the array classes. Readers tell the formats apart by their first bytes
and check every size against the bytes present before they allocate. What they return is aligned
and may be written to; no two arrays share elements. Writers go by the ending of the path.
"""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mxnet import limits
from mxnet._formats import files
from mxnet._formats.array_record import Array, ArrayRecord, Cursor, Shape, Storage, find_problem
from mxnet._formats.params.npz import (
    NPY_PREFIX,
    NPZ_PREFIXES,
    PICKLE_PREFIXES,
    explain_torch_file,
    read_npy,
    read_npz,
)
from mxnet._formats.params.safetensors import (
    SUFFIX,
    is_safetensors,
    looks_like_safetensors,
    read_safetensors,
    safetensors_to_chunks,
)
from mxnet._formats.type_codes import CODE_BY_NUMPY, NUMPY_BY_CODE
from mxnet.errors import MXNetError

__all__ = [
    "ArrayRecord", "decode_record", "encode_record", "load_params", "read_params", "save_params",
    "write_params",
]  # fmt: skip


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
    with files.open_saved(path) as file:
        return _read(file, os.fspath(path))


def _read(file: io.BufferedIOBase, origin: str) -> tuple[list[ArrayRecord], list[str]]:
    cursor = _open_cursor(file, origin)
    start = cursor.peek(9)
    prefix = start[:4]
    is_named = origin.lower().endswith(SUFFIX)
    if is_named or (start[8:] == b"{" and looks_like_safetensors(cursor)):
        return read_safetensors(cursor, origin)
    if prefix[:2] in PICKLE_PREFIXES:
        raise explain_torch_file(origin)
    if prefix in NPZ_PREFIXES:
        return read_npz(file, origin)
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
        files.write_atomically(path, safetensors_to_chunks(records, names))
    else:
        files.write_atomically(path, arrays_to_chunks(records, names, np_shape=np_shape))


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


# In MXNet's own layout (`.params`, `.nd`) a file is a header, the records of the arrays, and their
# names, which a list lacks. A record says by its first word how it goes on: V0 (to MXNet 0.10)
# begins with the number of dimensions, V1 (0.11), V2 (since 0.12) and V3 (since 1.5, for NumPy's
# idea of shapes) with a magic number. Numbers are little-endian.

_FILE_MAGIC = 0x112
_PRINTED = frozenset(b"\t\n\r" + bytes(range(0x20, 0x7F)))
"""Bytes of texts."""
_KINDS = {
    b"\x89HDF": "a file of HDF5, as Keras writes it",
    b"\x89PNG": "an image",
    b"\x1f\x8b": "compressed by gzip: unpack it first",
}
"""What other files are that are taken for those of parameters, by their first bytes."""
_V1 = 0xF993FAC8
_V2 = 0xF993FAC9
_V3 = 0xF993FACA

_HEADER = struct.Struct("<QQQ")
_U64 = struct.Struct("<Q")
_U32 = struct.Struct("<I")
_I32 = struct.Struct("<i")
_BODY = struct.Struct("<iii")

_STORAGES: tuple[Storage, ...] = ("default", "row_sparse", "csr")
_NUM_AUX = {"default": 0, "row_sparse": 1, "csr": 2}
_DEVICE_TYPES = range(1, 7)


def _describe_start(magic: int) -> str:
    """Returns what a file seems to be that does not begin as a parameter file does."""
    start = magic.to_bytes(_U64.size, "little")
    if all(byte in _PRINTED for byte in start):
        return f"it is a text that begins {start.decode()!r}; was another file meant?"
    for begin, kind in _KINDS.items():
        if start.startswith(begin):
            return f"it is {kind}"
    return f"begins with {magic:#x}, expected {_FILE_MAGIC:#x}"


def read_arrays(cursor: Cursor) -> tuple[list[ArrayRecord], list[str]]:
    """Reads a whole file; a list of arrays has no names."""
    magic, _, count = cursor.unpack(_HEADER, "the header of a parameter file")
    if magic != _FILE_MAGIC:
        raise cursor.error(f"not a parameter file: {_describe_start(magic)}")
    if count * _U32.size > cursor.remaining:
        raise cursor.error(f"{count} arrays cannot be in {cursor.remaining} bytes")
    limits.check("file_arrays", count, cursor.located())
    records = []
    for index in range(count):
        cursor.place = f"array {index} of {count}"
        records.append(read_record(cursor))
    return records, _read_names(cursor, count)


def _read_names(cursor: Cursor, num_arrays: int) -> list[str]:
    cursor.place = "names"
    (count,) = cursor.unpack(_U64, "the number of names")
    if count not in (0, num_arrays):
        raise cursor.error(f"expected none or {num_arrays}, one for each array, got {count}")
    names = []
    for index in range(count):
        cursor.place = f"name {index} of {count}"
        (length,) = cursor.unpack(_U64, "its length")
        try:
            names.append(cursor.take(length, "the text").decode())
        except UnicodeDecodeError as error:
            raise cursor.error(f"not UTF-8: {error}") from error
    return names


def read_record(cursor: Cursor) -> ArrayRecord:
    """Reads one array of any generation."""
    (first,) = cursor.unpack(_U32, "the beginning of an array")
    if first == _V1:
        return _read_dense(cursor, _read_shape(cursor), np_shape=False)
    if first not in (_V2, _V3):
        return _read_dense(cursor, cursor.take_dims(first, "I"), np_shape=False)
    (code,) = cursor.unpack(_I32, "the storage type")
    if not 0 <= code < len(_STORAGES):
        raise cursor.error(f"unknown storage type {code}")
    if _STORAGES[code] == "default":
        return _read_dense(cursor, _read_shape(cursor), np_shape=first == _V3)
    return _read_sparse(cursor, _STORAGES[code])


def _read_dense(cursor: Cursor, shape: Shape, *, np_shape: bool) -> ArrayRecord:
    if not np_shape and shape == () and not _is_body_next(cursor):
        return ArrayRecord(None, "default", ())
    device_type, device_id, code = cursor.unpack(_BODY, "the device and dtype")
    dtype = NUMPY_BY_CODE.get(code) or _dtype_of(cursor, code)
    data = cursor.take_array(dtype, shape, "the data")
    return ArrayRecord(data, "default", shape, (), (device_type, device_id), np_shape)


def _is_body_next(cursor: Cursor) -> bool:
    # Without NumPy shapes no dimensions mean "no array", which ends there. Yet the original
    # writes scalars so too, with a body, and cannot read such a file again; we can, because
    # what follows otherwise (a magic number, a number of names) hardly looks like a body.
    seen = cursor.peek(_BODY.size)
    if len(seen) < _BODY.size:
        return False
    device_type, device_id, code = _BODY.unpack(seen)
    if device_type not in _DEVICE_TYPES or device_id < 0 or code not in NUMPY_BY_CODE:
        return False
    return cursor.remaining >= _BODY.size + NUMPY_BY_CODE[code].itemsize


def _read_sparse(cursor: Cursor, storage: Storage) -> ArrayRecord:
    data_shape = _read_shape(cursor)
    shape = _read_shape(cursor)
    device_type, device_id, code = cursor.unpack(_BODY, "the device and dtype")
    dtype = _dtype_of(cursor, code)
    aux_types = []
    for _ in range(_NUM_AUX[storage]):
        (aux_code,) = cursor.unpack(_I32, "the dtype of indices")
        aux_types.append((_dtype_of(cursor, aux_code), _read_shape(cursor)))
    data = cursor.take_array(dtype, data_shape, "the data")
    aux = tuple(cursor.take_array(*aux_type, "indices") for aux_type in aux_types)
    record = ArrayRecord(data, storage, shape, aux, (device_type, device_id))
    if problem := find_problem(record):
        raise cursor.error(problem)
    return record


def _read_shape(cursor: Cursor) -> Shape:
    (ndim,) = cursor.unpack(_I32, "the number of dimensions")
    return cursor.take_dims(ndim, "q")


def _dtype_of(cursor: Cursor, code: int) -> np.dtype[Any]:
    if code not in NUMPY_BY_CODE:
        raise cursor.error(f"unknown dtype code {code}")
    return NUMPY_BY_CODE[code]


def arrays_to_chunks(
    records: Sequence[ArrayRecord], names: Sequence[str], *, np_shape: bool
) -> Iterator[bytes | memoryview]:
    """Returns the content of a file piece by piece, so that large arrays need not be copied."""
    if names and len(names) != len(records):
        raise MXNetError(f"expected a name for each array, got {len(names)} for {len(records)}")
    yield _HEADER.pack(_FILE_MAGIC, 0, len(records))
    for index, record in enumerate(records):
        place = f"array {names[index]!r}" if names else f"array {index}"
        yield from record_to_chunks(record, place, np_shape=np_shape)
    yield _U64.pack(len(names))
    for name in names:
        encoded = name.encode()
        yield _U64.pack(len(encoded)) + encoded


def record_to_chunks(
    record: ArrayRecord, place: str, *, np_shape: bool
) -> Iterator[bytes | memoryview]:
    """Returns the bytes of one array: V3 with NumPy shapes, V2 without."""
    if record.data is None:
        raise MXNetError(f"{place}: an array that was never filled cannot be saved")
    if np_shape and record.storage != "default":
        raise MXNetError(f"{place}: with NumPy shapes only dense arrays can be saved")
    if problem := find_problem(record):
        raise MXNetError(f"{place}: {problem}")
    head = _U32.pack(_V3 if np_shape else _V2) + _I32.pack(_STORAGES.index(record.storage))
    if record.storage != "default":
        head += _pack_shape(record.data.shape)
    head += _pack_shape(record.shape)
    head += _BODY.pack(*record.context, _code_of(record.data, place))
    for part in record.aux:
        head += _I32.pack(_code_of(part, place)) + _pack_shape(part.shape)
    yield head
    for part in (record.data, *record.aux):
        yield part.ravel().view(np.uint8).data


def _pack_shape(shape: Shape) -> bytes:
    return struct.pack(f"<i{len(shape)}q", len(shape), *shape)


def _code_of(array: Array, place: str) -> int:
    if array.dtype not in CODE_BY_NUMPY:
        raise MXNetError(f"{place}: dtype {array.dtype} cannot be saved")
    return CODE_BY_NUMPY[array.dtype]
