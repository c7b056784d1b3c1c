"""Dialects: the public ways to write programs on arrays and graphs.

`mx.nd` and `mx.sym` are the classic dialect, `mx.np` and `mx.sym.np` NumPy's. A dialect has an
array class, a symbol class and the functions on both; array classes of all dialects derive from
`NDArray`, so that `isinstance` with it asks whether something is an array at all. Code that makes
arrays for a program, or passes `F` to it, takes the class or the functions from here: from the
dialect of the inputs where there are any, else from that of the thread.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps
from types import ModuleType
from typing import Any

from torch import Tensor

from mxnet import ndarray, numpy, numpy_extension, symbol
from mxnet._arrays.array import Array
from mxnet._np_functions.extension import OperatorModule
from mxnet._start import after_import, plain
from mxnet._state import is_np_array, modes
from mxnet.context import Context
from mxnet.ndarray import NDArray
from mxnet.numpy import ndarray as np_ndarray
from mxnet.numpy._ndarray import in_dialect as in_dialect
from mxnet.numpy._operators import ARRAYS
from mxnet.ops.core.attrs import CLASSIC_SHAPES, NUMPY_SHAPES, ShapeRules
from mxnet.ops.core.spellings import CLASSIC as CLASSIC_SPELLINGS
from mxnet.ops.core.spellings import NUMPY as NUMPY_SPELLINGS
from mxnet.ops.core.spellings import Spellings
from mxnet.symbol import Symbol, _functions


@dataclass(frozen=True, eq=False)
class Dialect:
    """One way to write programs.

    Attributes:
        name: What it is called in messages.
        array: Class of its dense arrays.
        symbol: Class of its symbols.
        array_functions: Functions on arrays; the `F` of a `hybrid_forward` that gets arrays.
        symbol_functions: Functions on symbols; the `F` of a `hybrid_forward` that gets symbols.
        spellings: Table from which its functions, methods and operators are installed.
        shapes: How it writes shapes.
        variable: Makes a variable; `var` of its functions, without the handler of frames.
    """

    name: str
    array: type[NDArray]
    symbol: type[Symbol]
    array_functions: ModuleType
    symbol_functions: ModuleType
    spellings: Spellings
    shapes: ShapeRules
    variable: Callable[..., Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "variable", plain(self.symbol_functions.var))


ARRAY_DIALECTS: dict[type, Dialect] = {}
"""Dialects by the class of their dense arrays; `type(x) in ARRAY_DIALECTS` asks for one of them."""
_SYMBOL_DIALECTS: dict[type, Dialect] = {}


def register_dialect(dialect: Dialect) -> Dialect:
    """Makes the classes of a dialect known, and returns it."""
    ARRAY_DIALECTS[dialect.array] = _SYMBOL_DIALECTS[dialect.symbol] = dialect
    return dialect


CLASSIC = register_dialect(
    Dialect("classic", NDArray, Symbol, ndarray, symbol, CLASSIC_SPELLINGS, CLASSIC_SHAPES)
)


def _zeros(shape: Any, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> Any:
    """Makes an array of zeros, with the arguments of `mx.nd.zeros`."""
    del kwargs
    return ARRAYS.zeros(shape, dtype=dtype, ctx=ctx)


def _ones(shape: Any, ctx: Any = None, dtype: Any = None, **kwargs: Any) -> Any:
    """Makes an array of ones, with the arguments of `mx.nd.ones`."""
    del kwargs
    return ARRAYS.ones(shape, dtype=dtype, ctx=ctx)


def _array(source_array: Any, ctx: Any = None, dtype: Any = None) -> Any:
    """Makes an array, with the arguments of `mx.nd.array`."""
    return numpy.array(source_array, dtype=dtype, ctx=ctx)


def _full(shape: Any, val: Any, ctx: Any = None, dtype: Any = None) -> Any:
    """Makes an array of one value, with the arguments of `mx.nd.full`."""
    return ARRAYS.full(shape, val, dtype=dtype, ctx=ctx)


def _as_numpy(make: Callable[..., Symbol]) -> Callable[..., Symbol]:
    """Returns a function of `mx.sym` that makes symbols of the NumPy dialect."""

    @wraps(make)
    def call(*args: Any, **kwargs: Any) -> Symbol:
        return make(*args, **kwargs).as_np_ndarray()

    return call


class _NumpyDialect(Dialect):
    """The NumPy dialect, of which what is for graphs is imported when it is first asked for.

    Args:
        array_functions: Functions on arrays.
    """

    def __init__(self, array_functions: ModuleType) -> None:
        vars(self).update(
            name="NumPy",
            array=np_ndarray,
            array_functions=array_functions,
            spellings=NUMPY_SPELLINGS,
            shapes=NUMPY_SHAPES,
        )
        ARRAY_DIALECTS[np_ndarray] = self
        after_import("mxnet.symbol.numpy", self._add_graphs)

    def __getattr__(self, name: str) -> Any:
        if name not in ("symbol", "symbol_functions", "variable"):
            raise AttributeError(f"a dialect has no attribute {name!r}", name=name)
        importlib.import_module("mxnet.symbol.numpy")
        return vars(self)[name]

    def _add_graphs(self, module: ModuleType) -> None:
        """Takes the symbols and functions from `mx.sym.np`."""
        var = _as_numpy(_functions.var)
        functions = OperatorModule(
            "mxnet.symbol",
            module.SYMBOLS,
            {"np": module, "npx": symbol.numpy_extension, "Symbol": module._Symbol}
            | {"var": var, "Variable": var, "Group": _as_numpy(_functions.Group)}
            | {"ones": _as_numpy(_functions.ones), "zeros": _as_numpy(_functions.zeros)},
        )
        vars(self).update(symbol=module._Symbol, symbol_functions=functions, variable=plain(var))
        _SYMBOL_DIALECTS[module._Symbol] = self


NUMPY = _NumpyDialect(
    OperatorModule(
        "mxnet.ndarray",
        ARRAYS,
        {"np": numpy, "npx": numpy_extension, "NDArray": np_ndarray}
        | {"array": _array, "full": _full, "ones": _ones, "zeros": _zeros},
    )
)


def current_dialect() -> Dialect:
    """Returns the dialect in which this thread makes arrays and symbols."""
    return modes.dialect or (NUMPY if modes.np_array else CLASSIC)


def dialect_of_program() -> Dialect:
    """Returns the dialect in which data are made: it can be switched off in MXNet 2 as well."""
    return modes.dialect or (NUMPY if is_np_array() else CLASSIC)


def dialect_of(value: Any) -> Dialect:
    """Returns the dialect of an array or a symbol, that of the thread for anything else."""
    for cls in type(value).__mro__:
        dialect = ARRAY_DIALECTS.get(cls) or _SYMBOL_DIALECTS.get(cls)
        if dialect is not None:
            return dialect
    return current_dialect()


def functions_for(value: Any) -> ModuleType:
    """Returns the functions for an array or a symbol: the `F` of its dialect."""
    dialect = dialect_of(value)
    is_symbol = isinstance(value, Symbol)
    return dialect.symbol_functions if is_symbol else dialect.array_functions


def dialect_of_call(values: Iterable[Any]) -> Dialect:
    """Returns the dialect of the first array or symbol among arguments, also in nested lists."""
    if values.__class__ is tuple and values:  # of arguments, which mostly begin with an operand
        cls = type(values[0])
        dialect = ARRAY_DIALECTS.get(cls) or _SYMBOL_DIALECTS.get(cls)
        if dialect is not None:
            return dialect
    first = _first_operand(values)
    return current_dialect() if first is None else dialect_of(first)


def dialect_of_layer(values: Iterable[Any]) -> Dialect:
    """Returns the dialect in which a layer computes: that of the thread, whatever it is given.

    Operators then refuse arrays of the other one. A dialect of a program's own has no switch and
    counts by its arrays.
    """
    given = dialect_of_call(values)
    return current_dialect() if given is CLASSIC or given is NUMPY else given


def _first_operand(values: Iterable[Any]) -> Any:
    for value in values:
        if isinstance(value, (NDArray, Symbol)):
            return value
        if isinstance(value, (list, tuple)):
            first = _first_operand(value)
            if first is not None:
                return first
    return None


def in_scope(array: NDArray) -> NDArray:
    """Returns a dense array in the thread's dialect, on the same memory and in the same graph."""
    if array._is_np is modes.np_array or type(array) not in ARRAY_DIALECTS:
        return array
    return in_dialect(array, current_dialect().array)


def in_scope_of_program(array: NDArray) -> NDArray:
    """Returns a dense array in the dialect in which data are made, on the same memory."""
    if array._is_np is is_np_array() or type(array) not in ARRAY_DIALECTS:
        return array
    return in_dialect(array, dialect_of_program().array)


def in_dialect_of(array: NDArray, other: NDArray) -> NDArray:
    """Returns an array in the dialect of another one, on the same memory."""
    cls = dialect_of(other).array
    return array if type(array) is cls else in_dialect(array, cls)


def symbol_in(dialect: Dialect, symbol: Symbol) -> Symbol:
    """Returns a symbol in a dialect."""
    cls = dialect.symbol
    return symbol if type(symbol) is cls else cls._of_graph(symbol._graph, symbol._options)


def make_array(tensor: Tensor, ctx: Context) -> NDArray:
    """Makes a dense array of the thread's dialect on a tensor."""
    return current_dialect().array._wrap(tensor, ctx)


def make_array_of_data(tensor: Tensor, ctx: Context) -> NDArray:
    """Makes a dense array on a tensor, in the dialect in which data are made."""
    return dialect_of_program().array._wrap(tensor, ctx)


def make_array_like(array: Array, tensor: Tensor) -> NDArray:
    """Makes a dense array on a tensor, with the dialect and the context of another array."""
    return dialect_of(array).array._wrap(tensor, array._ctx)
