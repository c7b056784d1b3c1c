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
    all any sometrue argmin argmax around round round_ argsort sort append broadcast_arrays
    broadcast_to clip concatenate copy cumsum diag diagonal diagflat dot expand_dims fix flip
    flipud fliplr inner insert max amax mean min amin nonzero ones_like atleast_1d atleast_2d
    atleast_3d prod product ravel repeat reshape roll split array_split hsplit vsplit dsplit
    squeeze stack std sum swapaxes take tensordot tile transpose unique unravel_index
    diag_indices_from delete var vdot vstack column_stack hstack dstack zeros_like linalg.norm
    linalg.cholesky linalg.inv linalg.solve linalg.tensorinv linalg.tensorsolve linalg.pinv
    linalg.eigvals linalg.eig linalg.eigvalsh linalg.eigh shape trace tril meshgrid outer einsum
    polyval shares_memory may_share_memory quantile percentile diff ediff1d resize where
    full_like bincount empty_like nan_to_num isnan isfinite isposinf isneginf isinf pad
"""
_UFUNC_NAMES = """
    abs fabs add arctan2 copysign degrees hypot lcm subtract multiply true_divide negative power
    mod matmul absolute rint sign exp log log2 log10 expm1 sqrt square cbrt reciprocal invert
    bitwise_not remainder sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh
    arctanh maximum minimum ceil trunc floor bitwise_and bitwise_xor bitwise_or logical_not
    equal not_equal less less_equal greater greater_equal
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
