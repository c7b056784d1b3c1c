"""Samplers: the order in which the samples of a dataset are visited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mxnet.errors import AttributeValueError, UndefinedMethodError


class Sampler:
    """Base of samplers: subclasses define `__iter__` and `__len__`."""

    def __len__(self) -> int:
        raise UndefinedMethodError(f"{type(self).__name__} does not define __len__")

    def __iter__(self) -> Iterator[Any]:
        raise UndefinedMethodError(f"{type(self).__name__} does not define __iter__")


class SequentialSampler(Sampler):
    """Yields `start`, `start + 1` and so on.

    Args:
        length: How many indices.
        start: The first.
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
    """

    def __init__(self, length: int) -> None:
        self._length = length

    def __iter__(self) -> Iterator[Any]:
        indices = np.arange(self._length)
        np.random.shuffle(indices)
        return iter(indices)

    def __len__(self) -> int:
        return self._length


class SplitSampler(Sampler):
    """Yields the indices of one part of a dataset, for a process that trains on that part.

    Parts differ by one index at most where their number does not divide the length. Processes
    with different numbers of batches would wait for each other at the end of a round;
    `even_size` prevents that.

    Args:
        length: Number of indices of the whole dataset.
        num_parts: Number of parts, such as `store.num_workers`.
        part_index: Which part, such as `store.rank`.
        even_size: Whether all parts have the size of the largest. Those with one index less then
            also yield one of another part.
        repeat: How often a round goes through the part.
        shuffle: Whether to yield the indices in a random order, a new one in each round.
        seed: Seed of the order. With it, all indices are shuffled before they are cut into parts,
            so that a part is another one in each round; all processes must give the same number.
            Without it, each part is shuffled by itself, with NumPy's generator.

    Attributes:
        round: Number of rounds begun so far. A process that resumes a training sets it to get the
            orders of the following rounds.

    Example:
        >>> from mxnet.gluon import data
        >>> [list(data.SplitSampler(5, 2, part, shuffle=False)) for part in range(2)]
        [[0, 1], [2, 3, 4]]
        >>> [list(data.SplitSampler(5, 2, part, True, shuffle=False)) for part in range(2)]
        [[0, 1, 2], [2, 3, 4]]
    """

    def __init__(
        self,
        length: int,
        num_parts: int = 1,
        part_index: int = 0,
        even_size: bool = False,
        repeat: int = 1,
        shuffle: bool = True,
        seed: int | None = None,
    ) -> None:
        if not 0 <= part_index < num_parts:
            raise AttributeValueError(
                f"SplitSampler: part_index takes 0 to {num_parts - 1}, got {part_index}"
            )
        if length < num_parts and even_size:
            raise AttributeValueError(
                f"SplitSampler: even_size takes at least one index for each of {num_parts} parts, "
                f"got {length}"
            )
        self._length = length
        self._start = length * part_index // num_parts
        self._end = length * (part_index + 1) // num_parts
        if even_size:
            largest = -(-length // num_parts)
            self._end = min(self._start + largest, length)
            self._start = self._end - largest
        self._repeat = repeat
        self._shuffle = shuffle
        self._seed = seed
        self.round = 0

    def __iter__(self) -> Iterator[Any]:
        self.round += 1
        indices = np.arange(self._length)
        if self._shuffle and self._seed is not None:
            np.random.default_rng((self._seed, self.round)).shuffle(indices)
        part = np.tile(indices[self._start : self._end], self._repeat)
        if self._shuffle and self._seed is None:
            np.random.shuffle(part)
        return iter(part.tolist())

    def __len__(self) -> int:
        return (self._end - self._start) * self._repeat


class FilterSampler(Sampler):
    """Yields the indices of the samples for which `fn(sample)` is true.

    The function is called for all samples when the sampler is made.

    Args:
        fn: The function.
        dataset: The dataset.
    """

    def __init__(self, fn: Callable[[Any], Any], dataset: Any) -> None:
        self._fn = fn
        self._dataset = dataset
        self._indices = [index for index in range(len(dataset)) if fn(dataset[index])]

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


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
