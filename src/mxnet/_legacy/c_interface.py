"""Numbers and structures of the original's C interface, under the names that programs import."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar

import numpy as np

from mxnet._formats.type_codes import BFLOAT16_NUMPY, TYPE_CODES

_FIRST_UNKNOWN, _BFLOAT16 = 8, 12
"""The original's Python knows the types below the first code, and bfloat16."""

_DTYPE_NP_TO_MX: dict[Any, int] = {
    None: -1,
    **{row.numpy.type: row.code for row in TYPE_CODES if row.code < _FIRST_UNKNOWN},
    BFLOAT16_NUMPY: _BFLOAT16,
}
_DTYPE_MX_TO_NP: dict[int, Any] = {code: dtype for dtype, code in _DTYPE_NP_TO_MX.items()}
_STORAGE_TYPE_UNDEFINED = -1
_STORAGE_TYPE_DEFAULT = 0
_STORAGE_TYPE_ROW_SPARSE = 1
_STORAGE_TYPE_CSR = 2
_STORAGE_TYPE_STR_TO_ID = {
    "undefined": _STORAGE_TYPE_UNDEFINED,
    "default": _STORAGE_TYPE_DEFAULT,
    "row_sparse": _STORAGE_TYPE_ROW_SPARSE,
    "csr": _STORAGE_TYPE_CSR,
}
_STORAGE_TYPE_ID_TO_STR = {code: name for name, code in _STORAGE_TYPE_STR_TO_ID.items()}
_STORAGE_AUX_TYPES = {"row_sparse": [np.int64], "csr": [np.int64, np.int64]}
_GRAD_REQ_MAP = {"null": 0, "write": 1, "add": 3}
_SIGNED_INT32_UPPER_LIMIT = 2**31 - 1


class DLContext(ctypes.Structure):
    """A device, as DLPack describes it."""

    _fields_ = (("device_type", ctypes.c_int), ("device_id", ctypes.c_int))


class DLDataType(ctypes.Structure):
    """An element type, as DLPack describes it."""

    _fields_ = (("type_code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))
    TYPE_MAP: ClassVar[dict[str, tuple[int, int, int]]] = {
        **{f"int{bits}": (0, bits, 1) for bits in (32, 64)},
        "bool": (1, 1, 1),
        **{f"uint{bits}": (1, bits, 1) for bits in (8, 32, 64)},
        **{f"float{bits}": (2, bits, 1) for bits in (16, 32, 64)},
    }


class DLTensor(ctypes.Structure):
    """An array, as DLPack describes it."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("ctx", DLContext),
        ("ndim", ctypes.c_int),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class DLManagedTensor(ctypes.Structure):
    """An array of DLPack with the function that releases it."""

    _fields_ = (
        ("dl_tensor", DLTensor),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    )
