"""Methods of arrays and symbols of the NumPy dialect.

Each calls the function of the table that has its name, with the signature of the original.
"""

from __future__ import annotations

from typing import Any, ClassVar

from mxnet._np_functions.table import Operators, check_order
from mxnet._state import also_takes
from mxnet.errors import UnsupportedTypeError


class NumpyMethods:
    """Methods that call functions of the table: `x.sum(axis=1)` is `sum(x, axis=1)`."""

    __slots__ = ()
    _F: ClassVar[Operators]

    @property
    def T(self) -> Any:  # noqa: N802 - the name is NumPy's
        """Array with the axes in reverse order."""
        return self._F.transpose(self)

    @property
    def mT(self) -> Any:  # noqa: N802 - the name is that of the array API standard
        """Matrices with their last two axes exchanged."""
        return self._F.matrix_transpose(self)

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Tests whether all elements over axes are not zero.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            out: Array to write the result into.
            keepdims: Whether these axes stay, with length 1.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.array([[1, 0], [2, 3]])
            >>> x.all(), x.all(axis=1)
            (array(False), array([False,  True]))
        """
        return self._F.all(self, axis, keepdims, out)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Tests whether any element over axes is not zero.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            out: Array to write the result into.
            keepdims: Whether these axes stay, with length 1.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.array([[0, 0], [2, 0]])
            >>> x.any(), x.any(axis=1)
            (array(True), array([False,  True]))
        """
        return self._F.any(self, axis, keepdims, out)

    def argmax(self, axis: int | None = None, out: Any = None, keepdims: bool = False) -> Any:
        """Returns the positions of the largest elements.

        Args:
            axis: The axis; by default the array is flattened.
            out: Array to write the result into.
            keepdims: Whether the axis, or all of them, stay with length 1.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 5, 2], [7, 0, 3]]).argmax(axis=1)
            array([1, 0], dtype=int64)
        """
        return self._F.argmax(self, axis, out, keepdims)

    def argmin(self, axis: int | None = None, out: Any = None, keepdims: bool = False) -> Any:
        """Returns the positions of the smallest elements.

        Args:
            axis: The axis; by default the array is flattened.
            out: Array to write the result into.
            keepdims: Whether the axis, or all of them, stay with length 1.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 5, 2], [7, 0, 3]]).argmin(axis=1)
            array([0, 1], dtype=int64)
        """
        return self._F.argmin(self, axis, out, keepdims)

    @also_takes("axis=-1, descending=False, stable=True")
    def argsort(
        self,
        axis: int | None = -1,
        kind: Any = None,
        order: Any = None,
        descending: bool = False,
        stable: bool = True,
    ) -> Any:
        """Returns the positions that would sort the array.

        Args:
            axis: The axis; None sorts the flattened array.
            kind: Accepted for compatibility; equal elements keep their order. A bool in its place
                is `descending`, as in MXNet 2.
            order: Only None, or `stable` in its place.
            descending: Whether the position of the largest element comes first.
            stable: Accepted for compatibility.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([30, 10, 20]).argsort()
            array([1, 2, 0], dtype=int64)
        """
        del stable
        return self._F.argsort(self, axis=axis, kind=kind, order=order, descending=descending)

    def broadcast_to(self, shape: Any) -> Any:
        """Repeats axes of length 1 to the given shape.

        Args:
            shape: The shape.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([1, 2]).broadcast_to((2, 2))
            array([[1., 2.],
                   [1., 2.]])
        """
        return self._F.broadcast_to(self, shape)

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:
        """Limits the elements to an interval.

        Args:
            min: Least value, None for no limit.
            max: Largest value, None for no limit.
            out: Array to write the result into.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([-2, 0.5, 3]).clip(0, 1)
            array([0. , 0.5, 1. ])
        """
        return self._F.clip(self, min, max, out=out)

    def cumsum(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
        """Returns the sums of the elements up to each one.

        Args:
            axis: The axis; by default the array is flattened.
            dtype: Element type of the result.
            out: Array to write the result into.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 2], [3, 4]]).cumsum(axis=0)
            array([[1., 2.],
                   [4., 6.]])
        """
        return self._F.cumsum(self, axis, dtype, out)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """Returns a diagonal of matrices; see `mx.np.diagonal`."""
        return self._F.diagonal(self, offset, axis1, axis2)

    def dot(self, b: Any, out: Any = None) -> Any:
        """Returns the product with another array.

        Args:
            b: The other array, multiplied over its last axis but one.
            out: Array to write the result into.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 2], [3, 4]]).dot(mx.np.array([1, 10]))
            array([21., 43.])
        """
        return self._F.dot(self, b, out=out)

    def flatten(self, order: str = "C") -> Any:
        """Returns a vector of all elements.

        Args:
            order: Only `"C"`, row by row.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 2], [3, 4]]).flatten()
            array([1., 2., 3., 4.])
        """
        return self.reshape(-1, order=order)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Returns the largest element over axes.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            out: Array to write the result into.
            keepdims: Whether these axes stay, with length 1.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 5], [7, 0]]).max(axis=1)
            array([5., 7.])
        """
        return self._F.max(self, axis, keepdims, out)

    def mean(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Returns the mean of elements over axes.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            dtype: Element type of the result.
            out: Array to write the result into.
            keepdims: Whether these axes stay, with length 1.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 5], [7, 0]]).mean(axis=1)
            array([3. , 3.5])
        """
        return self._F.mean(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Returns the smallest element over axes.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            out: Array to write the result into.
            keepdims: Whether these axes stay, with length 1.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 5], [7, 0]]).min(axis=1)
            array([1., 0.])
        """
        return self._F.min(self, axis, keepdims, out)

    def prod(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Returns the product of elements over axes.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            dtype: Element type of the result.
            out: Array to write the result into.
            keepdims: Whether these axes stay, with length 1.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 5], [7, 2]]).prod(axis=1)
            array([ 5., 14.])
        """
        return self._F.prod(self, axis, dtype, out, keepdims)

    def repeat(self, repeats: Any, axis: int | None = None) -> Any:
        """Repeats each element.

        Args:
            repeats: How often.
            axis: Axis along which to repeat; by default the array is flattened.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 2]]).repeat(2, axis=0)
            array([[1., 2.],
                   [1., 2.]])
        """
        return self._F.repeat(self, repeats=repeats, axis=axis)

    def reshape(self, *args: Any, order: str = "C") -> Any:
        """Returns the elements in another shape.

        Args:
            *args: The lengths, or one tuple of them, of which one may be -1 for what is left.
            order: Only `"C"`.

        Example:
            >>> import mxnet as mx
            >>> mx.np.arange(6).reshape(2, -1)
            array([[0., 1., 2.],
                   [3., 4., 5.]])
        """
        if not args:
            raise UnsupportedTypeError("reshape: takes a shape, got none")
        check_order("reshape", order)
        is_tuple = len(args) == 1 and isinstance(args[0], (tuple, list))
        return self._F.reshape(self, tuple(args[0] if is_tuple else args))

    def round(self, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
        """Rounds to a number of decimals, halves to the even neighbour.

        Args:
            decimals: Number of digits behind the point that stay.
            out: Array to write the result into.
            **kwargs: Options of NumPy's functions, of which their defaults are accepted.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([0.5, 1.25, 2.75]).round(1)
            array([0.5, 1.2, 2.8])
        """
        return self._F.around(self, decimals=decimals, out=out, **kwargs)

    def squeeze(self, axis: Any = None) -> Any:
        """Removes axes of length 1.

        Args:
            axis: An axis or a tuple of axes, all of length 1 if not given.

        Example:
            >>> import mxnet as mx
            >>> mx.np.zeros((1, 3, 1)).squeeze(axis=0).shape
            (3, 1)
        """
        return self._F.squeeze(self, axis)

    @also_takes("axis=None, dtype=None, out=None, correction=0, keepdims=False")
    def std(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: int = 0,
        keepdims: bool = False,
        correction: int | None = None,
    ) -> Any:
        """Returns the standard deviation over axes.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            dtype: Element type of the result.
            out: Array to write the result into.
            ddof: What to subtract from the number of elements.
            keepdims: Whether these axes stay, with length 1.
            correction: `ddof` under its name in MXNet 2.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 3], [2, 8]]).std(axis=1)
            array([1., 3.])
        """
        ddof = ddof if correction is None else correction
        return self._F.std(self, axis, dtype, out, ddof, keepdims)

    def sum(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Returns the sum of elements over axes.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            dtype: Element type of the result.
            out: Array to write the result into.
            keepdims: Whether these axes stay, with length 1.

        Example:
            >>> import mxnet as mx
            >>> x = mx.np.array([[1, 2], [3, 4]])
            >>> x.sum(), x.sum(axis=0)
            (array(10.), array([4., 6.]))
        """
        if axis is dtype is out is None and not keepdims:
            return self._F.sum(self)  # losses are often summed so
        return self._F.sum(self, axis, dtype, keepdims, None, out)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Exchanges two axes.

        Args:
            axis1: One axis.
            axis2: The other one.

        Example:
            >>> import mxnet as mx
            >>> mx.np.zeros((2, 3, 4)).swapaxes(0, 2).shape
            (4, 3, 2)
        """
        return self._F.swapaxes(self, axis1, axis2)

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
        """Picks elements or slices along an axis.

        Args:
            indices: Positions along the axis, an array of any shape.
            axis: The axis; by default the array is flattened.
            mode: What to do with a position outside the axis: fail ("raise"), use the nearest one
                ("clip") or count around the axis ("wrap").

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 2, 3], [4, 5, 6]]).take(mx.np.array([2, 0]), axis=1)
            array([[3., 1.],
                   [6., 4.]])
        """
        return self._F.take(self, indices, axis, mode=mode)

    def transpose(self, *axes: Any) -> Any:
        """Permutes the axes, or reverses their order if none are given.

        Args:
            *axes: The axes in their new order, or one tuple of them.

        Example:
            >>> import mxnet as mx
            >>> mx.np.zeros((2, 3, 4)).transpose(1, 0, 2).shape
            (3, 2, 4)
        """
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = tuple(axes[0] or ())
        return self._F.transpose(self, axes or None)

    @also_takes("axis=None, dtype=None, out=None, correction=0, keepdims=False")
    def var(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: int = 0,
        keepdims: bool = False,
        correction: int | None = None,
    ) -> Any:
        """Returns the variance over axes.

        Args:
            axis: An axis or a tuple of axes, all of them if not given.
            dtype: Element type of the result.
            out: Array to write the result into.
            ddof: What to subtract from the number of elements.
            keepdims: Whether these axes stay, with length 1.
            correction: `ddof` under its name in MXNet 2.

        Example:
            >>> import mxnet as mx
            >>> mx.np.array([[1, 3], [2, 8]]).var(axis=1)
            array([1., 9.])
        """
        ddof = ddof if correction is None else correction
        return self._F.var(self, axis, dtype, out, ddof, keepdims)
