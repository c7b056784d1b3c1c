"""The index of a checkpoint: what tensors it has, and where in which file their rows are.

A checkpoint comes from a disk that others may write to. Its index is JSON, and nothing in it is
believed before it is checked against the files; no part of a checkpoint can name code to run.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import torch

from mxnet import limits
from mxnet._formats import element_types
from mxnet._formats.files import read_saved
from mxnet.errors import FileFormatError, MXNetError, shown

NAME = "index.json"
OPTIMIZER = "optimizer.states"
_FORMAT = 1
_DATA = re.compile(r"rank[0-9]{1,6}\.bin")
_MOST_AXES = 32


class Chunk(NamedTuple):
    """Rows of a tensor, and the bytes of a file that hold them."""

    begin: int
    end: int
    file: str
    offset: int
    length: int
    checksum: int


class Stored(NamedTuple):
    """A tensor of a checkpoint."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    chunks: list[Chunk]

    @property
    def row(self) -> int:
        """Number of bytes of a row; a scalar is one row."""
        return prod(self.shape[1:]) * self.dtype.itemsize


class Index(NamedTuple):
    """What a checkpoint says about itself."""

    tensors: dict[str, Stored]
    num_ranks: int
    notes: dict[str, Any]
    """What else was noted of the training, by names that `Checkpoint` knows."""


def data_file(rank: int) -> str:
    """Returns the name of the file with the tensors of a rank."""
    return f"rank{rank}.bin"


def rank_file(rank: int) -> str:
    """Returns the name of the file with the random states of a rank."""
    return f"rank{rank}.json"


def write_index(index: Index) -> bytes:
    """Returns the content of the index file."""
    tensors = {
        name: [element_types.name_of(stored.dtype), stored.shape, stored.chunks]
        for name, stored in index.tensors.items()
    }
    content = {
        "format": _FORMAT,
        "ranks": index.num_ranks,
        "notes": index.notes,
        "tensors": tensors,
    }
    return json.dumps(content).encode()


def read_json(path: Path) -> dict[str, Any]:
    """Reads a file of JSON.

    Raises:
        FileFormatError: if it is damaged.
    """
    if not path.is_file():
        raise FileFormatError(f"Checkpoint: {os.fspath(path)!r} is not there")
    text = read_saved(path, limits.get("symbol_bytes") + 1)
    limits.check("symbol_bytes", len(text), f"Checkpoint: {os.fspath(path)!r}")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"Checkpoint: {os.fspath(path)!r} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise FileFormatError(f"Checkpoint: {os.fspath(path)!r} holds no names")
    return content


def read_index(folder: Path) -> Index:
    """Reads and checks the index of a checkpoint.

    Raises:
        FileFormatError: if it is damaged, or does not fit the files beside it.
    """
    path = folder / NAME
    content = read_json(path)
    where = f"Checkpoint: {os.fspath(path)!r}"
    if content.get("format") != _FORMAT:
        raise FileFormatError(
            f"{where}: expected format {_FORMAT}, got {shown(content.get('format'))}"
        )
    ranks: Any = content.get("ranks")
    tensors, notes = content.get("tensors"), content.get("notes")
    if not _is_count(ranks) or ranks == 0 or not isinstance(tensors, dict):
        raise FileFormatError(f"{where}: expected ranks and tensors")
    if not isinstance(notes, dict):
        raise FileFormatError(f"{where}: expected notes, got {shown(notes)}")
    files = [item for item in folder.iterdir() if item.is_file() and not item.is_symlink()]
    sizes = {item.name: item.stat().st_size for item in files}
    stored = {name: _read_tensor(f"{where}: {name}", row, sizes) for name, row in tensors.items()}
    return Index(stored, ranks, notes)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 62


def _read_tensor(where: str, row: Any, sizes: Mapping[str, int]) -> Stored:
    try:
        name, shape, chunks = row
        dtype = element_types.to_torch(name)
        rows = [Chunk(*chunk) for chunk in chunks]
    except (TypeError, ValueError, MXNetError) as error:
        raise FileFormatError(f"{where}: is not described: {error}") from error
    if not isinstance(shape, list) or len(shape) > _MOST_AXES or not all(map(_is_count, shape)):
        raise FileFormatError(f"{where}: has the shape {shown(shape)}")
    stored = Stored(dtype, tuple(shape), rows)
    limits.check("array_bytes", prod(shape) * dtype.itemsize, where)
    covered = 0
    for chunk in rows:
        _check_chunk(where, chunk, stored, sizes)
        if chunk.begin != covered:
            raise FileFormatError(f"{where}: expected rows from {covered}, got {chunk.begin}")
        covered = chunk.end
    if prod(shape) and covered != (shape[0] if shape else 1):
        raise FileFormatError(f"{where}: has {covered} rows of the shape {shape}")
    return stored


def _check_chunk(where: str, chunk: Chunk, stored: Stored, sizes: Mapping[str, int]) -> None:
    """Checks that rows are where the index says."""
    numbers = (*chunk[:2], *chunk[3:])
    if not all(map(_is_count, numbers)) or not isinstance(chunk.file, str):
        raise FileFormatError(f"{where}: has rows at {shown(list(chunk))}")
    if not _DATA.fullmatch(chunk.file) or chunk.file not in sizes:
        raise FileFormatError(f"{where}: is in {shown(chunk.file)}, which is no file of it")
    if chunk.length != (chunk.end - chunk.begin) * stored.row:
        raise FileFormatError(
            f"{where}: rows {chunk.begin} to {chunk.end} are {chunk.length} bytes"
        )
    if chunk.offset + chunk.length > sizes[chunk.file]:
        raise FileFormatError(f"{where}: {shown(chunk.file)} ends before its rows do")
