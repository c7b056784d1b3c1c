"""Functions that reduce axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet._modes import modes
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
        a: The array; of bool the sum is an int64, of other dtypes it is one of that dtype.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        keepdims: Whether axes that are summed over stay, with length 1.
        initial: Number to begin with.
        out: Array to write the result into.
    """
    if axis is dtype is initial is out is None and not (keepdims or F.for_symbols):
        return F._np_sum(a)  # without attributes to look up; losses are often summed so
    return F._np_sum(a, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, out=out)


@np_function(aliases=("product",))
def prod(
    F: Operators,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> Any:
    """Returns the product of elements over axes.

    Args:
        F: Operators of the frontend.
        a: The array; of bool the product is an int64, of other dtypes it is one of that dtype.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Array to write the result into.
        keepdims: Whether axes that are reduced stay, with length 1.
    """
    return F._np_prod(a, axis=axis, dtype=dtype, keepdims=keepdims, out=out)


@np_function(aliases=("amax",))
def max(F: Operators, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Returns the largest element over axes; nan is larger than all numbers.

    Args:
        F: Operators of the frontend.
        a: The array. The gradient goes to all elements that are the largest.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array to write the result into.
    """
    return F._np_max(a, axis=axis, keepdims=keepdims, out=out)


@np_function(aliases=("amin",))
def min(F: Operators, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Returns the smallest element over axes; nan is smaller than all numbers.

    Args:
        F: Operators of the frontend.
        a: The array. The gradient goes to all elements that are the smallest.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array to write the result into.
    """
    return F._np_min(a, axis=axis, keepdims=keepdims, out=out)


@np_function()
def all(F: Operators, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Tests whether all elements over axes are other than zero.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array of bool to write the result into.
    """
    return F._np_all(a, axis=axis, keepdims=keepdims, out=out)


@np_function(aliases=("sometrue",))
def any(F: Operators, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Tests whether an element over axes is other than zero.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array of bool to write the result into.
    """
    return F._np_any(a, axis=axis, keepdims=keepdims, out=out)


@np_function()
def mean(
    F: Operators,
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
) -> Any:
    """Returns the mean of elements over axes.

    Args:
        F: Operators of the frontend.
        a: The array; of integers the mean is a floating-point number of the default dtype.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Array to write the result into.
        keepdims: Whether axes that are reduced stay, with length 1.
    """
    if dtype is None and modes.np_default_dtype and not F.for_symbols:
        dtype = None if np.dtype(a.dtype).kind == "f" else "float64"
    if axis is dtype is out is None and not (keepdims or F.for_symbols):
        return F._npi_mean(a)
    return F._npi_mean(a, axis=axis, dtype=dtype, keepdims=keepdims, out=out)


@np_function()
def argmax(F: Operators, a: Any, axis: Any = None, out: Any = None) -> Any:
    """Returns the positions of the largest elements along an axis, as int64.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: The axis; if not given, positions are those in the flattened array.
        out: Array to write the result into.
    """
    return F._npi_argmax(a, axis=axis, keepdims=False, out=out)


@np_function()
def argmin(F: Operators, a: Any, axis: Any = None, out: Any = None) -> Any:
    """Returns the positions of the smallest elements along an axis, as int64.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: The axis; if not given, positions are those in the flattened array.
        out: Array to write the result into.
    """
    return F._npi_argmin(a, axis=axis, keepdims=False, out=out)


@np_function()
def cumsum(F: Operators, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Returns the sums of the elements so far along an axis.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: The axis; if not given, the array is flattened.
        dtype: Element type of the result; of bool it is int64 if not given.
        out: Array to write the result into.
    """
    return F._np_cumsum(a, axis=axis, dtype=dtype, out=out)
