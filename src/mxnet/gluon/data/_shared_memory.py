"""Sends arrays between processes: large ones through shared memory, small ones as bytes.

Importing this module registers NDArrays with `multiprocessing`, for queues, pipes and arguments of
processes, as in the original.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from mxnet._dialect import ARRAY_DIALECTS
from mxnet._numpy_bridge import to_numpy, to_tensor
from mxnet.context import Context, intern
from mxnet.errors import MXNetError
from mxnet.gluon.data._arena import Arena
from mxnet.ndarray import NDArray

_SMALL = 32 << 10
"""Arrays of fewer bytes are sent as bytes."""

_LARGE = 4 << 20
"""Shared tensors of fewer bytes are copied on arrival, because each keeps a file open."""


class SharedMemoryError(MXNetError, MemoryError):
    """The system has no shared memory left for a batch."""


CPU_SHARED = intern(Context("cpu_shared", 0))
"""Context of arrays that come from a worker."""


class _Worker:
    """State of a worker process: the memory that it shares with its parent."""

    working = False
    arena: Arena | None = None
    merging = False
    """Whether arrays allocated now are only sent, not kept."""


_here = _Worker()
_arenas: dict[int, Arena] = {}
"""In the parent: the arenas of running iterations."""


def begin_batch(arena: Arena | None, worker: int, merging: bool) -> None:
    """Sets, in a worker, which memory to use for the next batch.

    Args:
        arena: The shared memory, None if there is none.
        worker: Number of the worker.
        merging: Whether batches are merged by a function of this library, which keeps no reference.
    """
    _here.working, _here.arena, _here.merging = True, arena, merging
    if arena is not None:
        arena.begin_batch(worker)


def open_arena(arena: Arena) -> None:
    """Registers an arena, so that arrays can arrive through it."""
    _arenas[arena.number] = arena


def close_arena(arena: Arena) -> None:
    """Unregisters an arena."""
    del _arenas[arena.number]


def empty(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Allocates a tensor for a batch, in memory from which it is sent without another copy."""
    size = math.prod(shape) * dtype.itemsize
    if not _here.merging or size < _SMALL:
        return torch.empty(tuple(shape), dtype=dtype)
    tensor = None if _here.arena is None else _here.arena.empty(shape, dtype)
    if tensor is None:
        try:
            storage = torch.UntypedStorage._new_shared(size)  # type: ignore[no-untyped-call]
        except RuntimeError as error:
            raise _used_up(size, error) from error
        tensor = torch.empty(0, dtype=dtype).set_(storage).view(tuple(shape))
    return tensor


def _used_up(size: int, error: Exception) -> SharedMemoryError:
    left = re.search(r"</(torch_\w+)>", str(error))
    if left:  # torch fails after it has created the file
        Path("/dev/shm", left[1]).unlink(missing_ok=True)
    return SharedMemoryError(
        f"no shared memory for an array of {size} bytes ({error}); use fewer or smaller batches at "
        "a time (num_workers, prefetch, batch_size), thread_pool=True, or give the system more "
        "(docker run --shm-size, the size of /dev/shm)"
    )


def _reduce(array: NDArray) -> tuple[Any, ...]:
    cls = type(array)
    tensor, ctx = array._plain, CPU_SHARED if _here.working else array._ctx
    size = tensor.numel() * tensor.element_size()
    if tensor.device.type != "cpu":
        return array.__reduce__()
    if size < _SMALL:
        return _from_values, (cls, to_numpy(tensor), ctx)
    if _here.arena is not None:
        start = _into_arena(_here.arena, tensor)
        if start is not None:
            return _from_arena, (cls, _here.arena.number, start, array.shape, tensor.dtype, ctx)
    try:
        if size < tensor.untyped_storage().nbytes() or not tensor.is_contiguous():
            tensor = tensor.clone(memory_format=torch.contiguous_format)  # sends the part alone
        tensor.share_memory_()  # type: ignore[no-untyped-call]
    except RuntimeError as error:
        raise _used_up(size, error) from error
    return _from_shared, (cls, tensor, ctx)


def _into_arena(arena: Arena, tensor: Tensor) -> int | None:
    """Returns the offset of a tensor in an arena, after copying it there if there is room."""
    start = arena.offset(tensor)
    if start is None:
        copy = arena.empty(tensor.shape, tensor.dtype)
        if copy is not None:
            start = arena.offset(copy.copy_(tensor))
    return start


def _from_arena(
    cls: type[NDArray],
    number: int,
    start: int,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    ctx: Context,
) -> NDArray:
    return cls._wrap(_arenas[number].copy(start, shape, dtype), intern(ctx))


def _from_values(cls: type[NDArray], values: Any, ctx: Context) -> NDArray:
    return cls._wrap(to_tensor(values), intern(ctx))


def _from_shared(cls: type[NDArray], tensor: Tensor, ctx: Context) -> NDArray:
    size = tensor.numel() * tensor.element_size()
    return cls._wrap(tensor.clone() if size < _LARGE else tensor, intern(ctx))


for _cls in ARRAY_DIALECTS:
    ForkingPickler.register(_cls, _reduce)
