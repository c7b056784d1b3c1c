"""Methods of arrays and symbols of the NumPy dialect.

Each calls the function of the table that has its name, with the signature of the original.
"""

from __future__ import annotations

from typing import Any, ClassVar

from mxnet._np_functions.table import Operators, check_order
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
        """Tests whether all elements over axes are true; see `mx.np.all`."""
        return self._F.all(self, axis, keepdims, out)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Tests whether any element over axes is true; see `mx.np.any`."""
        return self._F.any(self, axis, keepdims, out)

    def argmax(self, axis: int | None = None, out: Any = None) -> Any:
        """Returns the positions of the largest elements; see `mx.np.argmax`."""
        return self._F.argmax(self, axis, out)

    def argmin(self, axis: int | None = None, out: Any = None) -> Any:
        """Returns the positions of the smallest elements; see `mx.np.argmin`."""
        return self._F.argmin(self, axis, out)

    def argsort(self, axis: int | None = -1, kind: Any = None, order: Any = None) -> Any:
        """Returns the positions that would sort the array; see `mx.np.argsort`."""
        return self._F.argsort(self, axis=axis, kind=kind, order=order)

    def broadcast_to(self, shape: Any) -> Any:
        """Repeats axes of length 1 to the given shape; see `mx.np.broadcast_to`."""
        return self._F.broadcast_to(self, shape)

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:
        """Limits the elements to an interval; see `mx.np.clip`."""
        return self._F.clip(self, min, max, out=out)

    def cumsum(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
        """Returns the sums of the elements so far; see `mx.np.cumsum`."""
        return self._F.cumsum(self, axis, dtype, out)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """Returns a diagonal of matrices; see `mx.np.diagonal`."""
        return self._F.diagonal(self, offset, axis1, axis2)

    def dot(self, b: Any, out: Any = None) -> Any:
        """Returns the product with another array; see `mx.np.dot`."""
        return self._F.dot(self, b, out=out)

    def flatten(self, order: str = "C") -> Any:
        """Returns a vector of all elements."""
        return self.reshape(-1, order=order)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Returns the largest element over axes; see `mx.np.max`."""
        return self._F.max(self, axis, keepdims, out)

    def mean(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Returns the mean of elements over axes; see `mx.np.mean`."""
        return self._F.mean(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Returns the smallest element over axes; see `mx.np.min`."""
        return self._F.min(self, axis, keepdims, out)

    def prod(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Returns the product of elements over axes; see `mx.np.prod`."""
        return self._F.prod(self, axis, dtype, out, keepdims)

    def repeat(self, repeats: Any, axis: int | None = None) -> Any:
        """Repeats each element; see `mx.np.repeat`."""
        return self._F.repeat(self, repeats=repeats, axis=axis)

    def reshape(self, *args: Any, order: str = "C") -> Any:
        """Returns the elements in another shape.

        Args:
            *args: The lengths, or one tuple of them, of which one may be -1 for what is left.
            order: Only `"C"`.
        """
        if not args:
            raise UnsupportedTypeError("reshape: takes a shape, got none")
        check_order("reshape", order)
        is_tuple = len(args) == 1 and isinstance(args[0], (tuple, list))
        return self._F.reshape(self, tuple(args[0] if is_tuple else args))

    def round(self, decimals: int = 0, out: Any = None, **kwargs: Any) -> Any:
        """Rounds to a number of decimals; see `mx.np.around`."""
        return self._F.around(self, decimals=decimals, out=out, **kwargs)

    def squeeze(self, axis: Any = None) -> Any:
        """Removes axes of length 1; see `mx.np.squeeze`."""
        return self._F.squeeze(self, axis)

    def std(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> Any:
        """Returns the standard deviation over axes; see `mx.np.std`."""
        return self._F.std(self, axis, dtype, out, ddof, keepdims)

    def sum(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Returns the sum of elements over axes; see `mx.np.sum`."""
        if axis is dtype is out is None and not keepdims:
            return self._F.sum(self)  # losses are often summed so
        return self._F.sum(self, axis, dtype, keepdims, None, out)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Exchanges two axes; see `mx.np.swapaxes`."""
        return self._F.swapaxes(self, axis1, axis2)

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
        """Picks elements along an axis; see `mx.np.take`."""
        return self._F.take(self, indices, axis, mode=mode)

    def transpose(self, *axes: Any) -> Any:
        """Permutes the axes, or reverses their order if none are given; see `mx.np.transpose`."""
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = tuple(axes[0] or ())
        return self._F.transpose(self, axes or None)

    def var(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: int = 0,
        keepdims: bool = False,
    ) -> Any:
        """Returns the variance over axes; see `mx.np.var`."""
        return self._F.var(self, axis, dtype, out, ddof, keepdims)
