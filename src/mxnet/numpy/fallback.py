"""Functions of `mx.np` that are no operators: NumPy computes them on copies of the elements.

On a GPU, and where a gradient is asked for, torch computes those that it has.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import update_wrapper, wraps
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor

from mxnet import limits
from mxnet._arrays.array import finish, tie
from mxnet._arrays.functions import rename
from mxnet._formats import files
from mxnet._np_functions.mxnet2 import renamed_in
from mxnet._np_functions.table import BY_NUMPY, LINALG, NP
from mxnet._start import public_call
from mxnet._state import modes
from mxnet.context import resolve
from mxnet.errors import NotSupportedError
from mxnet.numpy._ndarray import array, ndarray
from mxnet.numpy._protocols import call_numpy as call_numpy

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


def _nanvar(a: Tensor, axis: Any = None, *, ddof: int = 0, keepdims: bool = False) -> Tensor:
    dims = _axes(a, axis)
    mean, count = torch.nanmean(a, dims, keepdim=True), (~torch.isnan(a)).sum(dims, keepdim=True)
    squares = torch.nansum((a - mean).square(), dims, keepdim=True) / (count - ddof)
    return squares if keepdims else squares.sum(dims)


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
    "cumprod": lambda a, axis=None: (
        torch.cumprod(a.reshape(-1), 0) if axis is None else torch.cumprod(a, axis)
    ),
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
    "nanstd": lambda a, axis=None, **given: _nanvar(a, axis, **given).sqrt(),
    "nansum": lambda a, axis=None, *, keepdims=False: torch.nansum(a, axis, keepdim=keepdims),
    "nanvar": _nanvar,
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


def _removed(name: str, declared: Callable[..., Any]) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        raise NotSupportedError(f"{name}: NumPy has removed it; numpy_financial has such functions")

    return _named(function, declared)


def _named(function: Callable[..., Any], declared: Callable[..., Any]) -> Callable[..., Any]:
    """Names and documents a closure as a declaration says, and sets its signature."""
    return public_call(update_wrapper(function, declared))


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


_BY_OPERATORS: dict[str, Callable[..., Any]] = {"flatnonzero": lambda a: a.reshape(-1).nonzero()[0]}
"""Functions on arrays that are part of a graph, in operators that it can hold."""


def _make(
    name: str, numpy_function: Callable[..., Any], declared: Callable[..., Any]
) -> Callable[..., Any]:
    on_tensors, in_graphs = _TORCH_FUNCTIONS.get(name), _BY_OPERATORS.get(name)

    def function(*args: Any, **kwargs: Any) -> Any:
        if modes.tracer is not None and in_graphs is not None:
            return in_graphs(*args, **kwargs)
        if on_tensors is not None and modes.tracer is None:
            arrays = list(_arrays_in((*args, *kwargs.values())))
            if arrays and _needs_torch(arrays):
                return _run_torch(on_tensors, args, kwargs, arrays[0])
        return call_numpy(numpy_function, args, kwargs)

    return _named(function, declared)


def _build(name: str, declared: Callable[..., Any]) -> Callable[..., Any]:
    function = _REPLACED.get(name) or vars(numpy).get(name)  # NumPy 1 warns of names it had
    return _removed(name, declared) if function is None else _make(name, function, declared)


FUNCTIONS = {name: _build(name, declared) for name, declared in BY_NUMPY[NP].items()}
LINALG_FUNCTIONS = {
    name: _make(f"linalg.{name}", getattr(numpy.linalg, name), declared)
    for name, declared in BY_NUMPY[LINALG].items()
}
LINALG_FUNCTIONS["matrix_rank"] = rename(
    LINALG_FUNCTIONS["matrix_rank"], renamed_in(LINALG, "matrix_rank")
)
globals().update(FUNCTIONS)
__all__ = sorted(FUNCTIONS)


@public_call
def genfromtxt(
    fname: Any,
    dtype: Any = float,
    comments: str = "#",
    delimiter: Any = None,
    *args: Any,
    ctx: Any = None,
    **kwargs: Any,
) -> Any:
    """Reads an array from a text file with a row in each line.

    Args:
        fname: Path, open file, or list of lines.
        dtype: Element type of the array.
        comments: What begins a comment.
        delimiter: What separates numbers, white space if not given.
        *args: Further options of `numpy.genfromtxt`, in its order.
        ctx: Context of the array, the current one if not given.
        **kwargs: Further options by name, such as `skip_header=1` or `filling_values=0`.

    Returns:
        Array of shape `(rows, columns)`; what is missing is nan.

    Example:
        >>> import mxnet as mx
        >>> lines = ["# width, height", "1, 2", "3, "]
        >>> mx.np.genfromtxt(lines, delimiter=",", dtype="float32")
        array([[ 1.,  2.],
               [ 3., nan]])
    """
    if isinstance(fname, (str, os.PathLike)) and os.path.exists(fname):
        with files.open_foreign(fname) as file:  # which refuses pipes and devices
            limits.check("array_bytes", os.fstat(file.fileno()).st_size, os.fspath(fname))
    with resolve(ctx):
        given = (fname, dtype, comments, delimiter, *args)
        return call_numpy(numpy.genfromtxt, given, kwargs)


def get_func(obj: Callable[..., Any], doc: str | None) -> Callable[..., Any]:
    """Returns a function that calls another one, with documentation of its own.

    Example:
        >>> import mxnet as mx
        >>> mx.np.fallback.get_func(len, "Counts.")([1, 2])
        2
    """

    @wraps(obj)
    def call(*args: Any, **kwargs: Any) -> Any:
        return obj(*args, **kwargs)

    call.__doc__ = doc
    return call


def wrap_mxnp_np_ufunc(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function of two arrays of `mx.np` so that the second may be one of NumPy.

    Example:
        >>> import mxnet as mx, numpy
        >>> add = mx.np.multiarray.wrap_mxnp_np_ufunc(mx.np.add)
        >>> add(mx.np.ones(2), numpy.ones(2, dtype="float32"))
        array([2., 2.])
    """

    @wraps(func)
    def call(x1: Any, x2: Any) -> Any:
        if isinstance(x2, numpy.ndarray):
            x2 = array(x2, dtype=x2.dtype, ctx=x1.ctx)
        return func(x1, x2)

    return call


class finfo_obj(NamedTuple):  # noqa: N801 - the name in MXNet 2
    """What `mx.np.type_functions.finfo` says of floating-point numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float


class iinfo_obj(NamedTuple):  # noqa: N801 - the name in MXNet 2
    """What `mx.np.type_functions.iinfo` says of integers."""

    bits: int
    max: int
    min: int


def finfo(dtype: Any) -> finfo_obj:
    """Returns how large, small and exact floating-point numbers of a type are.

    Args:
        dtype: The element type.

    Example:
        >>> import mxnet as mx
        >>> mx.np.type_functions.finfo("float16").max
        65504.0
    """
    found = numpy.finfo(dtype)
    limits_of = (found.eps, found.max, found.min, found.tiny)
    return finfo_obj(found.bits, *map(float, limits_of))


def iinfo(dtype: Any) -> iinfo_obj:
    """Returns how large and small integers of a type are.

    Args:
        dtype: The element type.

    Example:
        >>> import mxnet as mx
        >>> mx.np.type_functions.iinfo("int8")
        iinfo_obj(bits=8, max=127, min=-128)
    """
    found = numpy.iinfo(dtype)
    return iinfo_obj(found.bits, found.max, found.min)
