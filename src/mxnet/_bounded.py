"""Memories of a bounded size, for what is made for keys that a program chooses, such as shapes."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def remember(memory: dict[K, V], key: K, value: V, most: int) -> None:
    """Adds an entry to a memory that threads share, and drops the oldest ones if it is full.

    Args:
        memory: The entries, in the order in which they came.
        key: Key of the new one.
        value: Its value.
        most: Number of entries to keep.
    """
    memory[key] = value
    while len(memory) > most:
        for oldest in list(memory)[:1]:
            memory.pop(oldest, None)
