"""Functions of `mx.np` that are no operators: NumPy computes them on copies of the elements.

On a GPU, and where a gradient is asked for, torch computes those that it has.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy
import torch
from torch import Tensor

from mxnet import limits
from mxnet._arrays.array import finish, tie
from mxnet._formats import files
from mxnet._start import public_call
from mxnet._state import modes
from mxnet.context import resolve
from mxnet.errors import NotSupportedError
from mxnet.numpy._ndarray import ndarray
from mxnet.numpy._protocols import call_numpy
from mxnet.ops.core.public import LateSignature

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
_MAX, _MIN = torch.amax, torch.amin


def _axes(x: Tensor, axis: Any) -> Any:
    return tuple(range(x.ndim)) if axis is None else axis


def _nan_reduced(reduce: Callable[..., Tensor], neutral: float) -> Callable[..., Tensor]:
    """Builds a reduction that leaves nan out; where all elements are nan, so is the result."""

    def function(a: Tensor, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        is_nan, dims = torch.isnan(a), _axes(a, axis)
        result = reduce(torch.where(is_nan, neutral, a), dim=dims, keepdim=keepdims)
        return torch.where(is_nan.all(dim=dims, keepdim=keepdims), torch.nan, result)

    return function


def _nanprod(a: Tensor, axis: int | None = None) -> Tensor:
    filled = torch.where(torch.isnan(a), 1, a)
    return filled.prod() if axis is None else filled.prod(dim=axis)


def _cumulative(name: str, neutral: float) -> Callable[..., Tensor]:
    def function(a: Tensor, axis: int | None = None) -> Tensor:
        filled = torch.where(torch.isnan(a), neutral, a)
        run: Callable[..., Tensor] = getattr(torch, name)
        return run(filled.reshape(-1), dim=0) if axis is None else run(filled, dim=axis)

    return function


def _nanquantile(a: Tensor, q: Any, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    share = torch.as_tensor(q, dtype=a.dtype, device=a.device)
    return torch.nanquantile(a, share, dim=axis, keepdim=keepdims)


def _ptp(a: Tensor, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    dims = _axes(a, axis)
    return _MAX(a, dim=dims, keepdim=keepdims) - _MIN(a, dim=dims, keepdim=keepdims)


def _cov(m: Tensor, y: Tensor | None = None, rowvar: bool = True, *, ddof: int = 1) -> Tensor:
    rows = [item.double().reshape(-1, item.shape[-1]) for item in (m, y) if item is not None]
    if not rowvar:
        rows = [item.T for item in rows]
    return torch.cov(torch.cat(rows), correction=ddof)


def _corrcoef(x: Tensor, y: Tensor | None = None, rowvar: bool = True) -> Tensor:
    covariance = _cov(x, y, rowvar)
    if not covariance.ndim:
        return covariance / covariance
    deviations = covariance.diagonal().sqrt()
    return covariance / deviations[:, None] / deviations[None]


def _trapz(y: Tensor, x: Tensor | None = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    if x is None:
        return torch.trapezoid(y, dx=dx, dim=axis)
    return torch.trapezoid(y, x, dim=axis)


def _take_along_axis(arr: Tensor, indices: Tensor, axis: int | None = -1) -> Tensor:
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    positions = indices.long()
    return torch.take_along_dim(
        arr, torch.where(positions < 0, positions + arr.shape[axis], positions), axis
    )


def _searchsorted(a: Tensor, v: Any, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    values = torch.as_tensor(v, dtype=a.dtype, device=a.device)
    return torch.searchsorted(a, values.contiguous(), side=side, sorter=sorter)


def _select(condlist: Sequence[Tensor], choicelist: Sequence[Tensor], default: Any = 0) -> Tensor:
    result = torch.as_tensor(default, dtype=choicelist[0].dtype, device=choicelist[0].device)
    for condition, choice in reversed(list(zip(condlist, choicelist, strict=True))):
        result = torch.where(condition, choice, result)
    return result


def _rollaxis(a: Tensor, axis: int, start: int = 0) -> Tensor:
    axis, start = axis % a.ndim, start + a.ndim if start < 0 else start
    return a.movedim(axis, start - 1 if axis < start else start)


def _vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    powers: Tensor = torch.linalg.vander(x.double(), N=N)
    return powers if increasing else powers.flip(1)


def _divmod(x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
    return torch.floor_divide(x1, x2), torch.remainder(x1, x2)


def _modf(x: Tensor) -> tuple[Tensor, Tensor]:
    return torch.frac(x), torch.trunc(x)


def _partition(a: Tensor, kth: Any, axis: int | None = -1) -> Tensor:
    del kth  # what is sorted is partitioned everywhere
    return torch.sort(a.reshape(-1) if axis is None else a, dim=-1 if axis is None else axis).values


_TORCH_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "argwhere": torch.argwhere,
    "corrcoef": _corrcoef,
    "count_nonzero": lambda a, axis=None: torch.count_nonzero(a, dim=axis),
    "cov": _cov,
    "divmod": _divmod,
    "extract": lambda condition, arr: arr.reshape(-1)[condition.reshape(-1).bool()],
    "flatnonzero": lambda a: torch.nonzero(a.reshape(-1)).reshape(-1),
    "float_power": torch.float_power,
    "heaviside": lambda x1, x2: torch.heaviside(
        x1, torch.as_tensor(x2, dtype=x1.dtype, device=x1.device)
    ),
    "i0": torch.special.i0,
    "isclose": lambda a, b, rtol=1e-05, atol=1e-08, equal_nan=False: torch.isclose(
        a, torch.as_tensor(b, device=a.device), rtol, atol, equal_nan
    ),
    "isin": lambda element, test_elements: torch.isin(element, test_elements),
    "modf": _modf,
    "nancumprod": _cumulative("cumprod", 1),
    "nancumsum": _cumulative("cumsum", 0),
    "nanmax": _nan_reduced(_MAX, -torch.inf),
    "nanmedian": lambda a, axis=None: _nanquantile(a, 0.5, axis),
    "nanmin": _nan_reduced(_MIN, torch.inf),
    "nanpercentile": lambda a, q, axis=None: _nanquantile(
        a, torch.as_tensor(q, dtype=a.dtype) / 100, axis
    ),
    "nanprod": _nanprod,
    "nanquantile": _nanquantile,
    "partition": _partition,
    "positive": torch.positive,
    "ptp": _ptp,
    "real": lambda val: val.clone(),
    "rollaxis": _rollaxis,
    "searchsorted": _searchsorted,
    "select": _select,
    "signbit": torch.signbit,
    "take_along_axis": _take_along_axis,
    "trapz": _trapz,
    "vander": _vander,
    "linalg.cond": lambda x, p=None: torch.linalg.cond(x, p),
    "linalg.matrix_power": torch.linalg.matrix_power,
    "linalg.matrix_rank": torch.linalg.matrix_rank,
    "linalg.multi_dot": torch.linalg.multi_dot,
    "linalg.qr": lambda a, mode="reduced": tuple(torch.linalg.qr(a, mode)),
}
"""Functions on tensors by NumPy's name."""


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
    on_tensors = _TORCH_FUNCTIONS.get(name)

    def function(*args: Any, **kwargs: Any) -> Any:
        if on_tensors is not None and modes.tracer is None:
            arrays = list(_arrays_in((*args, *kwargs.values())))
            if arrays and _needs_torch(arrays):
                return _run_torch(on_tensors, args, kwargs, arrays[0])
        return call_numpy(numpy_function, args, kwargs)

    named = _named(function, name, f"Computes `numpy.{name}` of arrays of `mx.np`; see there.")
    named.__signature__ = LateSignature.made_by(  # type: ignore[attr-defined]
        partial(_signature_of, numpy_function)
    )
    return named


def _signature_of(numpy_function: Callable[..., Any]) -> inspect.Signature:
    """Returns the signature of a function of NumPy; some have none that Python can read."""
    try:
        return inspect.signature(numpy_function)
    except ValueError:
        return inspect.signature(lambda *args, **kwargs: None)  # noqa: ARG005 - only shown


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
    source = args[0] if args else kwargs.get("fname")
    if isinstance(source, (str, os.PathLike)) and os.path.exists(source):
        with files.open_foreign(source) as file:  # which refuses pipes and devices
            limits.check("array_bytes", os.fstat(file.fileno()).st_size, os.fspath(source))
    with resolve(kwargs.pop("ctx", None)):
        return call_numpy(numpy.genfromtxt, args, kwargs)
