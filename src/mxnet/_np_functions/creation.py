"""Functions that make arrays of a shape."""

from __future__ import annotations

from typing import Any

import numpy

from mxnet._np_functions._arguments import check_order, float_dtype
from mxnet._np_functions._outputs import placement, refusal
from mxnet._np_functions.table import Operators, np_function
from mxnet.errors import ArgumentValueError, NotSupportedError, UnsupportedTypeError


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
    """
    check_order("full", order)
    if isinstance(fill_value, F.operand):
        filled = F._npi_broadcast_to(fill_value, shape=shape, out=None if dtype else out)
        return filled if dtype is None else F._npi_cast(filled, dtype=dtype, out=out)
    if hasattr(fill_value, "as_np_ndarray"):
        raise refusal(F, "full: `fill_value`", fill_value)
    if isinstance(fill_value, bool):
        fill_value, dtype = int(fill_value), bool if dtype is None else dtype
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
) -> Any:
    """Makes an array of the shape of another, whose elements are to be written.

    Args:
        F: Operators of the frontend.
        prototype: The other array.
        dtype: Element type, by default that of the other array.
        order: Only `"C"`.
        subok: Only False.
        shape: Only None.
    """
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
    **kwargs: Any,
) -> Any:
    """Makes a matrix with ones on a diagonal.

    Args:
        F: Operators of the frontend.
        N: Number of rows.
        M: Number of columns, by default as many as rows.
        k: Which diagonal: 0 is the main one, positive ones lie above.
        dtype: Element type.
        kwargs: `ctx`, the context.
    """
    ctx = kwargs.pop("ctx", None)
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
    """
    if not isinstance(n, int):
        raise UnsupportedTypeError(f"identity: expected an integer, got {n!r}")
    if n < 0:
        raise ArgumentValueError(f"identity: expected a number of at least 0, got {n}")
    return F._npi_identity(shape=(n, n), dtype=float_dtype(dtype), **placement(F, ctx))


@np_function()
def tril(F: Operators, m: Any, k: int = 0) -> Any:
    """Returns matrices with zeros above a diagonal; a vector counts as all rows of a matrix.

    Args:
        F: Operators of the frontend.
        m: The array.
        k: The last diagonal that is kept: 0 is the main one, positive ones lie above.
    """
    return F._npi_tril(m, k=k)
