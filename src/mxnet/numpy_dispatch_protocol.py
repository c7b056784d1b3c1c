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


_FUNCTION_NAMES = """
    all amax amin any append argmax argmin argsort around array_split atleast_1d atleast_2d
    atleast_3d bincount broadcast_arrays broadcast_to clip column_stack concatenate copy cumsum
    delete diag diag_indices_from diagflat diagonal diff dot dsplit dstack ediff1d einsum
    empty_like expand_dims fix flip fliplr flipud full_like hsplit hstack inner insert isfinite
    isinf isnan isneginf isposinf linalg.cholesky linalg.eig linalg.eigh linalg.eigvals
    linalg.eigvalsh linalg.inv linalg.norm linalg.pinv linalg.solve linalg.tensorinv
    linalg.tensorsolve max may_share_memory mean meshgrid min nan_to_num nonzero ones_like outer
    pad percentile polyval prod product quantile ravel repeat reshape resize roll round round_
    shape shares_memory sometrue sort split squeeze stack std sum swapaxes take tensordot tile
    trace transpose tril unique unravel_index var vdot vsplit vstack where zeros_like
"""
_UFUNC_NAMES = """
    abs absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh bitwise_and
    bitwise_not bitwise_or bitwise_xor cbrt ceil copysign cos cosh degrees equal exp expm1 fabs
    floor greater greater_equal hypot invert lcm less less_equal log log10 log2 logical_not
    matmul maximum minimum mod multiply negative not_equal power reciprocal remainder rint sign
    sin sinh sqrt square subtract tan tanh true_divide trunc
"""
"""What 1.9.1 lists, by which its tests go; functions that only MXNet 2 has run ours, too."""


def _find_functions(names: str) -> dict[str, tuple[Any, Any]]:
    """Returns the pairs of a function of NumPy and of ours that have one name, by this name.

    Names that NumPy has dropped since are left out.
    """
    found = {}
    for name in names.split():
        prefix, _, last = name.rpartition(".")
        theirs, ours = (numpy.linalg, mx_np.linalg) if prefix else (numpy, mx_np)
        if hasattr(theirs, last):
            found[name] = (vars(theirs)[last], getattr(ours, last))
    return found


_FUNCTIONS, _UFUNCS = _find_functions(_FUNCTION_NAMES), _find_functions(_UFUNC_NAMES)
_NUMPY_ARRAY_FUNCTION_LIST, _NUMPY_ARRAY_UFUNC_LIST = list(_FUNCTIONS), list(_UFUNCS)
_NUMPY_ARRAY_FUNCTION_DICT = dict(_FUNCTIONS.values())
_NUMPY_ARRAY_UFUNC_DICT = {name: ours for name, (_, ours) in _UFUNCS.items()}
