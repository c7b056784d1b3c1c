"""Sends arrays between processes: large ones through shared memory, small ones as bytes.

Importing this module registers NDArrays with `multiprocessing`, for queues, pipes and arguments of
processes, as in the original.
"""

from __future__ import annotations

import itertools
import math
import mmap
import re
from collections.abc import Sequence
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mxnet._arrays.bridges import to_numpy, to_tensor
from mxnet._arrays.errors.delayed import raise_if_failed
from mxnet._frontend.dialect import ARRAY_DIALECTS, dialect_of
from mxnet.context import Context, intern
from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray

_SMALL = 32 << 10
"""Arrays of fewer bytes are sent as bytes."""

_LARGE = 4 << 20
"""Shared tensors of fewer bytes are copied on arrival, because each keeps a file open."""


class SharedMemoryError(MXNetError, MemoryError):
    """The system has no shared memory left for a batch."""


CPU_SHARED = intern(Context("cpu_shared", 0))
"""Context of arrays that come from a worker."""


class _Batch(NamedTuple):
    """What a worker process loads, and where to.

    Attributes:
        arena: The memory that it shares with its parent, None if there is none.
        merging: Whether arrays allocated now are only sent, not kept.
    """

    arena: Arena | None
    merging: bool


class _Process:
    """State of this process."""

    batch: _Batch | None = None
    """The last batch that it has begun to load for its parent, None if it is no worker."""


_here = _Process()
_arenas: dict[int, Arena] = {}
"""In the parent: the arenas of running iterations."""


def begin_batch(arena: Arena | None, worker: int, merging: bool) -> None:
    """Sets, in a worker, which memory to use for the next batch.

    Args:
        arena: The shared memory, None if there is none.
        worker: Number of the worker.
        merging: Whether batches are merged by a function of this library, which keeps no reference.
    """
    _here.batch = _Batch(arena, merging)
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
    batch = _here.batch
    if batch is None or not batch.merging or size < _SMALL:
        return torch.empty(tuple(shape), dtype=dtype)
    tensor = None if batch.arena is None else batch.arena.empty(shape, dtype)
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
    raise_if_failed(array)
    cls, batch = type(array), _here.batch
    tensor, ctx = array._plain, array._ctx if batch is None else CPU_SHARED
    size = tensor.numel() * tensor.element_size()
    if tensor.device.type != "cpu":
        return array.__reduce__()
    if size < _SMALL:
        return _from_values, (cls, to_numpy(tensor), ctx)
    if batch is not None and batch.arena is not None:
        start = _into_arena(batch.arena, tensor)
        if start is not None:
            return _from_arena, (cls, batch.arena.number, start, array.shape, tensor.dtype, ctx)
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


# Sending a new block of shared memory takes milliseconds: it needs a file and an exchange with a
# thread of the worker. Forked workers instead inherit one mapping, in which each has a few slots;
# a batch goes into the next slot, and the parent copies it out when it takes the batch. Batches
# too large for a slot travel as torch's shared tensors.

_SLOT = 8 << 20
"""Bytes in a slot; pages that are never written take no memory."""

_MOST = 1 << 30
"""Bytes in all slots together."""

_ALIGNMENT = 64
_numbers = itertools.count()


class Arena:
    """Slots for the batches of one iteration.

    A worker may write to a slot again when the parent has taken the batch out of it. Torch gives a
    worker its next task when a batch of that worker is taken, and each has at most `ahead` tasks,
    so `ahead` slots and the one being written are in use; one more is spare.

    Args:
        workers: Number of workers.
        ahead: Number of batches that each of them works ahead.
    """

    def __init__(self, workers: int, ahead: int) -> None:
        self.number = next(_numbers)
        self._slots = ahead + 2
        self._size = min(_SLOT, _MOST // (workers * self._slots)) // _ALIGNMENT * _ALIGNMENT
        self._memory = mmap.mmap(-1, workers * self._slots * self._size)
        self._bytes = torch.frombuffer(self._memory, dtype=torch.uint8)
        self._used = self._end = 0
        self._batches = 0

    @classmethod
    def for_workers(cls, workers: int, ahead: int) -> Arena | None:
        """Makes an arena; returns None if the system does not provide the memory."""
        try:
            return cls(workers, ahead)
        except (OSError, ValueError):
            return None

    def begin_batch(self, worker: int) -> None:
        """Switches to the next slot of a worker."""
        slot = worker * self._slots + self._batches % self._slots
        self._batches += 1
        self._used, self._end = slot * self._size, (slot + 1) * self._size

    def empty(self, shape: Sequence[int], dtype: torch.dtype) -> Tensor | None:
        """Allocates a tensor in the slot, None if there is no room."""
        size = math.prod(shape) * dtype.itemsize
        start = -(-self._used // _ALIGNMENT) * _ALIGNMENT
        if start + size > self._end:
            return None
        self._used = start + size
        return self.at(start, shape, dtype)

    def at(self, start: int, shape: Sequence[int], dtype: torch.dtype) -> Tensor:
        """Returns the tensor at an offset."""
        size = math.prod(shape) * dtype.itemsize
        return self._bytes[start : start + size].view(dtype).view(tuple(shape))

    def copy(self, start: int, shape: Sequence[int], dtype: torch.dtype) -> Tensor:
        """Returns a copy of the tensor at an offset.

        NumPy copies in one thread. torch would split the work over threads, which wait for cores
        that the workers occupy: 2 ms instead of 0.1 for a batch of small images.
        """
        size = math.prod(shape) * dtype.itemsize
        raw = torch.from_numpy(self._bytes[start : start + size].numpy().copy())
        return raw.view(dtype).view(tuple(shape))

    def offset(self, tensor: Tensor) -> int | None:
        """Returns the offset of a tensor, None if it lies elsewhere."""
        start = tensor.data_ptr() - self._bytes.data_ptr()
        inside = 0 <= start < self._bytes.numel() and tensor.is_contiguous()
        return start if inside else None


def _as_in_context(data: Any, ctx: Context) -> Any:
    """Moves the arrays in a batch to a context; tuples become lists."""
    if isinstance(data, NDArray):
        if ctx.device_type == "cpu_pinned" and torch.cuda.is_available():
            pinned = data._plain.cpu().pin_memory()
            return dialect_of(data).array._wrap(pinned, intern(ctx))
        return data.as_in_context(ctx)
    if isinstance(data, (list, tuple)):
        return [_as_in_context(item, ctx) for item in data]
    if isinstance(data, dict):
        return {key: _as_in_context(item, ctx) for key, item in data.items()}
    return data
