"""Products of arrays."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.table import Operators, np_function
from mxnet._np_functions.ufunc_options import check_options
from mxnet.errors import ArgumentValueError, UnsupportedTypeError


@np_function(operator="_np_dot")
def dot(F: Operators, a: Any, b: Any, out: Any = None) -> Any:
    """Multiplies two arrays over the last axis of `a` and the last but one of `b`.

    Args:
        F: Operators of the frontend.
        a: First array; a scalar multiplies all elements.
        b: Second array, of the same dtype.
        out: Array to write the result into.
    """
    return F._np_dot(a, b, out=out)


@np_function(operator="_npi_matmul")
def matmul(F: Operators, a: Any, b: Any, out: Any = None, **kwargs: Any) -> Any:
    """Multiplies matrices, or stacks of them that broadcast against each other.

    Args:
        F: Operators of the frontend.
        a: Matrices of shape `(..., m, k)`, or a vector, taken as a row.
        b: Matrices of shape `(..., k, n)`, or a vector, taken as a column.
        out: Array to write the result into.
        **kwargs: Options of NumPy, of which only the default values are available.
    """
    if kwargs:
        check_options("matmul", kwargs)
    return F._npi_matmul(a, b, out=out)


@np_function()
def tensordot(F: Operators, a: Any, b: Any, axes: Any = 2) -> Any:
    """Multiplies two arrays and sums over axes.

    Args:
        F: Operators of the frontend.
        a: First array.
        b: Second array.
        axes: How many of the last axes of `a` and the first of `b` to sum over, or a pair: the axes
            of `a` and the axis of `b` that belongs to each.
    """
    if not isinstance(axes, (list, tuple)):
        return F._npi_tensordot_int_axes(a, b, axes=axes)
    if len(axes) != 2:
        raise ArgumentValueError(f"tensordot: expected axes of two arrays, got {axes!r}")
    first, second = ((axis,) if isinstance(axis, int) else axis for axis in axes)
    return F._npi_tensordot(a, b, a_axes_summed=first, b_axes_summed=second)


@np_function()
def inner(F: Operators, a: Any, b: Any) -> Any:
    """Multiplies two arrays and sums over the last axis of both.

    Args:
        F: Operators of the frontend.
        a: First array.
        b: Second array, whose last axis has the same length.
    """
    return F._npi_tensordot(a, b, a_axes_summed=(-1,), b_axes_summed=(-1,))


@np_function()
def outer(F: Operators, a: Any, b: Any) -> Any:
    """Multiplies each element of one array with each of another.

    Args:
        F: Operators of the frontend.
        a: First array, read in order whatever its shape.
        b: Second array, likewise.
    """
    return F._npi_tensordot_int_axes(_flat(F, a), _flat(F, b), axes=0)


@np_function()
def vdot(F: Operators, a: Any, b: Any) -> Any:
    """Multiplies the elements of two arrays in order, and sums all up.

    Args:
        F: Operators of the frontend.
        a: First array, read in order whatever its shape.
        b: Second array of as many elements.
    """
    return F._npi_tensordot_int_axes(_flat(F, a), _flat(F, b), axes=1)


def _flat(F: Operators, a: Any) -> Any:
    return F._np_reshape(a, newshape=(-1,))


@np_function()
def einsum(F: Operators, *operands: Any, **kwargs: Any) -> Any:
    """Multiplies arrays and sums over axes by Einstein's convention.

    Args:
        F: Operators of the frontend.
        *operands: Subscripts such as `"ij,jk->ik"`, then the arrays.
        **kwargs: `out` and `optimize`; other options of NumPy have no effect.
    """
    if not operands or not isinstance(operands[0], str):
        raise UnsupportedTypeError("einsum: expected subscripts first, then arrays")
    subscripts, *arrays = operands
    optimize = int(kwargs.get("optimize", 0))
    return F._npi_einsum(*arrays, subscripts=subscripts, optimize=optimize, out=kwargs.get("out"))
