"""Small helpers: environment, GPUs, and the switches of the NumPy interface.

The NumPy interface (`mx.np`) is not part of this package yet. Its switches are here and are off;
switching one on raises, because programs would silently compute with the wrong kind of array.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn, TypeVar

import torch

from mxnet.context import Context, gpu_memory_info, num_gpus, torch_device
from mxnet.errors import ArgumentValueError, MXNetError

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


def get_cuda_compute_capability(ctx: Context) -> int:
    """Returns the compute capability of a GPU as a number such as 90.

    Raises:
        ValueError: for a context that is no NVIDIA GPU.
    """
    if not isinstance(ctx, Context) or ctx.device_type != "gpu":
        raise ArgumentValueError(f"get_cuda_compute_capability: takes a GPU context, got {ctx!r}")
    device = torch_device(ctx)
    if device.type != "cuda" or torch.version.hip:
        raise ArgumentValueError(f"get_cuda_compute_capability: {ctx} is no NVIDIA GPU")
    major, minor = torch.cuda.get_device_capability(device)
    return 10 * major + minor


def set_module(module: str) -> Callable[[T], T]:
    """Makes a decorator that sets the module a function or class says it is from."""

    def decorate(decorated: T) -> T:
        decorated.__module__ = module
        return decorated

    return decorate


def is_np_array() -> bool:
    """Returns whether new arrays are arrays of the NumPy interface."""
    return False


def is_np_shape() -> bool:
    """Returns whether shapes are read as NumPy reads them."""
    return False


def np_array(active: bool = True) -> AbstractContextManager[None]:
    """Makes a `with` block that switches NumPy arrays on or off."""
    return _switch("np_array", active)


def np_shape(active: bool = True) -> AbstractContextManager[None]:
    """Makes a `with` block that switches NumPy shapes on or off."""
    return _switch("np_shape", active)


def set_np_shape(active: bool) -> bool:
    """Switches NumPy shapes on or off, and returns whether they were on."""
    _switch("set_np_shape", active)
    return False


def set_np(shape: bool = True, array: bool = True) -> None:
    """Switches the NumPy interface on or off."""
    _switch("set_np", shape or array)


def reset_np() -> None:
    """Switches the NumPy interface off."""


def use_np(func: Any) -> NoReturn:
    """Decorates a function or class that is written for the NumPy interface."""
    _refuse(f"use_np({func!r})")


def use_np_array(func: Any) -> NoReturn:
    """Decorates a function or class that is written for NumPy arrays."""
    _refuse(f"use_np_array({func!r})")


def use_np_shape(func: Any) -> NoReturn:
    """Decorates a function or class that is written for NumPy shapes."""
    _refuse(f"use_np_shape({func!r})")


def _switch(where: str, active: bool) -> AbstractContextManager[None]:
    if active:
        _refuse(where)
    return nullcontext()


def _refuse(where: str) -> NoReturn:
    raise MXNetError(
        f"{where}: the NumPy interface (mx.np, mx.npx) is not available; use mx.nd and mx.sym"
    )
