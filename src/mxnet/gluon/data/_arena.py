"""Reusable memory that forked workers share with the process that started them.

Sending a new block of shared memory takes milliseconds: it needs a file and an exchange with a
thread of the worker. Forked workers instead inherit one mapping, in which each has a few slots; a
batch goes into the next slot, and the parent copies it out when it takes the batch. Batches too
large for a slot travel as torch's shared tensors.
"""

from __future__ import annotations

import itertools
import math
import mmap
from collections.abc import Sequence

import torch
from torch import Tensor

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
