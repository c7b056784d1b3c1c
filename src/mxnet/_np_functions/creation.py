"""Functions that make arrays of a shape."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions._arguments import check_order, context_name, float_dtype
from mxnet._np_functions.table import Operators, np_function


@np_function()
def zeros(F: Operators, shape: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> Any:
    """Makes an array of zeros.

    Args:
        F: Operators of the frontend.
        shape: Length of each axis, or of the only one.
        dtype: Element type, by default float32, or float64 under `use_np_default_dtype`.
        order: Only `"C"`.
        ctx: Context, the current one if not given.
    """
    check_order("zeros", order)
    return F._npi_zeros(shape=shape, ctx=context_name(ctx), dtype=float_dtype(dtype))
