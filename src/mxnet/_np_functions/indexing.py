"""Functions that pick, find, insert and delete elements, those of diagonals among them."""

from __future__ import annotations

from typing import Any

import numpy

from mxnet._np_functions.table import (
    LINALG,
    Operators,
    as_rows,
    by_numpy,
    check_order,
    forward,
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
    if (x is None) != (y is None):
        raise UnsupportedTypeError("where: takes both `x` and `y`, or neither of them")
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
        a: One array; one of both may be of NumPy.
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
    if isinstance(a, numpy.ndarray) or isinstance(b, numpy.ndarray):
        return numpy.shares_memory(_memory_of(F, a), _memory_of(F, b))
    shared = F._npi_share_memory(a, b)
    return shared if F.for_symbols else bool(shared.asnumpy())


def _memory_of(F: Operators, x: Any) -> numpy.ndarray[Any, Any]:
    """Returns what NumPy can see of the memory of an array: nothing of a GPU's."""
    if isinstance(x, F.operand):
        tensor = x._plain
        return tensor.numpy() if tensor.is_cpu else numpy.empty(0)
    return numpy.asarray(x)


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


@forward("_np_diag")
def diag(array: Any, k: int = 0) -> Any:
    """Takes a diagonal of a matrix, or builds the matrix that has a vector on its diagonal.

    Args:
        array: Vector or matrix.
        k: Which diagonal: positive above the main one, negative below.

    Example:
        >>> import mxnet as mx
        >>> mx.np.diag(mx.np.array([1, 2]))
        array([[1., 0.],
               [0., 2.]])
        >>> mx.np.diag(mx.np.array([[1, 2], [3, 4]]))
        array([1., 4.])
    """


@forward("_np_diagflat")
def diagflat(array: Any, k: int = 0) -> Any:
    """Builds the matrix that has all elements of an array on its diagonal.

    Args:
        array: The array, which is flattened.
        k: Which diagonal: positive above the main one, negative below.

    Example:
        >>> import mxnet as mx
        >>> mx.np.diagflat(mx.np.array([[1, 2]]), k=1)
        array([[0., 1., 0.],
               [0., 0., 2.],
               [0., 0., 0.]])
    """


@forward("_np_diagonal", LINALG)
@forward("_np_diagonal")
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Takes a diagonal of matrices, as the last axis of the result.

    Args:
        a: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.

    Example:
        >>> import mxnet as mx
        >>> mx.np.diagonal(mx.np.array([[1, 2, 3], [4, 5, 6]]), offset=1)
        array([2., 6.])
    """


@forward("_np_trace", LINALG)
@forward("_np_trace")
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, out: Any = None) -> Any:
    """Adds a diagonal of matrices up.

    Args:
        a: Array of two or more axes.
        offset: Which diagonal: positive above the main one, negative below.
        axis1: First axis of the matrices.
        axis2: Second axis of the matrices.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> mx.np.trace(mx.np.array([[1, 2], [3, 4]]))
        array(5.)
    """


@by_numpy()
def argwhere(a: Any) -> Any:
    """Returns the coordinates of the elements that are not zero, one element in a row.

    Args:
        a: The array.

    Returns:
        Array of int64 of shape `(number of elements, number of axes)`.

    Example:
        >>> import mxnet as mx
        >>> mx.np.argwhere(mx.np.array([[1, 0], [0, 2]]))
        array([[0, 0],
               [1, 1]], dtype=int64)
    """


@by_numpy()
def flatnonzero(a: Any) -> Any:
    """Returns where in the flattened array elements are not zero.

    Args:
        a: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.flatnonzero(mx.np.array([[0, 3], [4, 0]]))
        array([1, 2], dtype=int64)
    """


@by_numpy()
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """Takes each element from one of several arrays, whose number stands in `a`.

    Args:
        a: Array of integers: which of the arrays to take from.
        choices: List of arrays that broadcast with `a`.
        out: Only None.
        mode: What to do with a number that no array has: fail ("raise"), use the nearest one
            ("clip") or count around ("wrap").

    Example:
        >>> import mxnet as mx
        >>> which = mx.np.array([0, 1, 1, 0], dtype="int32")
        >>> mx.np.choose(which, [mx.np.array([1, 2, 3, 4]), mx.np.array([10, 20, 30, 40])])
        array([ 1., 20., 30.,  4.])
    """


@by_numpy()
def compress(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> Any:
    """Keeps the slices along an axis for which a condition holds.

    Args:
        condition: A truth value for each slice; slices beyond its length are dropped.
        a: The array.
        axis: The axis; by default the array is flattened.
        out: Only None.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2, 3], [4, 5, 6]])
        >>> mx.np.compress([True, False, True], a, axis=1)
        array([[1., 3.],
               [4., 6.]])
    """


@by_numpy()
def extract(condition: Any, arr: Any) -> Any:
    """Returns the elements for which a condition holds, as a vector.

    Args:
        condition: Array of truth values, of as many elements as `arr`.
        arr: The array.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.arange(6).reshape(2, 3)
        >>> mx.np.extract(a % 3 == 0, a)
        array([0., 3.])
    """


@by_numpy()
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Takes each element from the array that belongs to the first condition that holds.

    Args:
        condlist: List of arrays of truth values.
        choicelist: List of as many arrays.
        default: Value where no condition holds.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([-3, 0.5, 4])
        >>> mx.np.select([x < 0, x > 1], [-x, x * 10], default=7)
        array([ 3.,  7., 40.])
    """


@by_numpy()
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Computes different functions of different elements.

    Args:
        x: The array.
        condlist: List of arrays of truth values, one for each function.
        funclist: List of functions of NumPy's arrays, or numbers; one more than conditions is
            for the elements that none holds for.
        *args: Further arguments of the functions.
        **kw: Further arguments by name.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([-2, -1, 1, 2])
        >>> mx.np.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v**2])
        array([2., 1., 1., 4.])
    """


@by_numpy()
def take_along_axis(arr: Any, indices: Any, axis: int | None) -> Any:
    """Picks elements along an axis by positions that are given for each place.

    Args:
        arr: The array.
        indices: Positions along the axis, with as many axes as `arr`; other lengths broadcast.
        axis: The axis; None flattens the array first.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[30, 10, 20], [7, 9, 8]])
        >>> order = mx.np.argsort(a, axis=1)
        >>> mx.np.take_along_axis(a, order, axis=1)
        array([[10., 20., 30.],
               [ 7.,  8.,  9.]])
    """


@by_numpy()
def ix_(*args: Any) -> Any:
    """Makes indices that pick the product of several lists of positions.

    Args:
        *args: Positions along each axis, as vectors.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.arange(9).reshape(3, 3)
        >>> rows, columns = mx.np.ix_(mx.np.array([0, 2]), mx.np.array([1, 2]))
        >>> rows.shape, columns.shape
        ((2, 1), (1, 2))
        >>> a[rows, columns]
        array([[1., 2.],
               [7., 8.]])
    """


@by_numpy()
def tril_indices_from(arr: Any, k: int = 0) -> Any:
    """Returns the rows and columns of the elements on and below a diagonal of a matrix.

    Args:
        arr: The matrix.
        k: The diagonal: 0 is the main one, positive ones lie above.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> rows, columns = mx.np.tril_indices_from(a)
        >>> a[rows, columns]
        array([1., 3., 4.])
    """


@by_numpy()
def triu_indices_from(arr: Any, k: int = 0) -> Any:
    """Returns the rows and columns of the elements on and above a diagonal of a matrix.

    Args:
        arr: The matrix.
        k: The diagonal: 0 is the main one, positive ones lie above.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[1, 2], [3, 4]])
        >>> rows, columns = mx.np.triu_indices_from(a, k=1)
        >>> a[rows, columns]
        array([2.])
    """


@by_numpy()
def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls a function with each vector along an axis and joins the results.

    Args:
        func1d: Function of a vector of NumPy that returns a number or an array.
        axis: The axis.
        arr: The array.
        *args: Further arguments of the function.
        **kwargs: Further arguments by name.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([[3, 1, 2], [9, 7, 8]])
        >>> mx.np.apply_along_axis(lambda row: row.max() - row.min(), 1, a)
        array([2., 2.])
    """


@by_numpy()
def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """Applies a function `func(a, axis)` for one axis after the other.

    Args:
        func: Function of an array of NumPy and an axis, such as a sum.
        a: The array.
        axes: The axes, which stay with length 1 if the function removes them.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.arange(24).reshape(2, 3, 4)
        >>> mx.np.apply_over_axes(lambda x, axis: x.sum(axis), a, [0, 2]).shape
        (1, 3, 1)
    """
