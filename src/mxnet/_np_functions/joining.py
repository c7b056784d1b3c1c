"""Functions that join arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._np_functions.table import Operators, np_function


@np_function()
def concatenate(F: Operators, seq: Sequence[Any], axis: int | None = 0, out: Any = None) -> Any:
    """Joins arrays along an axis that they have.

    Args:
        F: Operators of the frontend.
        seq: The arrays.
        axis: The axis; None flattens all arrays first.
        out: Array to write the result into.
    """
    return F._npi_concatenate(*seq, axis=axis, out=out)


@np_function()
def append(F: Operators, arr: Any, values: Any, axis: int | None = None) -> Any:
    """Joins two arrays.

    Args:
        F: Operators of the frontend.
        arr: The first array.
        values: The array that follows.
        axis: The axis; None flattens both arrays first.
    """
    return F._npi_concatenate(arr, values, axis=axis)


@np_function()
def stack(F: Operators, arrays: Sequence[Any], axis: int = 0, out: Any = None) -> Any:
    """Joins arrays of one shape along a new axis.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.
        axis: Position of the new axis in the result.
        out: Array to write the result into.
    """
    return F._npi_stack(*arrays, axis=axis, out=out)


@np_function()
def vstack(F: Operators, arrays: Sequence[Any], out: Any = None) -> Any:
    """Joins arrays along the first axis, vectors as rows.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.
        out: Array to write the result into.
    """
    return F._npi_vstack(*arrays, out=out)


@np_function()
def row_stack(F: Operators, arrays: Sequence[Any]) -> Any:
    """Joins arrays along the first axis, vectors as rows.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.
    """
    return F._npi_vstack(*arrays)


@np_function()
def hstack(F: Operators, arrays: Sequence[Any]) -> Any:
    """Joins arrays along the second axis, vectors along their only one.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.
    """
    return F._npi_hstack(*arrays)


@np_function()
def dstack(F: Operators, arrays: Sequence[Any]) -> Any:
    """Joins arrays along the third axis; a vector `(n,)` counts as `(1, n, 1)`.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.
    """
    return F._npi_dstack(*arrays)


@np_function()
def column_stack(F: Operators, tup: Sequence[Any]) -> Any:
    """Joins arrays along the second axis, vectors as columns.

    Args:
        F: Operators of the frontend.
        tup: The arrays.
    """
    return F._npi_column_stack(*tup)
