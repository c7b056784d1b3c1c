"""Writes to memory of which torch's version counters know nothing, noted in its storage."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from torch import Tensor

if TYPE_CHECKING:
    from mxnet._arrays.array import Array


class UnseenWrites:
    """Numbers the writes, and leaves in each storage the number of the last one.

    A cache of what was computed from tensors reads `count` and then `versions` before it computes.
    While `count` is the same nothing was written to; otherwise equal `versions` say that the writes
    went elsewhere. No two writes set the same number, so that no lock is needed.

    torch has one object for a storage as long as this exists, whatever tensors lie on it.
    """

    def __init__(self) -> None:
        self.count = 0
        """Number of the last write."""
        self._next = itertools.count(1)

    def note(self, tensor: Tensor) -> None:
        """Notes that a tensor is about to be written to."""
        number = next(self._next)
        tensor.untyped_storage().mx_last_write = number  # type: ignore[attr-defined]
        self.count = number

    def versions(self, tensors: Iterable[Tensor]) -> list[int]:
        """Returns numbers that change when one of some tensors is written to."""
        return [getattr(tensor.untyped_storage(), "mx_last_write", 0) for tensor in tensors]


unseen_writes = UnseenWrites()


class Mark:
    """What an array held at some time.

    Args:
        array: The array.
    """

    __slots__ = ("_tensor", "_unseen", "_version")

    def __init__(self, array: Array) -> None:
        self._tensor = array._memory
        self._version = self._tensor._version
        self._unseen = unseen_writes.count

    def holds_for(self, array: Array) -> bool:
        """Returns whether the array has not been written to since."""
        tensor = self._tensor
        if array._memory is not tensor or tensor._version != self._version:
            return False
        if unseen_writes.count == self._unseen:
            return True
        return unseen_writes.versions([tensor])[0] <= self._unseen
