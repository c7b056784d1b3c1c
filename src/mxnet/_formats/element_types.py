"""The one table of element types: MXNet's name and file code, NumPy's type and torch's."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import torch

from mxnet.errors import UnknownDtypeError, shown

# Knows nothing of torch, so that the readers and writers of files work without it;
# `mxnet._formats.element_types` adds the torch type to each row.


class TypeCode(NamedTuple):
    """One row of the table."""

    name: str
    code: int
    numpy: np.dtype[Any]


BFLOAT16_NUMPY: np.dtype[Any] = np.dtype([("bfloat16", np.uint16)])
"""NumPy has no bfloat16; the original shows its bits as this structured type."""

TYPE_CODES = (
    TypeCode("float32", 0, np.dtype(np.float32)),
    TypeCode("float64", 1, np.dtype(np.float64)),
    TypeCode("float16", 2, np.dtype(np.float16)),
    TypeCode("uint8", 3, np.dtype(np.uint8)),
    TypeCode("int32", 4, np.dtype(np.int32)),
    TypeCode("int8", 5, np.dtype(np.int8)),
    TypeCode("int64", 6, np.dtype(np.int64)),
    TypeCode("bool", 7, np.dtype(np.bool_)),
    TypeCode("int16", 8, np.dtype(np.int16)),
    TypeCode("uint16", 9, np.dtype(np.uint16)),
    TypeCode("uint32", 10, np.dtype(np.uint32)),
    TypeCode("uint64", 11, np.dtype(np.uint64)),
    TypeCode("bfloat16", 12, BFLOAT16_NUMPY),
)

NUMPY_BY_CODE = {row.code: row.numpy for row in TYPE_CODES}
CODE_BY_NUMPY = {row.numpy: row.code for row in TYPE_CODES}


__all__ = [
    "BFLOAT16_NUMPY",
    "BY_CODE",
    "BY_NAME",
    "BY_TORCH",
    "ElementType",
    "element_type",
    "name_of",
    "to_torch",
]


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
        raise UnknownDtypeError(
            f"unknown dtype {shown(dtype)}; known are {', '.join(sorted(BY_NAME))}"
        )
    return row


def to_torch(dtype: object) -> torch.dtype:
    """Converts any spelling of an element type to torch's."""
    return element_type(dtype).torch


def name_of(dtype: torch.dtype) -> str:
    """Returns MXNet's name of a torch dtype."""
    return BY_TORCH[dtype].name
