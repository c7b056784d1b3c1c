"""The symbol class of the NumPy dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy

from mxnet._np_functions.methods import NumpyMethods
from mxnet._np_functions.table import Operators
from mxnet.errors import ArgumentValueError, IndexOutOfBoundsError
from mxnet.ops.core.attrs import NUMPY_SHAPES, ShapeRules
from mxnet.ops.core.public import set_method
from mxnet.ops.core.spellings import CLASSIC
from mxnet.symbol.symbol import Symbol

_KEEP, _DROP, _KEEP_REST = -2, -3, -4
"""What `npx.reshape` does to an axis: keep it, drop it if it has length 1, keep all that follow."""


def _as_slice(index: int) -> slice:
    """Returns the slice of one element."""
    return slice(index, index + 1 or None)


class _Symbol(NumpyMethods, Symbol):
    """One or several outputs of a graph, with the operators and methods of the NumPy dialect."""

    __slots__ = ()
    _F: ClassVar[Operators]
    _is_np: ClassVar[bool] = True
    _to_dialect: ClassVar[str] = "as_np_ndarray"
    __hash__ = Symbol.__hash__

    def __repr__(self) -> str:
        return super().__repr__().replace("<Symbol", "<_Symbol", 1)

    def __matmul__(self, other: Any) -> Any:
        return self._F.matmul(self, other)

    @property
    def _shape_rules(self) -> ShapeRules:
        return NUMPY_SHAPES

    @property
    def num_outputs(self) -> int:
        """Number of outputs."""
        return len(self)

    def __getitem__(self, key: Any) -> Any:
        """Returns a part of the only output; of several outputs, picks one by number or name."""
        if len(self) > 1 or isinstance(key, str):
            return super().__getitem__(key)
        return self._slice(key if isinstance(key, tuple) else (key,))

    def _slice(self, keys: tuple[Any, ...]) -> Any:
        for item in keys:
            if not isinstance(item, (int, numpy.integer, slice)):
                raise IndexOutOfBoundsError(
                    f"_Symbol: takes integers and slices as an index, got {item!r}"
                )
        if not keys:
            return self
        parts = [item if isinstance(item, slice) else _as_slice(int(item)) for item in keys]
        bounds = {"begin": [item.start for item in parts], "end": [item.stop for item in parts]}
        steps = [item.step for item in parts]
        cut = self._F.make_raw("slice")
        part = cut(self, **bounds, step=steps) if any(steps) else cut(self, **bounds)
        if all(isinstance(item, slice) for item in keys):
            return part
        codes = (_KEEP if isinstance(item, slice) else _DROP for item in keys)
        return self._F._npx_reshape(part, newshape=(*codes, _KEEP_REST))

    def astype(
        self,
        dtype: Any,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> _Symbol:
        """Converts the elements.

        Args:
            dtype: The new element type.
            order: `"K"` or `"C"`, which are the same.
            casting: Only `"unsafe"`.
            subok: Only True.
            copy: Accepted for compatibility: results have memory of their own.
        """
        del copy
        if order not in ("K", "C"):
            raise ArgumentValueError(f"astype: expected order 'K' or 'C', got {order!r}")
        if casting != "unsafe":
            raise ArgumentValueError(f"astype: expected casting 'unsafe', got {casting!r}")
        if not subok:
            raise ArgumentValueError("astype: subok takes True alone")
        converted: _Symbol = self._F.make_raw("Cast")(self, dtype=dtype)
        return converted

    def as_np_ndarray(self) -> _Symbol:
        """Returns the symbol itself."""
        return self

    def as_nd_ndarray(self) -> Symbol:
        """Returns the symbol in the classic dialect."""
        return Symbol._of_graph(self._graph, self._options)


def _missing_method(name: str) -> Callable[..., Any]:
    def method(self: _Symbol, *args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        raise AttributeError(
            f"{type(self).__name__} object has no attribute {name}; "
            "use a function of mx.sym.np or mx.sym.npx, or call as_nd_ndarray() first"
        )

    method.__doc__ = """Raises: `mx.sym` has such a method, and `mx.sym.np` has not."""
    return method


_OWN = {*vars(NumpyMethods), *vars(_Symbol)}
for _name in CLASSIC.symbol_methods:
    if _name not in _OWN:
        set_method(_Symbol, _name, _missing_method(_name))


_Symbol.__module__ = "mxnet.symbol.numpy"  # where programs find it
