"""Functions that make arrays of evenly spaced numbers, windows and grids."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy

from mxnet._np_functions._arguments import float_dtype
from mxnet._np_functions._outputs import as_rows, placement
from mxnet._np_functions.table import Operators, np_function
from mxnet.errors import ArgumentValueError, MXNetError, NotSupportedError


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
    """
    if stop is None:
        start, stop = 0, 0 if start is None else start
    step = 1 if step is None else step
    if step == 0:
        raise ZeroStepError("arange: expected a step other than 0")
    return F._npi_arange(
        start=start, stop=stop, step=step, dtype=float_dtype(dtype), **placement(F, ctx)
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
    """
    return as_rows(F, F._npi_diag_indices_from(arr))
