"""Methods of arrays and symbols of the NumPy dialect."""

from __future__ import annotations

from typing import Any, ClassVar

from mxnet._np_functions.shape_methods import ShapeMethods
from mxnet._np_functions.table import Operators


class NumpyMethods(ShapeMethods):
    """Methods that call functions of the table: `x.sum(axis=1)` is `sum(x, axis=1)`."""

    __slots__ = ()
    _F: ClassVar[Operators]

    def sum(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Returns the sum of elements over axes; see `mx.np.sum`."""
        return self._F.sum(self, axis=axis, dtype=dtype, keepdims=keepdims, out=out)
