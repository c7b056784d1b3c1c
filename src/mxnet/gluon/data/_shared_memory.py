"""Arrays between processes: through shared memory if they are large, as bytes if they are small.

Importing this module teaches `multiprocessing` to send NDArrays that way, in queues and pipes and
in the arguments of processes, as the original does.
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
"""Fewer bytes are sent as they are."""

_LARGE = 4 << 20
"""Fewer bytes of a shared tensor are copied on arrival, because each keeps a file open."""


class SharedMemoryError(MXNetError, MemoryError):
    """The system has no shared memory left for a batch."""


CPU_SHARED = intern(Context("cpu_shared", 0))
"""Where arrays are that come from a worker."""


class _Worker:
    """What a worker process knows: the memory that it shares with its parent."""

    working = False
    arena: Arena | None = None
    merging = False
    """Whether what is allocated now is sent and then forgotten."""


_here = _Worker()
_arenas: dict[int, Arena] = {}
"""Of the parent: the arenas of iterations that are running."""


def begin_batch(arena: Arena | None, worker: int, merging: bool) -> None:
    """Says in a worker which memory to use for the batch that it turns to.

    Args:
        arena: The memory, None if there is none that is shared.
        worker: Number of the worker.
        merging: Whether batches are merged by a function of ours, which keeps none.
    """
    _here.working, _here.arena, _here.merging = True, arena, merging
    if arena is not None:
        arena.begin_batch(worker)


def open_arena(arena: Arena) -> None:
    """Lets arrays arrive through an arena."""
    _arenas[arena.number] = arena


def close_arena(arena: Arena) -> None:
    """Forgets an arena."""
    del _arenas[arena.number]


def empty(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Allocates a tensor for a batch, where it can be sent from without another copy."""
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
    if left:  # torch gives up after it has made the file
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
            tensor = tensor.clone(memory_format=torch.contiguous_format)  # a part goes alone
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
