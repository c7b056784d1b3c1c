"""Brings back the names of Python's types that NumPy 1.24 removed, for libraries that use them.

Code of MXNet's time writes `np.float` and `np.int` for Python's `float` and `int`. A name in NumPy
seen by the whole process, so this happens only where the environment asks for it.
"""

from __future__ import annotations

import os

import numpy as np

VARIABLE = "MXNET_NUMPY_ALIASES"

_REMOVED = {
    "bool": bool,
    "complex": complex,
    "float": float,
    "int": int,
    "object": object,
    "str": str,
}


def restore_if_asked() -> None:
    """Defines the removed names in NumPy if the variable is set; those that exist stay."""
    if os.environ.get(VARIABLE, "0") in ("", "0"):
        return
    for name, alias in _REMOVED.items():
        if name not in vars(np):  # asking with `hasattr` would warn
            setattr(np, name, alias)
