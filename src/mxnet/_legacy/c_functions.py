"""Functions of the original's C library that programs call by `mx.base._LIB`, in Python.

They have the names and arguments of the original and return 0. What goes wrong raises at once,
where the original has `check_call` raise. `mx.base._LIB` loads them with the first that is called.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from mxnet._arrays.bridges import to_numpy
from mxnet._arrays.errors.delayed import raise_if_failed
from mxnet._arrays.errors.failed import raise_unread
from mxnet._formats import element_types
from mxnet._legacy.c_interface import array_of
from mxnet._state import modes, rng
from mxnet.context import num_gpus
from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.ops.core.registry import all_ops

_VERSION = 10901
_MEMORY: dict[str, Any] = {}
"""What pointers that were handed out point to; one entry for each function that hands one out."""


def _copy_to_cpu(handle: Any, data: Any, size: Any) -> int:
    """Copies the elements of an array to memory."""
    array = array_of(handle)
    values = np.ascontiguousarray(to_numpy(array._plain))
    _check_size("MXNDArraySyncCopyToCPU", values.size, size)
    ctypes.memmove(_address(data), values.ctypes.data, values.nbytes)
    return 0


def _copy_from_cpu(handle: Any, data: Any, size: Any) -> int:
    """Copies the elements of an array from memory."""
    array: Any = array_of(handle)
    shape, dtype = array.shape, element_types.BY_TORCH[array._plain.dtype].numpy
    values = np.empty(shape, dtype)
    _check_size("MXNDArraySyncCopyFromCPU", values.size, size)
    ctypes.memmove(values.ctypes.data, _address(data), values.nbytes)
    array[:] = values
    return 0


def _get_data(handle: Any, out_pdata: Any) -> int:
    """Writes the address of the elements, which foreign code may read and write."""
    array = array_of(handle)
    raise_if_failed(array)
    array._own()
    array._aliased = True
    _set(out_pdata, array._plain.data_ptr())
    return 0


def _wait(handle: Any) -> int:
    """Waits until an array has been computed."""
    array: Any = array_of(handle)
    array.wait_to_read()
    return 0


def _wait_for_all() -> int:
    """Waits until all arrays have been computed."""
    raise_unread()
    for index in range(num_gpus()):
        torch.accelerator.synchronize(index)
    return 0


def _list_operators(out_size: Any, out_array: Any) -> int:
    """Writes the names of all operators."""
    names = sorted({name.encode() for op in all_ops() for name in (op.name, *op.aliases)})
    _MEMORY["names"] = table = (ctypes.c_char_p * len(names))(*names)
    _set(out_size, len(names))
    ctypes.pointer(_target(out_array))[0] = ctypes.cast(table, ctypes.POINTER(ctypes.c_char_p))
    return 0


def _give(value: Callable[[], Any]) -> Callable[[Any], int]:
    """Builds a function that gives a value."""

    def function(out: Any) -> int:
        _set(out, value())
        return 0

    return function


def _switch(mode: str) -> Callable[[Any, Any], int]:
    """Builds a function that sets a mode of the thread and gives the one before."""

    def function(value: Any, previous: Any) -> int:
        before = getattr(modes, mode)
        setattr(modes, mode, bool(_number(value)))
        if mode == "recording" and modes.recording and not before:
            modes.renew_tape()
        _set(previous, int(before))
        return 0

    return function


def _seed(seed: Any) -> int:
    rng.seed_all(_number(seed))
    return 0


def _set_threads(count: Any) -> int:
    torch.set_num_threads(_number(count))
    return 0


def _do_nothing() -> int:
    return 0


def _last_error() -> bytes:
    """Returns no text: what went wrong has been raised."""
    return b""


FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "MXAutogradIsRecording": _give(lambda: modes.recording),
        "MXAutogradIsTraining": _give(lambda: modes.training),
        "MXAutogradSetIsRecording": _switch("recording"),
        "MXAutogradSetIsTraining": _switch("training"),
        "MXGetGPUCount": _give(num_gpus),
        "MXGetLastError": _last_error,
        "MXGetVersion": _give(lambda: _VERSION),
        "MXListAllOpNames": _list_operators,
        "MXNDArrayGetData": _get_data,
        "MXNDArraySyncCopyFromCPU": _copy_from_cpu,
        "MXNDArraySyncCopyToCPU": _copy_to_cpu,
        "MXNDArrayWaitAll": _wait_for_all,
        "MXNDArrayWaitToRead": _wait,
        "MXNDArrayWaitToWrite": _wait,
        "MXNotifyShutdown": _do_nothing,
        "MXRandomSeed": _seed,
        "MXSetNumOMPThreads": _set_threads,
    }
)


def _number(value: Any) -> int:
    """Returns a number that `ctypes` may have wrapped."""
    return int(getattr(value, "value", value))


def _target(pointer: Any) -> Any:
    """Returns what a pointer of `ctypes`, or `byref`, points to."""
    return pointer._obj if hasattr(pointer, "_obj") else pointer.contents


def _set(pointer: Any, value: Any) -> None:
    _target(pointer).value = value


def _address(pointer: Any) -> int:
    """Returns the address that an argument stands for.

    Raises:
        MXNetError: if it is none.
    """
    if hasattr(pointer, "_obj"):
        return ctypes.addressof(pointer._obj)
    number = pointer if isinstance(pointer, int) else ctypes.cast(pointer, ctypes.c_void_p).value
    if not number:
        raise MXNetError(f"_LIB: expected a pointer to memory, got {pointer!r}")
    return number


def _check_size(where: str, expected: int, given: Any) -> None:
    if _number(given) != expected:
        raise ShapeMismatchError(
            f"_LIB.{where}: expected memory for {expected} elements, got {_number(given)}"
        )
