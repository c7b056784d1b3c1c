"""Samplers: the order in which the samples of a dataset are visited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mxnet._start import PublicInit
from mxnet.errors import AttributeValueError, CheckFailedError, UndefinedMethodError


class Sampler(PublicInit):
    """Base of samplers: subclasses define `__iter__` and `__len__`.

    Example:
        >>> from mxnet.gluon import data
        >>> class Backwards(data.Sampler):
        ...     def __init__(self, length):
        ...         self._length = length
        ...     def __iter__(self):
        ...         return iter(range(self._length - 1, -1, -1))
        ...     def __len__(self):
        ...         return self._length
        >>> loader = data.DataLoader([1, 2, 3], batch_size=3, sampler=Backwards(3))
        >>> print(next(iter(loader)).asnumpy())
        [3 2 1]
    """

    def __len__(self) -> int:
        raise UndefinedMethodError(f"{type(self).__name__} does not define __len__")

    def __iter__(self) -> Iterator[Any]:
        raise UndefinedMethodError(f"{type(self).__name__} does not define __iter__")


class SequentialSampler(Sampler):
    """Yields `start`, `start + 1` and so on.

    Args:
        length: How many indices.
        start: The first.

    Example:
        >>> from mxnet.gluon import data
        >>> list(data.SequentialSampler(3, start=2))
        [2, 3, 4]
    """

    def __init__(self, length: int, start: int = 0) -> None:
        self._length = length
        self._start = start

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._start, self._start + self._length))

    def __len__(self) -> int:
        return self._length


class RandomSampler(Sampler):
    """Yields the indices in a random order from NumPy's generator, a new one in each round.

    Args:
        length: How many indices.

    Example:
        >>> from mxnet.gluon import data
        >>> sorted(int(index) for index in data.RandomSampler(4))
        [0, 1, 2, 3]
    """

    def __init__(self, length: int) -> None:
        self._length = length

    def __iter__(self) -> Iterator[Any]:
        indices = np.arange(self._length)
        np.random.shuffle(indices)
        return iter(indices)

    def __len__(self) -> int:
        return self._length


class FilterSampler(Sampler):
    """Yields the indices of the samples for which `fn(sample)` is true.

    The function is called for all samples when the sampler is made.

    Args:
        fn: The function.
        dataset: The dataset.

    Example:
        >>> from mxnet.gluon import data
        >>> list(data.FilterSampler(lambda number: number > 10, [5, 20, 30]))
        [1, 2]
    """

    def __init__(self, fn: Callable[[Any], Any], dataset: Any) -> None:
        self._fn = fn
        self._dataset = dataset
        self._indices = [index for index in range(len(dataset)) if fn(dataset[index])]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


class IntervalSampler(Sampler):
    """Returns every n-th index, then starts again one further, until all have come.

    Its length is the number of indices, as in the original, also without `rollover`.

    Args:
        length: Number of indices.
        interval: Distance of one to the next.
        rollover: Whether to start again; otherwise the first round is all.

    Example:
        >>> from mxnet.gluon.data import IntervalSampler
        >>> list(IntervalSampler(7, interval=3))
        [0, 3, 6, 1, 4, 2, 5]
    """

    def __init__(self, length: int, interval: int, rollover: bool = True) -> None:
        if interval > length:
            raise CheckFailedError(
                f"IntervalSampler: interval takes at most the length {length}, got {interval}"
            )
        self._length = length
        self._interval = interval
        self._rollover = rollover

    def __iter__(self) -> Iterator[int]:
        for start in range(self._interval if self._rollover else 1):
            yield from range(start, self._length, self._interval)

    def __len__(self) -> int:
        return self._length


class BatchSampler(Sampler):
    """Yields lists of indices, one for each batch.

    Args:
        sampler: Yields single indices.
        batch_size: How many of them make a batch.
        last_batch: What to do with indices that fill no batch: `"keep"` yields a smaller one,
            `"discard"` drops them, `"rollover"` puts them in front of the next round.

    Example:
        >>> from mxnet.gluon import data
        >>> list(data.BatchSampler(data.SequentialSampler(5), 2, "keep"))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Any, batch_size: int, last_batch: str = "keep") -> None:
        self._sampler = sampler
        self._batch_size = batch_size
        self._last_batch = last_batch
        self._prev: list[Any] = []

    def _check(self) -> None:
        if self._last_batch not in ("keep", "discard", "rollover"):
            raise AttributeValueError(
                "last_batch takes 'keep', 'discard' or 'rollover', got " + repr(self._last_batch)
            )

    def __iter__(self) -> Iterator[list[Any]]:
        self._check()
        batch, self._prev = self._prev, []
        for index in self._sampler:
            batch.append(index)
            if len(batch) == self._batch_size:
                yield batch
                batch = []
        if not batch:
            return
        if self._last_batch == "keep":
            yield batch
        elif self._last_batch == "rollover":
            self._prev = batch

    def __len__(self) -> int:
        self._check()
        count = len(self._sampler)
        if self._last_batch == "rollover":
            count += len(self._prev)
        if self._last_batch == "keep":
            count += self._batch_size - 1
        return count // self._batch_size
