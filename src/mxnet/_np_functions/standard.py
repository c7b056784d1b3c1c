"""Functions that MXNet 2 adds: those of the Python array API standard, and more of NumPy's.

Names of the standard that differ from NumPy's only in spelling, such as `acos`, stand with the
functions that they are. Here are those with results or arguments of their own.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from mxnet._np_functions.random import draw
from mxnet._np_functions.table import (
    LINALG,
    RANDOM,
    Operators,
    as_list,
    by_numpy,
    forward,
    is_operand,
    np_function,
    placement,
    refusal,
)
from mxnet.errors import ArgumentValueError, NotSupportedError


class UniqueAll(NamedTuple):
    """The different elements of an array, where each is first, which each is, how often."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueInverse(NamedTuple):
    """The different elements of an array, and which of them each element is."""

    values: Any
    inverse_indices: Any


class UniqueCounts(NamedTuple):
    """The different elements of an array, and how often each is found."""

    values: Any
    counts: Any


def _unique(F: Operators, x: Any, *wanted: str) -> list[Any]:
    flags = {f"return_{name}": name in wanted for name in ("index", "inverse", "counts")}
    return as_list(F, F._npi_unique(x, axis=None, **flags))


@np_function()
def unique_all(F: Operators, x: Any) -> Any:
    """Returns the different elements in ascending order, and all that is known of them.

    Args:
        F: Operators of the frontend.
        x: The array, which is flattened.

    Example:
        >>> import mxnet as mx
        >>> found = mx.np.unique_all(mx.np.array([3, 1, 3]))
        >>> found.values
        array([1., 3.])
        >>> found.indices, found.inverse_indices, found.counts
        (array([1, 0], dtype=int64), array([1, 0, 1], dtype=int64), array([1, 2], dtype=int64))
    """
    values, indices, inverse, counts = _unique(F, x, "index", "inverse", "counts")
    return UniqueAll(values, indices, F._npx_reshape_like(inverse, x), counts)


@np_function()
def unique_inverse(F: Operators, x: Any) -> Any:
    """Returns the different elements in ascending order, and which of them each element is.

    Args:
        F: Operators of the frontend.
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> values, inverse = mx.np.unique_inverse(mx.np.array([3, 1, 3]))
        >>> values[inverse]
        array([3., 1., 3.])
    """
    values, inverse = _unique(F, x, "inverse")
    return UniqueInverse(values, F._npx_reshape_like(inverse, x))


@np_function()
def unique_counts(F: Operators, x: Any) -> Any:
    """Returns the different elements in ascending order, and how often each is found.

    Args:
        F: Operators of the frontend.
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.unique_counts(mx.np.array([3, 1, 3])).counts
        array([1, 2], dtype=int64)
    """
    return UniqueCounts(*_unique(F, x, "counts"))


@np_function()
def unique_values(F: Operators, x: Any) -> Any:
    """Returns the different elements in ascending order.

    Args:
        F: Operators of the frontend.
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.unique_values(mx.np.array([3, 1, 3]))
        array([1., 3.])
    """
    return _unique(F, x)[0]


@np_function()
def cross(
    F: Operators,
    a: Any,
    b: Any,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Any:
    """Computes cross products of vectors in a plane or in space.

    Of two vectors in a plane it is a number; otherwise a missing third element counts as zero.

    Args:
        F: Operators of the frontend.
        a: First vectors.
        b: Second vectors, which broadcast to the first.
        axisa: Axis of `a` along which its vectors lie.
        axisb: Axis of `b` along which its vectors lie.
        axisc: Axis of the result along which vectors lie.
        axis: One axis in place of the three.

    Example:
        >>> import mxnet as mx
        >>> mx.np.cross(mx.np.array([1, 0, 0]), mx.np.array([0, 1, 0]))
        array([0., 0., 1.])
        >>> mx.np.cross(mx.np.array([1, 2]), mx.np.array([3, 4]))
        array(-2.)
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    return F._npi_cross(a, b, axisa=axisa, axisb=axisb, axisc=axisc)


@forward("_npi_kron")
def kron(a: Any, b: Any) -> Any:
    """Replaces each element of an array by its product with another array.

    Args:
        a: First array.
        b: Second array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.kron(mx.np.array([1, 10]), mx.np.array([[1, 2], [3, 4]]))
        array([[ 1.,  2., 10., 20.],
               [ 3.,  4., 30., 40.]])
    """


@np_function()
def tri(
    F: Operators, N: int, M: int | None = None, k: int = 0, dtype: Any = None, ctx: Any = None
) -> Any:
    """Makes a matrix with ones up to a diagonal and zeros above it.

    Args:
        F: Operators of the frontend.
        N: Number of rows.
        M: Number of columns, by default that of the rows.
        k: The last diagonal of ones: 0 is the main one, positive ones lie above.
        dtype: Element type, by default float32.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.tri(2, 3)
        array([[1., 0., 0.],
               [1., 1., 0.]])
    """
    return F._npi_tri(N=N, M=M, k=k, dtype=dtype or "float32", **placement(F, ctx))


@forward("_npi_triu")
def triu(m: Any, k: int = 0) -> Any:
    """Returns matrices with zeros below a diagonal; a vector counts as all rows of a matrix.

    Args:
        m: The array.
        k: The first diagonal that is kept: 0 is the main one, positive ones lie above.

    Example:
        >>> import mxnet as mx
        >>> mx.np.triu(mx.np.ones((3, 3)))
        array([[1., 1., 1.],
               [0., 1., 1.],
               [0., 0., 1.]])
    """


@np_function()
def tril_indices(F: Operators, n: int, k: int = 0, m: int | None = None) -> Any:
    """Returns rows and columns of the elements of a matrix up to a diagonal.

    Args:
        F: Operators of the frontend.
        n: Number of rows.
        k: The last diagonal that counts: 0 is the main one, positive ones lie above.
        m: Number of columns, by default that of the rows.

    Example:
        >>> import mxnet as mx
        >>> mx.np.tril_indices(2)
        (array([0, 1, 1], dtype=int64), array([0, 0, 1], dtype=int64))
    """
    return tuple(F._npi_tril_indices(n=n, k=k, m=m, **placement(F, None)))


@np_function()
def triu_indices(F: Operators, n: int, k: int = 0, m: int | None = None, ctx: Any = None) -> Any:
    """Returns rows and columns of the elements of a matrix from a diagonal on.

    Args:
        F: Operators of the frontend.
        n: Number of rows.
        k: The first diagonal that counts: 0 is the main one, positive ones lie above.
        m: Number of columns, by default that of the rows.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.triu_indices(2)
        (array([0, 0, 1], dtype=int64), array([0, 1, 1], dtype=int64))
    """
    lower = F._npi_tri(N=n, M=m, k=k - 1, dtype="bool", **placement(F, ctx))
    places = F._npx_nonzero(F._npi_logical_not(lower))
    return tuple(
        as_list(F, F._npi_split(places, indices=(), sections=2, axis=1, squeeze_axis=True))
    )


@np_function(on_symbols=False)
def fill_diagonal(F: Operators, a: Any, val: Any, wrap: bool = False) -> None:
    """Writes numbers to the main diagonal of an array.

    Args:
        F: Operators of the frontend.
        a: The array, a matrix or one whose axes are of one length.
        val: A number, or a list or array of numbers, repeated as often as is needed.
        wrap: Whether the diagonal of a tall matrix starts again after its end.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.zeros((3, 3))
        >>> mx.np.fill_diagonal(a, [1, 2])
        >>> a
        array([[1., 0., 0.],
               [0., 2., 0.],
               [0., 0., 1.]])
    """
    if not is_operand(F, a):
        raise refusal(F, "fill_diagonal", a)
    values = val.asnumpy().ravel().tolist() if is_operand(F, val) else val
    numbers = list(values) if hasattr(values, "__iter__") else [values]
    F._npi_fill_diagonal(a, val=numbers, wrap=wrap, out=a)


@by_numpy()
def cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    """Returns the products of elements up to each one along an axis.

    Args:
        a: The array.
        axis: The axis; by default the array is flattened.
        dtype: Element type of the result.
        out: Only None.

    Example:
        >>> import mxnet as mx
        >>> mx.np.cumprod(mx.np.array([[1, 2], [3, 4]]), axis=1)
        array([[ 1.,  2.],
               [ 3., 12.]])
    """


@by_numpy()
def nansum(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """Returns the sum of elements along axes, with nan as 0.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Only None.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nansum(mx.np.array([[2, mx.np.nan], [3, 4]]), axis=1)
        array([2., 7.])
    """


@by_numpy()
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """Returns the variance of elements along axes, leaving nan out.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Only None.
        ddof: What is taken from the number of elements before the sum is divided by it.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nanvar(mx.np.array([[2, mx.np.nan], [3, 5]]), axis=1)
        array([0., 1.])
    """


@by_numpy()
def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Any:
    """Returns the standard deviation of elements along axes, leaving nan out.

    Args:
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        dtype: Element type of the result.
        out: Only None.
        ddof: What is taken from the number of elements before the sum is divided by it.
        keepdims: Whether these axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nanstd(mx.np.array([[2, mx.np.nan], [3, 7]]), axis=1)
        array([0., 2.])
    """


@np_function()
def median(
    F: Operators,
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    keepdims: bool = False,
) -> Any:
    """Returns the middle of all elements over axes, the mean of two where their number is even.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: An axis or a tuple of axes, all of them if not given.
        out: Array to write the result into.
        overwrite_input: Not supported.
        keepdims: Whether axes that are reduced stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.median(mx.np.array([[1, 2, 9], [3, 4, 7]]), axis=1)
        array([2., 4.])
    """
    if overwrite_input is not None:
        raise NotSupportedError("median: overwrite_input is not supported")
    return F.quantile(a, 0.5, axis=axis, out=out, keepdims=keepdims)


@np_function(LINALG)
@np_function()
def matrix_transpose(F: Operators, a: Any) -> Any:
    """Exchanges the last two axes of an array.

    Args:
        F: Operators of the frontend.
        a: Matrices of shape `(..., m, n)`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.matrix_transpose(mx.np.ones((2, 3, 4))).shape
        (2, 4, 3)
    """
    return F._npi_swapaxes(a, dim1=-2, dim2=-1)


@np_function(LINALG)
@np_function()
def vecdot(F: Operators, a: Any, b: Any, axis: int | None = None) -> Any:
    """Multiplies the elements of vectors and sums each product up.

    Args:
        F: Operators of the frontend.
        a: First vectors.
        b: Second vectors, which broadcast to the first.
        axis: Axis along which vectors lie, the last one if not given.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> mx.np.linalg.vecdot(a, a)
        array([ 5., 25.])
    """
    return F.sum(F.multiply(a, b), axis=-1 if axis is None else axis)


@np_function(LINALG)
def vector_norm(
    F: Operators, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False
) -> Any:
    """Computes a norm of vectors.

    Args:
        F: Operators of the frontend.
        x: The array.
        ord: Order of the norm, a number or infinity; 2 if it is not given.
        axis: Axis or axes along which vectors lie; by default the whole array is one.
        keepdims: Whether the axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.vector_norm(mx.np.array([[3, 4], [6, 8]]), axis=1)
        array([ 5., 10.])
        >>> mx.np.linalg.vector_norm(mx.np.array([[3, 4], [6, 8]]), ord=1)
        array(21.)
    """
    magnitudes = F.abs(x)
    if ord in (inf, -inf):
        extreme = F.max if ord > 0 else F.min
        return extreme(magnitudes, axis=axis, keepdims=keepdims)
    if ord in (None, 2):
        return F.sqrt(F.sum(F.square(x), axis=axis, keepdims=keepdims))
    if ord == 0:
        return F.sum(F._npi_cast(magnitudes > 0, dtype="float32"), axis=axis, keepdims=keepdims)
    if ord == 1:
        return F.sum(magnitudes, axis=axis, keepdims=keepdims)
    return F.power(F.sum(F.power(magnitudes, ord), axis=axis, keepdims=keepdims), 1 / ord)


@np_function(LINALG)
def matrix_norm(
    F: Operators, x: Any, ord: Any = "fro", axis: Any = (-2, -1), keepdims: bool = False
) -> Any:
    """Computes a norm of matrices.

    Args:
        F: Operators of the frontend.
        x: The array.
        ord: `"fro"`, `"nuc"`, or the order of a norm: 1, -1, 2, -2 or an infinity.
        axis: The two axes of the matrices.
        keepdims: Whether the axes stay, with length 1.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.matrix_norm(mx.np.array([[3, 4], [0, 0]]))
        array(5.)
    """
    if len(axis) != 2:
        raise ArgumentValueError(f"matrix_norm: expected two axes, got {axis!r}")
    return F.linalg.norm(x, ord=ord, axis=tuple(axis), keepdims=keepdims)


@np_function(LINALG)
def svdvals(F: Operators, a: Any) -> Any:
    """Returns the singular values of each matrix, descending.

    Args:
        F: Operators of the frontend.
        a: Matrices of shape `(..., m, n)`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linalg.svdvals(mx.np.array([[2, 0], [0, 3], [0, 0]]))
        array([3., 2.])
    """
    wide = a if F.for_symbols or a.shape[-2] <= a.shape[-1] else F.matrix_transpose(a)
    return F._npi_svd(wide)[1]


@np_function(RANDOM)
def laplace(
    F: Operators,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws from a Laplace distribution; array parameters get gradients.

    Args:
        F: Operators of the frontend.
        loc: Mean, a number or an array.
        scale: Scale, a number or an array.
        size: Shape of the result, by default that of the parameters.
        dtype: Element type, by default float32.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.random.laplace(loc=1, scale=2, size=(2, 3)).shape
        (2, 3)
    """
    parameters, dtype = {"loc": loc, "scale": scale}, dtype or "float32"
    return draw(F, F._npi_laplace, parameters, ctx, size=size, dtype=dtype, out=out)


@np_function(RANDOM)
def f(F: Operators, dfnum: Any, dfden: Any, size: Any = None, ctx: Any = None) -> Any:
    """Draws from an F distribution, the ratio of two chi-square variables over their degrees.

    Args:
        F: Operators of the frontend.
        dfnum: Degrees of freedom of the numerator, a number or an array.
        dfden: Degrees of freedom of the denominator, a number or an array.
        size: Shape of the result, by default that of the parameters.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> bool((mx.np.random.f(2, 5, size=4) >= 0).all())
        True
    """
    above = F.random.chisquare(dfnum, size=size, ctx=ctx)
    below = F.random.chisquare(dfden, size=size, ctx=ctx)
    return F.true_divide(F.true_divide(above, dfnum), F.true_divide(below, dfden))
