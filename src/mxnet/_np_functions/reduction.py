"""Functions that reduce axes."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.table import Operators, np_function


@np_function()
def sum(
    F: Operators,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    out: Any = None,
) -> Any:
    """Returns the sum of elements over axes.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        keepdims: Whether axes that are summed over stay, with length 1.
        initial: Not supported.
        out: Array to write the result into.
    """
    return F._np_sum(a, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, out=out)
