"""The array class of the NumPy dialect."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mxnet import _dtypes
from mxnet._np_functions.methods import NumpyMethods
from mxnet._np_functions.table import Operators
from mxnet._numpy_bridge import readable, to_numpy
from mxnet.errors import UnsupportedTypeError
from mxnet.ndarray import NDArray
from mxnet.numpy._printing import to_repr, to_str


class ndarray(NumpyMethods, NDArray):  # noqa: N801 - the name is NumPy's
    """A dense array on a context, with the shapes, indices and dtypes of NumPy.

    Arrays are made by functions such as `mx.np.array` and `mx.np.zeros`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([[1, 2], [3, 4]])
        >>> x.sum(axis=0)
        array([4., 6.])
    """

    __slots__ = ()
    _F: ClassVar[Operators]
    __hash__ = None  # type: ignore[assignment]  # as NumPy's: it is compared by its elements

    @property
    def dtype(self) -> np.dtype[Any]:
        """Element type."""
        return _dtypes.BY_TORCH[self._plain.dtype].numpy

    def __len__(self) -> int:
        if not self.ndim:
            raise UnsupportedTypeError("len() of unsized object: the array has no axes")
        return self.shape[0]

    def __repr__(self) -> str:
        return to_repr(to_numpy(readable(self._plain)), self._ctx)

    def __str__(self) -> str:
        return to_str(to_numpy(readable(self._plain)), self._ctx)

    def as_np_ndarray(self) -> ndarray:
        """Returns the array itself."""
        return self

    def as_nd_ndarray(self) -> NDArray:
        """Returns an array of `mx.nd` on the same memory and with the same place in graphs."""
        return in_dialect(self, NDArray)


ndarray.__module__ = "mxnet.numpy"
ndarray._dialect_class, ndarray._to_dialect = ndarray, "as_np_ndarray"


def in_dialect(array: NDArray, cls: type[NDArray]) -> NDArray:
    """Returns an array of another dialect on the same memory and with the same place in graphs."""
    array._own()
    converted = cls._wrap(array._data, array._ctx)  # type: ignore[arg-type]  # None beside a node
    converted._node, converted._role = array._node, array._role
    array._aliased = converted._aliased = True
    return converted


def _as_np_ndarray(self: NDArray) -> NDArray:
    """Returns an array of `mx.np` on the same memory and with the same place in graphs."""
    return in_dialect(self, ndarray)
