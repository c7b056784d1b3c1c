"""Arrays as MXNet 2.0 saves them: NumPy's `.npy` and `.npz`, though still named `.params`.

Two things are MXNet's own: bfloat16 has the type text `<b2`, which NumPy does not know, and a
sparse array is a folder in the archive. Nothing is unpickled.
"""

from __future__ import annotations

import io
import os
import re
import struct
import zipfile
from collections.abc import Iterable
from typing import IO, Any, cast

import numpy as np

from mxnet._formats.archives import check_members, open_zip
from mxnet._formats.array_record import (
    MAX_NDIM,
    Array,
    ArrayRecord,
    Cursor,
    Shape,
    Storage,
    find_problem,
)
from mxnet._formats.type_codes import BFLOAT16_NUMPY, TYPE_CODES
from mxnet.errors import FileFormatError

NPY_PREFIX = b"\x93NUM"
NPZ_PREFIXES = (b"PK\x03\x04", b"PK\x05\x06")

_NPY_MAGIC = b"\x93NUMPY"
_SUFFIX = ".npy"
_MAX_HEADER = 1 << 16
_HEADER_ENTRY = re.compile(
    r"'(descr|fortran_order|shape)'\s*:\s*"
    r"('[^']*'|\[\('bfloat16', '<u2'\)\]|True|False|\([\dL,\s]*\))"
)
_DTYPES: dict[str, np.dtype[Any]] = {
    f"'{row.numpy.str}'": row.numpy for row in TYPE_CODES if row.numpy.names is None
} | {"'<b2'": BFLOAT16_NUMPY, "[('bfloat16', '<u2')]": BFLOAT16_NUMPY}

# Deflate cannot make data smaller than this; what claims it did is forged.
_MAX_DEFLATE_RATIO = 1032

_PARTS: dict[Storage, tuple[str, ...]] = {"row_sparse": ("indices",), "csr": ("indptr", "indices")}


def read_npy(cursor: Cursor) -> Array:
    """Reads one `.npy`, which must fill the stream."""
    descr, is_fortran, shape = _read_npy_header(cursor)
    if descr not in _DTYPES:
        raise cursor.error(f"arrays of type {descr} cannot be read")
    dtype = _DTYPES[descr]
    array = cursor.take_array(dtype, shape[::-1] if is_fortran else shape, "the data")
    if cursor.remaining:
        raise cursor.error(f"{cursor.remaining} bytes follow the data of shape {shape}")
    return np.ascontiguousarray(array.T) if is_fortran else array


def _read_npy_header(cursor: Cursor) -> tuple[str, bool, Shape]:
    magic, major, _ = cursor.unpack(struct.Struct("<6sBB"), "the beginning of an npy array")
    if magic != _NPY_MAGIC or major not in (1, 2, 3):
        raise cursor.error(f"not an npy array of version 1 to 3: begins with {magic!r}, {major}")
    (length,) = cursor.unpack(struct.Struct("<H" if major == 1 else "<I"), "the npy header")
    if length > _MAX_HEADER:
        raise cursor.error(f"an npy header of {length} bytes is too long")
    text = cursor.take(length, "the npy header").decode("latin-1")
    # NumPy would evaluate the text as Python; the three entries are all that is needed.
    entries = dict(_HEADER_ENTRY.findall(text))
    descr, fortran, dims = (entries.get(key, "") for key in ("descr", "fortran_order", "shape"))
    sizes = re.findall(r"\d+", dims)
    if (
        fortran not in ("True", "False")
        or not dims.startswith("(")
        or len(sizes) > MAX_NDIM
        or any(len(size) > 19 for size in sizes)
    ):
        raise cursor.error(f"bad npy header {text[:200].strip()!r}")
    return descr, fortran == "True", tuple(int(size) for size in sizes)


def read_npz(file: io.BufferedIOBase, origin: str) -> tuple[list[ArrayRecord], list[str]]:
    """Reads an archive of arrays, in the order of its entries.

    Args:
        file: The archive, positioned at its start.
        origin: Name for error messages.
    """
    with open_zip(cast(IO[bytes], file), origin) as archive:
        if has_pickle(archive.namelist()):
            raise explain_torch_file(origin)
        return _Archive(archive, origin).read()


class _Archive:
    """The entries of one archive by their names without suffix."""

    def __init__(self, archive: zipfile.ZipFile, origin: str) -> None:
        self._archive = archive
        self._origin = origin
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for entry in archive.infolist():
            if not entry.filename.endswith("/"):
                self._add(entry)
        check_members(archive, origin)

    def read(self) -> tuple[list[ArrayRecord], list[str]]:
        """Reads all arrays and their names."""
        folders = {name.removesuffix("/format") for name in self._entries if self._is_format(name)}
        names: dict[str, None] = {}
        for name in self._entries:
            folder = name.rpartition("/")[0]
            names[folder if folder in folders else name] = None
        records = [
            self._read_sparse(name) if name in folders else ArrayRecord.dense(self._read(name))
            for name in names
        ]
        return records, list(names)

    def _is_format(self, name: str) -> bool:
        folder, _, last = name.rpartition("/")
        return last == "format" and {f"{folder}/data", f"{folder}/shape"} <= self._entries.keys()

    def _add(self, entry: zipfile.ZipInfo) -> None:
        name = entry.filename.removesuffix(_SUFFIX)
        packed, unpacked = entry.compress_size, entry.file_size
        if name == entry.filename:
            problem = f"not an array, the name lacks {_SUFFIX}"
        elif name in self._entries:
            problem = "occurs twice"
        elif entry.flag_bits & 1:
            problem = "is encrypted"
        elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            problem = f"unknown compression {entry.compress_type}"
        elif entry.compress_type == zipfile.ZIP_STORED and packed != unpacked:
            problem = f"takes {packed} bytes but claims {unpacked}"
        elif unpacked > packed * _MAX_DEFLATE_RATIO:
            problem = f"{packed} bytes cannot unpack to {unpacked}"
        else:
            self._entries[name] = entry
            return
        raise FileFormatError(f"{self._origin}: entry {entry.filename!r}: {problem}")

    def _read(self, name: str) -> Array:
        with self._open(name) as file:
            array = read_npy(self._cursor(file, name))
            file.read(1)  # only at the end does zipfile compare the checksum
        return array

    def _open(self, name: str) -> io.BufferedIOBase:
        return cast(io.BufferedIOBase, self._archive.open(self._entries[name]))

    def _cursor(self, file: io.BufferedIOBase, name: str) -> Cursor:
        return Cursor(file, self._entries[name].file_size, self._origin, f"array {name!r}")

    def _read_sparse(self, name: str) -> ArrayRecord:
        place = f"{self._origin}: array {name!r}"
        storage = self._read_format(f"{name}/format")
        for part in ("data", "shape", *_PARTS[storage]):
            if f"{name}/{part}" not in self._entries:
                raise FileFormatError(f"{place}: a {storage} array lacks {part}")
        dims = self._read(f"{name}/shape")
        if dims.dtype.kind not in "iu" or dims.ndim != 1 or len(dims) > MAX_NDIM:
            raise FileFormatError(f"{place}: the shape must be a list of integers")
        shape = tuple(int(dim) for dim in dims)
        aux = tuple(self._read(f"{name}/{part}") for part in _PARTS[storage])
        record = ArrayRecord(self._read(f"{name}/data"), storage, shape, aux)
        problem = "negative size" if any(dim < 0 for dim in shape) else find_problem(record)
        if problem:
            raise FileFormatError(f"{place}: {problem}")
        return record

    def _read_format(self, name: str) -> Storage:
        with self._open(name) as file:
            cursor = self._cursor(file, name)
            descr, _, _ = _read_npy_header(cursor)
            raw = cursor.take(min(cursor.remaining, 64), "the text")
        text = raw.decode("utf-32-le" if descr.startswith("'<U") else "latin-1", "replace")
        for storage in _PARTS:
            if text.rstrip("\0") == storage:
                return storage
        raise cursor.error(f"expected {' or '.join(_PARTS)}, got {text!r}")


PICKLE_PREFIXES = tuple(bytes((0x80, protocol)) for protocol in range(2, 6))
"""How pickles begin, and with them what `torch.save` wrote before it made archives."""


def has_pickle(names: Iterable[str]) -> bool:
    """Returns whether an archive of entries with these names is one that `torch.save` made."""
    return any(name == "data.pkl" or name.endswith("/data.pkl") for name in names)


def explain_torch_file(origin: str) -> FileFormatError:
    """Returns the error for a checkpoint of torch, which says how to convert it.

    Args:
        origin: The file.
    """
    converted = os.path.splitext(os.path.basename(origin))[0] + ".safetensors"
    return FileFormatError(
        f"{origin}: this is a pickle, as torch.save writes it; reading one can run code, so it "
        "is not read. Convert it where you trust it: "
        f"safetensors.torch.save_file(torch.load({os.path.basename(origin)!r}, "
        f"weights_only=True), {converted!r}); then load {converted!r}, or give its arrays to "
        "gluon.contrib.torch_weights.load if their names are those of torchvision"
    )
