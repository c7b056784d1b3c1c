"""Reading the records of a round, in order or shuffled."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mxnet._files import open_saved
from mxnet.errors import AttributeValueError
from mxnet.io._image_options import RecordOptions
from mxnet.io._shuffle import Shuffler
from mxnet.io._text_files import find_files
from mxnet.recordio import RecordError, read_index, read_record
from mxnet.recordio._format import find_record, skip_record

_BUFFER_BYTES = 2**20


class Place:
    """The position of a record, for messages; its text is made only when it is needed."""

    __slots__ = ("offset", "path")

    def __init__(self, path: Path, offset: int) -> None:
        self.path = path
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.path}: record at offset {self.offset}"


class RecordStream:
    """Reads the records of one part of some files, optionally shuffled in every round.

    Args:
        where: Name of the iterator, for messages.
        options: Which records to read.
    """

    def __init__(self, where: str, options: RecordOptions) -> None:
        self._files = find_files(where, options.path_imgrec)
        self._shuffler = Shuffler(options.SHUFFLE_MAGIC + options.seed) if options.shuffle else None
        self._places: list[tuple[Path, int]] | None = None
        sizes = [_size_of(path) for path in self._files]
        self._ranges = list(zip(self._files, [0] * len(sizes), sizes, strict=True))
        if options.path_imgidx:
            if len(self._files) > 1:
                raise AttributeValueError(
                    f"{where}: `path_imgidx` takes the index of one file, got {len(self._files)}"
                )
            index = read_index(options.path_imgidx, records=self._files[0])
            offsets = sorted(offset for _, offset in index)
            step = -(-len(offsets) // options.num_parts)
            mine = offsets[step * options.part_index : step * (options.part_index + 1)]
            self._places = [(self._files[0], offset) for offset in mine]
        elif options.num_parts > 1:
            self._ranges = self._cut(sizes, options.num_parts, options.part_index)
        if self._shuffler and self._places is None:
            self._places = list(self._find_places())

    def _cut(
        self, sizes: list[int], num_parts: int, part_index: int
    ) -> list[tuple[Path, int, int]]:
        """Returns the byte ranges of a part: all records that begin in its share of the bytes."""
        step = -(-sum(sizes) // num_parts)
        step += -step % 4
        first, last, start, ranges = step * part_index, step * (part_index + 1), 0, []
        for path, size in zip(self._files, sizes, strict=True):
            begin, end = (min(max(bound - start, 0), size) for bound in (first, last))
            if begin < end:
                ranges.append((path, _next_record(path, begin), _next_record(path, end)))
            start += size
        return ranges

    def _find_places(self) -> Iterator[tuple[Path, int]]:
        for path, begin, end in self._ranges:
            with open_saved(path) as file:
                file.seek(begin)
                size = os.fstat(file.fileno()).st_size
                while (offset := file.tell()) < end:
                    skip_record(file, str(path), size)
                    yield path, offset

    def read_round(self) -> Iterator[tuple[Place, bytes]]:
        """Reads all records once.

        Raises:
            RecordError: if a record is damaged, or the index belongs to another file.
        """
        if self._places is None:
            return self._read_ranges()
        places = list(self._places)
        if self._shuffler:
            self._shuffler.shuffle(places)
        return self._read_places(places)

    def _read_ranges(self) -> Iterator[tuple[Place, bytes]]:
        for path, begin, end in self._ranges:
            with open_saved(path, _BUFFER_BYTES) as file:
                file.seek(begin)
                while (offset := file.tell()) < end:
                    record = read_record(file, str(path))
                    if record is not None:
                        yield Place(path, offset), record

    def _read_places(self, places: list[tuple[Path, int]]) -> Iterator[tuple[Place, bytes]]:
        opened: dict[Path, BinaryIO] = {}
        try:
            for path, offset in places:
                if path not in opened:
                    opened[path] = open_saved(path)
                record = _read_at(opened[path], path, offset)
                yield Place(path, offset), record
        finally:
            for file in opened.values():
                file.close()


def _read_at(file: BinaryIO, path: Path, offset: int) -> bytes:
    """Reads the record at a position that an index gives."""
    size = os.fstat(file.fileno()).st_size
    record = None
    if 0 <= offset < size:
        file.seek(offset)
        record = read_record(file, str(path))
    if record is None:
        raise RecordError(str(path), offset, f"the file has {size} bytes; wrong index?")
    return record


def _size_of(path: Path) -> int:
    with open_saved(path) as file:
        return os.fstat(file.fileno()).st_size


def _next_record(path: Path, position: int) -> int:
    """Returns the start of the first record at or after a position."""
    if position == 0:
        return 0
    with open_saved(path) as file:
        file.seek(position - 1)
        find_record(file)
        return file.tell()
