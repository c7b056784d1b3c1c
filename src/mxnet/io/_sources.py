"""Iterators over sources of batches: the base class, and rows of arrays as a source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from mxnet.errors import MXNetError
from mxnet.io._batches import DataBatch, DataDesc, DataIter
from mxnet.io._wrapping import NoBatchError
from mxnet.ndarray import NDArray

Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Loaded:
    """One batch from a source."""

    data: NDArray
    label: NDArray
    pad: int
    index: np.ndarray[Any, np.dtype[np.uint64]]


class Source(Protocol):
    """What `MXDataIter` reads from."""

    def read(self) -> Loaded | None:
        """Returns the next batch, None after the last."""

    def rewind(self) -> None:
        """Starts a new round."""


class MXDataIter(DataIter):
    """Base class of the iterators that read files.

    The first batch is read at once, so that names and shapes are known and errors show early.

    Args:
        handle: Source of the batches.
        data_name: Name of the data.
        label_name: Name of the label.
        **_: Ignored.
    """

    def __init__(
        self, handle: Source, data_name: str = "data", label_name: str = "softmax_label", **_: Any
    ) -> None:
        super().__init__()
        self.handle = handle
        self._skips = False
        self._present = handle.read()
        if self._present is None:
            raise MXNetError(f"{type(self).__name__}: there is not a single batch")
        self._is_ahead = True
        data, label = self._present.data, self._present.label
        self.provide_data = [DataDesc(data_name, data.shape, data.dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, label.dtype)]
        self.batch_size = data.shape[0]

    def reset(self) -> None:
        """Starts a new round."""
        self._is_ahead = False
        self._present = None
        self.handle.rewind()

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one."""
        if self._is_ahead:
            self._is_ahead = self._skips
            return True
        self._present = self.handle.read()
        return self._present is not None

    def next(self) -> DataBatch:
        """Returns the next batch.

        Raises:
            StopIteration: after the last one.
        """
        if not self.iter_next():
            raise StopIteration
        loaded = self._loaded()
        return DataBatch([loaded.data], [loaded.label], loaded.pad, loaded.index)

    def debug_skip_load(self) -> None:
        """Makes the iterator return the current batch forever, to time the code that uses it."""
        self._skips = self._is_ahead = True

    def _loaded(self) -> Loaded:
        if self._present is None:
            raise NoBatchError(f"{type(self).__name__}: no batch is at hand; call next() first")
        return self._present

    def getdata(self) -> NDArray:
        """Returns the data of the current batch."""
        return self._loaded().data

    def getlabel(self) -> NDArray:
        """Returns the label of the current batch."""
        return self._loaded().label

    def getindex(self) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """Returns the numbers of the examples in the current batch."""
        return self._loaded().index

    def getpad(self) -> int:
        """Returns how many examples of the current batch are padding."""
        return self._loaded().pad


class Rounds:
    """Deals out the indices of examples, batch by batch.

    Args:
        where: Name of the iterator, for messages.
        count: Number of examples.
        batch_size: Number of examples in a batch.
        round_batch: Whether the last batch is filled with the first examples, which the next
            round then skips. Otherwise it is filled with the batch before it.
    """

    def __init__(self, where: str, count: int, batch_size: int, round_batch: bool = True) -> None:
        if count == 0 or (round_batch and batch_size > 2 * count):
            raise MXNetError(
                f"{where}: {count} examples are too few for batches of {batch_size}; "
                "give a smaller `batch_size`"
            )
        self._count = count
        self._round_batch = round_batch
        self._start = 0
        self._overflow: int | None = None
        self._rows = np.arange(batch_size) % count

    def next(self) -> tuple[Numbers, int] | None:
        """Returns the examples of the next batch and how many are padding; None at the end."""
        if self._overflow is not None or self._start >= self._count:
            return None
        rows = self._start + np.arange(len(self._rows))
        self._start += len(rows)
        pad = max(0, self._start - self._count)
        if pad and self._round_batch:
            rows %= self._count
            self._overflow = pad
        elif pad:
            rows[-pad:] = self._rows[-pad:]
        self._rows = rows
        return rows, pad

    def rewind(self) -> None:
        """Starts a new round, after the examples that filled the last batch."""
        self._start, self._overflow = (self._overflow or 0) % self._count, None


class Rows:
    """A source that takes its batches from arrays in memory.

    Args:
        rounds: Deals out the examples.
        data: Returns the data of some examples.
        label: Returns their labels.
    """

    def __init__(
        self,
        rounds: Rounds,
        data: Callable[[Numbers], NDArray],
        label: Callable[[Numbers], NDArray],
    ) -> None:
        self._rounds = rounds
        self._data = data
        self._label = label

    def read(self) -> Loaded | None:
        """Returns the next batch, None after the last."""
        dealt = self._rounds.next()
        if dealt is None:
            return None
        rows, pad = dealt
        return Loaded(self._data(rows), self._label(rows), pad, rows.astype(np.uint64))

    def rewind(self) -> None:
        """Starts a new round."""
        self._rounds.rewind()
