"""Which functions of NumPy run those of `mx.np` on its arrays: `mx.numpy_dispatch_protocol`.

`numpy.mean(x)` and `numpy.add(x, y)` compute with `mx.np` whenever an argument is an array of it.
The decorators here are for tests of that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy

from mxnet import numpy as mx_np
from mxnet._np_functions.table import LINALG, NP, TABLE
from mxnet.errors import MXNetError


def with_array_function_protocol(func: Callable[..., Any]) -> Callable[..., None]:
    """Decorates a function that calls NumPy's functions on arrays of `mx.np`.

    Args:
        func: The function; what it returns is dropped.

    Returns:
        A function that raises an MXNetError if `func` raises anything.
    """
    return _run_with("array function", func)


def with_array_ufunc_protocol(func: Callable[..., Any]) -> Callable[..., None]:
    """Decorates a function that calls NumPy's ufuncs on arrays of `mx.np`.

    Args:
        func: The function; what it returns is dropped.

    Returns:
        A function that raises an MXNetError if `func` raises anything.
    """
    return _run_with("array ufunc", func)


def _run_with(protocol: str, func: Callable[..., Any]) -> Callable[..., None]:
    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            func(*args, **kwargs)
        except Exception as error:
            raise MXNetError(
                f"function {func.__name__} failed with NumPy's {protocol} protocol: {error}"
            ) from error

    return run


def _find_duplicate(strs: Iterable[Hashable]) -> Hashable | None:
    """Returns the first item that has been there before, None if all differ."""
    seen = set()
    for item in strs:
        if item in seen:
            return item
        seen.add(item)
    return None


def _implements(numpy_function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Returns a decorator that lists a function as what runs for one of NumPy."""

    def list_function(func: Any) -> Any:
        _NUMPY_ARRAY_FUNCTION_DICT[numpy_function] = func
        return func

    return list_function


def _find_functions() -> dict[str, tuple[Any, Any]]:
    """Returns the pairs of a function of NumPy and of ours that have one name, by this name."""
    places = (("", NP, numpy, mx_np), ("linalg.", LINALG, numpy.linalg, mx_np.linalg))
    return {
        prefix + name: (vars(theirs)[name], getattr(ours, name))
        for prefix, table, theirs, ours in places
        for name in TABLE[table]
        if callable(vars(theirs).get(name)) and hasattr(ours, name)
    }


_UNLISTED = frozenset(
    (
        *("arange", "blackman", "empty", "eye", "full", "hamming", "hanning", "identity"),
        *("indices", "linspace", "logspace", "ones", "zeros"),  # NumPy calls them for `like=` alone
        *("average", "histogram", "linalg.det", "linalg.slogdet", "linalg.svd", "moveaxis"),
        *("rot90", "row_stack"),
        *("deg2rad", "divide", "ldexp", "log1p", "rad2deg", "radians"),
    )
)
"""Functions that run ours as well and that the original does not list; tests go by its lists."""
_LISTED_AS_FUNCTIONS = frozenset({"isfinite", "isinf", "isnan"})
_FUNCTIONS = {name: pair for name, pair in _find_functions().items() if name not in _UNLISTED}
_NUMPY_ARRAY_UFUNC_LIST = [
    name
    for name, (theirs, _) in _FUNCTIONS.items()
    if isinstance(theirs, numpy.ufunc) and name not in _LISTED_AS_FUNCTIONS
]
_NUMPY_ARRAY_FUNCTION_LIST = [
    name for name in _FUNCTIONS if name not in frozenset(_NUMPY_ARRAY_UFUNC_LIST)
]
_NUMPY_ARRAY_UFUNC_DICT = {name: _FUNCTIONS[name][1] for name in _NUMPY_ARRAY_UFUNC_LIST}
_NUMPY_ARRAY_FUNCTION_DICT = dict(_FUNCTIONS[name] for name in _NUMPY_ARRAY_FUNCTION_LIST)
