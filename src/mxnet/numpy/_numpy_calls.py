"""Calls of NumPy itself with arrays of `mx.np`: for functions that only NumPy has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from mxnet import _dtypes
from mxnet._array import place
from mxnet._modes import modes
from mxnet._numpy_bridge import to_tensor
from mxnet.context import Context, resolve
from mxnet.errors import ArgumentValueError
from mxnet.ndarray import NDArray
from mxnet.numpy._ndarray import ndarray


def call_numpy(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Calls a function of NumPy, on copies of arrays, and returns arrays.

    Args:
        function: The function.
        args: Its arguments by position, with arrays of `mx.np` among them or in lists.
        kwargs: Its arguments by name.

    Raises:
        ArgumentValueError: if the call would have to be differentiated, or its result has a dtype
            that no array has.
    """
    contexts: list[Context] = []
    name = getattr(function, "__name__", str(function))
    given, named = _to_numpy(name, args, contexts), _to_numpy(name, kwargs, contexts)
    if modes.tracer is not None:
        modes.tracer.refuse(f"calls {name}, which is a function of NumPy, not an operator")
    ctx = contexts[0] if contexts else resolve()
    result = function(*given, **named)
    if result is None:
        _write_back(name, [*args, *kwargs.values()], [*given, *named.values()], ctx)
    return _from_numpy(name, result, ctx)


def _write_back(name: str, arrays: list[Any], copies: list[Any], ctx: Context) -> None:
    """Takes over what a function such as `numpy.put` has written into its first argument."""
    if arrays and isinstance(arrays[0], ndarray):
        arrays[0][...] = _from_numpy(name, copies[0], ctx)


def _to_numpy(name: str, value: Any, contexts: list[Context]) -> Any:
    """Replaces arrays by NumPy's, also in lists, and notes where they live."""
    if isinstance(value, NDArray):
        if modes.recording and value._recorded().requires_grad:
            raise ArgumentValueError(
                f"{name}: is a function of NumPy, which has no gradient; call detach() on its "
                "arguments, or use it outside of autograd.record()"
            )
        contexts.append(value._ctx)
        return value.asnumpy()
    if isinstance(value, (list, tuple)):
        return type(value)(_to_numpy(name, item, contexts) for item in value)
    if isinstance(value, dict):
        return {key: _to_numpy(name, item, contexts) for key, item in value.items()}
    return value


def _from_numpy(name: str, value: Any, ctx: Context) -> Any:
    """Replaces NumPy's arrays by arrays, also in lists; numbers stay, as in the original."""
    if isinstance(value, (list, tuple)):
        items = [_from_numpy(name, item, ctx) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if not isinstance(value, numpy.ndarray):
        return value
    if value.dtype not in _KNOWN:
        raise ArgumentValueError(f"{name}: its result of dtype {value.dtype} cannot be an array")
    return ndarray._wrap(place(to_tensor(value), ctx), ctx)


_KNOWN = frozenset(row.numpy for row in _dtypes.BY_NAME.values())
