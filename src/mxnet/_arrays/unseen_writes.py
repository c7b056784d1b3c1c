"""Writes to memory of which torch's version counters know nothing, noted in its storage."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from torch import Tensor


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
