"""Files of safetensors: eight bytes with a length, a header in JSON of that length, elements.

The header says of each array its dtype, its shape and where its elements are. The format is that
of the `safetensors` package, which is not needed here: a file is read into the same records as
other parameter files, and no array of it may overlap another one or leave bytes unused.
"""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mxnet import limits
from mxnet._formats.array_record import MAX_NDIM, ArrayRecord, Cursor, Shape
from mxnet._formats.texts import check_containers
from mxnet._formats.type_codes import TYPE_CODES
from mxnet.errors import MXNetError, shown

SUFFIX = ".safetensors"
_LENGTH = struct.Struct("<Q")
_METADATA = "__metadata__"
_ALIGNMENT = 8

_LETTERS = {"f": "F", "i": "I", "u": "U"}
_TEXT_BY_NUMPY: dict[np.dtype[Any], str] = {
    row.numpy: f"{_LETTERS[row.numpy.kind]}{8 * row.numpy.itemsize}"
    if row.numpy.kind in _LETTERS
    else {"bool": "BOOL", "bfloat16": "BF16"}[row.name]
    for row in TYPE_CODES
}
_NUMPY_BY_TEXT = {text: dtype for dtype, text in _TEXT_BY_NUMPY.items()}


class _Entry(NamedTuple):
    """What the header says of an array."""

    begin: int
    end: int
    name: str
    dtype: np.dtype[Any]
    shape: Shape


def is_safetensors(path: str | os.PathLike[str]) -> bool:
    """Returns whether a path has the ending of these files."""
    return os.fspath(path).lower().endswith(SUFFIX)


def looks_like_safetensors(cursor: Cursor) -> bool:
    """Returns whether a file begins as these files do, of whatever name it is."""
    start = cursor.peek(_LENGTH.size + 1)
    if len(start) <= _LENGTH.size or start[_LENGTH.size :] != b"{":
        return False
    return bool(_LENGTH.unpack_from(start)[0] <= cursor.remaining)


def read_safetensors(cursor: Cursor, origin: str) -> tuple[list[ArrayRecord], list[str]]:
    """Reads a whole file: the arrays, in the order of the header, and their names.

    Args:
        cursor: The file, at its beginning.
        origin: Name for error messages.
    """
    (length,) = cursor.unpack(_LENGTH, "the length of a safetensors header")
    limits.check("symbol_bytes", min(length, cursor.remaining), f"{origin}: header")
    cursor.place = "header"
    entries = _parse_entries(cursor, cursor.take(length, "the header"))
    records: dict[str, ArrayRecord | None] = {entry.name: None for entry in entries}
    position = 0
    for entry in sorted(entries, key=lambda entry: (entry.begin, entry.end)):
        cursor.place = f"array {shown(entry.name)}"
        if entry.begin != position:
            relation = "overlaps the one before" if entry.begin < position else "leaves a gap"
            raise cursor.error(f"begins at byte {entry.begin}, expected {position}: it {relation}")
        records[entry.name] = ArrayRecord.dense(
            cursor.take_array(entry.dtype, entry.shape, "the data")
        )
        position = entry.end
    cursor.place = ""
    if cursor.remaining:
        raise cursor.error(f"{cursor.remaining} bytes belong to no array")
    return [record for record in records.values() if record is not None], list(records)


def _parse_entries(cursor: Cursor, text: bytes) -> list[_Entry]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(table := dict(pairs)) != len(pairs):
            raise cursor.error("a name occurs twice")
        return table

    check_containers("file_arrays", text, cursor.located())
    try:
        header = json.loads(text.decode(), object_pairs_hook=unique)
    except MXNetError:
        raise
    except (ValueError, RecursionError) as error:
        raise cursor.error(f"not JSON: {shown(str(error))}") from error
    if not isinstance(header, dict):
        raise cursor.error(f"expected an object, got {shown(header)}")
    header.pop(_METADATA, None)
    limits.check("file_arrays", len(header), cursor.located())
    return [_parse_entry(cursor, name, value) for name, value in header.items()]


def _parse_entry(cursor: Cursor, name: str, value: Any) -> _Entry:
    cursor.place = f"header: array {shown(name)}"
    if not isinstance(value, dict):
        raise cursor.error(f"expected an object, got {shown(value)}")
    text = value.get("dtype")
    if not isinstance(text, str) or text not in _NUMPY_BY_TEXT:
        raise cursor.error(f"dtype is one of {', '.join(_NUMPY_BY_TEXT)}, got {shown(text)}")
    shape, offsets = _lengths_in(value.get("shape")), _lengths_in(value.get("data_offsets"))
    if shape is None or len(shape) > MAX_NDIM:
        raise cursor.error(
            f"shape is a list of at most {MAX_NDIM} lengths, got {shown(value.get('shape'))}"
        )
    if offsets is None or len(offsets) != 2:
        raise cursor.error(
            f"data_offsets is a list of two positions, got {shown(value.get('data_offsets'))}"
        )
    dtype, (begin, end) = _NUMPY_BY_TEXT[text], offsets
    if end - begin != math.prod(shape) * dtype.itemsize:
        raise cursor.error(f"{text} of shape {shown(shape)} does not take {end - begin} bytes")
    return _Entry(begin, end, name, dtype, shape)


def _lengths_in(value: Any) -> Shape | None:
    """Returns the whole numbers of a list; None if it is something else."""
    if not isinstance(value, list):
        return None
    if not all(type(item) is int and 0 <= item < 1 << 63 for item in value):
        return None
    return tuple(value)


def safetensors_to_chunks(
    records: Sequence[ArrayRecord], names: Sequence[str]
) -> Iterator[bytes | memoryview]:
    """Returns the content of a file piece by piece, so that large arrays need not be copied.

    Raises:
        MXNetError: The arrays have no names, or one of them cannot be stored.
    """
    if len(names) != len(records):
        raise MXNetError(
            f"{SUFFIX}: the arrays of such a file have names; save a dict of arrays by name"
        )
    parts: dict[str, np.ndarray[Any, Any]] = {}
    for name, record in zip(names, records, strict=True):
        parts[name] = _part_to_store(name, record)
    # Wide elements come first, so that all of them are aligned.
    order = sorted(parts, key=lambda name: -parts[name].dtype.itemsize)
    position, places = 0, {}
    for name in order:
        places[name] = [position, position := position + parts[name].nbytes]
    header: dict[str, Any] = {_METADATA: {"format": "pt"}}  # what readers elsewhere ask for
    for name, part in parts.items():
        text = _TEXT_BY_NUMPY[part.dtype]
        header[name] = {"dtype": text, "shape": part.shape, "data_offsets": places[name]}
    encoded = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    encoded += b" " * (-len(encoded) % _ALIGNMENT)
    yield _LENGTH.pack(len(encoded)) + encoded
    for name in order:
        yield parts[name].ravel().view(np.uint8).data


def _part_to_store(name: str, record: ArrayRecord) -> np.ndarray[Any, Any]:
    if name == _METADATA:
        raise MXNetError(f"{SUFFIX}: {_METADATA!r} is not a name for an array in such a file")
    if record.data is None:
        raise MXNetError(f"array {name!r}: an array that was never filled cannot be saved")
    if record.storage != "default":
        raise MXNetError(
            f"array {name!r}: {SUFFIX} holds dense arrays, got {record.storage}; "
            "convert it with tostype('default') or save to .params"
        )
    if record.data.dtype not in _TEXT_BY_NUMPY:
        raise MXNetError(f"array {name!r}: dtype {record.data.dtype} cannot be saved")
    return record.data
