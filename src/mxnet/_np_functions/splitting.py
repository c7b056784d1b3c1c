"""Functions that split arrays."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions._outputs import as_list, is_array
from mxnet._np_functions.table import Operators, np_function
from mxnet.errors import ArgumentValueError


def _places(where: str, indices_or_sections: Any) -> tuple[tuple[int, ...], int]:
    """Returns where parts begin, or how many there are, as attributes of the operators have it."""
    if isinstance(indices_or_sections, (list, tuple, set)):
        return (0, *indices_or_sections), 0
    if isinstance(indices_or_sections, int) and indices_or_sections > 0:
        return (), indices_or_sections
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
    """
    _check_axes(F, "dsplit", ary, 3)
    indices, sections = _places("dsplit", indices_or_sections)
    _check_even(F, "dsplit", ary, sections, 2)
    return as_list(F, F._npi_dsplit(ary, indices=indices, axis=2, sections=sections))
