"""Runs kernels on tensors of a GPU that is not there, and tells what would stop a capture.

`FakeTensorMode` computes shapes, types and devices alone, so that it needs no GPU. What a kernel
asks of torch passes `_Watch`, which raises at whatever a stream that is being captured refuses, and
a stream that is not has to wait for: values, copies between host and device, shapes that depend on
values.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

from mxnet.ops.core.registry import as_tuple

from .harness import parse_call, supplied
from .samples.core import Sample

GPU = torch.device("cuda", 0)

READERS = frozenset(
    {
        "_ctc_loss",
        "_linalg_check_errors",
        "_local_scalar_dense",
        "_unique",
        "_unique2",
        "bincount",
        "equal",
        "is_nonzero",
        "masked_select",
        "nonzero",
        "repeat_interleave",
        "unique_consecutive",
        "unique_dim",
        "unique_dim_consecutive",
    }
)
"""Functions of torch that read values of a GPU in order to go on."""

INDEXING = frozenset({"index", "_unsafe_index", "index_put", "index_put_", "_index_put_impl_"})


class StopsCaptureError(AssertionError):
    """A kernel does what a stream that is being captured refuses."""


class _Watch(TorchDispatchMode):
    """Lists the functions that are called, and raises at those that stop a capture."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def __torch_dispatch__(self, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func._schema.name.removeprefix("aten::")
        given = [i for i in tree_iter((args, kwargs)) if isinstance(i, Tensor)]
        if any(item.is_cuda for item in given):
            _check_arguments(name, args, given)
        result = func(*args, **(kwargs or {}))
        made = [i for i in tree_iter(result) if isinstance(i, Tensor)]
        self.calls.append(name)
        _check_result(name, given, made)
        return result


def _check_arguments(name: str, args: Any, given: list[Tensor]) -> None:
    """Raises if a function that is given tensors of the GPU has to know values of them."""
    if name in READERS:
        raise StopsCaptureError(f"{name} reads values")
    if name in INDEXING:
        masks = [i for i in args[1] if i is not None and i.dtype in (torch.bool, torch.uint8)]
        if masks and not (name.endswith(("put", "put_")) and args[2].numel() == 1):
            raise StopsCaptureError(f"{name} by a mask looks for its positions")
    # A single number of the host is an argument of a kernel, but no array to index with.
    kernel_takes = 0 if name in INDEXING else 1
    for item in given:
        if item.is_cpu and (item.ndim >= kernel_takes):
            raise StopsCaptureError(f"{name} takes {tuple(item.shape)} from the host")


def _check_result(name: str, given: list[Tensor], made: list[Tensor]) -> None:
    """Raises if a function copies from the host to the GPU, or back."""
    places = [{item.device.type for item in items} for items in (given, made)]
    if places == [{"cpu"}, {"cuda"}]:
        raise StopsCaptureError(f"{name} copies {tuple(made[0].shape)} from the host")
    if "cuda" in places[0] and "cpu" in places[1]:
        raise StopsCaptureError(f"{name} copies {tuple(made[0].shape)} to the host")


_REGISTRY = "_ZN3c104impl26device_guard_impl_registryE"
_DEVICE_TYPES = 22
_CUDA, _META = 1, 14
"""Where torch keeps what switches between devices of a type, and the types by their numbers."""


@contextmanager
def switchable_devices() -> Iterator[None]:
    """Lets torch switch to a device of CUDA in a build without it, as that of `meta`: not at all.

    Many functions do so first of all, whether the tensors are fake or not.
    """
    library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libc10.so"))
    registry = (ctypes.c_void_p * _DEVICE_TYPES).in_dll(library, _REGISTRY)
    before = registry[_CUDA]
    registry[_CUDA] = before or registry[_META]
    try:
        yield
    finally:
        registry[_CUDA] = before


def run_twice(sample: Sample) -> list[str]:
    """Runs the kernel of a sample on the GPU, where the second time nothing may stop a capture.

    Returns:
        The functions of torch that the second run calls.

    Raises:
        StopsCaptureError: if something does.
    """
    op, attrs = parse_call(sample)
    options = {**attrs, **supplied(op, sample.train, str(GPU))}
    watch = _Watch()
    with FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad(), switchable_devices():
        for mode in (nullcontext(), watch):
            inputs = [_make(array) for array in sample.make_inputs()]
            with mode:
                as_tuple(op.kernel(*inputs, **options))
    return watch.calls


def _make(array: Any) -> Tensor | None:
    if array is None:
        return None
    return torch.empty(array.shape, dtype=torch.from_numpy(array).dtype, device=GPU)
