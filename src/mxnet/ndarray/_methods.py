"""Methods of arrays that are functions of operators: `x.sum(axis=1)` is `nd.sum(x, axis=1)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mxnet._array import Array
from mxnet.ops.public import METHODS


def install(cls: type[Array], functions: Mapping[str, Callable[..., Any]]) -> None:
    """Adds the methods to an array class."""
    for name in METHODS:
        setattr(cls, name, _method(cls, name, functions[name]))


def _method(cls: type[Array], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Array, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__name__ = name
    method.__qualname__ = f"{cls.__name__}.{name}"
    method.__doc__ = function.__doc__
    return method
