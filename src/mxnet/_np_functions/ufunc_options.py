"""The options that NumPy's functions on elements take, of which one value each is available."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mxnet.errors import NotSupportedError, UnsupportedTypeError

_AVAILABLE = {
    "where": (True,),
    "casting": ("same_kind",),
    "order": ("K", "C"),
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
