"""NumPy on arrays of `mx.np`: its protocols, and calls of functions that only NumPy has.

`numpy.mean(x)` and `numpy.add(x, y)` run the functions of `mx.np`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy

from mxnet._arrays.array import place
from mxnet._arrays.bridges import to_tensor
from mxnet._arrays.operators import beside
from mxnet._formats import element_types
from mxnet._np_functions.table import LINALG, NP, TABLE
from mxnet._state import modes, rules
from mxnet.context import Context, resolve
from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.ndarray import NDArray
from mxnet.numpy._ndarray import ndarray
from mxnet.numpy._operators import ARRAYS
from mxnet.ops.core.public import set_method

_OWN = {numpy.ndarray, ndarray}
_DEFAULTS = {"device": None, "order": "C"}
_UNLIKE = {numpy.histogram, numpy.linalg.svd}
"""Functions whose defaults differ from ours: NumPy itself runs them, as in the original."""
_NAMED = {numpy.linalg.eig, numpy.linalg.eigh, numpy.linalg.slogdet}
"""Functions whose results NumPy returns as a tuple with names."""
_KNOWN = frozenset(row.numpy for row in element_types.BY_NAME.values())


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
        return items if isinstance(value, list) else getattr(value, "_make", tuple)(items)
    if not isinstance(value, numpy.ndarray):
        return value
    if value.dtype not in _KNOWN:
        raise ArgumentValueError(f"{name}: its result of dtype {value.dtype} cannot be an array")
    return ndarray._wrap(place(to_tensor(value), ctx), ctx)


def _array_function(
    self: ndarray,
    func: Callable[..., Any],
    types: Iterable[type],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> Any:
    """Runs a function of NumPy on arrays of `mx.np`."""
    del self
    if not all(issubclass(item, tuple(_OWN)) for item in types):
        return NotImplemented
    own = _find(func)
    if own is None:
        return call_numpy(func, args, kwargs)
    # NumPy passes these, with its defaults, whenever an array is made by `like=`.
    options = {
        key: value
        for key, value in kwargs.items()
        if key not in _DEFAULTS or _DEFAULTS[key] != value
    }
    result = own(*args, **options)
    return _tuple_class(func)(result) if func in _NAMED else result


@lru_cache(maxsize=len(_NAMED))
def _tuple_class(func: Callable[..., Any]) -> Callable[..., Any]:
    """Returns what makes the kind of tuple that a function of NumPy returns; releases differ."""
    kind = type(func(numpy.eye(1)))
    make: Callable[..., Any] = getattr(kind, "_make", kind)
    return make


def _find(func: Callable[..., Any]) -> Callable[..., Any] | None:
    """Returns our function of the name of NumPy's, None if there is none."""
    name = func.__name__
    if func in _UNLIKE:
        return None
    if func.__module__ == "numpy.linalg":
        return getattr(ARRAYS.linalg, name) if name in TABLE[LINALG] else None
    return getattr(ARRAYS, name) if func.__module__ == "numpy" and name in TABLE[NP] else None


_WITHOUT_OUT = ("vecdot",)
"""Functions of MXNet 2 that take no `out`, as the array API standard has them."""


def _array_ufunc(self: ndarray, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Runs a function on elements of NumPy on arrays of `mx.np`."""
    out = kwargs.pop("out", None)
    if isinstance(out, tuple):
        (out,) = out if len(out) == 1 else (out,)
    if method != "__call__" or ufunc.__name__ not in TABLE[NP]:
        result = call_numpy(getattr(ufunc, method), inputs, kwargs)
    else:
        own = isinstance(out, ndarray) and ufunc.__name__ not in _WITHOUT_OUT
        given = [_as_operand(self, item, ufunc.__name__) for item in inputs]
        options = {**kwargs, "out": out} if own else kwargs
        result = getattr(ARRAYS, ufunc.__name__)(*given, **options)
        if own:
            return result
    if out is None:
        return result
    out[...] = result.asnumpy() if isinstance(out, numpy.ndarray) else result
    return out


def _as_operand(array: ndarray, value: Any, where: str) -> Any:
    """Returns an operand beside an array: of an array of NumPy without axes the number it is."""
    if not isinstance(value, numpy.ndarray):
        return value
    if not value.ndim:
        return value[()]
    if rules.version > 1:
        return beside(array, value, where, ndarray)
    raise UnsupportedTypeError(
        f"{where}: type {type(value)} not supported beside {type(array)}; make an array of it by "
        "mx.np.array"
    )


def install() -> None:
    """Adds the protocols to arrays."""
    set_method(ndarray, "__array_function__", _array_function)
    set_method(ndarray, "__array_ufunc__", _array_ufunc)
