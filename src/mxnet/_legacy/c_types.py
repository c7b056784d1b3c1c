"""Types and conversions of `ctypes` under the names that programs import from `mxnet.base`.

The original is a C library. Programs which call it, or which were written beside code that does,
import these names at their head. The conversions work; the library itself is not here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mxnet.errors import MXNetError

mx_int = ctypes.c_int
mx_uint = ctypes.c_uint
mx_int64 = ctypes.c_int64
mx_float = ctypes.c_float
mx_float_p = ctypes.POINTER(ctypes.c_float)

CachedOpHandle = CudaKernelHandle = CudaModuleHandle = ctypes.c_void_p
DataIterCreatorHandle = DataIterHandle = DLPackHandle = ExecutorHandle = ctypes.c_void_p
FunctionHandle = KVStoreHandle = NDArrayHandle = OpHandle = ctypes.c_void_p
ProfileHandle = RecordIOHandle = RtcHandle = SymbolHandle = ctypes.c_void_p

_NO_LIBRARY = (
    "there is no C library behind this package, arrays and graphs are Python objects; "
    "use the functions of mx.nd, mx.sym and mx.gluon"
)


class NoLibraryError(MXNetError, AttributeError):
    """A program asks for a function of the original's C library, which is not here."""


class MXCallbackList(ctypes.Structure):
    """Functions which C code calls, as the original's interface passes them."""

    _fields_ = (
        ("num_callbacks", ctypes.c_int),
        ("callbacks", ctypes.POINTER(ctypes.CFUNCTYPE(ctypes.c_int))),
        ("contexts", ctypes.POINTER(ctypes.c_void_p)),
    )


class NoLibrary:
    """Stands in the place of the original's C library, and says of its functions why they fail."""

    def __getattr__(self, name: str) -> Any:
        raise NoLibraryError(f"_LIB.{name}: {_NO_LIBRARY}")

    def __repr__(self) -> str:
        return "<no C library>"


_LIB = NoLibrary()


def check_call(ret: int) -> None:
    """Checks what a function of a C library has returned.

    Args:
        ret: Its result, 0 if nothing is wrong.

    Raises:
        MXNetError: if it is another number.
    """
    if ret != 0:
        raise get_last_ffi_error()


def get_last_ffi_error() -> MXNetError:
    """Returns the error of the last call of the C library, which says that there is none."""
    return MXNetError(f"check_call: {_NO_LIBRARY}")


def c_str(string: str) -> ctypes.c_char_p:
    """Converts text to a pointer to its bytes in UTF-8."""
    return ctypes.c_char_p(string.encode("utf-8"))


def c_str_array(strings: Iterable[str]) -> ctypes.Array[ctypes.c_char_p]:
    """Converts texts to an array of pointers."""
    encoded = [string.encode("utf-8") for string in strings]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def c_array(ctype: Any, values: Sequence[Any]) -> Any:
    """Converts values to an array of a type of `ctypes`."""
    return (ctype * len(values))(*values)


def c_array_buf(ctype: Any, buf: Any) -> Any:
    """Returns an array of a type of `ctypes` that shares the memory of `array.array`."""
    return (ctype * len(buf)).from_buffer(buf)


def c_handle_array(objs: Iterable[Any]) -> ctypes.Array[ctypes.c_void_p]:
    """Returns the handles of arrays or symbols, which are tokens without a meaning for C."""
    handles = [item.handle for item in objs]
    return (ctypes.c_void_p * len(handles))(*handles)


def ctypes2buffer(cptr: Any, length: int) -> bytearray:
    """Copies bytes that a pointer points to.

    Raises:
        TypeError: if it does not point to characters.
    """
    if not isinstance(cptr, ctypes.POINTER(ctypes.c_char)):
        raise TypeError(f"ctypes2buffer: takes a pointer to c_char, got {type(cptr).__name__}")
    return bytearray(ctypes.string_at(cptr, length))


def ctypes2numpy_shared(cptr: Any, shape: Sequence[int]) -> npt.NDArray[np.float32]:
    """Returns a NumPy array on the memory that a pointer to float points to.

    Raises:
        MXNetError: if it does not point to floats.
    """
    if not isinstance(cptr, mx_float_p):
        raise MXNetError(f"ctypes2numpy_shared: takes an mx_float_p, got {type(cptr).__name__}")
    size = int(np.prod(shape))
    memory = (mx_float * size).from_address(ctypes.addressof(cptr.contents))
    shared: npt.NDArray[np.float32] = np.ndarray(tuple(shape), np.float32, memoryview(memory))
    return shared
