"""Values that are computed from parameters, and kept until one of these is written to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, is_
from typing import Generic, TypeVar

from torch import Tensor

from mxnet._locks import Lock
from mxnet._unseen_writes import unseen_writes

T = TypeVar("T")
_version_of = attrgetter("_version")


class Kept(Generic[T]):
    """A value that depends on tensors alone, made anew after one of them has changed.

    Args:
        initial: Value to hand to the first `make`.
    """

    def __init__(self, initial: T) -> None:
        self._lock = Lock()
        self._last = _Snapshot(-1, [], [], (), initial)

    @property
    def last(self) -> T:
        """The value of the last call, which need not hold any more."""
        return self._last.value

    def get(self, tensors: Sequence[Tensor], make: Callable[[T], T]) -> T:
        """Returns the value, which one thread makes if that of the last call does not hold.

        Args:
            tensors: What the value depends on.
            make: Makes the value from the last one.
        """
        # There may be hundreds of tensors, which are looked at in each call.
        count, versions = unseen_writes.count, [*map(_version_of, tensors)]
        last = self._last
        if count == last.count and last.holds(tensors, versions):
            return last.value
        with self._lock:
            last = self._last
            if count != last.count or not last.holds(tensors, versions):
                value, writes = last.value, unseen_writes.versions(tensors)
                if writes != last.writes or not last.holds(tensors, versions):
                    value = make(last.value)
                last = self._last = _Snapshot(count, versions, writes, tensors, value)
            return last.value


class _Snapshot(Generic[T]):
    """A value with what it was made from.

    Args:
        count: Number of the last unseen write, -1 before there is a value.
        versions: Versions of the tensors.
        writes: Versions of the tensors' memory, which unseen writes change.
        tensors: The tensors, kept so that no other one gets their identity.
        value: The value.
    """

    __slots__ = ("count", "tensors", "value", "versions", "writes")

    def __init__(
        self,
        count: int,
        versions: list[int],
        writes: list[int],
        tensors: Sequence[Tensor],
        value: T,
    ) -> None:
        self.count, self.versions, self.writes = count, versions, writes
        self.tensors, self.value = tensors, value

    def holds(self, tensors: Sequence[Tensor], versions: list[int]) -> bool:
        """Returns whether tensors are the same, with no write that torch has counted."""
        return versions == self.versions and all(map(is_, tensors, self.tensors))
