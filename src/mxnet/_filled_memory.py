"""Memory for arrays that are read from a file.

Half of the time of reading a large file goes into fresh pages of 4 KiB, which the system clears
one by one. Pages of 2 MiB take a tenth of that, but need memory that begins at a multiple of
their size. Large arrays get such memory of their own; small ones share some MiB.
"""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

_PAGE = 1 << 21
_SHARED = 1 << 23
"""What a small array can keep alive of others that are gone."""
_ALIGNMENT = 64
_HAS_PAGES = hasattr(mmap, "MADV_HUGEPAGE")


class FilledMemory:
    """Hands out memory whose content is about to be written."""

    def __init__(self) -> None:
        self._shared: npt.NDArray[np.uint8] = np.empty(0, np.uint8)

    def take(self, num_bytes: int, expected: int) -> npt.NDArray[np.uint8]:
        """Returns memory with any content.

        Args:
            num_bytes: How much.
            expected: How much will be asked for in all, this included; no more than that is
                taken from the system.
        """
        if num_bytes >= _PAGE:
            return _map(num_bytes)
        if num_bytes > len(self._shared):
            if expected < _PAGE:
                return np.empty(num_bytes, np.uint8)
            self._shared = _map(min(expected, _SHARED))
        taken = self._shared[:num_bytes]
        self._shared = self._shared[-(-num_bytes // _ALIGNMENT) * _ALIGNMENT :]
        return taken


def _map(num_bytes: int) -> npt.NDArray[np.uint8]:
    """Returns fresh memory that begins at a large page."""
    if not _HAS_PAGES:
        return np.empty(num_bytes, np.uint8)
    try:
        # What is beyond the array is never touched, so that it takes no memory.
        region: Any = mmap.mmap(-1, num_bytes + _PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:  # no memory, which NumPy says better
        return np.empty(num_bytes, np.uint8)
    memory = np.frombuffer(region, np.uint8)
    start = -memory.ctypes.data % _PAGE
    with suppress(OSError):  # a system without large pages
        region.madvise(mmap.MADV_HUGEPAGE, start, num_bytes // _PAGE * _PAGE)
    return memory[start : start + num_bytes]
