"""What iterators over files share: their options, their base class, and the order of examples."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, cast, get_type_hints

import numpy as np

from mxnet._formats.files import access_error
from mxnet._start import did_you_mean, level_of_program
from mxnet.errors import AttributeValueError, MissingFileError, MXNetError
from mxnet.io._batches import CurrentBatchIter, DataBatch, DataDesc
from mxnet.ndarray import NDArray
from mxnet.ops.core.attrs import REQUIRED, Attr, codec_for

O = TypeVar("O", bound="BatchOptions")  # noqa: E741 - not used as a number

ElementName = Literal[
    "bfloat16", "float16", "float32", "float64", "int32", "int64", "int8", "uint8"
]


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """What all iterators over files take.

    Attributes:
        batch_size: Number of examples in a batch.
        round_batch: Whether to fill the last batch with the first examples, which the next round
            then skips.
        prefetch_buffer: How many batches to make ahead, where making them takes time.
        ctx: Accepted for programs that give it; batches are made on the CPU.
        dtype: Element type of a batch; None leaves it to the iterator.
        data_name: Name of the data.
        label_name: Name of the label.
    """

    batch_size: int
    round_batch: bool = True
    prefetch_buffer: int = 4
    ctx: Literal["cpu", "gpu"] = "gpu"
    dtype: ElementName | None = None
    data_name: str = "data"
    label_name: str = "softmax_label"


def _attributes(cls: type[BatchOptions]) -> dict[str, Attr]:
    hints = get_type_hints(cls)
    return {
        field.name: Attr(
            field.name,
            codec_for(hints[field.name]),
            REQUIRED if field.default is MISSING else field.default,
        )
        for field in fields(cls)
    }


def read_options(cls: type[O], where: str, given: dict[str, Any]) -> O:
    """Reads the keywords of an iterator.

    Args:
        cls: Dataclass of the options.
        where: Name of the iterator, for messages.
        given: Keywords and their values; unknown ones are named in a warning and left out.

    Raises:
        AttributeValueError: if a value cannot be read, or a required option is not given.
    """
    known = _attributes(cls)
    unknown = [name for name in given if name not in known]
    missing = [name for name, attr in known.items() if attr.required and name not in given]
    if missing:
        mistaken = [f"{name!r}{hint}" for name in unknown if (hint := did_you_mean(name, missing))]
        raise AttributeValueError(
            f"{where}: missing option {', '.join(map(repr, missing))}"
            + "".join(f"; there is no {item}" for item in mistaken)
        )
    if unknown:
        message = f"{where}: no option {', '.join(map(repr, unknown))}; left out"
        warnings.warn(message, UserWarning, stacklevel=level_of_program())
    values = {
        name: known[name].parse(value, where) for name, value in given.items() if name in known
    }
    options = cls(**values)
    if options.batch_size <= 0:
        raise AttributeValueError(
            f"{where}: `batch_size` takes a positive number, got {options.batch_size}"
        )
    return options


def check_dtype(where: str, dtype: str | None, *accepted: str) -> None:
    """Checks that an element type is one of those that an iterator makes, or left to it."""
    if dtype not in (None, *accepted):
        *most, last = accepted
        names = f"{', '.join(most)} or {last}" if most else last
        raise AttributeValueError(f"{where}: `dtype` takes {names}, got {dtype!r}")


def check_part(where: str, num_parts: int, part_index: int) -> None:
    """Checks that there is a part of some number."""
    if not 0 <= part_index < num_parts:
        raise AttributeValueError(
            f"{where}: `part_index` takes 0 to {num_parts - 1}, got {part_index}"
        )


def find_files(where: str, uri: str) -> list[Path]:
    """Returns the files at a path: a file, all files of a folder, or several separated by `;`.

    Raises:
        MissingFileError: if there is none.
        FileAccessError: if the system does not tell what is there.
    """
    files: list[Path] = []
    for name in uri.split(";"):
        try:
            found = _files_at(Path(name))
        except OSError as error:
            raise access_error(where, name, error) from error
        if found is None:
            raise MissingFileError(f"{where}: no file or folder {name!r}")
        files += found
    files = [path for path in files if path.stat().st_size]
    if not files:
        raise MissingFileError(f"{where}: nothing but empty files at {uri!r}")
    return files


def _files_at(path: Path) -> list[Path] | None:
    if path.is_dir():
        return sorted(item for item in path.iterdir() if item.is_file())
    return [path] if path.is_file() else None


def signature_of(cls: type[BatchOptions]) -> inspect.Signature:
    """Returns the signature that `help` shows for an iterator with these options."""
    return inspect.signature(cls).replace(return_annotation=inspect.Signature.empty)


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


def _flat(arrays: Any) -> list[Any]:
    return list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]


class MXDataIter(CurrentBatchIter):
    """Base class of the iterators that read files.

    The first batch is read at once, so that names and shapes are known and errors show early.

    Args:
        handle: Source of the batches.
        data_name: Name of the data.
        label_name: Name of the label.
        **_: Ignored.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mxnet as mx
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "numbers.csv")
        ...     np.savetxt(path, [[1, 2], [3, 4]], fmt="%d", delimiter=",")
        ...     batches = mx.io.CSVIter(data_csv=path, data_shape=(2,), batch_size=2)
        ...     print(isinstance(batches, mx.io.MXDataIter), batches.provide_data)
        True [DataDesc[data,(2, 2),<class 'numpy.float32'>,NCHW]]
    """

    def __init__(
        self, handle: Source, data_name: str = "data", label_name: str = "softmax_label", **_: Any
    ) -> None:
        super().__init__()
        self.handle = handle
        self._skips = False
        self.current_batch = handle.read()
        if self.current_batch is None:
            raise MXNetError(f"{type(self).__name__}: there is not a single batch")
        self._is_ahead = True
        data, label = self.current_batch.data, self.current_batch.label
        self.provide_data = [DataDesc(data_name, data.shape, data.dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, label.dtype)]
        self.batch_size = data.shape[0]

    def getitems(self) -> tuple[Any, ...]:
        """Returns the arrays of the current batch: its data, then its labels."""
        return (*_flat(self.getdata()), *_flat(self.getlabel()))

    def reset(self) -> None:
        """Starts a new round."""
        self._is_ahead = False
        self.current_batch = None
        self.handle.rewind()

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one."""
        if self._is_ahead:
            self._is_ahead = self._skips
            return True
        self.current_batch = self.handle.read()
        return self.current_batch is not None

    def next(self) -> DataBatch:
        """Returns the next batch.

        Raises:
            StopIteration: after the last one.
        """
        if not self.iter_next():
            raise StopIteration
        loaded = self._present()
        return DataBatch([loaded.data], [loaded.label], loaded.pad, loaded.index)

    def debug_skip_load(self) -> None:
        """Makes the iterator return the current batch forever, to time the code that uses it."""
        self._skips = self._is_ahead = True


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


_LARGEST = 2**32 - 1


class Shuffler:
    """Shuffles by a Mersenne Twister, as the C++ library that the original uses does.

    Args:
        seed: Seed of the generator.
    """

    def __init__(self, seed: int) -> None:
        self._numbers = self._draw(seed % 2**32)

    @staticmethod
    def _draw(seed: int) -> Iterator[int]:
        bits = np.random.MT19937()
        bits.state = cast(Any, np.random.RandomState(seed).get_state(legacy=False))
        while True:
            yield from bits.random_raw(1024).tolist()

    def shuffle(self, values: list[Any]) -> None:
        """Shuffles values in place."""
        for place in range(1, len(values)):
            # Numbers past the last multiple of the number of choices would favour the first ones.
            width = _LARGEST // (place + 1)
            drawn = next(self._numbers)
            while drawn >= width * (place + 1):
                drawn = next(self._numbers)
            other = drawn // width
            values[place], values[other] = values[other], values[place]
