"""Memory for arrays that are read from a file."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt


def allocate(num_bytes: int) -> npt.NDArray[np.uint8]:
    """Returns memory with any content, aligned for every dtype.

    It is torch's, if the program has imported that: NumPy asks the system for large pages, which it
    gives back at once, so that every file is read into pages that the system has to clear first.

    Raises:
        MemoryError: if there is not so much.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return np.empty(num_bytes, np.uint8)
    try:
        memory: npt.NDArray[Any] = torch.empty(num_bytes, dtype=torch.uint8).numpy()
    except RuntimeError:  # which NumPy says better
        return np.empty(num_bytes, np.uint8)
    return memory
