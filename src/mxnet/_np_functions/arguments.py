"""Arguments and results that many functions have in common, on arrays and on symbols."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from numbers import Number
from typing import Any

import numpy as np

from mxnet._np_functions.table import Operators
from mxnet._state import modes
from mxnet.context import resolve
from mxnet.errors import NotSupportedError, UnsupportedTypeError


def check_order(where: str, order: str) -> None:
    """Checks the memory layout that a function is asked for."""
    if order != "C":
        raise NotSupportedError(f"{where}: expected order 'C', got {order!r}")


def context_name(ctx: Any) -> str:
    """Returns a context, or the current one for None, as an attribute of an operator has it."""
    return str(resolve(ctx))


def float_dtype(dtype: Any) -> Any:
    """Returns an element type, for None that of floating-point numbers by default."""
    if dtype is not None:
        return dtype
    return "float64" if modes.np_default_dtype else "float32"


def is_number(value: Any) -> bool:
    """Returns whether a value is a number of Python or NumPy."""
    return isinstance(value, Number)


def placement(F: Operators, ctx: Any) -> dict[str, Any]:
    """Returns the attribute of a creation operator that says where it makes its array.

    Arrays are made on the current context if there is none; a graph keeps its name.
    """
    if F.for_symbols:
        return {"ctx": context_name(ctx)}
    return {} if ctx is None else {"ctx": ctx}


def as_list(F: Operators, result: Any) -> list[Any]:
    """Returns the outputs of an operator as a list, also if there is one alone."""
    if F.for_symbols or isinstance(result, (list, tuple)):
        return list(result)
    return [result]


def as_rows(F: Operators, result: Any) -> Any:
    """Returns the rows of an array as a tuple; a symbol, whose shape is unknown, as it is."""
    if F.for_symbols:
        return result
    rows = F._npi_split(result, indices=(), axis=0, sections=len(result), squeeze_axis=True)
    return tuple(as_list(F, rows))


def is_operand(F: Operators, value: Any) -> bool:
    """Returns whether a value is an array or symbol of the frontend."""
    return isinstance(value, F.operand)


def is_array(F: Operators, value: Any) -> bool:
    """Returns whether a value is an array, whose shape and elements can be looked at."""
    return not F.for_symbols and isinstance(value, F.operand)


def refusal(F: Operators, where: str, value: Any) -> UnsupportedTypeError:
    """Returns the error for a value that a function does not take, and what to call if it can."""
    remedy = ""
    if hasattr(value, "as_np_ndarray") and not is_operand(F, value):
        remedy = "; call as_np_ndarray() on it, because the classic dialect and NumPy's do not mix"
    return UnsupportedTypeError(f"{where}: type {type(value)} not supported{remedy}")


_AVAILABLE = {
    "where": (True,),
    "casting": ("same_kind",),
    "order": ("K",),
    "dtype": (None,),
    "subok": (True,),
}
_LEGAL: dict[str, tuple[Any, ...]] = {
    "where": (True, False),
    "casting": ("no", "equiv", "safe", "same_kind", "unsafe"),
    "order": ("C", "F", "A", "K"),
    "subok": (True, False),
}


def is_legal_option(key: str, value: Any) -> bool:
    """Returns whether NumPy knows an option of that value, available here or not."""
    if key == "dtype":
        names = ("int8", "uint8", "int32", "int64", "float16", "float32", "float64")
        return value is not None and (value in names or value in [getattr(np, n) for n in names])
    return key in _LEGAL and value in _LEGAL[key]


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Checks the options of a call.

    Raises:
        UnsupportedTypeError: for one that NumPy does not know.
        NotSupportedError: for a value that is not available.
    """
    for key, value in options.items():
        if key not in _AVAILABLE:
            raise UnsupportedTypeError(f"{name}: {key} is an invalid keyword")
        if not any(value is item or value == item for item in _AVAILABLE[key]):
            if key in ("casting", "dtype") and not is_legal_option(key, value):
                raise UnsupportedTypeError(f"{name}: {key} takes no {value!r}")
            raise NotSupportedError(f"{name}: {key}={value} is not implemented")


def wrap_np_unary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function `f(x, out=None)` so that it takes NumPy's options."""

    @functools.wraps(func)
    def call(x: Any, out: Any = None, **kwargs: Any) -> Any:
        check_options(func.__name__, kwargs)
        return func(x, out=out)

    return call


def wrap_np_binary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function `f(x1, x2, out=None)` so that it takes NumPy's options."""

    @functools.wraps(func)
    def call(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
        check_options(func.__name__, kwargs)
        return func(x1, x2, out=out)

    return call
