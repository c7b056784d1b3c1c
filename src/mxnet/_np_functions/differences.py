"""Differences of neighbours, and polynomials."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.table import Operators, np_function
from mxnet.errors import ArgumentValueError, UnsupportedTypeError


@np_function()
def diff(
    F: Operators, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    """Subtracts from each element the one before it along an axis.

    Args:
        F: Operators of the frontend.
        a: The array.
        n: How many times that is done.
        axis: The axis.
        prepend: Not supported.
        append: Not supported.
    """
    if prepend is not None or append is not None:
        raise ArgumentValueError(
            "diff: prepend and append are not supported; join the arrays first"
        )
    return F._npi_diff(a, n=n, axis=axis)


@np_function()
def ediff1d(F: Operators, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Subtracts from each element of the flattened array the one before it.

    Args:
        F: Operators of the frontend.
        ary: The array.
        to_end: Array or number that stands behind the differences.
        to_begin: Array or number that stands before the differences.
    """
    ends = (to_begin, to_end)
    given = [isinstance(end, F.operand) for end in ends]
    arrays = [end for end, is_array in zip(ends, given, strict=True) if is_array]
    numbers = [None if is_array else end for end, is_array in zip(ends, given, strict=True)]
    return F._npi_ediff1d(
        ary,
        *arrays,
        to_begin_arr_given=given[0],
        to_end_arr_given=given[1],
        to_begin_scalar=numbers[0],
        to_end_scalar=numbers[1],
    )


@np_function()
def polyval(F: Operators, p: Any, x: Any) -> Any:
    """Computes a polynomial at each element of an array.

    Args:
        F: Operators of the frontend.
        p: Vector of coefficients, that of the highest power first.
        x: The array.
    """
    if not isinstance(p, F.operand) or not isinstance(x, F.operand):
        raise UnsupportedTypeError(
            f"polyval: expected two arrays, got {type(p).__name__} and {type(x).__name__}"
        )
    return F._npi_polyval(p, x)
