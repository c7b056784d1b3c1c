"""What stands for pandas and Bokeh where they are not installed.

The modules themselves are imported when they are asked for.
"""

from __future__ import annotations

import importlib
from typing import Any


class Bokeh_Failed_To_Import:  # noqa: N801 - the original's name
    """Stands for Bokeh if it is not installed."""


class Pandas_Failed_To_Import:  # noqa: N801 - the original's name
    """Stands for pandas if it is not installed."""


_STAND_INS = {"bokeh": ("bokeh", Bokeh_Failed_To_Import), "pd": ("pandas", Pandas_Failed_To_Import)}


def __getattr__(name: str) -> Any:
    if name not in _STAND_INS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    library, stand_in = _STAND_INS[name]
    try:
        return importlib.import_module(library)
    except ImportError:
        return stand_in


Bokeh_Failed_To_Import.__module__ = "mxnet.notebook"
