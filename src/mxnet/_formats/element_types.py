"""The one table of element types: MXNet's name and file code, NumPy's type and torch's."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import torch

from mxnet._formats.type_codes import BFLOAT16_NUMPY, TYPE_CODES
from mxnet._start import did_you_mean
from mxnet.errors import UnknownDtypeError, shown

__all__ = [
    "BFLOAT16_NUMPY", "BY_CODE", "BY_NAME", "BY_TORCH", "ElementType", "element_type", "name_of",
    "to_torch",
]  # fmt: skip


class ElementType(NamedTuple):
    """One row of the table."""

    name: str
    code: int
    numpy: np.dtype[Any]
    torch: torch.dtype


_ROWS = tuple(ElementType(*row, getattr(torch, row.name)) for row in TYPE_CODES)

_MAX_NAME = 32
"""Letters of the longest text that NumPy is asked for."""

BY_NAME = {row.name: row for row in _ROWS}
BY_CODE = {row.code: row for row in _ROWS}
BY_TORCH = {row.torch: row for row in _ROWS}
_BY_NUMPY = {row.numpy: row for row in _ROWS}


def element_type(dtype: object) -> ElementType:
    """Finds the row for a name, a NumPy type or dtype, a torch dtype or a Python type.

    None is float64, as to NumPy and to the operators of the original.

    Raises:
        UnknownDtypeError: if it stands for none.
    """
    if isinstance(dtype, torch.dtype) and dtype in BY_TORCH:
        return BY_TORCH[dtype]
    if isinstance(dtype, str) and dtype in BY_NAME:
        return BY_NAME[dtype]
    row = None
    # NumPy reads a text as a small program, and control characters as numbers of types.
    if not isinstance(dtype, str) or (len(dtype) <= _MAX_NAME and dtype.isprintable()):
        with suppress(TypeError, ValueError, SyntaxError):
            row = _BY_NUMPY.get(np.dtype(dtype))  # type: ignore[call-overload]  # any object may come in
    if row is None:
        is_length = type(dtype) is int
        hint = " (lengths of a shape are one tuple)" if is_length else did_you_mean(dtype, BY_NAME)
        raise UnknownDtypeError(
            f"unknown dtype {shown(dtype)}{hint}; known are {', '.join(sorted(BY_NAME))}"
        )
    return row


def to_torch(dtype: object) -> torch.dtype:
    """Converts any spelling of an element type to torch's."""
    return element_type(dtype).torch


def name_of(dtype: torch.dtype) -> str:
    """Returns MXNet's name of a torch dtype."""
    return BY_TORCH[dtype].name
