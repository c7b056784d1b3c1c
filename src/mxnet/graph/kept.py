"""Values that are computed from parameters, and kept until one of these is written to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from torch import Tensor

from mxnet._locks import Lock
from mxnet._unseen_writes import unseen_writes

T = TypeVar("T")


class Kept(Generic[T]):
    """A value that depends on tensors alone, made anew after one of them has changed.

    Args:
        initial: Value to hand to the first `make`.
    """

    def __init__(self, initial: T) -> None:
        self._lock = Lock()
        self._last = _Snapshot([], [], [], initial)

    def get(self, tensors: Sequence[Tensor], make: Callable[[T], T]) -> T:
        """Returns the value, which one thread makes if that of the last call does not hold.

        Args:
            tensors: What the value depends on.
            make: Makes the value from the last one.
        """
        seen = [unseen_writes.count, *((id(item), item._version) for item in tensors)]
        last = self._last
        if seen == last.seen:
            return last.value
        with self._lock:
            last = self._last
            if seen != last.seen:
                value, versions = last.value, unseen_writes.versions(tensors)
                if seen[1:] != last.seen[1:] or versions != last.versions:
                    value = make(last.value)
                last = self._last = _Snapshot(seen, versions, tensors, value)
            return last.value


class _Snapshot(Generic[T]):
    """A value with what it was made from.

    Args:
        seen: Number of the last unseen write, then identities and versions of the tensors.
        versions: Versions of the tensors' memory, which unseen writes change.
        tensors: The tensors, kept so that no other one gets their identity.
        value: The value.
    """

    __slots__ = ("seen", "tensors", "value", "versions")

    def __init__(
        self, seen: list[Any], versions: list[int], tensors: Sequence[Tensor], value: T
    ) -> None:
        self.seen, self.versions, self.tensors, self.value = seen, versions, tensors, value
