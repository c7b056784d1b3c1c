"""Operators `_npi_*` on symbols of `mx.sym.np`, without that prefix."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.operator_names import find_operator, list_short_names
from mxnet.symbol.numpy._operators import SYMBOLS


def __getattr__(name: str) -> Any:
    value = globals()[name] = SYMBOLS.make_raw(find_operator(__name__, name))
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *list_short_names()})
