"""Arrays behind handles, which callbacks of monitors get in the original.

Programs turn such a handle into an array: `NDArray(ctypes.cast(handle, NDArrayHandle))`. Here they
get an array, which can be cast as well; the result is a number that stands for the array as long as
that lives.
"""

from __future__ import annotations

import ctypes
from typing import Any
from weakref import WeakValueDictionary

import torch

from mxnet._arrays.array import Array
from mxnet.context import CPU0
from mxnet.errors import MXNetError

# Entries vanish with their arrays.
_arrays: WeakValueDictionary[int, Array] = WeakValueDictionary()


class HandledArray(Array):
    """An array that functions of `ctypes` take for a handle."""

    __slots__ = ()

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        """What `ctypes` takes in its place."""
        _arrays[id(self)] = self
        return ctypes.c_void_p(id(self))


def begin(array: Array, handle: Any) -> None:
    """Sets up a new array: an empty one, or one on the storage of another one.

    Args:
        array: The new array.
        handle: What `ctypes` has made of the other array; None for an empty one.

    Raises:
        MXNetError: if no array is known behind the handle.
    """
    if handle is None:
        array._begin(CPU0)
        array._data = torch.empty(0)
        return
    number: Any = handle.value if isinstance(handle, ctypes.c_void_p) else handle
    source = _arrays.get(number)
    if source is None:
        raise MXNetError(
            f"NDArray: expected the handle of an array that a callback was called with, got "
            f"{handle!r}; arrays are made by mx.nd.array(...)"
        )
    array._begin(source._ctx)
    array._data = source._plain
    array._aliased = source._aliased = True
