"""Arguments that many functions have in common."""

from __future__ import annotations

from numbers import Number
from typing import Any

from mxnet._modes import modes
from mxnet.context import resolve
from mxnet.errors import NotSupportedError


def check_order(where: str, order: str) -> None:
    """Checks the memory layout that a function is asked for."""
    if order != "C":
        raise NotSupportedError(f"{where}: expected order 'C', got {order!r}")


def context_name(ctx: Any) -> str:
    """Returns a context, or the current one for None, as an attribute of an operator has it."""
    return str(resolve(ctx))


def float_dtype(dtype: Any) -> Any:
    """Returns an element type, for None that of floating-point numbers by default."""
    if dtype is not None:
        return dtype
    return "float64" if modes.np_default_dtype else "float32"


def is_number(value: Any) -> bool:
    """Returns whether a value is a number of Python or NumPy."""
    return isinstance(value, Number)
