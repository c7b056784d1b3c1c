"""Functions that make arrays: of a shape, of evenly spaced numbers, windows and grids."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy

from mxnet._np_functions.table import (
    Operators,
    as_rows,
    check_order,
    float_dtype,
    forward,
    np_function,
    placement,
    refusal,
)
from mxnet._state import modes, rules
from mxnet.errors import ArgumentValueError, MXNetError, NotSupportedError, UnsupportedTypeError


@np_function()
def zeros(F: Operators, shape: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> Any:
    """Makes an array of zeros.

    Args:
        F: Operators of the frontend.
        shape: Length of each axis, or of the only one.
        dtype: Element type, by default float32, or float64 under `use_np_default_dtype`.
        order: Only `"C"`.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.zeros((2, 3))
        array([[0., 0., 0.],
               [0., 0., 0.]])
        >>> mx.np.zeros(2, dtype="int32")
        array([0, 0], dtype=int32)
    """
    check_order("zeros", order)
    return F._npi_zeros(shape=shape, dtype=float_dtype(dtype), **placement(F, ctx))


@np_function()
def ones(
    F: Operators, shape: Any, dtype: Any = numpy.float32, order: str = "C", ctx: Any = None
) -> Any:
    """Makes an array of ones.

    Args:
        F: Operators of the frontend.
        shape: Length of each axis, or of the only one.
        dtype: Element type.
        order: Only `"C"`.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.ones((2, 3))
        array([[1., 1., 1.],
               [1., 1., 1.]])
    """
    check_order("ones", order)
    return F._npi_ones(shape=shape, dtype=float_dtype(dtype), **placement(F, ctx))


@np_function(on_symbols=False)
def empty(
    F: Operators, shape: Any, dtype: Any = numpy.float32, order: str = "C", ctx: Any = None
) -> Any:
    """Makes an array whose elements are to be written; they are zeros until then.

    Args:
        F: Operators of the frontend.
        shape: Length of each axis, or of the only one.
        dtype: Element type.
        order: Only `"C"`.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.empty((2, 3)).shape
        (2, 3)
    """
    check_order("empty", order)
    return F._npi_zeros(shape=shape, dtype=float_dtype(dtype), **placement(F, ctx))


@np_function()
def full(
    F: Operators,
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "C",
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Makes an array filled with one value.

    Args:
        F: Operators of the frontend.
        shape: Length of each axis, or of the only one.
        fill_value: A number, or an array that broadcasts to the shape.
        dtype: Element type, by default that of floats, bool for a truth value.
        order: Only `"C"`.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.full((2, 2), 7)
        array([[7., 7.],
               [7., 7.]])
        >>> mx.np.full((2, 2), mx.np.array([1, 2]))
        array([[1., 2.],
               [1., 2.]])
    """
    check_order("full", order)
    if isinstance(fill_value, F.operand):
        filled = F._npi_broadcast_to(fill_value, shape=shape, out=None if dtype else out)
        return filled if dtype is None else F._npi_cast(filled, dtype=dtype, out=out)
    if hasattr(fill_value, "as_np_ndarray"):
        raise refusal(F, "full: `fill_value`", fill_value)
    if isinstance(fill_value, bool):
        fill_value, dtype = int(fill_value), bool if dtype is None else dtype
    if dtype is None and rules.version > 1 and isinstance(fill_value, int):
        dtype = "int64"
    return F._npi_full(
        shape=shape, value=fill_value, dtype=float_dtype(dtype), out=out, **placement(F, ctx)
    )


@np_function()
def full_like(
    F: Operators,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "C",
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Makes an array of the shape of another, filled with one number.

    Args:
        F: Operators of the frontend.
        a: The other array.
        fill_value: The number.
        dtype: Element type, by default that of the other array.
        order: Only `"C"`.
        ctx: Accepted for compatibility; the result lies where the other array does.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.full_like(mx.np.ones((2, 2)), 0.5)
        array([[0.5, 0.5],
               [0.5, 0.5]])
    """
    check_order("full_like", order)
    value = int(fill_value) if isinstance(fill_value, bool) else fill_value
    return F._npi_full_like(a, fill_value=value, dtype=dtype, **placement(F, ctx), out=out)


@np_function(operator="_npi_full_like", attrs={"fill_value": 0})
def zeros_like(
    F: Operators, a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None
) -> Any:
    """Makes an array of zeros of the shape of another.

    Args:
        F: Operators of the frontend.
        a: The other array.
        dtype: Element type, by default that of the other array.
        order: Only `"C"`.
        ctx: Accepted for compatibility; the result lies where the other array does.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.zeros_like(mx.np.ones((2, 3)))
        array([[0., 0., 0.],
               [0., 0., 0.]])
    """
    check_order("zeros_like", order)
    return F._npi_full_like(a, fill_value=0, dtype=dtype, **placement(F, ctx), out=out)


@np_function(operator="_npi_full_like", attrs={"fill_value": 1})
def ones_like(
    F: Operators, a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None
) -> Any:
    """Makes an array of ones of the shape of another.

    Args:
        F: Operators of the frontend.
        a: The other array.
        dtype: Element type, by default that of the other array.
        order: Only `"C"`.
        ctx: Accepted for compatibility; the result lies where the other array does.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.ones_like(mx.np.zeros((2, 3)))
        array([[1., 1., 1.],
               [1., 1., 1.]])
    """
    check_order("ones_like", order)
    return F._npi_full_like(a, fill_value=1, dtype=dtype, **placement(F, ctx), out=out)


@np_function()
def empty_like(
    F: Operators,
    prototype: Any,
    dtype: Any = None,
    order: str = "C",
    subok: bool = False,
    shape: Any = None,
    ctx: Any = None,
) -> Any:
    """Makes an array of the shape of another, whose elements are to be written.

    Args:
        F: Operators of the frontend.
        prototype: The other array.
        dtype: Element type, by default that of the other array.
        order: Only `"C"`.
        subok: Only False.
        shape: Only None.
        ctx: Accepted for compatibility; the result lies where the other array does.

    Example:
        >>> import mxnet as mx
        >>> mx.np.empty_like(mx.np.ones((2, 3))).shape
        (2, 3)
    """
    del ctx
    if subok or shape is not None:
        raise NotSupportedError("empty_like: expected subok=False and shape=None")
    return F.zeros_like(prototype, dtype, order)


@np_function()
def eye(
    F: Operators,
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = numpy.float32,
    ctx: Any = None,
    **kwargs: Any,
) -> Any:
    """Makes a matrix with ones on a diagonal.

    Args:
        F: Operators of the frontend.
        N: Number of rows.
        M: Number of columns, by default as many as rows.
        k: Which diagonal: 0 is the main one, positive ones lie above.
        dtype: Element type.
        ctx: Context, the current one if not given.
        kwargs: None are taken.

    Example:
        >>> import mxnet as mx
        >>> mx.np.eye(2, 3)
        array([[1., 0., 0.],
               [0., 1., 0.]])
        >>> mx.np.eye(3, k=1)
        array([[0., 1., 0.],
               [0., 0., 1.],
               [0., 0., 0.]])
    """
    if kwargs:
        raise UnsupportedTypeError(f"eye: unexpected keyword argument {', '.join(kwargs)}")
    if isinstance(N, float):
        raise UnsupportedTypeError(f"eye: expected a whole number of rows, got {N}")
    return F._npi_eye(N=N, M=M, k=k, dtype=float_dtype(dtype), **placement(F, ctx))


@np_function()
def identity(F: Operators, n: int, dtype: Any = None, ctx: Any = None) -> Any:
    """Makes a square matrix with ones on its diagonal.

    Args:
        F: Operators of the frontend.
        n: Number of rows and columns.
        dtype: Element type, by default that of floats.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.identity(2)
        array([[1., 0.],
               [0., 1.]])
    """
    if not isinstance(n, int):
        raise UnsupportedTypeError(f"identity: expected an integer, got {n!r}")
    if n < 0:
        raise ArgumentValueError(f"identity: expected a number of at least 0, got {n}")
    return F._npi_identity(shape=(n, n), dtype=float_dtype(dtype), **placement(F, ctx))


@forward("_npi_tril")
def tril(m: Any, k: int = 0) -> Any:
    """Returns matrices with zeros above a diagonal; a vector counts as all rows of a matrix.

    Args:
        m: The array.
        k: The last diagonal that is kept: 0 is the main one, positive ones lie above.

    Example:
        >>> import mxnet as mx
        >>> mx.np.tril(mx.np.ones((3, 3)))
        array([[1., 0., 0.],
               [1., 1., 0.],
               [1., 1., 1.]])
    """


class ZeroStepError(MXNetError, ZeroDivisionError):
    """A step leads nowhere."""


@np_function()
def arange(
    F: Operators, start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, ctx: Any = None
) -> Any:
    """Makes evenly spaced values in `[start, stop)`.

    Args:
        F: Operators of the frontend.
        start: First value; the stop, counted from 0, if that is not given.
        stop: Where the values end.
        step: Distance between values.
        dtype: Element type, by default that of floats.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.arange(3)
        array([0., 1., 2.])
        >>> mx.np.arange(1, 2, 0.25)
        array([1.  , 1.25, 1.5 , 1.75])
    """
    if stop is None:
        start, stop = 0, 0 if start is None else start
    step = 1 if step is None else step
    if step == 0:
        raise ZeroStepError("arange: expected a step other than 0")
    if dtype is None and modes.np_default_dtype:
        dtype = numpy.result_type(*map(type, (start, stop, step)))
    return F._npi_arange(
        start=start, stop=stop, step=step, dtype=dtype or "float32", **placement(F, ctx)
    )


def _check_ends(where: str, start: Any, stop: Any, axis: int) -> None:
    if axis != 0:
        raise NotSupportedError(f"{where}: expected axis 0, got {axis}")
    for end in (start, stop):
        if not isinstance(end, (Number, str)):
            raise NotSupportedError(f"{where}: expected numbers, got {type(end).__name__}")


@np_function()
def linspace(
    F: Operators,
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> Any:
    """Makes a given number of evenly spaced values.

    Args:
        F: Operators of the frontend.
        start: First value.
        stop: Last value, or the one that would follow it without `endpoint`.
        num: Number of values.
        endpoint: Whether `stop` is among the values.
        retstep: Whether to return the distance between values, too.
        dtype: Element type, by default that of floats.
        axis: Only 0.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.linspace(0, 1, 5)
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    _check_ends("linspace", start, stop, axis)
    values = F._npi_linspace(
        start=start,
        stop=stop,
        num=_whole("linspace", num),
        endpoint=endpoint,
        dtype=float_dtype(dtype),
        **placement(F, ctx),
    )
    return (values, (stop - start) / (num - int(endpoint))) if retstep else values


def _whole(where: str, number: Any) -> Any:
    if isinstance(number, float):
        raise ArgumentValueError(f"{where}: expected a whole number of values, got {number}")
    return number


@np_function()
def logspace(
    F: Operators,
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    axis: int = 0,
    ctx: Any = None,
) -> Any:
    """Makes powers of a number whose exponents are evenly spaced.

    Args:
        F: Operators of the frontend.
        start: First exponent.
        stop: Last exponent, or the one that would follow it without `endpoint`.
        num: Number of values.
        endpoint: Whether `stop` is among the exponents.
        base: The number.
        dtype: Element type, by default that of floats.
        axis: Only 0.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.logspace(0, 2, 3).round(3)
        array([  1.,  10., 100.])
    """
    _check_ends("logspace", start, stop, axis)
    return F._npi_logspace(
        start=start,
        stop=stop,
        num=_whole("logspace", num),
        endpoint=endpoint,
        base=base,
        dtype=float_dtype(dtype),
        **placement(F, ctx),
    )


@np_function()
def blackman(F: Operators, M: int, dtype: Any = numpy.float32, ctx: Any = None) -> Any:
    """Makes a Blackman window.

    Args:
        F: Operators of the frontend.
        M: Number of points.
        dtype: Element type.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> abs(mx.np.blackman(5)).round(2)
        array([0.  , 0.34, 1.  , 0.34, 0.  ])
    """
    count = _whole("blackman", M)
    return F._npi_blackman(M=count, dtype=float_dtype(dtype), **placement(F, ctx))


@np_function()
def hamming(F: Operators, M: int, dtype: Any = numpy.float32, ctx: Any = None) -> Any:
    """Makes a Hamming window.

    Args:
        F: Operators of the frontend.
        M: Number of points.
        dtype: Element type.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.hamming(5).round(2)
        array([0.08, 0.54, 1.  , 0.54, 0.08])
    """
    count = _whole("hamming", M)
    return F._npi_hamming(M=count, dtype=float_dtype(dtype), **placement(F, ctx))


@np_function()
def hanning(F: Operators, M: int, dtype: Any = numpy.float32, ctx: Any = None) -> Any:
    """Makes a Hann window.

    Args:
        F: Operators of the frontend.
        M: Number of points.
        dtype: Element type.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.hanning(5).round(2)
        array([0. , 0.5, 1. , 0.5, 0. ])
    """
    count = _whole("hanning", M)
    return F._npi_hanning(M=count, dtype=float_dtype(dtype), **placement(F, ctx))


@np_function()
def indices(F: Operators, dimensions: Any, dtype: Any = numpy.int32, ctx: Any = None) -> Any:
    """Makes the coordinates of every element of a grid, one array for each axis.

    Args:
        F: Operators of the frontend.
        dimensions: Shape of the grid, a tuple or list.
        dtype: Type of the coordinates.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> rows, columns = mx.np.indices((2, 3))
        >>> rows
        array([[0, 0, 0],
               [1, 1, 1]], dtype=int32)
        >>> columns
        array([[0, 1, 2],
               [0, 1, 2]], dtype=int32)
    """
    if not isinstance(dimensions, (tuple, list)):
        raise ArgumentValueError(f"indices: expected a sequence of ints, got {dimensions!r}")
    return F._npi_indices(dimensions=dimensions, dtype=dtype, **placement(F, ctx))


@np_function()
def diag_indices_from(F: Operators, arr: Any) -> Any:
    """Returns the coordinates of the main diagonal, one array for each axis.

    Args:
        F: Operators of the frontend.
        arr: Array of two or more axes of one size.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.arange(9).reshape(3, 3)
        >>> rows, columns = mx.np.diag_indices_from(a)
        >>> a[rows, columns]
        array([0., 4., 8.])
    """
    return as_rows(F, F._npi_diag_indices_from(arr))
