"""Functions that reduce axes: sums, extremes, spreads, percentiles and counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet._np_functions.table import Operators, as_list, forward, np_function
from mxnet._state import modes
from mxnet.errors import ArgumentTypeError, ArgumentValueError, NotSupportedError


@forward("_np_sum", omitting="on arrays")
def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    out: Any = None,
) -> Any:
    """Returns the sum of elements over axes.

    Args:
        a: The array; of bool the sum is an int64, of other dtypes it is one of that dtype.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        keepdims: Whether axes that are summed over stay, with length 1.
        initial: Number to begin with.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> mx.np.sum(a)
        array(10.)
        >>> mx.np.sum(a, axis=0)
        array([4., 6.])
    """


@forward("_np_prod", aliases=("product",))
def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
) -> Any:
    """Returns the product of elements over axes.

    Args:
        a: The array; of bool the product is an int64, of other dtypes it is one of that dtype.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Array to write the result into.
        keepdims: Whether axes that are reduced stay, with length 1.
        initial: Number to begin with.

    Example:
        >>> import mxnet as mx
        >>> mx.np.prod(mx.np.array([[1, 2], [3, 4]]), axis=1)
        array([ 2., 12.])
    """


@forward("_np_max", aliases=("amax",))
def max(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Returns the largest element over axes; nan is larger than all numbers.

    Args:
        a: The array. The gradient goes to all elements that are the largest.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.max(mx.np.array([[1, 5], [3, 4]]), axis=1)
        array([5., 4.])
    """


@forward("_np_min", aliases=("amin",))
def min(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Returns the smallest element over axes; nan is smaller than all numbers.

    Args:
        a: The array. The gradient goes to all elements that are the smallest.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.min(mx.np.array([[1, 5], [3, 4]]), axis=0)
        array([1., 4.])
    """


@forward("_np_all")
def all(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Tests whether all elements over axes are other than zero.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array of bool to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.all(mx.np.array([[True, False], [True, True]]), axis=1)
        array([False,  True])
    """


@forward("_np_any", aliases=("sometrue",))
def any(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """Tests whether an element over axes is other than zero.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether axes that are reduced stay, with length 1.
        out: Array of bool to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.any(mx.np.array([[True, False], [False, False]]), axis=1)
        array([ True, False])
    """


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

    Example:
        >>> import mxnet as mx
        >>> mx.np.mean(mx.np.array([[1, 2], [3, 4]]), axis=0)
        array([2., 3.])
    """
    if dtype is None and modes.np_default_dtype and not F.for_symbols:
        dtype = None if np.dtype(a.dtype).kind == "f" else "float64"
    if axis is dtype is out is None and not (keepdims or F.for_symbols):
        return F._npi_mean(a)
    return F._npi_mean(a, axis=axis, dtype=dtype, keepdims=keepdims, out=out)


@forward("_npi_argmax")
def argmax(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Returns the positions of the largest elements along an axis, as int64.

    Args:
        a: The array.
        axis: The axis; if not given, positions are those in the flattened array.
        out: Array to write the result into.
        keepdims: Whether the axis, or all of them, stay with length 1.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 5, 3], [9, 7, 8]])
        >>> mx.np.argmax(a, axis=1)
        array([1, 0], dtype=int64)
        >>> mx.np.argmax(a)
        array(3, dtype=int64)
    """


@forward("_npi_argmin")
def argmin(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Returns the positions of the smallest elements along an axis, as int64.

    Args:
        a: The array.
        axis: The axis; if not given, positions are those in the flattened array.
        out: Array to write the result into.
        keepdims: Whether the axis, or all of them, stay with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.argmin(mx.np.array([[1, 5, 3], [9, 7, 8]]), axis=1)
        array([0, 1], dtype=int64)
    """


@forward("_np_cumsum")
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Returns the sums of the elements so far along an axis.

    Args:
        a: The array.
        axis: The axis; if not given, the array is flattened.
        dtype: Element type of the result; of bool it is int64 if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.cumsum(mx.np.array([[1, 2], [3, 4]]), axis=1)
        array([[1., 3.],
               [3., 7.]])
    """


@forward("_npi_std")
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """Returns the standard deviation of elements over axes.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Array to write the result into.
        ddof: What is subtracted from the number of elements before it divides.
        keepdims: Whether axes that are reduced stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.std(mx.np.array([1, 3, 5, 7])).round(3)
        array(2.236)
        >>> mx.np.std(mx.np.array([1, 2, 3]), ddof=1)
        array(1.)
    """


@forward("_npi_var")
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """Returns the variance of elements over axes.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Array to write the result into.
        ddof: What is subtracted from the number of elements before it divides.
        keepdims: Whether axes that are reduced stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.var(mx.np.array([[1, 3], [5, 9]]), axis=1)
        array([1., 4.])
    """


@np_function()
def average(
    F: Operators,
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: bool = False,
    out: Any = None,
) -> Any:
    """Returns the mean of elements over axes, each with its weight.

    Args:
        F: Operators of the frontend.
        a: The array; integers are divided towards zero.
        axis: An axis or a tuple of axes, all of them if not given.
        weights: Array of the shape of `a`, or a vector along the only axis that is reduced.
        returned: Whether to return a list of the means and the sums of the weights.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.average(mx.np.array([1, 2, 4]), weights=mx.np.array([3, 1, 1]))
        array(1.8)
    """
    given = (a,) if weights is None else (a, weights)
    weighted = weights is not None
    result = F._npi_average(*given, axis=axis, returned=returned, weighted=weighted, out=out)
    return as_list(F, result) if returned else result


def _check_percentile(where: str, a: Any, q: Any, overwrite_input: Any, F: Operators) -> None:
    if overwrite_input is not None:
        raise NotSupportedError(f"{where}: overwrite_input is not supported")
    if not isinstance(a, F.operand) or not isinstance(q, (int, float, F.operand)):
        raise ArgumentTypeError(
            f"{where}: expected an array, and an array or a number for q, "
            f"got {type(a).__name__} and {type(q).__name__}"
        )


@np_function()
def percentile(
    F: Operators,
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Any:
    """Returns the elements below which percentages of all elements over axes lie.

    Args:
        F: Operators of the frontend.
        a: The array.
        q: Number from 0 to 100, or vector of such, whose axis becomes the first one.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Array to write the result into.
        overwrite_input: Not supported.
        interpolation: `"linear"`, `"lower"`, `"higher"`, `"midpoint"` or `"nearest"`: what to take
            between two elements.
        keepdims: Whether axes that are reduced stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.percentile(mx.np.array([1, 2, 3, 4, 5]), 25)
        array(2.)
    """
    _check_percentile("percentile", a, q, overwrite_input, F)
    given, scalar = ((a,), q) if isinstance(q, (int, float)) else ((a, q), None)
    return F._npi_percentile(
        *given, axis=axis, interpolation=interpolation, keepdims=keepdims, q_scalar=scalar, out=out
    )


@np_function()
def quantile(
    F: Operators,
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Any:
    """Returns the elements below which shares of all elements over axes lie.

    Args:
        F: Operators of the frontend.
        a: The array.
        q: Number from 0 to 1, or vector of such, whose axis becomes the first one.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Array to write the result into.
        overwrite_input: Not supported.
        interpolation: What to take between two elements; see `percentile`.
        keepdims: Whether axes that are reduced stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.quantile(mx.np.array([[1, 2, 3], [4, 5, 6]]), 0.5, axis=1)
        array([2., 5.])
    """
    _check_percentile("quantile", a, q, overwrite_input, F)
    return F.percentile(a, q * 100, axis, out, None, interpolation, keepdims)


@np_function()
def histogram(
    F: Operators,
    a: Any,
    bins: Any = 10,
    range: Any = None,
    normed: Any = None,
    weights: Any = None,
    density: Any = None,
) -> Any:
    """Counts the elements that fall between consecutive edges.

    Args:
        F: Operators of the frontend.
        a: The array.
        bins: Array of ascending edges, or the number of equal bins.
        range: Lower and upper limit of equal bins, which must be given for them.
        normed: Not supported.
        weights: Not supported.
        density: Not supported.

    Returns:
        A list of the counts and the edges; the last edge counts in.

    Example:
        >>> import mxnet as mx
        >>> counts, edges = mx.np.histogram(mx.np.array([0, 1, 1, 3]), bins=3, range=(0, 3))
        >>> counts
        array([1, 2, 1], dtype=int64)
        >>> edges
        array([0., 1., 2., 3.])
    """
    if normed or weights is not None or density:
        raise NotSupportedError("histogram: normed, weights and density are not supported")
    if isinstance(bins, F.operand):
        return as_list(F, F._npi_histogram(a, bins))
    if isinstance(bins, int) and range is not None:
        return as_list(F, F._npi_histogram(a, bin_cnt=bins, range=range))
    raise NotSupportedError(
        "histogram: expected an array of edges, or the number of bins and their range, "
        f"got bins={bins!r} and range={range!r}"
    )


@np_function()
def bincount(F: Operators, x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """Counts how often each number occurs.

    Args:
        F: Operators of the frontend.
        x: Vector of integers that are not negative.
        weights: Vector of what each of them counts, one if not given.
        minlength: Least length of the result.

    Example:
        >>> import mxnet as mx
        >>> mx.np.bincount(mx.np.array([0, 1, 1, 3], dtype="int32"))
        array([1, 2, 0, 1], dtype=int32)
    """
    if minlength < 0:
        raise ArgumentValueError(f"bincount: expected minlength of at least 0, got {minlength}")
    if weights is None:
        return F._npi_bincount(x, minlength=minlength, has_weights=False)
    return F._npi_bincount(x, weights, minlength=minlength, has_weights=True)
