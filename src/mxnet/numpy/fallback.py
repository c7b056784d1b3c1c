"""Functions of `mx.np` that are no operators: NumPy computes them on copies of the elements.

On a GPU, and where a gradient is asked for, torch computes those that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy
from torch import Tensor

from mxnet._array import finish, tie
from mxnet._modes import modes
from mxnet._tracebacks import public_call
from mxnet.context import resolve
from mxnet.errors import NotSupportedError
from mxnet.numpy._ndarray import ndarray
from mxnet.numpy._numpy_calls import call_numpy
from mxnet.numpy._torch_functions import TORCH_FUNCTIONS

_NAMES = (
    *("allclose", "alltrue", "apply_along_axis", "apply_over_axes", "argpartition", "argwhere"),
    *("array_equal", "array_equiv", "choose", "compress", "corrcoef", "correlate"),
    *("count_nonzero", "cov", "digitize", "divmod", "extract", "flatnonzero", "float_power"),
    *("frexp", "heaviside", "histogram2d", "histogram_bin_edges", "histogramdd", "i0", "in1d"),
    *("interp", "intersect1d", "isclose", "isin", "ix_", "lexsort", "min_scalar_type", "mirr"),
    *("modf", "msort", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax"),
    *("nanmedian", "nanmin", "nanpercentile", "nanprod", "nanquantile", "ndim", "npv"),
    *("packbits", "partition", "piecewise", "poly", "polyadd", "polydiv", "polyfit", "polyint"),
    *("polymul", "polysub", "positive", "ppmt", "promote_types", "ptp", "pv", "rate", "real"),
    *("result_type", "rollaxis", "roots", "searchsorted", "select", "setdiff1d", "setxor1d"),
    *("signbit", "size", "spacing", "take_along_axis", "trapz", "tril_indices_from"),
    *("trim_zeros", "triu_indices_from", "union1d", "unpackbits", "unwrap", "vander"),
)
_LINALG_NAMES = ("cond", "lstsq", "matrix_power", "matrix_rank", "multi_dot", "qr")

_REPLACED: dict[str, Callable[..., Any]] = {
    "alltrue": numpy.all,
    "in1d": lambda ar1, ar2, **kwargs: numpy.isin(numpy.ravel(ar1), ar2, **kwargs),
    "msort": lambda a: numpy.sort(a, axis=0),
    "trapz": getattr(numpy, "trapezoid", None) or getattr(numpy, "trapz", None),  # type: ignore[dict-item]
}
"""Functions that releases of NumPy have dropped, by what does the same."""


def _removed(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        raise NotSupportedError(f"{name}: NumPy has removed it; numpy_financial has such functions")

    return _named(function, name, f"Raises: NumPy has no `{name}` any more.")


def _named(function: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    """Names and documents a closure as the function that programs find."""
    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__module__ = "mxnet.numpy.linalg" if "." in name else "mxnet.numpy"
    function.__doc__ = doc
    return public_call(function)


def _arrays_in(values: Any) -> Iterator[ndarray]:
    for value in values:
        if isinstance(value, ndarray):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _arrays_in(value)


def _to_tensors(value: Any) -> Any:
    if isinstance(value, ndarray):
        return value._read()
    if isinstance(value, (list, tuple)):
        return type(value)(map(_to_tensors, value))
    return value


def _run_torch(function: Callable[..., Any], args: Any, kwargs: Any, first: ndarray) -> Any:
    given = _to_tensors(args)
    result = function(*given, **{key: _to_tensors(value) for key, value in kwargs.items()})
    tensors = [item._read() for item in _arrays_in((*args, *kwargs.values()))]
    ctx = first._ctx.results
    if isinstance(result, Tensor):
        return finish(result, tensors, ndarray, ctx)
    arrays = tuple(finish(item, tensors, ndarray, ctx) for item in result)
    if modes.recording:
        tie(arrays)
    return arrays


def _needs_torch(arrays: list[ndarray]) -> bool:
    """Returns whether NumPy is not enough: on a GPU, or for a gradient."""
    return any(
        item._plain.device.type != "cpu" or (modes.recording and item._recorded().requires_grad)
        for item in arrays
    )


def _make(name: str, numpy_function: Callable[..., Any]) -> Callable[..., Any]:
    on_tensors = TORCH_FUNCTIONS.get(name)

    def function(*args: Any, **kwargs: Any) -> Any:
        if on_tensors is not None and modes.tracer is None:
            arrays = list(_arrays_in((*args, *kwargs.values())))
            if arrays and _needs_torch(arrays):
                return _run_torch(on_tensors, args, kwargs, arrays[0])
        return call_numpy(numpy_function, args, kwargs)

    return _named(function, name, f"Computes `numpy.{name}` of arrays of `mx.np`; see there.")


def _build(name: str) -> Callable[..., Any]:
    function = _REPLACED.get(name) or vars(numpy).get(name)  # NumPy 1 warns of names it had
    return _removed(name) if function is None else _make(name, function)


FUNCTIONS = {name: _build(name) for name in _NAMES}
LINALG_FUNCTIONS = {
    name: _make(f"linalg.{name}", getattr(numpy.linalg, name)) for name in _LINALG_NAMES
}
globals().update(FUNCTIONS)
__all__ = sorted(FUNCTIONS)


@public_call
def genfromtxt(*args: Any, **kwargs: Any) -> Any:
    """Reads an array from a text file.

    Args:
        *args: Those of `numpy.genfromtxt`.
        **kwargs: Those of `numpy.genfromtxt`; and `ctx`, the context of the array.
    """
    with resolve(kwargs.pop("ctx", None)):
        return call_numpy(numpy.genfromtxt, args, kwargs)
