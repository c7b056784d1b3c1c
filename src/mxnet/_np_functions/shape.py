"""Functions that give an array another shape or order of axes, or a border."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy

from mxnet._np_functions.table import (
    Operators,
    as_list,
    by_numpy,
    check_order,
    forward,
    is_array,
    is_number,
    is_operand,
    np_function,
    refusal,
)
from mxnet.errors import ArgumentValueError, NotSupportedError, UnsupportedTypeError


@forward("_np_reshape")
def reshape(a: Any, newshape: Any, order: str = "C", out: Any = None) -> Any:
    """Returns the same elements in another shape.

    Args:
        a: The array.
        newshape: The new sizes, of which one may be -1 for what is left.
        order: Accepted for compatibility; elements are always read in C order.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.arange(6)
        >>> mx.np.reshape(a, (2, 3))
        array([[0., 1., 2.],
               [3., 4., 5.]])
        >>> mx.np.reshape(a, (3, -1)).shape
        (3, 2)
    """


@np_function()
def ravel(F: Operators, x: Any, order: str = "C") -> Any:
    """Returns all elements as a vector.

    Args:
        F: Operators of the frontend.
        x: The array, or a number.
        order: Only `"C"`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.ravel(mx.np.array([[1, 2], [3, 4]]))
        array([1., 2., 3., 4.])
    """
    check_order("ravel", order)
    if is_number(x):
        return numpy.reshape(x, -1)
    if not is_operand(F, x):
        raise refusal(F, "ravel", x)
    return F._npi_reshape(x, newshape=-1)


@forward("_np_transpose", aliases=("permute_dims",), omitting="always")
def transpose(a: Any, axes: Any = None) -> Any:
    """Permutes the axes.

    Args:
        a: The array.
        axes: The input's axis for each axis of the result; by default the order is reversed.

    Example:
        >>> import mxnet as mx
        >>> mx.np.transpose(mx.np.array([[1, 2, 3], [4, 5, 6]]))
        array([[1., 4.],
               [2., 5.],
               [3., 6.]])
        >>> mx.np.transpose(mx.np.zeros((2, 3, 4)), (2, 0, 1)).shape
        (4, 2, 3)
    """


@forward("_npi_swapaxes", renamed={"axis1": "dim1", "axis2": "dim2"})
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """Exchanges two axes.

    Args:
        a: The array.
        axis1: One axis.
        axis2: The other axis.

    Example:
        >>> import mxnet as mx
        >>> mx.np.swapaxes(mx.np.zeros((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """


@forward("_np_moveaxis")
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Moves axes to other positions; the others stay in their order.

    Args:
        a: The array.
        source: An axis or several.
        destination: Where each of them goes.

    Example:
        >>> import mxnet as mx
        >>> mx.np.moveaxis(mx.np.zeros((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    """


@forward("_np_squeeze", omitting="always")
def squeeze(a: Any, axis: Any = None, out: Any = None) -> Any:
    """Removes axes of size one.

    Args:
        a: The array.
        axis: Axes to remove; by default all that have size one.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.squeeze(mx.np.zeros((1, 3, 1))).shape
        (3,)
        >>> mx.np.squeeze(mx.np.zeros((1, 3, 1)), axis=0).shape
        (3, 1)
    """


@forward("_npi_expand_dims")
def expand_dims(a: Any, axis: int) -> Any:
    """Inserts an axis of size one.

    Args:
        a: The array.
        axis: Position of the new axis in the result.

    Example:
        >>> import mxnet as mx
        >>> mx.np.expand_dims(mx.np.array([1, 2]), axis=1)
        array([[1.],
               [2.]])
    """


@np_function()
def atleast_1d(F: Operators, *arys: Any) -> Any:
    """Returns arrays of one or more axes; a scalar becomes a vector of one element.

    Args:
        F: Operators of the frontend.
        arys: One array or more; of several the results are a list.

    Example:
        >>> import mxnet as mx
        >>> mx.np.atleast_1d(mx.np.array(2))
        array([2.])
    """
    return _one_or_list(F, F._np_atleast_1d(*arys))


@np_function()
def atleast_2d(F: Operators, *arys: Any) -> Any:
    """Returns arrays of two or more axes, with axes of size one in front.

    Args:
        F: Operators of the frontend.
        arys: One array or more; of several the results are a list.

    Example:
        >>> import mxnet as mx
        >>> mx.np.atleast_2d(mx.np.array([1, 2]))
        array([[1., 2.]])
    """
    return _one_or_list(F, F._np_atleast_2d(*arys))


@np_function()
def atleast_3d(F: Operators, *arys: Any) -> Any:
    """Returns arrays of three or more axes; a vector `(n,)` becomes `(1, n, 1)`.

    Args:
        F: Operators of the frontend.
        arys: One array or more; of several the results are a list.

    Example:
        >>> import mxnet as mx
        >>> mx.np.atleast_3d(mx.np.array([1, 2])).shape
        (1, 2, 1)
    """
    return _one_or_list(F, F._np_atleast_3d(*arys))


def _one_or_list(F: Operators, result: Any) -> Any:
    results = as_list(F, result)
    return results if len(results) > 1 else results[0]


@forward("_np_roll")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Moves elements along axes; those that leave at the end come in at the start.

    Args:
        a: The array.
        shift: How far, one number for all axes or one for each.
        axis: The axes; by default the array is flattened for it.

    Example:
        >>> import mxnet as mx
        >>> mx.np.roll(mx.np.array([1, 2, 3, 4]), 1)
        array([4., 1., 2., 3.])
        >>> mx.np.roll(mx.np.array([[1, 2], [3, 4]]), 1, axis=0)
        array([[3., 4.],
               [1., 2.]])
    """


@forward("_npi_rot90")
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Rotates a plane of the array by right angles.

    Args:
        m: The array.
        k: How many right angles, from the first axis towards the second.
        axes: The two axes of the plane.

    Example:
        >>> import mxnet as mx
        >>> mx.np.rot90(mx.np.array([[1, 2], [3, 4]]))
        array([[2., 4.],
               [1., 3.]])
    """


@np_function()
def flip(F: Operators, m: Any, axis: Any = None, out: Any = None) -> Any:
    """Reverses the order of the elements along axes.

    Args:
        F: Operators of the frontend.
        m: The array, or a number.
        axis: An axis or several, all if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.flip(mx.np.array([[1, 2], [3, 4]]))
        array([[4., 3.],
               [2., 1.]])
        >>> mx.np.flip(mx.np.array([[1, 2], [3, 4]]), axis=1)
        array([[2., 1.],
               [4., 3.]])
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

    Example:
        >>> import mxnet as mx
        >>> mx.np.flipud(mx.np.array([[1, 2], [3, 4]]))
        array([[3., 4.],
               [1., 2.]])
    """
    return F.flip(m, 0)


@np_function()
def fliplr(F: Operators, m: Any) -> Any:
    """Reverses the order of the elements along the second axis.

    Args:
        F: Operators of the frontend.
        m: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.fliplr(mx.np.array([[1, 2], [3, 4]]))
        array([[2., 1.],
               [4., 3.]])
    """
    return F.flip(m, 1)


@forward("_np_copy")
def copy(a: Any, out: Any = None) -> Any:
    """Returns a copy.

    Args:
        a: The array.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.zeros(2)
        >>> b = mx.np.copy(a)
        >>> b[0] = 1
        >>> a, b
        (array([0., 0.]), array([1., 0.]))
    """


@np_function()
def repeat(F: Operators, a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Repeats each element.

    Args:
        F: Operators of the frontend.
        a: The array.
        repeats: How often, one number or a list with one for each element of the axis.
        axis: Axis along which to repeat; by default the array is flattened first.

    Example:
        >>> import mxnet as mx
        >>> mx.np.repeat(mx.np.array([[1, 2], [3, 4]]), 2, axis=1)
        array([[1., 1., 2., 2.],
               [3., 3., 4., 4.]])
    """
    if isinstance(repeats, float):
        raise UnsupportedTypeError(f"repeat: expected a whole number of times, got {repeats}")
    if isinstance(repeats, (list, tuple)):
        if axis is None:
            a, axis = F._npi_reshape(a, newshape=-1), 0
        parts = F.split(a, len(repeats), axis=axis)
        kept = [
            F._np_repeat(part, repeats=times, axis=axis)
            for part, times in zip(parts, repeats, strict=True)
            if times
        ]
        return F.concatenate(kept, axis=axis)
    return F._np_repeat(a, repeats=repeats, axis=axis)


@np_function()
def tile(F: Operators, A: Any, reps: Any) -> Any:
    """Repeats the whole array along its axes.

    Args:
        F: Operators of the frontend.
        A: The array, or a number.
        reps: How often for each axis; the shorter of shape and `reps` gets ones in front.

    Example:
        >>> import mxnet as mx
        >>> mx.np.tile(mx.np.array([[1, 2]]), (2, 2))
        array([[1., 2., 1., 2.],
               [1., 2., 1., 2.]])
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

    Example:
        >>> import mxnet as mx
        >>> mx.np.broadcast_to(mx.np.array([1, 2]), (3, 2))
        array([[1., 2.],
               [1., 2.],
               [1., 2.]])
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

    Example:
        >>> import mxnet as mx
        >>> a, b = mx.np.broadcast_arrays(mx.np.array([[1], [2]]), mx.np.array([3, 4]))
        >>> a
        array([[1., 1.],
               [2., 2.]])
        >>> b
        array([[3., 4.],
               [3., 4.]])
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

    Example:
        >>> import mxnet as mx
        >>> x, y = mx.np.meshgrid(mx.np.array([1, 2, 3]), mx.np.array([4, 5]))
        >>> x
        array([[1., 2., 3.],
               [1., 2., 3.]])
        >>> y
        array([[4., 4., 4.],
               [5., 5., 5.]])
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

    Example:
        >>> import mxnet as mx
        >>> mx.np.resize(mx.np.array([1, 2, 3]), (2, 2))
        array([[1., 2.],
               [3., 1.]])
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

    Example:
        >>> import mxnet as mx
        >>> mx.np.shape(mx.np.zeros((2, 3)))
        (2, 3)
    """
    del F
    sizes: tuple[int, ...] = a.shape
    return sizes


_OPTIONS: dict[str, dict[str, Any]] = {
    "constant": {"constant_values": 0},
    "edge": {},
    "maximum": {"stat_length": None},
    "minimum": {"stat_length": None},
    "reflect": {"reflect_type": "even"},
    "symmetric": {"reflect_type": "even"},
}
"""The options of each mode of padding, with the values that they have by default."""


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

    Example:
        >>> import mxnet as mx
        >>> mx.np.pad(mx.np.array([[1, 2]]), ((0, 1), (1, 1)))
        array([[0., 1., 2., 0.],
               [0., 0., 0., 0.]])
        >>> mx.np.pad(mx.np.array([1, 2, 3]), ((2, 2),), mode="reflect")
        array([3., 2., 1., 2., 3., 2., 1.])
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


@by_numpy()
def ndim(a: Any) -> Any:
    """Returns the number of axes.

    Args:
        a: An array, a number, or nested lists.

    Example:
        >>> import mxnet as mx
        >>> mx.np.ndim(mx.np.zeros((2, 3))), mx.np.ndim(5)
        (2, 0)
    """


@by_numpy()
def size(a: Any, axis: int | None = None) -> Any:
    """Returns the number of elements, or the length of an axis.

    Args:
        a: An array, a number, or nested lists.
        axis: The axis, None for all elements.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.zeros((2, 3))
        >>> mx.np.size(a), mx.np.size(a, 1)
        (6, 3)
    """
