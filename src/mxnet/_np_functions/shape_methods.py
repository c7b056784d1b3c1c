"""Methods of arrays and symbols that change shapes or pick elements."""

from __future__ import annotations

from typing import Any, ClassVar

from mxnet._np_functions._arguments import check_order
from mxnet._np_functions.table import Operators
from mxnet.errors import UnsupportedTypeError


class ShapeMethods:
    """Methods that call functions of the table: `x.squeeze(0)` is `squeeze(x, 0)`."""

    __slots__ = ()
    _F: ClassVar[Operators]

    @property
    def T(self) -> Any:  # noqa: N802 - the name is NumPy's
        """The array with its axes in reversed order."""
        return self._F._np_transpose(self)

    def reshape(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the same elements in another shape; see `mx.np.reshape`.

        Args:
            args: The new sizes, or a tuple of them.
            kwargs: `order`, only `"C"`.
        """
        order = kwargs.pop("order", "C")
        if kwargs or not args:
            raise UnsupportedTypeError(
                f"reshape: expected the new sizes and no option but `order`, got {args} and "
                f"{', '.join(kwargs) or 'none'}"
            )
        check_order("reshape", order)
        newshape = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
        return self._F._np_reshape(self, newshape=newshape)

    def flatten(self, order: str = "C") -> Any:
        """Returns all elements as a vector."""
        check_order("flatten", order)
        return self._F._np_reshape(self, newshape=(-1,))

    def transpose(self, *axes: Any) -> Any:
        """Permutes the axes; see `mx.np.transpose`.

        Args:
            axes: The axes, or a tuple of them.
        """
        if not axes:
            return self._F._np_transpose(self)
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return self._F._np_transpose(self, axes=order)

    def copy(self, order: str = "C") -> Any:
        """Returns a copy."""
        check_order("copy", order)
        return self._F.copy(self)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Exchanges two axes; see `mx.np.swapaxes`."""
        return self._F.swapaxes(self, axis1, axis2)

    def squeeze(self, axis: Any = None) -> Any:
        """Removes axes of size one; see `mx.np.squeeze`."""
        return self._F.squeeze(self, axis)

    def repeat(self, repeats: int, axis: int | None = None) -> Any:
        """Repeats each element; see `mx.np.repeat`."""
        return self._F.repeat(self, repeats, axis)

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
        """Picks elements or slices along an axis; see `mx.np.take`."""
        return self._F.take(self, indices, axis, mode)

    def broadcast_to(self, shape: Any) -> Any:
        """Repeats the array along axes of size one; see `mx.np.broadcast_to`."""
        return self._F.broadcast_to(self, shape)

    def argsort(self, axis: int | None = -1, kind: Any = None, order: Any = None) -> Any:
        """Returns the indices that sort along an axis; see `mx.np.argsort`."""
        return self._F.argsort(self, axis, kind, order)

    def nonzero(self) -> Any:
        """Returns the coordinates of the elements that are not zero; see `mx.np.nonzero`."""
        return self._F.nonzero(self)
