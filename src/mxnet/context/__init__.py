"""Contexts: where an array lives.

A context belongs to the array, not to torch's device: `cpu(0)`, `cpu(1)`, `cpu_pinned()` and
`cpu_shared()` all live on torch's CPU and stay distinct, and `gpu(i)` is the i-th accelerator that
torch reports.

This is a package because the original's `__init__.py` imports its `context.py` before anything
else. Where its wheel was installed over this package, both of them are here, and a package comes
before a module of the same name: what follows is still run, and says what happened.
"""

# ruff: noqa: E402 - the clash must be reported before anything that it may make fail
from __future__ import annotations

from mxnet._start import did_you_mean, inline, installation, public_call, public_methods

installation.check_once()

import numbers
import re
import threading
from typing import ClassVar

import torch

from mxnet.errors import ArgumentValueError, MXNetError, UnknownNameError, UnsupportedTypeError


class _HasDefault(type):
    """Adds the attribute `default_ctx` to contexts, the one of the innermost `with` block."""

    @property
    def default_ctx(cls) -> Context:
        """The context that is current in this thread; setting it replaces this one."""
        return current_context()

    @default_ctx.setter
    def default_ctx(cls, context: Context) -> None:
        set_current_context(context)


def _device_number(device_id: object) -> int:
    if not isinstance(device_id, numbers.Integral):
        raise UnsupportedTypeError(f"device_id takes an int, got {device_id!r}")
    return int(device_id)


@public_methods("__init__")
class Context(metaclass=_HasDefault):
    """A device type and number; as a `with` block, the default for arrays created inside.

    Args:
        device_type: `"cpu"`, `"gpu"`, `"cpu_pinned"` or `"cpu_shared"`, or a context to copy.
        device_id: Number of the device.

    Example:
        >>> import mxnet as mx
        >>> with mx.cpu(1):
        ...     print(mx.nd.ones(2).context)
        cpu(1)
    """

    devtype2str: ClassVar[dict[int, str]] = {1: "cpu", 2: "gpu", 3: "cpu_pinned", 5: "cpu_shared"}
    devstr2type: ClassVar[dict[str, int]] = {name: code for code, name in devtype2str.items()}

    __slots__ = ("device_id", "device_typeid", "results")

    results: Context
    """Where results of operators on arrays of this context are: on the CPU for what is staged."""

    def __init__(self, device_type: str | Context, device_id: int = 0) -> None:
        if isinstance(device_type, Context):
            self.device_typeid: int = device_type.device_typeid
            self.device_id: int = device_type.device_id
        else:
            self.device_typeid = _device_type(device_type)
            self.device_id = device_id if type(device_id) is int else _device_number(device_id)
        self.results = intern(self).results

    @property
    def device_type(self) -> str:
        """Name of the device type."""
        return self.devtype2str[self.device_typeid]

    @property
    def default_ctx(self) -> Context:
        """The context that is current in this thread, as `Context.default_ctx`."""
        return current_context()

    def __hash__(self) -> int:
        return hash((self.device_typeid, self.device_id))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Context)
            and self.device_typeid == other.device_typeid
            and self.device_id == other.device_id
        )

    def __repr__(self) -> str:
        return f"{self.device_type}({self.device_id})"

    def __reduce__(self) -> tuple[type[Context], tuple[str, int]]:
        return (Context, (self.device_type, self.device_id))

    def __enter__(self) -> Context:
        _scopes.stack.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _scopes.stack.pop()

    def empty_cache(self) -> None:
        """Returns memory that torch holds in reserve on an accelerator to the device."""
        device = torch_device(self)
        if device.type != "cpu":
            torch.get_device_module(device).empty_cache()


class _Scopes(threading.local):
    """The `with` blocks of a thread, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Context] = []


_scopes = _Scopes()
_CPU = torch.device("cpu")
_FOUND: dict[int, torch.device] = {}
"""Accelerators that are there, by number; to ask torch takes longer than to launch a kernel."""

_INTERNED: dict[tuple[int, int], Context] = {}
"""One object for each context that the program names. None is dropped: `is` compares them."""


def _device_type(name: str) -> int:
    """Returns the number of a type of devices."""
    if name not in Context.devstr2type:
        raise UnknownNameError(
            f"unknown device type {name!r}"
            f"{did_you_mean(name, Context.devstr2type)}; "
            f"known are {', '.join(Context.devstr2type)}"
        )
    return Context.devstr2type[name]


def intern(context: Context) -> Context:
    """Returns the one object that stands for all equal contexts, so that `is` compares them."""
    if not isinstance(context, Context):
        raise UnsupportedTypeError(f"a Context is expected, got {context!r}")
    return _one_of(context.device_typeid, context.device_id)


def _one_of(device_typeid: int, device_id: int) -> Context:
    """Returns the context that stands for all of a type and number."""
    key = device_typeid, device_id
    return _INTERNED.get(key) or _remember(key)


def _remember(key: tuple[int, int]) -> Context:
    """Makes the context that stands for all of a type and number."""
    context = object.__new__(Context)
    context.device_typeid, context.device_id = key
    is_staged = context.device_type in ("cpu_pinned", "cpu_shared")
    context.results = _one_of(1, key[1]) if is_staged else context
    return _INTERNED.setdefault(key, context)


CPU0 = intern(Context("cpu", 0))


def _make(device_typeid: int, device_id: object) -> Context:
    context = object.__new__(Context)  # calls of `cpu()` are frequent
    context.device_typeid = device_typeid
    context.device_id = device_id if type(device_id) is int else _device_number(device_id)
    context.results = _one_of(device_typeid, context.device_id).results
    return context


@public_call
def cpu(device_id: int = 0) -> Context:
    """Returns a CPU context; all of them use all cores.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((2,), ctx=mx.cpu())
        >>> x.context
        cpu(0)
    """
    return _make(1, device_id)


@public_call
def cpu_pinned(device_id: int = 0) -> Context:
    """Returns the context of page-locked host memory.

    Args:
        device_id: Number of the context, of which programs use 0.

    Example:
        >>> import mxnet as mx
        >>> context = mx.cpu_pinned()  # from which copies to a GPU are faster
        >>> context, context == mx.cpu()
        (cpu_pinned(0), False)
    """
    return _make(3, device_id)


@public_call
def gpu(device_id: int = 0) -> Context:
    """Returns the context of an accelerator.

    Args:
        device_id: Number of the accelerator, from 0.

    Example:
        >>> import mxnet as mx
        >>> mx.gpu(1)
        gpu(1)
        >>> context = mx.gpu() if mx.context.num_gpus() else mx.cpu()
        >>> mx.nd.ones((2,), ctx=context).context == context
        True
    """
    return _make(2, device_id)


@inline
def current_context() -> Context:
    """Returns the context of the innermost `with` block, `cpu(0)` outside of all.

    Example:
        >>> import mxnet as mx
        >>> with mx.cpu(1):
        ...     print(mx.current_context(), mx.nd.ones(2).context)
        cpu(1) cpu(1)
        >>> mx.current_context()
        cpu(0)
    """
    return _scopes.stack[-1] if _scopes.stack else CPU0


def set_current_context(context: Context) -> None:
    """Makes a context current, until the end of the innermost `with` block if there is one."""
    _scopes.stack[-1:] = [context]


def resolve(ctx: Context | str | None = None) -> Context:
    """Returns the interned context that was asked for, the current one for None.

    Args:
        ctx: A context, or one in its printed form such as `"cpu(1)"`.
    """
    if ctx is None and not _scopes.stack:
        return CPU0
    if isinstance(ctx, str):
        printed = re.fullmatch(r"(\w+)\((\d+)\)", ctx)
        if printed is None:
            raise UnknownNameError(f"ctx takes a Context or a str such as 'cpu(0)', got {ctx!r}")
        ctx = Context(printed[1], int(printed[2]))
    if ctx is not None and not isinstance(ctx, Context):
        raise UnsupportedTypeError(
            f"ctx takes a Context such as mx.cpu(), got {ctx!r}"
            f"{'; lengths of a shape are one tuple' * isinstance(ctx, int)}"
        )
    return intern(current_context() if ctx is None else ctx)


def num_gpus() -> int:
    """Counts the accelerators that torch sees.

    Example:
        >>> import mxnet as mx
        >>> contexts = [mx.gpu(i) for i in range(mx.context.num_gpus())] or [mx.cpu()]
        >>> len(contexts) >= 1
        True
    """
    return torch.accelerator.device_count() if torch.accelerator.is_available() else 0


@public_call
def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Returns the free and the total memory of a GPU in bytes.

    Args:
        device_id: Number of the GPU, from 0.

    Raises:
        MXNetError: if there is no such GPU.

    Example:
        >>> import mxnet as mx
        >>> for number in range(mx.context.num_gpus()):
        ...     free, total = mx.context.gpu_memory_info(number)
        ...     assert 0 < free <= total
    """
    device = torch_device(gpu(device_id))
    if device.type != "cuda":
        raise MXNetError(f"gpu_memory_info: {device.type} devices do not report their memory")
    free, total = torch.cuda.mem_get_info(device)
    return int(free), int(total)


def torch_device(context: Context) -> torch.device:
    """Returns torch's device for a context.

    Raises:
        MXNetError: for a GPU that is not there.
    """
    if context.device_typeid != Context.devstr2type["gpu"]:
        return _CPU
    device = _FOUND.get(context.device_id)
    return _find_gpu(context) if device is None else device


def _find_gpu(context: Context) -> torch.device:
    count = num_gpus()
    if not 0 <= context.device_id < count:
        raise MXNetError(
            f"{context} is not available: torch {torch.__version__} sees "
            f"{count or 'no'} accelerator{'' if count == 1 else 's'} on this machine; "
            "use mx.cpu(), or install a torch build for the device"
        )
    accelerator = torch.accelerator.current_accelerator()
    kind = "cpu" if accelerator is None else accelerator.type
    device = _FOUND[context.device_id] = torch.device(kind, context.device_id)
    return device


def context_of(tensor: torch.Tensor) -> Context:
    """Returns the context of a tensor that comes from torch."""
    device = tensor.device
    return CPU0 if device.type == "cpu" else intern(Context("gpu", device.index or 0))


@public_call
def get_cuda_compute_capability(ctx: Context) -> int:
    """Returns the compute capability of a GPU as a number such as 90.

    Args:
        ctx: Context of a GPU.

    Raises:
        ValueError: for a context that is no NVIDIA GPU.

    Example:
        >>> import mxnet as mx
        >>> for number in range(mx.context.num_gpus()):
        ...     assert mx.util.get_cuda_compute_capability(mx.gpu(number)) >= 30
        >>> mx.util.get_cuda_compute_capability(mx.cpu())  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        mxnet.errors.ArgumentValueError: get_cuda_compute_capability: takes a GPU context, got ...
    """
    if not isinstance(ctx, Context) or ctx.device_type != "gpu":
        raise ArgumentValueError(f"get_cuda_compute_capability: takes a GPU context, got {ctx!r}")
    device = torch_device(ctx)
    if device.type != "cuda" or torch.version.hip:
        raise ArgumentValueError(f"get_cuda_compute_capability: {ctx} is no NVIDIA GPU")
    major, minor = torch.cuda.get_device_capability(device)
    return 10 * major + minor
