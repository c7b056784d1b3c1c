"""Numbers, structures and handles of the original's C interface, as programs import them."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np

from mxnet._arrays.array import NOTHING, Array
from mxnet._formats.type_codes import BFLOAT16_NUMPY, TYPE_CODES
from mxnet.context import CPU0
from mxnet.errors import MXNetError

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


# Programs turn such a handle into an array: `NDArray(ctypes.cast(handle, NDArrayHandle))`. Here
# they get an array, which can be cast as well; the result is a number that stands for the array as
# long as that lives.

# Entries vanish with their arrays.
_arrays: WeakValueDictionary[int, Array] = WeakValueDictionary()


class HandledArray(Array):
    """An array that functions of `ctypes` take for a handle."""

    __slots__ = ()

    @property
    def handle(self) -> Any:
        """A number that stands for the array as long as that lives; see `mx.base._LIB`."""
        _arrays[id(self)] = self
        return id(self)

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        """What `ctypes` takes in its place."""
        return ctypes.c_void_p(self.handle)


def array_of(handle: Any) -> Array:
    """Returns the array that a handle stands for.

    Args:
        handle: A number, as it is or wrapped by `ctypes`, or the array itself.

    Raises:
        MXNetError: if no array is known behind the handle.
    """
    if isinstance(handle, Array):
        return handle
    number: Any = handle.value if isinstance(handle, ctypes.c_void_p) else handle
    source = _arrays.get(number)
    if source is None:
        raise MXNetError(
            f"NDArray: expected the handle of an array, which x.handle is, got {handle!r}; "
            "arrays are made by mx.nd.array(...)"
        )
    return source


def _new_empty_handle() -> ctypes.c_void_p:
    """Returns a handle without an array; an array that is made of it takes the first result."""
    return ctypes.c_void_p()


def is_empty_handle(handle: Any) -> bool:
    """Returns whether no array stands behind a handle."""
    return handle is None or (isinstance(handle, ctypes.c_void_p) and handle.value is None)


def begin(array: Array, handle: Any) -> None:
    """Sets up a new array: an empty one, or one on the storage of another one.

    Args:
        array: The new array.
        handle: What `ctypes` has made of the other array; None for an empty one.

    Raises:
        MXNetError: if no array is known behind the handle.
    """
    if is_empty_handle(handle):
        array._begin(CPU0)
        array._data = NOTHING
        return
    source = array_of(handle)
    array._begin(source._ctx)
    array._data = source._plain
    array._aliased = source._aliased = True
