"""Small helpers: environment, GPUs, and the scopes of the NumPy dialect."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from mxnet._np_functions.table import is_legal_option as np_ufunc_legal_option
from mxnet._state import is_np_array as is_np_array
from mxnet._state import is_np_default_dtype as is_np_default_dtype
from mxnet._state import is_np_shape as is_np_shape
from mxnet._state import np_array as np_array
from mxnet._state import np_default_dtype as np_default_dtype
from mxnet._state import np_shape as np_shape
from mxnet._state import reset_np as reset_np
from mxnet._state import set_np as set_np
from mxnet._state import set_np_shape as set_np_shape
from mxnet._state import use_np as use_np
from mxnet._state import use_np_array as use_np_array
from mxnet._state import use_np_default_dtype as use_np_default_dtype
from mxnet._state import use_np_shape as use_np_shape
from mxnet.context import get_cuda_compute_capability as get_cuda_compute_capability
from mxnet.context import gpu_memory_info, num_gpus

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
