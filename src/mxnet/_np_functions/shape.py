"""Functions that give an array another shape or order of axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy

from mxnet._np_functions._arguments import check_order, is_number
from mxnet._np_functions._outputs import as_list, is_array, is_operand, refusal
from mxnet._np_functions.table import Operators, np_function
from mxnet.errors import ArgumentValueError, NotSupportedError, UnsupportedTypeError


@np_function()
def reshape(F: Operators, a: Any, newshape: Any, order: str = "C", out: Any = None) -> Any:
    """Returns the same elements in another shape.

    Args:
        F: Operators of the frontend.
        a: The array.
        newshape: The new sizes, of which one may be -1 for what is left.
        order: Accepted for compatibility; elements are always read in C order.
        out: Array to write the result into.
    """
    return F._np_reshape(a, newshape=newshape, order=order, out=out)


@np_function()
def ravel(F: Operators, x: Any, order: str = "C") -> Any:
    """Returns all elements as a vector.

    Args:
        F: Operators of the frontend.
        x: The array, or a number.
        order: Only `"C"`.
    """
    check_order("ravel", order)
    if is_number(x):
        return numpy.reshape(x, -1)
    if not is_operand(F, x):
        raise refusal(F, "ravel", x)
    return F._npi_reshape(x, newshape=-1)


@np_function()
def transpose(F: Operators, a: Any, axes: Any = None) -> Any:
    """Permutes the axes.

    Args:
        F: Operators of the frontend.
        a: The array.
        axes: The input's axis for each axis of the result; by default the order is reversed.
    """
    return F._np_transpose(a) if axes is None else F._np_transpose(a, axes=axes)


@np_function()
def swapaxes(F: Operators, a: Any, axis1: int, axis2: int) -> Any:
    """Exchanges two axes.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis1: One axis.
        axis2: The other axis.
    """
    return F._npi_swapaxes(a, dim1=axis1, dim2=axis2)


@np_function()
def moveaxis(F: Operators, a: Any, source: Any, destination: Any) -> Any:
    """Moves axes to other positions; the others stay in their order.

    Args:
        F: Operators of the frontend.
        a: The array.
        source: An axis or several.
        destination: Where each of them goes.
    """
    return F._np_moveaxis(a, source=source, destination=destination)


@np_function()
def squeeze(F: Operators, a: Any, axis: Any = None, out: Any = None) -> Any:
    """Removes axes of size one.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: Axes to remove; by default all that have size one.
        out: Array to write the result into.
    """
    if axis is None and out is None:
        return F._np_squeeze(a)
    return F._np_squeeze(a, axis=axis, out=out)


@np_function()
def expand_dims(F: Operators, a: Any, axis: int) -> Any:
    """Inserts an axis of size one.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: Position of the new axis in the result.
    """
    return F._npi_expand_dims(a, axis=axis)


@np_function()
def atleast_1d(F: Operators, *arys: Any) -> Any:
    """Returns arrays of one or more axes; a scalar becomes a vector of one element.

    Args:
        F: Operators of the frontend.
        arys: One array or more; of several the results are a list.
    """
    return _one_or_list(F, F._np_atleast_1d(*arys))


@np_function()
def atleast_2d(F: Operators, *arys: Any) -> Any:
    """Returns arrays of two or more axes, with axes of size one in front.

    Args:
        F: Operators of the frontend.
        arys: One array or more; of several the results are a list.
    """
    return _one_or_list(F, F._np_atleast_2d(*arys))


@np_function()
def atleast_3d(F: Operators, *arys: Any) -> Any:
    """Returns arrays of three or more axes; a vector `(n,)` becomes `(1, n, 1)`.

    Args:
        F: Operators of the frontend.
        arys: One array or more; of several the results are a list.
    """
    return _one_or_list(F, F._np_atleast_3d(*arys))


def _one_or_list(F: Operators, result: Any) -> Any:
    results = as_list(F, result)
    return results if len(results) > 1 else results[0]


@np_function()
def roll(F: Operators, a: Any, shift: Any, axis: Any = None) -> Any:
    """Moves elements along axes; those that leave at the end come in at the start.

    Args:
        F: Operators of the frontend.
        a: The array.
        shift: How far, one number for all axes or one for each.
        axis: The axes; by default the array is flattened for it.
    """
    return F._np_roll(a, shift=shift, axis=axis)


@np_function()
def rot90(F: Operators, m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Rotates a plane of the array by right angles.

    Args:
        F: Operators of the frontend.
        m: The array.
        k: How many right angles, from the first axis towards the second.
        axes: The two axes of the plane.
    """
    return F._npi_rot90(m, k=k, axes=axes)


@np_function()
def flip(F: Operators, m: Any, axis: Any = None, out: Any = None) -> Any:
    """Reverses the order of the elements along axes.

    Args:
        F: Operators of the frontend.
        m: The array, or a number.
        axis: An axis or several, all if not given.
        out: Array to write the result into.
    """
    if is_number(m):
        return numpy.flip(m, axis)
    return F._npi_flip(m, axis=axis, out=out)


@np_function()
def flipud(F: Operators, m: Any) -> Any:
    """Reverses the order of the elements along the first axis.

    Args:
        F: Operators of the frontend.
        m: The array.
    """
    return F.flip(m, 0)


@np_function()
def fliplr(F: Operators, m: Any) -> Any:
    """Reverses the order of the elements along the second axis.

    Args:
        F: Operators of the frontend.
        m: The array.
    """
    return F.flip(m, 1)


@np_function()
def copy(F: Operators, a: Any, out: Any = None) -> Any:
    """Returns a copy.

    Args:
        F: Operators of the frontend.
        a: The array.
        out: Array to write the result into.
    """
    return F._np_copy(a, out=out)


@np_function()
def repeat(F: Operators, a: Any, repeats: int, axis: int | None = None) -> Any:
    """Repeats each element.

    Args:
        F: Operators of the frontend.
        a: The array.
        repeats: How often.
        axis: Axis along which to repeat; by default the array is flattened first.
    """
    if isinstance(repeats, float):
        raise UnsupportedTypeError(f"repeat: expected a whole number of times, got {repeats}")
    return F._np_repeat(a, repeats=repeats, axis=axis)


@np_function()
def tile(F: Operators, A: Any, reps: Any) -> Any:
    """Repeats the whole array along its axes.

    Args:
        F: Operators of the frontend.
        A: The array, or a number.
        reps: How often for each axis; the shorter of shape and `reps` gets ones in front.
    """
    if is_number(A):
        return numpy.tile(A, reps)
    return F._npi_tile(A, reps=reps)


@np_function()
def broadcast_to(F: Operators, array: Any, shape: Any) -> Any:
    """Repeats an array along new axes in front and along its axes of size one.

    Args:
        F: Operators of the frontend.
        array: The array, or a number.
        shape: Shape of the result.
    """
    if is_number(array):
        return F.full(shape, array)
    return F._npi_broadcast_to(array, shape=shape)


@np_function(on_symbols=False)
def broadcast_arrays(F: Operators, *args: Any) -> list[Any]:
    """Returns arrays as they are when they broadcast with each other.

    Args:
        F: Operators of the frontend.
        args: The arrays.
    """
    _check_arrays(F, "broadcast_arrays", args)
    try:
        shape = numpy.broadcast_shapes(*(array.shape for array in args))
    except ValueError as error:
        raise ArgumentValueError(f"broadcast_arrays: {error}") from error
    return [array if array.shape == shape else F.broadcast_to(array, shape) for array in args]


def _check_arrays(F: Operators, where: str, arrays: Sequence[Any]) -> None:
    for array in arrays:
        if not is_operand(F, array):
            raise refusal(F, where, array)


@np_function(on_symbols=False)
def meshgrid(F: Operators, *xi: Any, **kwargs: Any) -> list[Any]:
    """Returns the coordinates of a grid whose axes have given positions.

    Args:
        F: Operators of the frontend.
        xi: Positions along each axis, vectors or scalars.
        kwargs: `indexing`, "xy" (the default: the second array varies along the first axis) or
            "ij"; `sparse=False` and `copy=True` for compatibility.
    """
    indexing, sparse, is_copied = (
        kwargs.pop(name, default)
        for name, default in (("indexing", "xy"), ("sparse", False), ("copy", True))
    )
    if kwargs:
        raise UnsupportedTypeError(f"meshgrid: unexpected keyword argument {', '.join(kwargs)}")
    if indexing not in ("xy", "ij"):
        raise ArgumentValueError(f"meshgrid: `indexing` takes 'xy' or 'ij', got {indexing!r}")
    if sparse or not is_copied:
        raise NotSupportedError("meshgrid: expected sparse=False and copy=True")
    _check_arrays(F, "meshgrid", xi)
    order = list(range(len(xi)))
    if indexing == "xy":
        order[:2] = order[:2][::-1]
    grids = [
        F.reshape(array, (1,) * axis + (-1,) + (1,) * (len(xi) - 1 - axis))
        for array, axis in zip(xi, order, strict=True)
    ]
    return [F.copy(grid) for grid in F.broadcast_arrays(*grids)]


@np_function()
def resize(F: Operators, a: Any, new_shape: Any) -> Any:
    """Returns an array of a shape that has the elements of another one, again and again.

    Args:
        F: Operators of the frontend.
        a: The array.
        new_shape: Shape of the result.
    """
    sizes = tuple(new_shape) if isinstance(new_shape, (list, tuple)) else (new_shape,)
    if min(sizes, default=0) < 0:
        raise ArgumentValueError(f"resize: expected sizes of at least 0, got {new_shape}")
    if is_array(F, a) and not a.size:
        return F.zeros(sizes, dtype=a.dtype)
    positions = F.arange(prod(sizes), dtype="int64")
    return F.reshape(F._npi_take(F._npi_reshape(a, newshape=-1), positions, mode="wrap"), sizes)


@np_function(on_symbols=False)
def shape(F: Operators, a: Any) -> tuple[int, ...]:
    """Returns the shape of an array.

    Args:
        F: Operators of the frontend.
        a: The array.
    """
    del F
    sizes: tuple[int, ...] = a.shape
    return sizes
