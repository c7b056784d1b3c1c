"""What is done in threads while a large file is saved, so that saving waits less for the disk."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

LARGE = 32 << 20
"""Bytes from which on a thread pays; so many are brought to the disk at a time."""

THREAD_NAME = "mxnet saving"


class EarlySync:
    """Brings a file to the disk while it is still written, so that little is left in the end.

    Args:
        fd: The open file.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._waiting = 0
        self._wake = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None
        self._error: OSError | None = None

    def note(self, num_bytes: int) -> None:
        """Notes that so many bytes more have been written."""
        self._waiting += num_bytes
        if self._waiting < LARGE or not hasattr(os, "fdatasync"):
            return
        self._waiting = 0
        if self._thread is None:
            self._thread = _start(self._run)
        self._wake.set()

    def _run(self) -> None:
        while self._wake.wait() and not self._stopped:
            self._wake.clear()
            try:
                os.fdatasync(self._fd)
            except OSError as error:  # which the system does not report a second time
                self._error = error
                return

    def stop(self) -> None:
        """Waits for the thread.

        Raises:
            OSError: if the content cannot be brought to the disk.
        """
        if self._thread is not None:
            self._stopped = True
            self._wake.set()
            self._thread.join()
        if self._error is not None:
            raise self._error


def hold_large(path: Path) -> int | None:
    """Opens a file that is about to be replaced, if it takes the system long to free it."""
    if sys.platform == "win32":  # where an open file cannot be replaced
        return None
    try:
        return os.open(path, os.O_RDONLY) if path.stat().st_size >= LARGE else None
    except OSError:
        return None


def release(fd: int | None) -> None:
    """Closes what `hold_large` has opened, in a thread: its blocks and pages are freed by that."""
    if fd is not None and _start(lambda: os.close(fd)) is None:
        os.close(fd)


def _start(function: Callable[[], None]) -> threading.Thread | None:
    """Starts a thread; returns None if there can be no more, as while the interpreter ends."""
    thread = threading.Thread(target=function, name=THREAD_NAME)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread
