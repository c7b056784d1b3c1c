"""The one table of element types: MXNet's name and file code, NumPy's type and torch's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from mxnet.errors import AttributeValueError


class ElementType(NamedTuple):
    """One row of the table."""

    name: str
    code: int
    numpy: np.dtype[Any]
    torch: torch.dtype


BFLOAT16_NUMPY: np.dtype[Any] = np.dtype([("bfloat16", np.uint16)])
"""NumPy has no bfloat16; the original shows its bits as this structured type."""

_ROWS = (
    ElementType("float32", 0, np.dtype(np.float32), torch.float32),
    ElementType("float64", 1, np.dtype(np.float64), torch.float64),
    ElementType("float16", 2, np.dtype(np.float16), torch.float16),
    ElementType("uint8", 3, np.dtype(np.uint8), torch.uint8),
    ElementType("int32", 4, np.dtype(np.int32), torch.int32),
    ElementType("int8", 5, np.dtype(np.int8), torch.int8),
    ElementType("int64", 6, np.dtype(np.int64), torch.int64),
    ElementType("bool", 7, np.dtype(np.bool_), torch.bool),
    ElementType("int16", 8, np.dtype(np.int16), torch.int16),
    ElementType("uint16", 9, np.dtype(np.uint16), torch.uint16),
    ElementType("uint32", 10, np.dtype(np.uint32), torch.uint32),
    ElementType("uint64", 11, np.dtype(np.uint64), torch.uint64),
    ElementType("bfloat16", 12, BFLOAT16_NUMPY, torch.bfloat16),
)

BY_NAME = {row.name: row for row in _ROWS}
BY_CODE = {row.code: row for row in _ROWS}
BY_TORCH = {row.torch: row for row in _ROWS}
_BY_NUMPY = {row.numpy: row for row in _ROWS}


def element_type(dtype: object) -> ElementType:
    """Finds the row for a name, a NumPy type or dtype, a torch dtype or a Python type."""
    if isinstance(dtype, torch.dtype) and dtype in BY_TORCH:
        return BY_TORCH[dtype]
    if isinstance(dtype, str) and dtype in BY_NAME:
        return BY_NAME[dtype]
    try:
        row = _BY_NUMPY.get(np.dtype(dtype))  # type: ignore[call-overload]  # any object may come in
    except TypeError:
        row = None
    if row is None:
        raise AttributeValueError(
            f"unknown dtype {dtype!r}; known are {', '.join(sorted(BY_NAME))}"
        )
    return row


def to_torch(dtype: object) -> torch.dtype:
    """Converts any spelling of an element type to torch's."""
    return element_type(dtype).torch


def name_of(dtype: torch.dtype) -> str:
    """Gives MXNet's name of a torch dtype."""
    return BY_TORCH[dtype].name
