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

_NAMES = "float32 float64 float16 uint8 int32 int8 int64 bool int16 uint16 uint32 uint64"
TYPE_CODES = (
    *(TypeCode(name, code, np.dtype(name)) for code, name in enumerate(_NAMES.split())),
    TypeCode("bfloat16", 12, BFLOAT16_NUMPY),
)

NUMPY_BY_CODE = {row.code: row.numpy for row in TYPE_CODES}
CODE_BY_NUMPY = {row.numpy: row.code for row in TYPE_CODES}
