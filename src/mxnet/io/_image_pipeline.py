"""Batches of packed images: records are read and decoded by threads ahead of the program."""

from __future__ import annotations

import os
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
import torch

from mxnet import limits
from mxnet._formats.files import open_saved
from mxnet.context import Context
from mxnet.errors import AttributeValueError, MXNetError
from mxnet.io._image_options import RecordOptions
from mxnet.io._sources import Loaded, Shuffler, find_files
from mxnet.ndarray._ndarray import from_tensor
from mxnet.recordio import RecordError, read_index, read_record
from mxnet.recordio._format import find_record, skip_record

Values = np.ndarray[Any, np.dtype[Any]]
Records = list[tuple["Place", bytes]]

_BUFFER_BYTES = 2**20


class Place:
    """The position of a record, for messages; its text is made only when it is needed.

    The number of its image is part of it once the record is unpacked.
    """

    __slots__ = ("image", "offset", "path")

    def __init__(self, path: Path, offset: int) -> None:
        self.path = path
        self.offset = offset
        self.image: int | None = None

    def __str__(self) -> str:
        image = "" if self.image is None else f": image {self.image}"
        return f"{self.path}: record at offset {self.offset}{image}"


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


class Decoder(Protocol):
    """Turns records into rows of a batch; called from several threads."""

    data_shape: tuple[int, ...]
    label_shape: tuple[int, ...]
    dtype: str
    num_draws: int

    def decode(self, place: Place, record: bytes, numbers: Values, row: Row) -> None:
        """Decodes one record into a row, using the given random numbers."""


@dataclass(frozen=True)
class Row:
    """Where one example of a batch goes."""

    data: Values
    label: Values
    index: Values


@dataclass(frozen=True)
class _Coming:
    """A batch that threads are working on."""

    rows: Row
    pad: int
    parts: list[Future[None]]


class Buffers:
    """Memory for batches, reused once a batch is no longer referenced.

    A new block of memory for every batch would cost as much as augmenting its images, because
    the system clears each page.
    """

    def __init__(self, shape: tuple[int, ...], dtype: str, count: int) -> None:
        self._shape = shape
        self._dtype = dtype
        self._count = count
        self._free: list[Values] = []

    def take(self) -> Values:
        """Returns an uninitialized array."""
        try:
            memory = self._free.pop()
        except IndexError:
            memory = np.empty(self._shape, self._dtype)
        lent: Values = memory.view()
        weakref.finalize(lent, self._give_back, memory).atexit = False
        return lent

    def _give_back(self, memory: Values) -> None:
        if len(self._free) < self._count:
            self._free.append(memory)


class ImageSource:
    """A source of batches that reads, decodes and augments ahead.

    Args:
        where: Name of the iterator, for messages.
        options: What to read.
        decoder: Turns records into examples.
    """

    def __init__(self, where: str, options: RecordOptions, decoder: Decoder) -> None:
        self._grouping = _Grouping(where, options)
        self._depth = max(1, options.prefetch_buffer)
        self._pool = ThreadPoolExecutor(
            options.preprocess_threads, thread_name_prefix=where, initializer=limits.carry()
        )
        self._work = _Work(decoder, self._pool, options, self._depth)
        pinned = Context("cpu_pinned", options.device_id)
        self._ctx = pinned if options.device_id >= 0 else Context("cpu", 0)
        self._finished = False
        self._ahead = self._start()

    def _start(self) -> _Ahead:
        return _Ahead(self._grouping.read_round(), self._work.begin, self._depth + 1)

    def read(self) -> Loaded | None:
        """Returns the next batch, None after the last.

        Raises:
            MXNetError: the error that a thread met while reading or decoding the batch.
        """
        if self._finished:
            return None
        coming = self._ahead.get()
        if coming is None:
            self._finished = True
            return None
        for part in coming.parts:
            part.result()
        rows = coming.rows
        data, label = (
            from_tensor(torch.from_numpy(values), self._ctx) for values in (rows.data, rows.label)
        )
        return Loaded(data, label, coming.pad, rows.index)

    def rewind(self) -> None:
        """Starts a new round, from the first record if the last round was not read to its end."""
        self._ahead.close()
        if not self._finished:
            self._grouping.forget()
        self._finished = False
        self._ahead = self._start()


class _Grouping:
    """Groups records into batches."""

    def __init__(self, where: str, options: RecordOptions) -> None:
        self._where = where
        self._stream = RecordStream(where, options)
        self._batch_size = options.batch_size
        self._round_batch = options.round_batch
        self._begun: Iterator[tuple[Place, bytes]] | None = None

    def forget(self) -> None:
        """Drops the next round, which was begun to fill the last batch."""
        self._begun = None

    def read_round(self) -> Iterator[tuple[Records, int]]:
        """Yields the records of each batch and how many of them are padding."""
        records, self._begun = self._begun or iter(()), None
        batch = list(islice(records, self._batch_size))
        if not batch:
            records = self._stream.read_round()
            batch = list(islice(records, self._batch_size))
        if not batch:
            raise MXNetError(f"{self._where}: there are no records")
        before = batch
        while batch:
            pad = self._batch_size - len(batch)
            if pad and self._round_batch:
                records = self._stream.read_round()
                batch += islice(records, pad)
                self._begun = records
            elif pad:
                batch += before[len(batch) :]
            if len(batch) < self._batch_size:
                raise MXNetError(
                    f"{self._where}: the records are too few for batches of {self._batch_size}; "
                    "give a smaller `batch_size`"
                )
            yield batch, pad
            before = batch
            batch = [] if pad else list(islice(records, self._batch_size))


class _Work:
    """Hands batches to the decoding threads."""

    def __init__(
        self, decoder: Decoder, pool: ThreadPoolExecutor, options: RecordOptions, depth: int
    ) -> None:
        self._decoder = decoder
        self._pool = pool
        seed = options.seed if options.seed_aug is None else options.seed_aug
        self._rng = np.random.default_rng(seed % 2**63)
        self._parts = min(options.preprocess_threads, options.batch_size)
        # One buffer is in use by the program, another has just been released.
        shape = (options.batch_size, *decoder.data_shape)
        self._buffers = Buffers(shape, decoder.dtype, depth + 2)

    def begin(self, records: Records, pad: int) -> _Coming:
        """Starts the threads on a batch."""
        count = len(records)
        rows = Row(
            self._buffers.take(),
            np.empty((count, *self._decoder.label_shape), np.float32),
            np.empty(count, np.uint64),
        )
        numbers = self._rng.random((count, self._decoder.num_draws))
        bounds = [count * part // self._parts for part in range(self._parts + 1)]
        parts = [
            self._pool.submit(
                _decode_part,
                self._decoder,
                records[begin:end],
                numbers[begin:end],
                Row(rows.data[begin:end], rows.label[begin:end], rows.index[begin:end]),
            )
            for begin, end in pairwise(bounds)
        ]
        return _Coming(rows, pad, parts)


def _decode_part(decoder: Decoder, records: Records, numbers: Values, rows: Row) -> None:
    for number, (place, record) in enumerate(records):
        row = Row(
            rows.data[number], rows.label[number : number + 1], rows.index[number : number + 1]
        )
        decoder.decode(place, record, numbers[number], row)


class _Ahead:
    """Begins the batches of one round ahead, in a thread that keeps no iterator alive."""

    def __init__(
        self,
        batches: Iterator[tuple[Records, int]],
        begin: Callable[[Records, int], _Coming],
        depth: int,
    ) -> None:
        self._begin = partial(_begin_next, weakref.ref(self), batches, begin)
        self._thread = ThreadPoolExecutor(1, initializer=limits.carry())
        self._process = os.getpid()
        self._coming = deque(self._thread.submit(self._begin) for _ in range(depth))

    def get(self) -> _Coming | None:
        """Waits for the next batch; None after the last.

        Raises:
            MXNetError: the error that the thread met, at this and every later call.
        """
        if not self._coming[0].done() and os.getpid() != self._process:
            raise MXNetError("the thread that reads records has ended")
        coming = self._coming[0].result()
        self._coming.popleft()
        self._coming.append(self._thread.submit(self._begin))
        return coming

    def close(self) -> None:
        """Ends the thread."""
        self._thread.shutdown(cancel_futures=True)


def _begin_next(
    wanted: Callable[[], _Ahead | None],
    batches: Iterator[tuple[Records, int]],
    begin: Callable[[Records, int], _Coming],
) -> _Coming | None:
    """Begins a batch, unless none is left or the iterator that would return it is gone.

    The garbage collector may drop an iterator at any point, so no lock is used to find that out.
    """
    batch = None if wanted() is None else next(batches, None)
    return None if batch is None else begin(*batch)
