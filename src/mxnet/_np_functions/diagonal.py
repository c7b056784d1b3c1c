"""Functions on diagonals, and padding."""

from __future__ import annotations

from typing import Any

import numpy

from mxnet._np_functions.table import Operators, np_function
from mxnet.errors import ArgumentValueError, UnsupportedTypeError

_OPTIONS: dict[str, dict[str, Any]] = {
    "constant": {"constant_values": 0},
    "edge": {},
    "maximum": {"stat_length": None},
    "minimum": {"stat_length": None},
    "reflect": {"reflect_type": "even"},
    "symmetric": {"reflect_type": "even"},
}
"""The options of each mode of padding, with the values that they have by default."""


@np_function()
def diag(F: Operators, array: Any, k: int = 0) -> Any:
    """Takes a diagonal of a matrix, or builds the matrix that has a vector on its diagonal.

    Args:
        F: Operators of the frontend.
        array: Vector or matrix.
        k: Which diagonal: positive above the main one, negative below.
    """
    return F._np_diag(array, k=k)


@np_function()
def diagflat(F: Operators, array: Any, k: int = 0) -> Any:
    """Builds the matrix that has all elements of an array on its diagonal.

    Args:
        F: Operators of the frontend.
        array: The array, which is flattened.
        k: Which diagonal: positive above the main one, negative below.
    """
    return F._np_diagflat(array, k=k)


@np_function()
def diagonal(F: Operators, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Takes a diagonal of matrices, as the last axis of the result.

    Args:
        F: Operators of the frontend.
        a: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.
    """
    return F._np_diagonal(a, offset=offset, axis1=axis1, axis2=axis2)


@np_function()
def trace(
    F: Operators, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, out: Any = None
) -> Any:
    """Adds a diagonal of matrices up.

    Args:
        F: Operators of the frontend.
        a: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.
        out: Array to write the result into.
    """
    return F._np_trace(a, offset=offset, axis1=axis1, axis2=axis2, out=out)


def _check_widths(pad_width: Any) -> None:
    if numpy.asarray(pad_width).dtype.kind != "i" or not isinstance(pad_width, tuple):
        raise UnsupportedTypeError(f"pad: `pad_width` takes a tuple of ints, got {pad_width!r}")


@np_function()
def pad(F: Operators, x: Any, pad_width: Any = None, mode: str = "constant", **kwargs: Any) -> Any:
    """Puts a border around an array.

    Args:
        F: Operators of the frontend.
        x: The array.
        pad_width: Widths before and after each axis; of a vector the two numbers alone will do.
        mode: Fills the border with a constant, the nearest element ("edge"), the largest or
            smallest element along the axis ("maximum", "minimum"), or the mirror image without
            ("reflect") or with ("symmetric") the edge.
        kwargs: `constant_values`, a number, for a constant border.
    """
    _check_widths(pad_width)
    if mode not in _OPTIONS:
        raise ArgumentValueError(f"pad: mode {mode!r} is not one of {', '.join(_OPTIONS)}")
    for name, value in kwargs.items():
        if name not in _OPTIONS[mode]:
            raise ArgumentValueError(f"pad: mode {mode!r} has no option {name!r}")
        if name != "constant_values" and value != _OPTIONS[mode][name]:
            raise ArgumentValueError(f"pad: {name} takes {_OPTIONS[mode][name]!r}, got {value!r}")
    fill = kwargs.get("constant_values", 0)
    if not isinstance(fill, (int, float, numpy.generic)):
        raise UnsupportedTypeError(f"pad: `constant_values` takes a number, got {fill!r}")
    return F._npi_pad(x, pad_width=pad_width, mode=mode, constant_value=fill)
