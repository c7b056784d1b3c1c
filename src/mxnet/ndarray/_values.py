"""What may become the elements of an array: numbers, nested lists of them, NumPy arrays.

The original hands everything to NumPy, and so do we: None is nan, text is read as a number, dates
count their units. What is refused, is refused with one error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.array import Array
from mxnet._arrays.bridges import to_numpy, to_tensor
from mxnet._formats import element_types
from mxnet.errors import UnsupportedTypeError

_REFUSALS = (TypeError, ValueError, OverflowError, RecursionError, RuntimeError)


def to_elements(where: str, source: Any, dtype: torch.dtype, *, copy: bool = True) -> Tensor:
    """Converts anything array-like to a tensor of an element type.

    Args:
        where: Name of the caller, for messages.
        source: Anything that NumPy makes an array of, with arrays of this package inside of lists.
        dtype: The element type.
        copy: Whether the tensor must have memory of its own.

    Raises:
        UnsupportedTypeError: for what is not array-like, complex numbers, and in lists for
            numbers that an integer type cannot hold, such as nan.
    """
    row = element_types.BY_TORCH[dtype]
    try:
        values = np.asarray(without_arrays(source))
        problem = _problem(values, dtype, listed=not isinstance(source, (np.ndarray, np.generic)))
        if problem is None:
            return _convert(values, row, copy=copy and not isinstance(source, (list, tuple)))
    except _REFUSALS as error:
        got = type(source).__name__
        raise UnsupportedTypeError(f"{where}: a {got} is not array-like: {error}") from error
    raise UnsupportedTypeError(f"{where}: expected real numbers for {row.name}, got {problem}")


def _problem(values: np.ndarray[Any, Any], dtype: torch.dtype, *, listed: bool) -> str | None:
    """Names what no conversion may silently change, None if there is nothing."""
    kind = values.dtype.kind
    if kind == "c":
        return "complex ones"
    if not listed or dtype.is_floating_point or dtype is torch.bool:
        return None
    if kind == "f" and not bool((np.abs(values) < 2.0**63).all()):
        return "nan, an infinity or one that is too large"
    if kind == "u" and dtype is not torch.uint64 and bool((values >= 2**63).any()):
        return "one that is too large"
    return None


def _convert(values: np.ndarray[Any, Any], row: element_types.ElementType, *, copy: bool) -> Tensor:
    if values.dtype == element_types.BFLOAT16_NUMPY:
        return to_tensor(values).to(row.torch)
    with np.errstate(over="ignore", invalid="ignore"):  # becomes inf, as everywhere on arrays
        if row.torch is torch.bfloat16:
            return torch.from_numpy(values.astype(np.float32)).to(torch.bfloat16)
        converted = values.astype(row.numpy, copy=False)
    return to_tensor(converted, copy=copy and converted is values)


def without_arrays(source: Any) -> Any:
    """Replaces arrays inside of lists by NumPy's, one element by its number."""
    if isinstance(source, Array):
        values = to_numpy(source._plain)
        return values[0] if values.shape == (1,) and not source._is_np else values
    if isinstance(source, (list, tuple)):
        return [without_arrays(item) for item in source]
    return source
