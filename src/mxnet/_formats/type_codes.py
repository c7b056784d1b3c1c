"""Element types as files and NumPy know them: MXNet's name, its number in files, NumPy's type.

Knows nothing of torch, so that the readers and writers of files work without it;
`mxnet._formats.element_types` adds the torch type to each row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


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
