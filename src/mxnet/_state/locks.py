"""Locks of objects that are copied, pickled and forked, and caches of a bounded size."""

from __future__ import annotations

import os
import weakref
from _thread import RLock
from typing import TypeVar


class Lock(RLock):  # type: ignore[misc]  # final in the stubs alone
    """A re-entrant lock for the threads of one process.

    A copy has a lock of its own. In a forked process the lock is free: the thread of the parent
    that held it does not exist there, and would never release it.
    """

    __slots__ = ()

    def __init__(self) -> None:
        _locks.add(self)

    def __reduce__(self) -> tuple[type[Lock], tuple[()]]:
        return Lock, ()


_locks: weakref.WeakSet[Lock] = weakref.WeakSet()


def _free_all() -> None:
    for lock in list(_locks):
        lock._at_fork_reinit()  # type: ignore[attr-defined]  # as the standard library does


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_free_all)


# Where the value is a function of the key alone, `functools.lru_cache` does the same. Every cache
# of the package states in its comment what bounds it and what invalidates it (ADR 0021).

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
