"""Functions that make arrays of `mx.np` from values; graphs have none of them."""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor

from mxnet import _dtypes
from mxnet._array import Array, place
from mxnet._modes import modes
from mxnet._tracebacks import public_call
from mxnet.context import Context, resolve
from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.ndarray import NDArray
from mxnet.ndarray._values import to_elements
from mxnet.numpy._ndarray import ndarray
from mxnet.ops.core.allocation import raise_shortage


@public_call
def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """Makes an array from anything array-like; the elements are copied.

    Args:
        object: An array, a NumPy array, a number or nested lists of numbers.
        dtype: Element type; that of `object` if it is an array, else float32, or NumPy's under
            `use_np_default_dtype`.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.array([[1, 2], [3, 4]], dtype="int32")
        array([[1, 2],
               [3, 4]], dtype=int32)
    """
    if modes.tracer is not None:
        modes.tracer.refuse("makes an array of values, which may be others in the next call")
    target = resolve(ctx)
    try:
        tensor = _to_tensor(object, None if dtype is None else _dtypes.to_torch(dtype))
        return ndarray._wrap(place(tensor, target), target)
    except (RuntimeError, MemoryError) as error:
        raise_shortage(f"array of a {type(object).__name__}", error)
        raise


def _to_tensor(source: Any, dtype: torch.dtype | None) -> Tensor:
    """Copies elements to a tensor; without a dtype it has that of the source or the default."""
    if isinstance(source, NDArray) and not isinstance(source, ndarray):
        raise ArgumentValueError(
            "array: got an array of mx.nd; call as_np_ndarray() on it, which copies nothing"
        )
    if isinstance(source, Array):
        return source._plain.to(dtype or source._plain.dtype, copy=True)
    if isinstance(source, Tensor):
        return source.detach().to(dtype or source.dtype, copy=True)
    if dtype is None:
        dtype = _default_dtype(source)
    try:
        return to_elements("array", source, dtype)
    except ValueError as error:
        raise UnsupportedTypeError(str(error)) from error


def _default_dtype(source: Any) -> torch.dtype:
    """Returns the dtype of elements that came without one."""
    if isinstance(source, (numpy.ndarray, numpy.generic)):
        return _dtypes.to_torch(source.dtype)
    if modes.np_default_dtype:
        return _dtypes.to_torch(numpy.array(source).dtype)
    return torch.float32
