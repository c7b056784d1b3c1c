"""Runs kernels on tensors of a GPU that is not there, and tells what would stop a capture.

`FakeTensorMode` computes shapes, types and devices alone, so that it needs no GPU. What a kernel
asks of torch passes a `_Watch`, which raises at whatever a stream that is being captured refuses,
and a stream that is not has to wait for: values, copies between host and device, shapes that depend
on values. What torch's own kernels for CUDA do inside is not seen; of those of them that read
values, `READERS` tells.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

from mxnet.ops.core import devices, scalars
from mxnet.ops.core.registry import as_tuple

from .harness import held_constant, input_name, parse_call, supplied
from .samples.core import Sample

GPU = torch.device("cuda", 0)

READERS = frozenset(
    {
        *("_ctc_loss", "_local_scalar_dense", "bincount", "equal", "is_nonzero", "multinomial"),
        *("masked_select", "nonzero", "repeat_interleave", "_pack_padded_sequence"),
        *("_linalg_check_errors", "_linalg_eigh", "_linalg_svd", "linalg_eig", "_linalg_eigvals"),
        *("_unique", "_unique2", "unique_consecutive", "unique_dim", "unique_dim_consecutive"),
    }
)
"""Functions of torch that read values of a GPU in order to go on."""

INDEXING = frozenset({"index", "_unsafe_index", "index_put", "index_put_", "_index_put_impl_"})


class StopsCaptureError(AssertionError):
    """A kernel does what a stream that is being captured refuses."""


class _Watch(TorchDispatchMode):
    """Raises at functions that read values of the GPU.

    Args:
        copies: Whether it raises at copies between host and GPU as well.
    """

    def __init__(self, *, copies: bool) -> None:
        super().__init__()
        self._copies = copies

    def __torch_dispatch__(self, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func._schema.name.removeprefix("aten::")
        given = [i for i in tree_iter((args, kwargs)) if isinstance(i, Tensor)]
        if any(item.is_cuda for item in given):
            _check_arguments(name, args, given)
        result = func(*args, **(kwargs or {}))
        if self._copies:
            _check_result(name, given, [i for i in tree_iter(result) if isinstance(i, Tensor)])
        return result


def _check_arguments(name: str, args: Any, given: list[Tensor]) -> None:
    """Raises if a function that is given tensors of the GPU has to know values of them."""
    if name in READERS:
        raise StopsCaptureError(f"{name} reads values")
    if name in INDEXING:
        masks = [i for i in args[1] if i is not None and i.dtype in (torch.bool, torch.uint8)]
        if masks and name != "index" and args[2].numel() == 1:
            return  # which torch takes for `masked_fill_`
        if masks:
            raise StopsCaptureError(f"{name} by a mask looks for its positions")
    # A single number of the host is an argument of a kernel, but nothing to index with.
    fewest = 0 if name in INDEXING else 1
    for item in given:
        if item.is_cpu and item.ndim >= fewest and name not in ("copy_", "_to_copy"):
            raise StopsCaptureError(f"{name} takes {tuple(item.shape)} from the host")


def _check_result(name: str, given: list[Tensor], made: list[Tensor]) -> None:
    """Raises if a function copies from the host to the GPU, or back."""
    before, after = ({item.device.type for item in items} for items in (given, made))
    if name == "copy_" and len(before) > 1:
        raise StopsCaptureError("copy_ copies between host and GPU")
    if before == {"cpu"} and after == {"cuda"}:
        raise StopsCaptureError(f"{name} copies {tuple(made[0].shape)} from the host")
    if "cuda" in before and "cpu" in after:
        raise StopsCaptureError(f"{name} copies {tuple(made[0].shape)} to the host")


_REGISTRY = "_ZN3c104impl26device_guard_impl_registryE"
_DEVICE_TYPES = 22
_CUDA, _META = 1, 14
"""Where torch keeps what switches between devices of a type, and the types by their numbers."""


@contextmanager
def _switching() -> Iterator[None]:
    """Lets a build without CUDA switch to its devices as it does to `meta`: not at all.

    Many functions switch first of all, whether their tensors are fake or not.
    """
    library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libc10.so"))
    registry = (ctypes.c_void_p * _DEVICE_TYPES).in_dll(library, _REGISTRY)
    before = registry[_CUDA]
    registry[_CUDA] = before or registry[_META]
    try:
        yield
    finally:
        registry[_CUDA] = before


@contextmanager
def fake_gpu() -> Iterator[None]:
    """Makes tensors within the `with` statement fake, those of a GPU included."""
    with (
        _switching(),
        capturing(False),
        mock.patch.multiple(
            devices, _recent=devices._recent.copy(), _captured={}, _may_be_kept=lambda _: True
        ),
        mock.patch.object(scalars, "_move_outwards", _move_outwards),
        FakeTensorMode(allow_non_fake_inputs=True),
    ):
        yield


def _move_outwards(*arguments: Any, _original: Any = scalars._move_outwards) -> Any:
    """Computes numbers of the host with real tensors."""
    with no_dispatch():
        return _original(*arguments)


def watching() -> Any:
    """Raises within the `with` statement at whatever stops a capture."""
    return _Watch(copies=True)


def capturing(flag: bool) -> Any:
    """Makes a stream seem to be captured, or not."""
    return mock.patch.object(torch.cuda, "is_current_stream_capturing", lambda: flag)


def run_twice(sample: Sample, *, may_wait: bool = False) -> None:
    """Runs a sample on the GPU as it is, and once more as if that were captured.

    Args:
        sample: What to run, forward and backward.
        may_wait: Whether the first run may read values.

    Raises:
        StopsCaptureError: if the first run reads values, or the second does what a capture refuses.
    """
    with fake_gpu():
        if may_wait:
            with capturing(True):
                _run(sample)
        else:
            with capturing(False), _Watch(copies=False):
                _run(sample)
        with capturing(True):
            inputs = _make_inputs(sample)
            with watching():
                _run(sample, inputs)


def _make_inputs(sample: Sample) -> list[Tensor | None]:
    op, _ = parse_call(sample)
    inputs: list[Tensor | None] = []
    for index, array in enumerate(sample.make_inputs()):
        if array is None:
            inputs.append(None)
            continue
        tensor = torch.empty(array.shape, dtype=torch.from_numpy(array).dtype, device=GPU)
        varies = input_name(op, index) not in held_constant(op)
        recorded = sample.gradient and op.differentiable and tensor.is_floating_point()
        inputs.append(tensor.requires_grad_(recorded and varies))
    return inputs


def _run(sample: Sample, inputs: list[Tensor | None] | None = None) -> None:
    op, attrs = parse_call(sample)
    inputs = _make_inputs(sample) if inputs is None else inputs
    outputs = as_tuple(op.kernel(*inputs, **attrs, **supplied(op, sample.train, str(GPU))))
    go_back([item for item in outputs if item.requires_grad])


def go_back(outputs: Sequence[Tensor]) -> None:
    """Runs the functions that compute gradients; torch's engine would look for a GPU.

    What was recorded last comes first, so that all gradients of a node are there when it runs.
    """
    order = count()
    heads: dict[Any, dict[int, Tensor]] = {}
    waiting: list[tuple[int, int, Any]] = []

    def add(node: Any, place: int, gradient: Tensor | None) -> None:
        if node is None or gradient is None or node.name() == "torch::autograd::AccumulateGrad":
            return
        if node not in heads:
            heads[node] = {}
            heappush(waiting, (-node._sequence_nr(), next(order), node))
        expected = node._input_metadata[place]
        gradient = gradient.sum_to_size(tuple(expected.shape)).to(expected.dtype)
        known = heads[node].get(place)
        heads[node][place] = gradient if known is None else known + gradient

    for output in outputs:
        add(output.grad_fn, output.output_nr, torch.ones_like(output))
    with torch.no_grad():
        while waiting:
            node = heappop(waiting)[2]
            arguments = [
                heads[node][place] if place in heads[node] else _zeros_of(expected)
                for place, expected in enumerate(node._input_metadata)
            ]
            found = as_tuple(getattr(node, "apply", node)(*arguments))
            following = node.next_functions
            if len(found) > len(following):  # a function of Python answers for numbers as well
                found = tuple(item for item in found if item is not None)
                following = tuple(pair for pair in following if pair[0] is not None)
            for (receiver, place), gradient in zip(following, found, strict=False):
                add(receiver, place, gradient)


def _zeros_of(expected: Any) -> Tensor:
    return torch.zeros(tuple(expected.shape), dtype=expected.dtype, device=expected.device)
