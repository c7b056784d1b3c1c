"""Writes to memory of which torch's version counters know nothing, by storage."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from torch import Tensor

_MOST_STORAGES = 4096


class UnseenWrites:
    """Numbers the writes, and remembers for each storage the number of the last one.

    Code that keeps results computed from tensors reads `count` and then `versions` before it
    computes. While `count` is the same nothing was written to; otherwise equal `versions` say that
    the writes went elsewhere. No two writes set the same number, so that no lock is needed.

    When `_MOST_STORAGES` storages are remembered all are forgotten, which changes the versions of
    all tensors. So does, for one tensor, a write to a freed storage that was at its address.
    """

    def __init__(self) -> None:
        self.count = 0
        """Number of the last write."""
        self._next = itertools.count(1)
        self._numbers: dict[int, int] = {}
        """By address of the storage."""
        self._forgotten = 0

    def note(self, tensor: Tensor) -> None:
        """Notes that a tensor is about to be written to."""
        if len(self._numbers) >= _MOST_STORAGES:
            self._numbers.clear()
            self._forgotten = next(self._next)
        number = next(self._next)
        self._numbers[tensor.untyped_storage()._cdata] = number
        self.count = number

    def versions(self, tensors: Iterable[Tensor]) -> list[int]:
        """Returns numbers that change when one of some tensors is written to."""
        numbers = self._numbers
        last_writes = (numbers.get(tensor.untyped_storage()._cdata, 0) for tensor in tensors)
        return [self._forgotten, *last_writes]


unseen_writes = UnseenWrites()
