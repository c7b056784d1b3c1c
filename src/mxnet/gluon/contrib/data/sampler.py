"""Samplers with an order of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mxnet.errors import AttributeValueError
from mxnet.gluon.data import sampler
from mxnet.gluon.data.sampler import IntervalSampler as IntervalSampler

__all__ = ["IntervalSampler", "SplitSampler"]


class SplitSampler(sampler.Sampler):
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
        >>> from mxnet.gluon.contrib.data import SplitSampler
        >>> [list(SplitSampler(5, 2, part, shuffle=False)) for part in range(2)]
        [[0, 1], [2, 3, 4]]
        >>> [list(SplitSampler(5, 2, part, True, shuffle=False)) for part in range(2)]
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
