"""The symbol class of the NumPy dialect."""

from __future__ import annotations

from typing import Any, ClassVar

from mxnet._np_functions.methods import NumpyMethods
from mxnet._np_functions.table import Operators
from mxnet.ops.shapes import NUMPY_SHAPES, ShapeRules
from mxnet.symbol.symbol import Symbol


class _Symbol(NumpyMethods, Symbol):
    """One or several outputs of a graph, with the operators and methods of the NumPy dialect."""

    __slots__ = ()
    _F: ClassVar[Operators]
    _to_dialect: ClassVar[str] = "as_np_ndarray"
    __hash__ = Symbol.__hash__

    def __repr__(self) -> str:
        return super().__repr__().replace("<Symbol", "<_Symbol", 1)

    def __matmul__(self, other: Any) -> Any:
        return self._F.matmul(self, other)

    @property
    def _shape_rules(self) -> ShapeRules:
        return NUMPY_SHAPES

    def as_np_ndarray(self) -> _Symbol:
        """Returns the symbol itself."""
        return self

    def as_nd_ndarray(self) -> Symbol:
        """Returns the symbol in the classic dialect."""
        return Symbol._of_graph(self._graph, self._options)


def _as_np_ndarray(self: Symbol) -> _Symbol:
    """Returns the symbol in the NumPy dialect."""
    return _Symbol._of_graph(self._graph, self._options)
