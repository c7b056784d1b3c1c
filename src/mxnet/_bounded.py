"""Memories of a bounded size."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Bounded(dict[K, V]):
    """What was made for keys that a program chooses, such as shapes: the oldest goes first.

    Threads may read and add at the same time.

    Args:
        most: Number of entries that are kept.
    """

    __slots__ = ("_most",)

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add(self, key: K, value: V) -> None:
        """Keeps a value, in place of the oldest one if there are too many."""
        self[key] = value
        while len(self) > self._most:
            for oldest in list(self)[:1]:
                self.pop(oldest, None)
