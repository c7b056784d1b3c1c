"""Datasets: objects with a length, and samples by index."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mxnet import recordio
from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet._start import PublicInit, public_call, public_methods
from mxnet._state import Lock
from mxnet.errors import CheckFailedError, UndefinedMethodError, UnsupportedTypeError
from mxnet.gluon.data import _batching
from mxnet.gluon.data.sampler import FilterSampler, Sampler, SequentialSampler
from mxnet.ndarray import NDArray

Transform = Callable[..., Any]


@public_methods("transform_first", "transform", "take", "shard", "sample", "filter")
class Dataset(_batching.HasHandle, PublicInit):
    """Base of datasets: subclasses define `__getitem__` and `__len__`.

    Example:
        >>> from mxnet.gluon import data
        >>> class Squares(data.Dataset):
        ...     def __getitem__(self, idx):
        ...         return idx * idx
        ...
        ...     def __len__(self):
        ...         return 5
        >>> list(Squares().filter(lambda x: x % 2 == 0).transform(lambda x: x + 0.5))
        [0.5, 4.5, 16.5]
    """

    def __getitem__(self, idx: Any) -> Any:
        raise UndefinedMethodError(f"{type(self).__name__} does not define __getitem__")

    def __len__(self) -> int:
        raise UndefinedMethodError(f"{type(self).__name__} does not define __len__")

    def __iter__(self) -> Iterator[Any]:
        # By length, not up to the first IndexError: computed samples may never raise one.
        for index in range(len(self)):
            yield self[index]

    def filter(self, fn: Callable[[Any], Any]) -> Dataset:
        """Returns the samples for which `fn(sample)` is true; `fn` is called for all now.

        Example:
            >>> import mxnet as mx
            >>> numbers = mx.gluon.data.SimpleDataset([1, 2, 3, 4, 5])
            >>> list(numbers.filter(lambda number: number % 2))
            [1, 3, 5]
        """
        return _SampledDataset(self, FilterSampler(fn, self))

    def shard(self, num_shards: int, index: int) -> Dataset:
        """Returns one of several parts of nearly equal length, in order.

        Args:
            num_shards: Number of parts.
            index: Index of the part, from 0.

        Example:
            >>> import mxnet as mx
            >>> numbers = mx.gluon.data.SimpleDataset([1, 2, 3, 4, 5])
            >>> list(numbers.shard(2, 0)), list(numbers.shard(2, 1))
            ([1, 2, 3], [4, 5])
        """
        if index < 0 or index >= num_shards:
            raise CheckFailedError(
                f"shard: index takes 0 up to num_shards - 1 = {num_shards - 1}, got {index}"
            )
        length, longer = divmod(len(self), num_shards)
        start = length * index + min(index, longer)
        return _SampledDataset(self, SequentialSampler(length + (index < longer), start))

    def take(self, count: int | None) -> Dataset:
        """Returns the first `count` samples, or all if it is None or too large.

        Example:
            >>> import mxnet as mx
            >>> numbers = mx.gluon.data.SimpleDataset([1, 2, 3, 4, 5])
            >>> list(numbers.take(2))
            [1, 2]
        """
        length = len(self)
        count = length if count is None else min(count, length)
        return _SampledDataset(self, SequentialSampler(count))

    def sample(self, sampler: Sampler) -> Dataset:
        """Returns the samples at the indices of a sampler, in its order.

        Example:
            >>> import mxnet as mx
            >>> numbers = mx.gluon.data.SimpleDataset([1, 2, 3, 4, 5])
            >>> sampler = mx.gluon.data.FilterSampler(lambda number: number > 3, numbers)
            >>> list(numbers.sample(sampler))
            [4, 5]
        """
        if not isinstance(sampler, Sampler):
            raise UnsupportedTypeError(
                f"sample: takes a gluon.data.Sampler, got {type(sampler).__name__}"
            )
        return _SampledDataset(self, sampler)

    def transform(self, fn: Transform, lazy: bool = True) -> Dataset:
        """Transforms every sample by `fn(sample)`, or `fn(*sample)` if samples are tuples.

        Args:
            fn: The function.
            lazy: Whether to call it each time that a sample is asked for; otherwise all samples
                are transformed now and kept.

        Example:
            >>> import mxnet as mx
            >>> numbers = mx.gluon.data.SimpleDataset([1, 2, 3, 4, 5])
            >>> squares = numbers.transform(lambda number: number**2)  # computed when it is read
            >>> squares[3], list(squares)
            (16, [1, 4, 9, 16, 25])
        """
        transformed = _LazyTransformDataset(self, fn)
        return transformed if lazy else SimpleDataset(list(transformed))

    def transform_first(self, fn: Transform, lazy: bool = True) -> Dataset:
        """Transforms the first part of every sample and leaves the others, such as labels.

        Args:
            fn: The function.
            lazy: Whether to call it each time that a sample is asked for, not for all samples now.

        Example:
            >>> import mxnet as mx
            >>> pairs = mx.gluon.data.ArrayDataset([1, 2], ["a", "b"])
            >>> list(pairs.transform_first(lambda number: number * 10))
            [(10, 'a'), (20, 'b')]
        """
        return self.transform(_TransformFirstClosure(fn), lazy)


@public_methods("__len__")
class SimpleDataset(Dataset):
    """Makes a dataset of anything that has a length and can be indexed.

    Args:
        data: The samples.

    Example:
        >>> from mxnet.gluon import data
        >>> dataset = data.SimpleDataset([10, 20, 30])
        >>> len(dataset), dataset[1]
        (3, 20)
        >>> list(dataset.transform(lambda number: number + 1))
        [11, 21, 31]
    """

    def __init__(self, data: Any) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Any:
        return self._data[idx]

    def _columns_for_batches(self) -> Any:
        # A tuple would mean several columns, and samples of a list may be tuples.
        return None if isinstance(self._data, (list, tuple)) else self._data


class _LazyTransformDataset(Dataset):
    """A dataset whose samples are transformed when they are asked for."""

    def __init__(self, data: Any, fn: Transform) -> None:
        self._data = data
        self._fn = fn

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, idx: Any) -> Any:
        sample = self._data[idx]
        return self._fn(*sample) if isinstance(sample, tuple) else self._fn(sample)

    def _parts(self) -> tuple[Transform, bool]:
        """Returns the function itself and whether it transforms the first part alone."""
        first_only = isinstance(self._fn, _TransformFirstClosure)
        return (self._fn._fn if first_only else self._fn), first_only  # type: ignore[attr-defined]

    def _fetch_for_batches(
        self, indices: Sequence[Any], names: Sequence[Any]
    ) -> _batching.Batch | list[Any]:
        fn, first_only = self._parts()
        one_by_one, at_once = _batching.split_stages(fn)
        if not at_once:
            return _batching.fetch_samples(self, indices, names)
        if not one_by_one:
            fetched = _batching.fetch(self._data, indices, names)
        else:
            step = _Chain(one_by_one)
            prepare = _TransformFirstClosure(step) if first_only else step
            fetched = _batching.map_samples(
                prepare, _batching.fetch_samples(self._data, indices, names), names
            )
        result = _batching.transform_fetched(fetched, at_once, first_only)
        if result is not None:
            return result
        finish = _TransformFirstClosure(_Chain(at_once)) if first_only else _Chain(at_once)
        return _batching.map_samples(finish, _batching.unbatch(fetched), names)


class _Chain:
    """Functions that run one after the other."""

    def __init__(self, stages: Sequence[Transform]) -> None:
        self._stages = stages

    def __call__(self, *sample: Any) -> Any:
        result = self._stages[0](*sample)
        for stage in self._stages[1:]:
            result = stage(result)
        return result


class _TransformFirstClosure:
    """Applies a function to the first part of a sample; a class, so that it can be pickled."""

    def __init__(self, fn: Transform) -> None:
        self._fn = fn

    def __call__(self, x: Any, *args: Any) -> Any:
        result = self._fn(x)
        return (result, *args) if args else result


class _SampledDataset(Dataset):
    """The samples of a dataset at the indices of a sampler."""

    def __init__(self, dataset: Any, sampler: Sampler) -> None:
        self._dataset = dataset
        self._sampler = sampler
        self._indices = list(sampler)

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, idx: Any) -> Any:
        return self._dataset[self._indices[idx]]

    def _fetch_for_batches(
        self, indices: Sequence[Any], names: Sequence[Any]
    ) -> _batching.Batch | list[Any]:
        inner = _batching.fetch_samples(self._indices, indices, names)
        return _batching.fetch(self._dataset, inner, names)


class ArrayDataset(Dataset):
    """Combines arrays: sample `i` is the tuple of the `i`-th element of each.

    With one array alone a sample is its element. Elements of a one-dimensional NDArray become NumPy
    scalars.

    Args:
        *args: Arrays, lists or datasets of one length.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import data
        >>> dataset = data.ArrayDataset(mx.nd.ones((3, 2)), [7, 8, 9])
        >>> dataset[1][1], len(dataset)
        (8, 3)
    """

    def __init__(self, *args: Any) -> None:
        if not args:
            raise CheckFailedError("ArrayDataset: takes at least one array, got none")
        self._length = len(args[0])
        for position, array in enumerate(args):
            if len(array) != self._length:
                raise CheckFailedError(
                    f"ArrayDataset: arrays must be of one length, the first has {self._length} "
                    f"and the one at position {position} has {len(array)}"
                )
        self._data = [
            item.asnumpy() if isinstance(item, NDArray) and item.ndim == 1 else item
            for item in args
        ]

    @public_call
    def __getitem__(self, idx: Any) -> Any:
        if len(self._data) == 1:
            return self._data[0][idx]
        return tuple(data[idx] for data in self._data)

    def __len__(self) -> int:
        return self._length

    def _columns_for_batches(self) -> Any:
        if len(self._data) > 1:
            return tuple(self._data)
        column = self._data[0]
        return None if isinstance(column, (list, tuple)) else column


class RecordFileDataset(Dataset):
    """The records of a RecordIO file, as bytes; the index is beside it and ends in `.idx`.

    Each process opens files of its own, and threads take turns, so workers do not disturb one
    another.

    Args:
        filename: Path of the `.rec` file.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import mxnet as mx
        >>> from mxnet.gluon import data
        >>> with TemporaryDirectory() as root:
        ...     names = f"{root}/a.idx", f"{root}/a.rec"
        ...     with mx.recordio.MXIndexedRecordIO(*names, "w") as record:
        ...         record.write_idx(0, b"first")
        ...         record.write_idx(1, b"second")
        ...     dataset = data.RecordFileDataset(names[1])
        ...     print(len(dataset), dataset[1])
        2 b'second'
    """

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.idx_file = os.path.splitext(filename)[0] + ".idx"
        self._record = recordio.MXIndexedRecordIO(self.idx_file, self.filename, "r")
        self._turn = Lock()

    def __getitem__(self, idx: Any) -> Any:
        key = self._record.keys[idx]
        with self._turn:
            return self._record.read_idx(key)

    def __len__(self) -> int:
        return len(self._record.keys)


class _DownloadedDataset(Dataset):
    """Base of datasets whose files are downloaded: `_get_data` sets `_data` and `_label`."""

    def __init__(self, root: str, transform: Transform | None) -> None:
        self._transform = transform
        self._data: Any = None
        self._label: Any = None
        self._root = os.path.expanduser(root)
        os.makedirs(self._root, exist_ok=True)
        self._get_data()

    def __getitem__(self, idx: Any) -> Any:
        sample = (self._data[idx], self._label[idx])
        return sample if self._transform is None else self._transform(*sample)

    def __len__(self) -> int:
        return len(self._label)

    def _columns_for_batches(self) -> Any:
        return (self._data, self._label) if self._transform is None else None

    def _get_data(self) -> None:
        """Reads the files, after downloading those that are missing; subclasses define it."""
        raise UndefinedMethodError(f"{type(self).__name__} does not define _get_data")


def is_in_memory(dataset: Any) -> bool:
    """Returns whether batches come from arrays in memory without running Python for each sample."""
    if type(dataset) is _SampledDataset:
        return is_in_memory(dataset._dataset)
    if type(dataset) is _LazyTransformDataset:
        fn, first_only = dataset._parts()
        one_by_one, _ = _batching.split_stages(fn)
        columns = _batching.columns_of(dataset._data)
        if columns is not None:
            fits = type(columns.columns[0]) in ARRAY_DIALECTS
            return not one_by_one and fits and (first_only or len(columns.columns) == 1)
        return not one_by_one and is_in_memory(dataset._data)
    return _batching.columns_of(dataset) is not None
