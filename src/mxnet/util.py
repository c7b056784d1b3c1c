"""Small helpers: environment, GPUs, and the scopes of the NumPy dialect."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar

import numpy
import torch

from mxnet import ndarray as _nd
from mxnet import numpy as _np
from mxnet._np_functions.table import is_legal_option as np_ufunc_legal_option
from mxnet._state import is_np_array as is_np_array
from mxnet._state import is_np_default_dtype as is_np_default_dtype
from mxnet._state import is_np_shape as is_np_shape
from mxnet._state import np_array as np_array
from mxnet._state import np_default_dtype as np_default_dtype
from mxnet._state import np_shape as np_shape
from mxnet._state import reset_np as reset_np
from mxnet._state import set_np as set_np
from mxnet._state import set_np_default_dtype as set_np_default_dtype
from mxnet._state import set_np_shape as set_np_shape
from mxnet._state import use_np as use_np
from mxnet._state import use_np_array as use_np_array
from mxnet._state import use_np_default_dtype as use_np_default_dtype
from mxnet._state import use_np_shape as use_np_shape
from mxnet.context import Context, gpu_memory_info, num_gpus
from mxnet.context import get_cuda_compute_capability as get_cuda_compute_capability
from mxnet.errors import ArgumentTypeError, ArgumentValueError, NotSupportedError

__all__ = ["np_ufunc_legal_option"]
T = TypeVar("T")


def makedirs(d: str) -> None:
    """Makes a folder and those above it, unless they are there."""
    os.makedirs(os.path.expanduser(d), exist_ok=True)


def getenv(name: str) -> str | None:
    """Returns the value of an environment variable, None if it is not set."""
    return os.environ.get(name)


def setenv(name: str, value: str | None) -> None:
    """Sets an environment variable; None removes it."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def get_gpu_count() -> int:
    """Counts the GPUs."""
    return num_gpus()


def get_gpu_memory(gpu_dev_id: int) -> tuple[int, int]:
    """Returns the free and the total memory of a GPU in bytes."""
    return gpu_memory_info(gpu_dev_id)


def set_module(module: str) -> Callable[[T], T]:
    """Makes a decorator that sets the module a function or class says it is from."""

    def decorate(decorated: T) -> T:
        decorated.__module__ = module
        return decorated

    return decorate


def default_array(source_array: Any, device: Context | None = None, dtype: Any = None) -> Any:
    """Makes an array of the kind that Gluon gives: of `mx.np` in its dialect, else of `mx.nd`.

    Args:
        source_array: Numbers, in lists or as an array.
        device: Context, the current one if not given.
        dtype: Element type.

    Example:
        >>> import mxnet as mx
        >>> with mx.util.np_array(True):
        ...     mx.util.default_array([1, 2])
        array([1., 2.])
    """
    make = _np.array if is_np_array() else _nd.array
    return make(source_array, ctx=device, dtype=dtype)


_LARGEST = {numpy.int64: 2**63 - 1, numpy.uint64: 2**64 - 1}


def dtype_from_number(number: Any) -> Any:
    """Returns the element type that an array of one number has.

    Args:
        number: A number of Python or NumPy.

    Raises:
        ValueError: for a whole number that no element type has.

    Example:
        >>> import mxnet as mx
        >>> mx.util.dtype_from_number(3), mx.util.dtype_from_number(1e300)
        (<class 'numpy.int64'>, <class 'numpy.float64'>)
    """
    if isinstance(number, int):
        for dtype, largest in _LARGEST.items():
            if number <= largest:
                return dtype
        raise ArgumentValueError(f"dtype_from_number: no element type holds {number}")
    if isinstance(number, float):
        is_large = abs(number) > float(numpy.finfo("float32").max)
        return numpy.float64 if is_large or is_np_default_dtype() else numpy.float32
    if isinstance(number, (numpy.bool_, numpy.number)):
        return number.dtype
    raise ArgumentTypeError(f"dtype_from_number: takes a number, got {type(number).__name__}")


def set_flush_denorms(value: bool) -> bool:
    """Lets calculations of the CPU take numbers next to zero for zero, which makes them faster.

    Args:
        value: Whether they do, on processors that can.

    Returns:
        Whether they did before.

    Example:
        >>> import mxnet as mx
        >>> before = mx.util.set_flush_denorms(False)
        >>> bool(mx.nd.array([1e-40]).asscalar() > 0)
        True
        >>> _ = mx.util.set_flush_denorms(before)
    """
    before = not sys.float_info.min / 2
    torch.set_flush_denormal(bool(value))
    return before


def get_max_supported_compute_capability() -> int:
    """Returns the newest architecture of GPUs, such as 90, that torch's NVRTC compiles for.

    Raises:
        MXNetError: if torch has no NVRTC.
    """
    from mxnet.rtc import supported_architectures  # noqa: PLC0415 - few programs compile kernels

    return supported_architectures()[-1]


def get_rtc_compile_opts(device: Context) -> list[str]:
    """Returns the options of NVRTC for kernels on a GPU.

    Args:
        device: Context of the GPU.

    Raises:
        ValueError: for a context that is no NVIDIA GPU.

    Example:
        >>> import mxnet as mx
        >>> for number in range(mx.context.num_gpus()):
        ...     assert mx.util.get_rtc_compile_opts(mx.gpu(number))[0].startswith("--gpu-arch")
    """
    own = get_cuda_compute_capability(device)
    newest = get_max_supported_compute_capability()
    return [f"--gpu-architecture={'sm' if own <= newest else 'compute'}_{min(own, newest)}"]


def _renaming(names: Mapping[str, str], functions: Mapping[str, Callable[[Any], Any]]) -> Any:
    """Makes a decorator that gives a function arguments under other names."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def call(*args: Any, **kwargs: Any) -> Any:
            for old, new in names.items():
                value = kwargs.pop(old, None)
                if value is not None:
                    kwargs[new] = functions[old](value) if old in functions else value
            return func(*args, **kwargs)

        return call

    return decorate


def _refuse_order(_: Any) -> Any:
    raise NotSupportedError("order: fields to sort by are not supported")


def wrap_ctx_to_device_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function that takes `device=` so that it also takes `ctx=`.

    Example:
        >>> import mxnet as mx
        >>> mx.util.wrap_ctx_to_device_func(lambda device: device)(ctx=mx.cpu(0))
        cpu(0)
    """
    decorated: Callable[..., Any] = _renaming({"ctx": "device"}, {})(func)
    return decorated


def wrap_data_api_statical_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function that takes `correction=` so that it also takes `ddof=`, as NumPy's do.

    Example:
        >>> import mxnet as mx
        >>> mx.util.wrap_data_api_statical_func(lambda correction: correction)(ddof=1)
        1
    """
    decorated: Callable[..., Any] = _renaming({"ddof": "correction"}, {})(func)
    return decorated


def wrap_data_api_linalg_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function that takes `upper=` or `rtol=` so that it takes what NumPy's do.

    `UPLO="U"` is `upper=True`, and `rcond=` and `tol=` are `rtol=`.

    Example:
        >>> import mxnet as mx
        >>> mx.util.wrap_data_api_linalg_func(lambda upper: upper)(UPLO="L")
        False
    """
    names = {"UPLO": "upper", "rcond": "rtol", "tol": "rtol"}
    decorated: Callable[..., Any] = _renaming(names, {"UPLO": lambda side: side == "U"})(func)
    return decorated


def wrap_sort_functions(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function that takes `stable=` so that it also takes `kind=`, as NumPy's do.

    Example:
        >>> import mxnet as mx
        >>> mx.util.wrap_sort_functions(lambda stable: stable)(kind="quicksort")
        False
    """
    functions = {"kind": lambda kind: kind == "stable", "order": _refuse_order}
    names = {"kind": "stable", "order": "order"}
    decorated: Callable[..., Any] = _renaming(names, functions)(func)
    return decorated


def numpy_fallback(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function of arrays of `mx.np` that NumPy computes, on copies of the elements.

    The function gets NumPy's arrays, and the name `np` in it means NumPy. What it returns becomes
    arrays of `mx.np` on the context of its arguments.

    Args:
        func: A function in Python, which returns something.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import np
        >>> @mx.util.numpy_fallback
        ... def halves(x):
        ...     return np.split(x, 2)
        >>> halves(np.array([1, 2]))
        [array([1.]), array([2.])]
    """
    if not isinstance(func, FunctionType):
        raise ArgumentValueError(
            f"numpy_fallback: takes a function in Python, got {type(func).__name__}"
        )
    names = {**func.__globals__, "np": numpy}
    own = FunctionType(func.__code__, names, func.__name__, func.__defaults__, func.__closure__)
    own.__kwdefaults__ = func.__kwdefaults__

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = _np.fallback.call_numpy(own, args, kwargs)
        if result is None:
            raise ArgumentValueError(f"numpy_fallback: {func.__name__} returned nothing")
        return result

    return call
