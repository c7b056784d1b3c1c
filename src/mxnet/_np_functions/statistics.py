"""Statistics: counts, spreads, histograms, and reductions that leave nan out.

They are no operators: NumPy computes them, or torch where a gradient or a GPU asks for it.
"""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.table import by_numpy


@by_numpy()
def alltrue(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Tests whether all elements are not zero, along axes; another name of `all`.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Only None.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.alltrue(mx.np.array([[1, 0], [2, 3]]), axis=1)
        array([False,  True])
    """


@by_numpy()
def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """Counts the elements that are not zero, along axes.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 0, 2], [0, 0, 3]])
        >>> int(mx.np.count_nonzero(a))
        3
        >>> mx.np.count_nonzero(a, axis=0)
        array([1, 0, 2], dtype=int64)
    """


@by_numpy()
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Returns the difference of the largest and the smallest element along axes.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Only None.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.ptp(mx.np.array([[4, 9, 2], [10, 10, 13]]), axis=1)
        array([7., 3.])
    """


@by_numpy()
def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Any:
    """Estimates the covariance matrix of variables from observations of them.

    Args:
        m: A variable in each row, an observation in each column.
        y: More variables of the same observations.
        rowvar: Whether rows are variables; False takes columns.
        bias: Whether to divide by the number of observations instead of one less.
        ddof: What to subtract from that number instead.
        fweights: How often each observation was made.
        aweights: How much each observation counts.

    Returns:
        Matrix of float64 of shape `(variables, variables)`, with the variances on its diagonal.

    Example:
        >>> import mxnet as mx
        >>> mx.np.cov(mx.np.array([[0, 1, 2], [4, 2, 0]]))
        array([[ 1., -2.],
               [-2.,  4.]], dtype=float64)
    """


@by_numpy()
def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Any:
    """Returns how strongly variables depend on each other linearly, from -1 to 1.

    Args:
        x: A variable in each row, an observation in each column.
        y: More variables of the same observations.
        rowvar: Whether rows are variables; False takes columns.

    Example:
        >>> import mxnet as mx
        >>> mx.np.corrcoef(mx.np.array([[0, 1, 2], [4, 2, 0]])).round(3)
        array([[ 1., -1.],
               [-1.,  1.]], dtype=float64)
    """


@by_numpy()
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """Returns the sums of products of two vectors, of which one is shifted along the other.

    Args:
        a: The first vector.
        v: The second one.
        mode: Which shifts to take: those where the vectors overlap wholly (`"valid"`), as many as
            `a` is long (`"same"`), or all where they overlap (`"full"`).

    Example:
        >>> import mxnet as mx
        >>> signal, pattern = mx.np.array([0, 1, 2, 0]), mx.np.array([1, 2])
        >>> mx.np.correlate(signal, pattern)
        array([2., 5., 2.])
    """


@by_numpy()
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """Computes a function at points from its values at others, linearly in between.

    Args:
        x: The points.
        xp: Points where the function is known, in ascending order.
        fp: Its values there.
        left: Value before the first point, by default that of the first.
        right: Value behind the last point, by default that of the last.
        period: Period of the function, if it has one.

    Example:
        >>> import mxnet as mx
        >>> known, values = mx.np.array([0, 1, 2]), mx.np.array([0, 10, 40])
        >>> mx.np.interp(mx.np.array([0.5, 1.5, 9]), known, values)
        array([ 5., 25., 40.], dtype=float64)
    """


@by_numpy()
def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """Integrates along an axis, by straight lines between the values.

    Args:
        y: Values of the function.
        x: Where it has them; by default they are `dx` apart.
        dx: Distance of values.
        axis: The axis.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.linspace(0, 3, 301)
        >>> float(mx.np.trapz(x**2, x).round(2))
        9.0
    """


@by_numpy()
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Returns the edges of the bins that `histogram` would count in.

    Args:
        a: The array.
        bins: Number of bins, their edges, or a rule such as `"auto"`.
        range: Smallest and largest edge, by default those of the elements.
        weights: How much each element counts; the edges do not depend on it.

    Example:
        >>> import mxnet as mx
        >>> mx.np.histogram_bin_edges(mx.np.array([0, 3, 8]), bins=4)
        array([0., 2., 4., 6., 8.])
    """


@by_numpy()
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """Counts points of the plane in the cells of a grid.

    Args:
        x: First coordinates.
        y: Second coordinates.
        bins: Number of bins along both axes, or a pair of numbers or of edges.
        range: Pair of the smallest and the largest edge for each axis.
        density: Whether to return shares by area instead of counts.
        weights: How much each point counts.

    Returns:
        The counts of shape `(bins of x, bins of y)`, the edges along `x`, those along `y`.

    Example:
        >>> import mxnet as mx
        >>> x, y = mx.np.array([0, 0, 1, 1]), mx.np.array([0, 1, 1, 1])
        >>> counts, x_edges, y_edges = mx.np.histogram2d(x, y, bins=2)
        >>> counts
        array([[1., 1.],
               [0., 2.]], dtype=float64)
    """


@by_numpy()
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """Counts points of a space of any dimension in the cells of a grid.

    Args:
        sample: Coordinates of a point in each row.
        bins: Number of bins along all axes, or a list of numbers or of edges.
        range: Pair of the smallest and the largest edge for each axis.
        density: Whether to return shares by volume instead of counts.
        weights: How much each point counts.

    Returns:
        The counts, with an axis for each coordinate, and the edges along each.

    Example:
        >>> import mxnet as mx
        >>> points = mx.np.array([[0, 0, 0], [0, 0, 1], [1, 1, 1]])
        >>> counts, edges = mx.np.histogramdd(points, bins=2)
        >>> counts.shape, int(counts.sum()), len(edges)
        ((2, 2, 2), 3, 3)
    """


@by_numpy()
def nanmax(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Returns the largest element along axes, leaving nan out.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Only None.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, mx.np.nan], [3, 2]])
        >>> mx.np.nanmax(a, axis=1), mx.np.max(a, axis=1)
        (array([1., 3.]), array([nan,  3.]))
    """


@by_numpy()
def nanmin(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Returns the smallest element along axes, leaving nan out.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Only None.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, mx.np.nan], [3, 2]])
        >>> mx.np.nanmin(a, axis=1), mx.np.min(a, axis=1)
        (array([1., 2.]), array([nan,  2.]))
    """


@by_numpy()
def nanargmax(a: Any, axis: int | None = None) -> Any:
    """Returns where the largest element along an axis is, leaving nan out.

    Args:
        a: The array.
        axis: The axis; by default the array is flattened.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nanargmax(mx.np.array([[1, mx.np.nan], [3, 2]]), axis=1)
        array([0, 0], dtype=int64)
    """


@by_numpy()
def nanargmin(a: Any, axis: int | None = None) -> Any:
    """Returns where the smallest element along an axis is, leaving nan out.

    Args:
        a: The array.
        axis: The axis; by default the array is flattened.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nanargmin(mx.np.array([[1, mx.np.nan], [3, 2]]), axis=1)
        array([0, 1], dtype=int64)
    """


@by_numpy()
def nancumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    """Returns the products of elements up to each one along an axis, with nan as 1.

    Args:
        a: The array.
        axis: The axis; by default the array is flattened.
        dtype: Element type of the result.
        out: Only None.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nancumprod(mx.np.array([2, mx.np.nan, 3]))
        array([2., 2., 6.])
    """


@by_numpy()
def nancumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    """Returns the sums of elements up to each one along an axis, with nan as 0.

    Args:
        a: The array.
        axis: The axis; by default the array is flattened.
        dtype: Element type of the result.
        out: Only None.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nancumsum(mx.np.array([2, mx.np.nan, 3]))
        array([2., 2., 5.])
    """


@by_numpy()
def nanprod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """Returns the product of elements along axes, with nan as 1.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Only None.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nanprod(mx.np.array([[2, mx.np.nan], [3, 4]]), axis=1)
        array([ 2., 12.])
    """


@by_numpy()
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    """Returns the middle element along axes, leaving nan out.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Only None.
        overwrite_input: Accepted for compatibility.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nanmedian(mx.np.array([[1, mx.np.nan, 5], [9, 2, 4]]), axis=1)
        array([3., 4.])
    """


@by_numpy()
def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
) -> Any:
    """Returns the number below which a share of the elements lies, leaving nan out.

    Args:
        a: The array.
        q: The share from 0 to 1, or several.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Only None.
        overwrite_input: Accepted for compatibility.
        method: What to return between two elements; `"linear"` lies between them.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> float(mx.np.nanquantile(mx.np.array([1, 2, mx.np.nan, 3, 4]), 0.25))
        1.75
    """


@by_numpy()
def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
) -> Any:
    """Returns the number below which so many percent of the elements lie, leaving nan out.

    Args:
        a: The array.
        q: The percentage from 0 to 100, or several.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Only None.
        overwrite_input: Accepted for compatibility.
        method: What to return between two elements; `"linear"` lies between them.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> float(mx.np.nanpercentile(mx.np.array([1, 2, mx.np.nan, 3, 4]), 25))
        1.75
    """
