"""Functions that pick, find, insert and delete elements."""

from __future__ import annotations

from typing import Any

import numpy

from mxnet._np_functions.table import (
    Operators,
    as_list,
    as_rows,
    check_order,
    is_array,
    is_number,
    is_operand,
    np_function,
    refusal,
)
from mxnet.errors import IndexOutOfBoundsError, NotSupportedError, UnsupportedTypeError


@np_function()
def take(
    F: Operators,
    a: Any,
    indices: Any,
    axis: int | None = None,
    mode: str = "raise",
    out: Any = None,
) -> Any:
    """Picks elements or slices along an axis.

    Args:
        F: Operators of the frontend.
        a: The array.
        indices: Positions along the axis, an array of any shape.
        axis: The axis; by default the array is flattened.
        mode: What to do with a position outside the axis: fail ("raise"), use the nearest one
            ("clip") or count around the axis ("wrap").
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2, 3], [4, 5, 6]])
        >>> mx.np.take(a, mx.np.array([2, 0]), axis=1)
        array([[3., 1.],
               [6., 4.]])
        >>> mx.np.take(a, mx.np.array([5, 6]), mode="clip")
        array([6., 6.])
    """
    if mode not in ("wrap", "clip", "raise"):
        raise NotSupportedError(f"take: `mode` takes 'raise', 'clip' or 'wrap', got {mode!r}")
    if axis is None:
        a, axis = F._npi_reshape(a, newshape=-1), 0
    return F._npi_take(a, indices, axis=axis, mode=mode, out=out)


@np_function()
def where(F: Operators, condition: Any, x: Any = None, y: Any = None) -> Any:
    """Picks from `x` where a condition is not zero and from `y` elsewhere.

    Args:
        F: Operators of the frontend.
        condition: The condition, an array, or a number, which picks one of the two as it is.
        x: Values where the condition holds, an array or a number.
        y: Values where it does not. Without `x` and `y` the coordinates of the elements of the
            condition that are not zero are returned.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([1, -2, 3])
        >>> mx.np.where(a > 0, a, 0)
        array([1., 0., 3.])
        >>> mx.np.where(a > 0)
        (array([0, 2], dtype=int64),)
    """
    if x is None and y is None and not F.for_symbols:
        return F.nonzero(condition)
    if is_number(condition):
        return x if condition != 0 else y
    if is_operand(F, x):
        if is_operand(F, y):
            return F._npi_where(condition, x, y)
        return F._npi_where_rscalar(condition, x, scalar=_as_float(F, y))
    if is_operand(F, y):
        return F._npi_where_lscalar(condition, y, scalar=_as_float(F, x))
    return F._npi_where_scalar2(condition, x=_as_float(F, x), y=_as_float(F, y))


def _as_float(F: Operators, value: Any) -> float:
    """Returns a number that `where` picks."""
    if not is_number(value):
        raise refusal(F, "where", value)
    return float(value)


@np_function(on_symbols=False)
def nonzero(F: Operators, a: Any) -> tuple[Any, ...]:
    """Returns the coordinates of the elements that are not zero, one array for each axis.

    Args:
        F: Operators of the frontend.
        a: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.nonzero(mx.np.array([[1, 0], [0, 2]]))
        (array([0, 1], dtype=int64), array([0, 1], dtype=int64))
    """
    rows: tuple[Any, ...] = as_rows(F, F._np_transpose(F._npi_nonzero(a)))
    return rows


@np_function()
def unravel_index(F: Operators, indices: Any, shape: Any, order: str = "C") -> Any:
    """Converts positions in the flattened array into coordinates, one array for each axis.

    Args:
        F: Operators of the frontend.
        indices: Positions, an array of integers or a number.
        shape: Shape of the array.
        order: Only `"C"`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.unravel_index(mx.np.array([1, 5], dtype="int32"), (2, 3))
        (array([0, 1], dtype=int32), array([1, 2], dtype=int32))
    """
    check_order("unravel_index", order)
    if is_number(indices):
        return numpy.unravel_index(indices, shape)
    if is_array(F, indices):
        if indices.dtype.kind not in "iu":
            raise UnsupportedTypeError(
                f"unravel_index: expected indices of an integer type, got {indices.dtype}"
            )
        size, positions = int(numpy.prod(shape)), indices.asnumpy()
        if positions.size and not 0 <= positions.min() <= positions.max() < size:
            raise IndexOutOfBoundsError(
                f"unravel_index: expected indices of {size} elements, got others"
            )
    return as_rows(F, F._unravel_index(indices, shape=shape))


def _check_editing(F: Operators, where: str, arr: Any) -> None:
    if not is_operand(F, arr):
        raise refusal(F, f"{where}: `arr`", arr)


def _positions(F: Operators, where: str, obj: Any) -> dict[str, Any]:
    """Returns the attributes that name positions by an index or a slice; none for an array."""
    if isinstance(obj, slice):
        step = 1 if obj.step is None else obj.step
        return {"start": obj.start, "stop": obj.stop, "step": step}
    if isinstance(obj, (int, numpy.integer)):
        return {"int_ind": int(obj)}
    if is_operand(F, obj):
        return {}
    raise refusal(F, f"{where}: `obj`", obj)


@np_function()
def delete(F: Operators, arr: Any, obj: Any, axis: int | None = None) -> Any:
    """Leaves elements or slices along an axis out.

    Args:
        F: Operators of the frontend.
        arr: The array.
        obj: A position, a slice or an array of positions.
        axis: The axis; by default the array is flattened first.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2, 3], [4, 5, 6]])
        >>> mx.np.delete(a, 1, axis=1)
        array([[1., 3.],
               [4., 6.]])
    """
    _check_editing(F, "delete", arr)
    positions = _positions(F, "delete", obj)
    inputs = [arr] if positions else [arr, obj]
    return F._npi_delete(*inputs, axis=axis, **positions)


@np_function()
def insert(F: Operators, arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """Inserts values before positions along an axis.

    Args:
        F: Operators of the frontend.
        arr: The array.
        obj: A position, a slice or an array of positions (int64).
        values: The values, an array or a number.
        axis: The axis; by default the array is flattened first.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> mx.np.insert(a, 1, 9, axis=1)
        array([[1., 9., 2.],
               [3., 9., 4.]])
        >>> mx.np.insert(a, 0, mx.np.array([7, 8]), axis=0)
        array([[7., 8.],
               [1., 2.],
               [3., 4.]])
    """
    _check_editing(F, "insert", arr)
    positions = _positions(F, "insert", obj)
    named: dict[str, Any] = {}
    if is_operand(F, values):
        named["values"] = values
    elif isinstance(values, (int, float, numpy.generic)) and not isinstance(values, bool):
        positions["val"] = values
    else:
        raise refusal(F, "insert: `values`", values)
    if "int_ind" in positions:
        return F._npi_insert_scalar(arr, **named, axis=axis, **positions)
    if "step" in positions:
        return F._npi_insert_slice(arr, **named, axis=axis, **positions)
    return F._npi_insert_tensor(arr, **named, obj=obj, axis=axis, **positions)


@np_function()
def shares_memory(F: Operators, a: Any, b: Any, max_work: Any = None) -> Any:
    """Returns whether two arrays have memory in common.

    Args:
        F: Operators of the frontend.
        a: One array.
        b: The other one.
        max_work: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.arange(4)
        >>> mx.np.shares_memory(a, a[1:])
        True
        >>> mx.np.shares_memory(a, a.copy())
        False
    """
    del max_work
    shared = F._npi_share_memory(a, b)
    return shared if F.for_symbols else bool(shared.asnumpy())


@np_function()
def may_share_memory(F: Operators, a: Any, b: Any, max_work: Any = None) -> Any:
    """Returns whether two arrays have memory in common.

    Args:
        F: Operators of the frontend.
        a: One array.
        b: The other one.
        max_work: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.arange(4)
        >>> mx.np.may_share_memory(a, a[:2])
        True
    """
    return F.shares_memory(a, b, max_work)


@np_function(operator="_npi_sort")
def sort(F: Operators, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> Any:
    """Returns the elements in ascending order along an axis.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: The axis; None sorts the flattened array.
        kind: Accepted for compatibility; equal elements keep their order.
        order: Only None.

    Example:
        >>> import mxnet as mx
        >>> mx.np.sort(mx.np.array([[3, 1, 2], [9, 7, 8]]))
        array([[1., 2., 3.],
               [7., 8., 9.]])
    """
    del kind
    _check_no_order("sort", order)
    return F._npi_sort(a, axis=axis, is_ascend=True)


@np_function()
def argsort(
    F: Operators, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None
) -> Any:
    """Returns the indices that sort along an axis, as int64.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: The axis; None sorts the flattened array.
        kind: Accepted for compatibility; equal elements keep their order.
        order: Only None.

    Example:
        >>> import mxnet as mx
        >>> mx.np.argsort(mx.np.array([30, 10, 20]))
        array([1, 2, 0], dtype=int64)
    """
    del kind
    _check_no_order("argsort", order)
    return F._npi_argsort(a, axis=axis, is_ascend=True, dtype="int64")


def _check_no_order(where: str, order: Any) -> None:
    if order is not None:
        raise NotSupportedError(f"{where}: expected order=None, got {order!r}")


@np_function()
def unique(
    F: Operators,
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Any:
    """Returns the different elements in ascending order, or the different slices along an axis.

    Args:
        F: Operators of the frontend.
        ar: The array.
        return_index: Whether to return where each of them is found first, too.
        return_inverse: Whether to return the number of each element in the result, too.
        return_counts: Whether to return how often each of them is found, too.
        axis: Axis of the slices; by default the array is flattened.

    Example:
        >>> import mxnet as mx
        >>> values, counts = mx.np.unique(mx.np.array([3, 1, 3, 3]), return_counts=True)
        >>> values
        array([1., 3.])
        >>> counts
        array([1, 3], dtype=int64)
    """
    found = as_list(
        F,
        F._npi_unique(
            ar,
            return_index=return_index,
            return_inverse=return_inverse,
            return_counts=return_counts,
            axis=axis,
        ),
    )
    if len(found) == 1:
        return found[0]
    return found if F.for_symbols else tuple(found)
