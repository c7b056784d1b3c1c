"""Caches of a bounded size, for what is made for keys that a program chooses, such as shapes.

Where the value is a function of the key alone, `functools.lru_cache` does the same. Every cache of
the package states in its comment what bounds it and what invalidates it (ADR 0021).
"""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def remember(cache: dict[K, V], key: K, value: V, most: int) -> None:
    """Adds an entry to a cache that threads share, and drops the oldest ones if it is full.

    Args:
        cache: The entries, in the order in which they came.
        key: Key of the new one.
        value: Its value.
        most: Number of entries to keep.
    """
    cache[key] = value
    while len(cache) > most:
        try:
            oldest = next(iter(cache))
        except (RuntimeError, StopIteration):  # another thread has changed it in between
            continue
        cache.pop(oldest, None)
