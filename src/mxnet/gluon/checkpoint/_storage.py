"""The files of a checkpoint: their index, and how torch.distributed.checkpoint uses them.

It divides the work among ranks and reads what one rank wrote for another; the files are ours,
because its own have pickles in them.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.distributed.checkpoint.metadata import (
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    TensorProperties,
    TensorStorageMetadata,
)
from torch.distributed.checkpoint.planner import LoadPlan, LoadPlanner, SavePlan, SavePlanner
from torch.distributed.checkpoint.storage import StorageReader, StorageWriter, WriteResult
from torch.futures import Future

from mxnet import limits
from mxnet._formats import element_types
from mxnet._formats.files import name_file, open_foreign, read_foreign
from mxnet.errors import FileFormatError, MXNetError, shown

# A checkpoint comes from a disk that others may write to. Its index is JSON, and nothing in it is
# believed before it is checked against the files; no part of a checkpoint can name code to run.

NAME = "index.json"
OPTIMIZER = "optimizer.states"
_FORMAT = 1
_DATA = re.compile(r"rank[0-9]{1,6}\.bin")
_MOST_AXES = 32
_MOST_RANKS = 1 << 20


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
    text = read_foreign(path, "symbol_bytes")
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
    if not _is_count(ranks) or not 0 < ranks <= _MOST_RANKS or not isinstance(tensors, dict):
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


PLACE = re.compile(r"step-([0-9]{8,18})(?:\.new)?")
"""Names of the folders of checkpoints."""
_LEFTOVER = re.compile(r"\.step-[0-9]{8,18}\.(?:partial|removed)")
_MAX_LEFTOVERS = 16


def place_of(folder: Path, step: int) -> Path:
    """Returns the folder of the checkpoint of a step."""
    return folder / f"step-{step:08d}"


def _newer(place: Path) -> Path:
    """Returns where a second checkpoint of a step is, until the first has been removed."""
    return place.with_name(f"{place.name}.new")


def present(place: Path) -> Path:
    """Returns the folder with what was saved last for a place.

    A checkpoint of a step that has one already is complete under a name of its own before the
    first one is touched, so that whenever the process is killed there is one to be read.
    """
    newer = _newer(place)
    return newer if newer.is_dir() else place


def settle(place: Path) -> None:
    """Ends what a save of a step that had a checkpoint already may have left to do."""
    newer = _newer(place)
    if newer.is_dir():
        discard(place)
        newer.rename(place)
        _sync_folder(place.parent)


def discard(folder: Path) -> None:
    """Removes a checkpoint, first out of sight, as a folder is not removed at once."""
    if folder.exists():
        hidden = folder.with_name(f".{folder.name.partition('.')[0]}.removed")
        _remove(hidden)
        folder.rename(hidden)
        _remove(hidden)


def _remove_leftovers(folder: Path) -> None:
    """Removes what killed processes have left, a few things at a time."""
    found = (item for item in folder.iterdir() if _LEFTOVER.fullmatch(item.name))
    for item in itertools.islice(found, _MAX_LEFTOVERS):
        _remove(item)


def _remove(path: Path) -> None:
    """Removes a folder, or what has its name; a link goes, and what it leads to stays."""
    if path.is_symlink() or path.is_file():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path, ignore_errors=True)


def _done(value: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


class FolderWriter(StorageWriter):
    """Writes a checkpoint to a folder beside its place, which it takes when it is complete.

    Args:
        place: The folder.
        rank: Number of this rank.
        num_ranks: Number of all ranks.
        own: Content of further files of this rank, by name.
        common: Content of further files, which the first rank writes.
        notes: What the index says beside the tensors.
    """

    def __init__(
        self,
        place: Path,
        rank: int,
        num_ranks: int,
        own: Mapping[str, bytes],
        common: Mapping[str, bytes],
        notes: dict[str, Any],
    ) -> None:
        self._place, self._rank, self._num_ranks = place, rank, num_ranks
        self._own, self._common, self._notes = own, common, notes
        self._partial = place.with_name(f".{place.name}.partial")

    def reset(self, checkpoint_id: Any = None) -> None:
        """Does nothing: a writer is for one checkpoint."""

    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Does nothing: the folder is made when all ranks have come."""

    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        """Returns what a rank is to write, unchanged."""
        return plan

    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        """Makes the folder; the first rank does, before any rank writes."""
        self._partial.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(self._partial.parent)  # of a run that was killed
        _remove(self._partial)
        self._partial.mkdir()
        return plans

    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Future[list[WriteResult]]:
        """Writes the tensors of this rank, and its other files."""
        results = []
        path = self._partial / data_file(self._rank)
        with _naming(path), path.open("wb") as file:
            for item in plan.items:
                tensor: Tensor = planner.resolve_data(item)  # type: ignore[assignment]  # no bytes
                data = tensor.detach().cpu().contiguous()
                content: Any = memoryview(_bytes_of(data))
                offsets = item.index.offset
                begin = offsets[0] if offsets else 0
                end = begin + (data.shape[0] if data.ndim else 1)
                chunk = Chunk(
                    begin, end, data_file(self._rank), file.tell(), len(content), _sum(content)
                )
                file.write(content)
                results.append(WriteResult(item.index, len(content), chunk))
            _sync(file)
        for name, text in self._own.items():
            _write(self._partial / name, text)
        return _done(results)

    def finish(self, metadata: Metadata, results: list[list[WriteResult]]) -> None:
        """Writes the index and puts the folder in its place; the first rank does, last of all."""
        chunks: dict[str, list[Chunk]] = {}
        for result in (one for several in results for one in several):
            if result.size_in_bytes:
                chunks.setdefault(result.index.fqn, []).append(result.storage_data)
        tensors = {
            name: Stored(item.properties.dtype, tuple(item.size), sorted(chunks.get(name, [])))
            for name, item in metadata.state_dict_metadata.items()
            if isinstance(item, TensorStorageMetadata)
        }
        for name, content in self._common.items():
            _write(self._partial / name, content)
        _write(self._partial / NAME, write_index(Index(tensors, self._num_ranks, self._notes)))
        _sync_folder(self._partial)
        settle(self._place)
        has_earlier = self._place.exists()
        self._partial.rename(_newer(self._place) if has_earlier else self._place)
        _sync_folder(self._place.parent)
        if has_earlier:
            settle(self._place)

    def abandon(self) -> None:
        """Removes what was written of a checkpoint that has failed; the first rank does."""
        if self._rank == 0:
            _remove(self._partial)

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: Any) -> bool:
        """Returns whether a name given to torch is one of ours: none is."""
        del checkpoint_id
        return False


class FolderReader(StorageReader):
    """Reads a checkpoint from its folder.

    Args:
        folder: The folder.
        index: Its index.
    """

    def __init__(self, folder: Path, index: Index) -> None:
        self._folder, self._index = folder, index
        self._last: tuple[Chunk, Tensor] | None = None

    def reset(self, checkpoint_id: Any = None) -> None:
        """Does nothing: a reader is for one checkpoint."""

    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        """Returns the index in torch's words."""
        del args, kwargs
        tensors = {
            name: TensorStorageMetadata(
                TensorProperties(dtype=stored.dtype),
                torch.Size(stored.shape),
                [ChunkStorageMetadata(*_extent(stored, chunk)) for chunk in stored.chunks],
            )
            for name, stored in self._index.tensors.items()
        }
        return Metadata(dict(tensors))

    def set_up_storage_reader(
        self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any
    ) -> None:
        """Does nothing: the index is known already."""

    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """Returns what a rank is to read, unchanged."""
        return plan

    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        """Returns what all ranks are to read, unchanged."""
        return plans

    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Future[None]:
        """Copies rows from the files to where the planner wants them."""
        for item in plan.items:
            tensor = self._read(item.storage_index)
            for axis, (begin, length) in enumerate(
                zip(item.storage_offsets, item.lengths, strict=True)
            ):
                tensor = tensor.narrow(axis, begin, length)
            target = planner.resolve_tensor(item).detach()
            target.copy_(tensor)
            planner.commit_tensor(item, target)
        return _done(None)

    def _read(self, place: MetadataIndex) -> Tensor:
        """Returns the rows of a chunk."""
        stored = self._index.tensors[place.fqn]
        begin = place.offset[0] if place.offset else 0
        chunk = next(item for item in stored.chunks if item.begin == begin)
        if self._last is not None and self._last[0] == chunk:  # several pieces of one
            return self._last[1]
        content = bytearray(chunk.length)
        with open_foreign(self._folder / chunk.file) as file:
            file.seek(chunk.offset)
            count = file.readinto(content)
        if count != chunk.length or _sum(content) != chunk.checksum:
            raise FileFormatError(
                f"Checkpoint: {os.fspath(self._folder / chunk.file)!r} is damaged: {place.fqn} has "
                "another checksum than when it was saved"
            )
        tensor = torch.frombuffer(content, dtype=stored.dtype).view(_extent(stored, chunk)[1])
        self._last = chunk, tensor
        return tensor

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: Any) -> bool:
        """Returns whether a name given to torch is one of ours: none is."""
        del checkpoint_id
        return False


def _extent(stored: Stored, chunk: Chunk) -> tuple[torch.Size, torch.Size]:
    """Returns the first element of a chunk and its shape."""
    if not stored.shape:
        return torch.Size(()), torch.Size(())
    rest = stored.shape[1:]
    begins = torch.Size((chunk.begin, *(0 for _ in rest)))
    return begins, torch.Size((chunk.end - chunk.begin, *rest))


def _bytes_of(tensor: Tensor) -> Any:
    """Returns the elements of a tensor as bytes, without a copy."""
    return tensor.reshape(-1).view(torch.uint8).numpy()


def _sum(content: Any) -> int:
    return zlib.crc32(content)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Makes errors of the system name a file, which those of a full disk do not."""
    try:
        yield
    except OSError as error:
        raise name_file(error, path) from error


def _write(path: Path, content: bytes) -> None:
    with _naming(path), path.open("wb") as file:
        file.write(content)
        _sync(file)


def _sync(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # which does not open folders
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
