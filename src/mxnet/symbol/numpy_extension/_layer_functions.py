"""The `F` of a `hybrid_forward` that gets symbols of `mx.sym.np`."""

from typing import Any

from mxnet._np_functions.extension import LayerFunctions
from mxnet.symbol import _creation, numpy, numpy_extension
from mxnet.symbol.numpy._operators import SYMBOLS
from mxnet.symbol.numpy._symbol import _Symbol


def var(*args: Any, **kwargs: Any) -> _Symbol:
    """Makes a variable; see `mx.sym.var`."""
    return _creation.var(*args, **kwargs).as_np_ndarray()  # type: ignore[attr-defined,no-any-return]


def Group(symbols: Any, create_fn: Any = None) -> _Symbol:  # noqa: N802 - the name is the original's
    """Joins the outputs of symbols; see `mx.sym.Group`."""
    del create_fn
    return _creation.Group(symbols).as_np_ndarray()  # type: ignore[attr-defined,no-any-return]


def zeros(shape: Any, dtype: Any = None, **kwargs: Any) -> _Symbol:
    """Makes a constant of zeros; see `mx.sym.zeros`."""
    return _creation.zeros(shape, dtype, **kwargs).as_np_ndarray()  # type: ignore[attr-defined,no-any-return]


def ones(shape: Any, dtype: Any = None, **kwargs: Any) -> _Symbol:
    """Makes a constant of ones; see `mx.sym.ones`."""
    return _creation.ones(shape, dtype, **kwargs).as_np_ndarray()  # type: ignore[attr-defined,no-any-return]


SYMBOL_FUNCTIONS = LayerFunctions(
    "mxnet.symbol",
    SYMBOLS,
    {"zeros": zeros, "ones": ones}
    | {"np": numpy, "npx": numpy_extension, "var": var, "Variable": var, "Group": Group}
    | {"Symbol": _Symbol},
)
