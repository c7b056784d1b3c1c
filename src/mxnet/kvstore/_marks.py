"""Detects writes to an array."""

from __future__ import annotations

from mxnet._arrays.unseen_writes import unseen_writes
from mxnet.kvstore._replicas import memory_of
from mxnet.ndarray import NDArray


class Mark:
    """What an array held at some time.

    Args:
        array: The array.
    """

    __slots__ = ("_tensor", "_unseen", "_version")

    def __init__(self, array: NDArray) -> None:
        self._tensor = memory_of(array)
        self._version = self._tensor._version
        self._unseen = unseen_writes.count

    def holds_for(self, array: NDArray) -> bool:
        """Returns whether the array has not been written to since."""
        tensor = self._tensor
        if memory_of(array) is not tensor or tensor._version != self._version:
            return False
        if unseen_writes.count == self._unseen:
            return True
        return unseen_writes.versions([tensor])[0] <= self._unseen
