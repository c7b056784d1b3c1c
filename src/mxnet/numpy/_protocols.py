"""NumPy's protocols: `numpy.mean(x)` and `numpy.add(x, y)` run the functions of `mx.np`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy

from mxnet._np_functions.table import LINALG, NP, TABLE
from mxnet.errors import UnsupportedTypeError
from mxnet.numpy._ndarray import ndarray
from mxnet.numpy._numpy_calls import call_numpy
from mxnet.numpy._operators import ARRAYS
from mxnet.ops.core.public import set_method

_OWN = {numpy.ndarray, ndarray}
_DEFAULTS = {"device": None, "order": "C"}
_UNLIKE = {numpy.histogram, numpy.linalg.svd}
"""Functions whose defaults differ from ours: NumPy itself runs them, as in the original."""


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
    options = {key: value for key, value in kwargs.items() if _DEFAULTS.get(key, own) != value}
    return own(*args, **options)


def _find(func: Callable[..., Any]) -> Callable[..., Any] | None:
    """Returns our function of the name of NumPy's, None if there is none."""
    name = func.__name__
    if func in _UNLIKE:
        return None
    if func.__module__ == "numpy.linalg":
        return getattr(ARRAYS.linalg, name) if name in TABLE[LINALG] else None
    return getattr(ARRAYS, name) if func.__module__ == "numpy" and name in TABLE[NP] else None


def _array_ufunc(self: ndarray, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Runs a function on elements of NumPy on arrays of `mx.np`."""
    out = kwargs.pop("out", None)
    if isinstance(out, tuple):
        (out,) = out if len(out) == 1 else (out,)
    if method != "__call__" or ufunc.__name__ not in TABLE[NP]:
        result = call_numpy(getattr(ufunc, method), inputs, kwargs)
    else:
        for item in inputs:
            if isinstance(item, numpy.ndarray) and item.ndim:
                raise UnsupportedTypeError(
                    f"{ufunc.__name__}: type {type(item)} not supported beside "
                    f"{type(self)}; make an array of it by mx.np.array"
                )
        own = isinstance(out, ndarray)
        given = [_as_number(item) for item in inputs]
        result = getattr(ARRAYS, ufunc.__name__)(*given, out=out if own else None, **kwargs)
        if own:
            return result
    if out is None:
        return result
    out[...] = result.asnumpy() if isinstance(out, numpy.ndarray) else result
    return out


def _as_number(value: Any) -> Any:
    """Returns an array of NumPy without axes as the number that it is."""
    return value[()] if isinstance(value, numpy.ndarray) and not value.ndim else value


def install() -> None:
    """Adds the protocols to arrays."""
    set_method(ndarray, "__array_function__", _array_function)
    set_method(ndarray, "__array_ufunc__", _array_ufunc)
