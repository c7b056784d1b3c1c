"""Functions that join and split arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from mxnet._np_functions.table import Operators, as_list, by_numpy, is_array, np_function
from mxnet.errors import ArgumentValueError


@np_function(aliases=("concat",))
def concatenate(F: Operators, seq: Sequence[Any], axis: int | None = 0, out: Any = None) -> Any:
    """Joins arrays along an axis that they have.

    Args:
        F: Operators of the frontend.
        seq: The arrays.
        axis: The axis; None flattens all arrays first.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> a, b = mx.np.array([[1, 2]]), mx.np.array([[3, 4]])
        >>> mx.np.concatenate([a, b])
        array([[1., 2.],
               [3., 4.]])
        >>> mx.np.concatenate([a, b], axis=1)
        array([[1., 2., 3., 4.]])
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

    Example:
        >>> import mxnet as mx
        >>> mx.np.append(mx.np.array([1, 2]), mx.np.array([[3, 4]]))
        array([1., 2., 3., 4.])
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

    Example:
        >>> import mxnet as mx
        >>> a, b = mx.np.array([1, 2]), mx.np.array([3, 4])
        >>> mx.np.stack([a, b])
        array([[1., 2.],
               [3., 4.]])
        >>> mx.np.stack([a, b], axis=1)
        array([[1., 3.],
               [2., 4.]])
    """
    return F._npi_stack(*arrays, axis=axis, out=out)


@np_function()
def vstack(F: Operators, arrays: Sequence[Any], out: Any = None) -> Any:
    """Joins arrays along the first axis, vectors as rows.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.vstack([mx.np.array([1, 2]), mx.np.array([[3, 4], [5, 6]])])
        array([[1., 2.],
               [3., 4.],
               [5., 6.]])
    """
    return F._npi_vstack(*arrays, out=out)


@np_function()
def row_stack(F: Operators, arrays: Sequence[Any]) -> Any:
    """Joins arrays along the first axis, vectors as rows.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.

    Example:
        >>> import mxnet as mx
        >>> mx.np.row_stack([mx.np.array([1, 2]), mx.np.array([3, 4])])
        array([[1., 2.],
               [3., 4.]])
    """
    return F._npi_vstack(*arrays)


@np_function()
def hstack(F: Operators, arrays: Sequence[Any]) -> Any:
    """Joins arrays along the second axis, vectors along their only one.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.

    Example:
        >>> import mxnet as mx
        >>> mx.np.hstack([mx.np.array([[1], [2]]), mx.np.array([[3], [4]])])
        array([[1., 3.],
               [2., 4.]])
        >>> mx.np.hstack([mx.np.array([1, 2]), mx.np.array([3])])
        array([1., 2., 3.])
    """
    return F._npi_hstack(*arrays)


@np_function()
def dstack(F: Operators, arrays: Sequence[Any]) -> Any:
    """Joins arrays along the third axis; a vector `(n,)` counts as `(1, n, 1)`.

    Args:
        F: Operators of the frontend.
        arrays: The arrays.

    Example:
        >>> import mxnet as mx
        >>> mx.np.dstack([mx.np.array([1, 2]), mx.np.array([3, 4])])
        array([[[1., 3.],
                [2., 4.]]])
    """
    return F._npi_dstack(*arrays)


@np_function()
def column_stack(F: Operators, tup: Sequence[Any]) -> Any:
    """Joins arrays along the second axis, vectors as columns.

    Args:
        F: Operators of the frontend.
        tup: The arrays.

    Example:
        >>> import mxnet as mx
        >>> mx.np.column_stack([mx.np.array([1, 2]), mx.np.array([3, 4])])
        array([[1., 3.],
               [2., 4.]])
    """
    return F._npi_column_stack(*tup)


def _places(where: str, indices_or_sections: Any) -> tuple[tuple[int, ...], int]:
    """Returns where parts begin, or how many there are, as attributes of the operators have it."""
    if isinstance(indices_or_sections, (list, tuple, set)):
        return (0, *indices_or_sections), 0
    if isinstance(indices_or_sections, (int, numpy.integer)) and indices_or_sections > 0:
        return (), int(indices_or_sections)
    raise ArgumentValueError(
        f"{where}: `indices_or_sections` takes a positive int, or a list, tuple or set of ints, "
        f"got {indices_or_sections!r}"
    )


def _check_axes(F: Operators, where: str, ary: Any, ndim: int) -> None:
    """Checks the number of axes of an array; that of a symbol is not known."""
    if is_array(F, ary) and ary.ndim < ndim:
        raise ArgumentValueError(
            f"{where}: expected an array of {ndim} or more axes, got shape {ary.shape}"
        )


def _check_even(F: Operators, where: str, ary: Any, sections: int, axis: int) -> None:
    """Checks that sections have one size."""
    if sections and is_array(F, ary):
        shape = ary.shape
        size = shape[axis] if axis < len(shape) else 0
        if size % sections:
            raise ArgumentValueError(
                f"{where}: an axis of size {size} does not split into {sections} equal parts; "
                "array_split makes parts of different sizes"
            )


@np_function()
def split(F: Operators, ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Splits an array along an axis.

    Args:
        F: Operators of the frontend.
        ary: The array.
        indices_or_sections: Number of equal parts, or where parts after the first begin.
        axis: The axis.

    Example:
        >>> import mxnet as mx
        >>> mx.np.split(mx.np.arange(6), 3)
        [array([0., 1.]), array([2., 3.]), array([4., 5.])]
        >>> mx.np.split(mx.np.arange(6), (1, 4))
        [array([0.]), array([1., 2., 3.]), array([4., 5.])]
    """
    indices, sections = _places("split", indices_or_sections)
    _check_even(F, "split", ary, sections, axis)
    return as_list(F, F._npi_split(ary, indices=indices, axis=axis, sections=sections))


@np_function()
def array_split(F: Operators, ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Splits an array along an axis into parts that may differ in size by one.

    Args:
        F: Operators of the frontend.
        ary: The array.
        indices_or_sections: Number of parts, or where parts after the first begin.
        axis: The axis.

    Example:
        >>> import mxnet as mx
        >>> mx.np.array_split(mx.np.arange(5), 2)
        [array([0., 1., 2.]), array([3., 4.])]
    """
    indices, sections = _places("array_split", indices_or_sections)
    return as_list(F, F._npi_split(ary, indices=indices, axis=axis, sections=sections))


@np_function()
def vsplit(F: Operators, ary: Any, indices_or_sections: Any) -> list[Any]:
    """Splits an array along its first axis.

    Args:
        F: Operators of the frontend.
        ary: Array of two or more axes.
        indices_or_sections: Number of equal parts, or where parts after the first begin.

    Example:
        >>> import mxnet as mx
        >>> mx.np.vsplit(mx.np.array([[1, 2], [3, 4]]), 2)
        [array([[1., 2.]]), array([[3., 4.]])]
    """
    _check_axes(F, "vsplit", ary, 2)
    parts: list[Any] = F.split(ary, indices_or_sections)
    return parts


@np_function()
def hsplit(F: Operators, ary: Any, indices_or_sections: Any) -> list[Any]:
    """Splits an array along its second axis, a vector along its only one.

    Args:
        F: Operators of the frontend.
        ary: Array of one or more axes.
        indices_or_sections: Number of parts, or where parts after the first begin.

    Example:
        >>> import mxnet as mx
        >>> mx.np.hsplit(mx.np.array([[1, 2], [3, 4]]), 2)
        [array([[1.],
               [3.]]), array([[2.],
               [4.]])]
    """
    _check_axes(F, "hsplit", ary, 1)
    indices, sections = _places("hsplit", indices_or_sections)
    return as_list(F, F._npi_hsplit(ary, indices=indices, axis=1, sections=sections))


@np_function()
def dsplit(F: Operators, ary: Any, indices_or_sections: Any) -> list[Any]:
    """Splits an array along its third axis.

    Args:
        F: Operators of the frontend.
        ary: Array of three or more axes.
        indices_or_sections: Number of equal parts, or where parts after the first begin.

    Example:
        >>> import mxnet as mx
        >>> first, second = mx.np.dsplit(mx.np.zeros((2, 3, 4)), 2)
        >>> first.shape
        (2, 3, 2)
    """
    _check_axes(F, "dsplit", ary, 3)
    indices, sections = _places("dsplit", indices_or_sections)
    _check_even(F, "dsplit", ary, sections, 2)
    return as_list(F, F._npi_dsplit(ary, indices=indices, axis=2, sections=sections))


@by_numpy()
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """Moves an axis before another one.

    Args:
        a: The array.
        axis: The axis to move.
        start: The axis that it comes before; the number of axes moves it to the end.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.zeros((2, 3, 4))
        >>> mx.np.rollaxis(a, 2).shape
        (4, 2, 3)
        >>> mx.np.rollaxis(a, 0, 3).shape
        (3, 4, 2)
    """


@by_numpy()
def packbits(a: Any, axis: int | None = None, bitorder: str = "big") -> Any:
    """Joins eight truth values into a byte each; zeros fill the last one.

    Args:
        a: Array of integers or bool.
        axis: Axis along which values are joined; by default the array is flattened.
        bitorder: Whether the first value is the highest bit ("big") or the lowest ("little").

    Example:
        >>> import mxnet as mx
        >>> mx.np.packbits(mx.np.array([1, 0, 0, 0, 0, 0, 1, 1], dtype="uint8"))
        array([131], dtype=uint8)
    """


@by_numpy()
def unpackbits(
    a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Any:
    """Splits each byte into its eight bits.

    Args:
        a: Array of uint8.
        axis: Axis along which bits are put; by default the array is flattened.
        count: How many bits to return; a negative number leaves so many out at the end.
        bitorder: Whether the highest bit comes first ("big") or the lowest ("little").

    Example:
        >>> import mxnet as mx
        >>> mx.np.unpackbits(mx.np.array([131], dtype="uint8"))
        array([1, 0, 0, 0, 0, 0, 1, 1], dtype=uint8)
    """
