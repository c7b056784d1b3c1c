"""Locks that belong to objects which are copied, pickled and carried into forked processes."""

from __future__ import annotations

import os
import threading
from types import TracebackType


class Lock:
    """A re-entrant lock for the threads of one process.

    A copy has a lock of its own, and so has a forked process: there the thread that held the lock
    of the parent does not exist, and would never release it.
    """

    __slots__ = ("_lock", "_pid")

    def __init__(self) -> None:
        self._lock, self._pid = threading.RLock(), os.getpid()

    def __enter__(self) -> None:
        if self._pid != os.getpid():
            with _renewing.lock:
                if self._pid != os.getpid():
                    self._lock, self._pid = threading.RLock(), os.getpid()
        self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[Lock], tuple[()]]:
        return Lock, ()


class _Renewing:
    """Makes the threads of a forked process agree on their new locks."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self.lock = threading.Lock()


_renewing = _Renewing()
