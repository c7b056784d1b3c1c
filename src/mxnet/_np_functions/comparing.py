"""Functions that compare: order, sets, and whether arrays are equal or of one type."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.table import Operators, as_list, by_numpy, np_function
from mxnet.errors import NotSupportedError


@np_function(operator="_npi_sort")
def sort(
    F: Operators,
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    descending: bool = False,
    stable: bool = True,
) -> Any:
    """Sorts along an axis.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: The axis; None sorts the flattened array.
        kind: Accepted for compatibility; equal elements keep their order. A bool in its place is
            `descending`, as in MXNet 2.
        order: Only None, or `stable` in its place.
        descending: Whether the largest element comes first.
        stable: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> mx.np.sort(mx.np.array([[3, 1], [2, 4]]))
        array([[1., 3.],
               [2., 4.]])
        >>> mx.np.sort(mx.np.array([3, 1, 2]), descending=True)
        array([3., 2., 1.])
    """
    del stable
    descending = _read_order("sort", kind, order, descending)
    return F._npi_sort(a, axis=axis, is_ascend=not descending)


@np_function()
def argsort(
    F: Operators,
    a: Any,
    axis: int | None = -1,
    kind: Any = None,
    order: Any = None,
    descending: bool = False,
    stable: bool = True,
) -> Any:
    """Returns the indices that sort along an axis, as int64.

    Args:
        F: Operators of the frontend.
        a: The array.
        axis: The axis; None sorts the flattened array.
        kind: Accepted for compatibility, or `descending` in its place; see `sort`.
        order: Only None, or `stable` in its place.
        descending: Whether the index of the largest element comes first.
        stable: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> mx.np.argsort(mx.np.array([30, 10, 20]))
        array([1, 2, 0], dtype=int64)
    """
    del stable
    descending = _read_order("argsort", kind, order, descending)
    return F._npi_argsort(a, axis=axis, is_ascend=not descending, dtype="int64")


def _read_order(where: str, kind: Any, order: Any, descending: bool) -> bool:
    """Returns whether to sort descending, which MXNet 2 says in the place of `kind`."""
    if order is not None and not isinstance(order, bool):
        raise NotSupportedError(f"{where}: expected order=None, got {order!r}")
    return kind if isinstance(kind, bool) else descending


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


@by_numpy()
def lexsort(keys: Any, axis: int = -1) -> Any:
    """Returns the indices that sort by several keys, of which the last one counts first.

    Args:
        keys: List of arrays, or an array with a key in each row.
        axis: The axis to sort along.

    Example:
        >>> import mxnet as mx
        >>> first, last = mx.np.array([2, 1, 1]), mx.np.array([0, 5, 0])
        >>> mx.np.lexsort([first, last])
        array([2, 0, 1], dtype=int64)
    """


@by_numpy()
def msort(a: Any) -> Any:
    """Returns the elements in ascending order along the first axis.

    Args:
        a: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.msort(mx.np.array([[3, 1], [2, 4]]))
        array([[2., 1.],
               [3., 4.]])
    """


@by_numpy()
def partition(
    a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None
) -> Any:
    """Puts the `kth` element where sorting would, smaller ones before it and larger ones after.

    Args:
        a: The array.
        kth: Position, or several.
        axis: The axis; None flattens the array first.
        kind: Only `"introselect"`.
        order: Only None.

    Example:
        >>> import mxnet as mx
        >>> halves = mx.np.partition(mx.np.array([7, 1, 5, 3, 9]), 2)
        >>> halves[2], halves[:2].max() < halves[2] < halves[3:].min()
        (array(5.), array(True))
    """


@by_numpy()
def argpartition(
    a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None
) -> Any:
    """Returns the indices that partition an array around its `kth` element, as `partition` does.

    Args:
        a: The array.
        kth: Position, or several.
        axis: The axis; None flattens the array first.
        kind: Only `"introselect"`.
        order: Only None.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([7, 1, 5, 3, 9])
        >>> smallest = mx.np.argpartition(a, 2)[:2]
        >>> mx.np.sort(a[smallest])
        array([1., 3.])
    """


@by_numpy()
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Returns where numbers have to be inserted for an array to stay in order.

    Args:
        a: Vector in ascending order.
        v: The numbers.
        side: Whether a number goes before (`"left"`) or behind (`"right"`) equal elements.
        sorter: Indices that sort `a`, if it is not in order.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([1, 3, 3, 5])
        >>> mx.np.searchsorted(a, mx.np.array([0, 3, 9]))
        array([0, 1, 4], dtype=int64)
        >>> mx.np.searchsorted(a, mx.np.array([3]), side="right")
        array([3], dtype=int64)
    """


@by_numpy()
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """Returns for each element which bin it falls into.

    Args:
        x: The array.
        bins: Edges of the bins, in order; what lies before the first one is in bin 0.
        right: Whether a bin has its right edge instead of its left one.

    Example:
        >>> import mxnet as mx
        >>> mx.np.digitize(mx.np.array([-1, 0, 2.5, 9]), mx.np.array([0, 2, 4]))
        array([0, 1, 2, 3], dtype=int64)
    """


@by_numpy()
def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False
) -> Any:
    """Tests for each element whether it is among others.

    Args:
        element: The array.
        test_elements: What to look for, an array or a list.
        assume_unique: Whether both are known to have no element twice.
        invert: Whether to return the opposite.

    Example:
        >>> import mxnet as mx
        >>> mx.np.isin(mx.np.array([[1, 2], [3, 4]]), mx.np.array([2, 4, 6]))
        array([[False,  True],
               [False,  True]])
    """


@by_numpy()
def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """Tests for each element of the flattened array whether it is among others.

    Args:
        ar1: The array.
        ar2: What to look for, an array or a list.
        assume_unique: Whether both are known to have no element twice.
        invert: Whether to return the opposite.

    Example:
        >>> import mxnet as mx
        >>> mx.np.in1d(mx.np.array([[1, 2], [3, 4]]), mx.np.array([2, 4, 6]))
        array([False,  True, False,  True])
    """


@by_numpy()
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Returns the elements that both arrays have, in ascending order.

    Args:
        ar1: One array.
        ar2: The other one.
        assume_unique: Whether both are known to have no element twice.
        return_indices: Whether to return where they are found first in both arrays, too.

    Example:
        >>> import mxnet as mx
        >>> mx.np.intersect1d(mx.np.array([1, 3, 4, 3]), mx.np.array([3, 1, 5]))
        array([1., 3.])
    """


@by_numpy()
def union1d(ar1: Any, ar2: Any) -> Any:
    """Returns the elements that one of the arrays has, each once, in ascending order.

    Args:
        ar1: One array.
        ar2: The other one.

    Example:
        >>> import mxnet as mx
        >>> mx.np.union1d(mx.np.array([3, 1, 3]), mx.np.array([2, 1]))
        array([1., 2., 3.])
    """


@by_numpy()
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Returns the elements of the first array that the second one does not have.

    Args:
        ar1: The first array.
        ar2: The second one.
        assume_unique: Whether both are known to have no element twice.

    Example:
        >>> import mxnet as mx
        >>> mx.np.setdiff1d(mx.np.array([4, 1, 3, 4]), mx.np.array([3, 5]))
        array([1., 4.])
    """


@by_numpy()
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Returns the elements that just one of the arrays has, in ascending order.

    Args:
        ar1: One array.
        ar2: The other one.
        assume_unique: Whether both are known to have no element twice.

    Example:
        >>> import mxnet as mx
        >>> mx.np.setxor1d(mx.np.array([1, 2, 3]), mx.np.array([3, 4]))
        array([1., 2., 4.])
    """


@by_numpy()
def isclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Tests whether elements differ by at most `atol + rtol * abs(b)`.

    Args:
        a: One array.
        b: The other one, or a number.
        rtol: Difference that is allowed for each unit of `b`.
        atol: Difference that is always allowed.
        equal_nan: Whether nan is close to nan.

    Example:
        >>> import mxnet as mx
        >>> mx.np.isclose(mx.np.array([1, 1.001]), mx.np.array([1.000001, 1]))
        array([ True, False])
    """


@by_numpy()
def allclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Returns whether all elements of two arrays are close to each other, as `isclose` tests.

    Args:
        a: One array.
        b: The other one, or a number.
        rtol: Difference that is allowed for each unit of `b`.
        atol: Difference that is always allowed.
        equal_nan: Whether nan is close to nan.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([1, 2, 3])
        >>> mx.np.allclose(a / 3 * 3, a), mx.np.allclose(a, a + 0.1)
        (True, False)
        >>> mx.np.allclose(a, a + 0.1, atol=0.2)
        True
    """


@by_numpy()
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Returns whether two arrays have the same shape and equal elements.

    Args:
        a1: One array.
        a2: The other one.
        equal_nan: Whether nan equals nan.

    Example:
        >>> import mxnet as mx
        >>> a = mx.np.array([1, 2])
        >>> mx.np.array_equal(a, a.copy()), mx.np.array_equal(a, mx.np.array([[1, 2]]))
        (True, False)
    """


@by_numpy()
def array_equiv(a1: Any, a2: Any) -> Any:
    """Returns whether two arrays broadcast to the same shape and are equal then.

    Args:
        a1: One array.
        a2: The other one.

    Example:
        >>> import mxnet as mx
        >>> mx.np.array_equiv(mx.np.array([1, 2]), mx.np.array([[1, 2], [1, 2]]))
        True
    """


@by_numpy()
def min_scalar_type(a: Any) -> Any:
    """Returns the smallest dtype that holds a number; of an array it is that of the array.

    Args:
        a: A number or an array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.min_scalar_type(300), mx.np.min_scalar_type(-1)
        (dtype('uint16'), dtype('int8'))
    """


@by_numpy()
def promote_types(type1: Any, type2: Any) -> Any:
    """Returns the smallest dtype that holds the values of both.

    Args:
        type1: One dtype.
        type2: The other one.

    Example:
        >>> import mxnet as mx
        >>> mx.np.promote_types("int32", "float32"), mx.np.promote_types("int8", "uint8")
        (dtype('float64'), dtype('int16'))
    """


@by_numpy()
def result_type(*arrays_and_dtypes: Any) -> Any:
    """Returns the dtype that NumPy gives to a result of arrays, dtypes and numbers.

    Args:
        *arrays_and_dtypes: The operands.

    Example:
        >>> import mxnet as mx
        >>> mx.np.result_type(mx.np.ones(2, dtype="float16"), "float32")
        dtype('float32')
    """
