"""Memory of results: how much each operator takes, and how much is in use.

On a GPU the amount in use is that of torch's allocator. A CPU has no such number: there it is what
the results of operators that ran under the profiler hold.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterable

import torch
from torch import Tensor

from mxnet.profiler._spans import CounterValue, Span, ThreadLog
from mxnet.profiler._table import STORAGE


class Memory:
    """Follows the memory of results until it is released."""

    def __init__(self) -> None:
        self._held: set[int] = set()
        self._in_use = 0
        # Memory may be released at any time, by any thread and inside of any lock: the number is
        # corrected when the next operator ends.
        self._released: deque[int] = deque()

    def note(
        self, log: ThreadLog, span: Span, results: Iterable[Tensor], inputs: Iterable[Tensor]
    ) -> None:
        """Notes what an operator has allocated.

        Args:
            log: Log of the thread.
            span: Span of the operator, which has ended.
            results: What it has computed.
            inputs: What it has read, which results may be views of.
        """
        given = {_key(item) for item in inputs}
        new = {_key(item): item for item in results if item.layout is torch.strided}
        added = [item for key, item in new.items() if key not in given and key not in self._held]
        if not added:
            return
        sizes = [item.untyped_storage().nbytes() for item in added]
        span.add(size=sum(sizes))
        for item, size in zip(added, sizes, strict=True):
            if item.device.type == "cpu":
                self._hold(item, size)
        log.add(self._count(added[0].device, span.end))

    def _hold(self, tensor: Tensor, size: int) -> None:
        storage, key = tensor.untyped_storage(), _key(tensor)
        self._held.add(key)
        self._in_use += size
        weakref.finalize(storage, self._release, key, size).atexit = False

    def _release(self, key: int, size: int) -> None:
        self._held.discard(key)
        self._released.append(size)

    def _count(self, device: torch.device, time: int) -> CounterValue:
        if device.type == "cpu":
            while self._released:
                self._in_use -= self._released.popleft()
            return CounterValue("Memory: cpu/0", STORAGE, time, self._in_use)
        in_use = torch.cuda.memory_allocated(device) if device.type == "cuda" else 0
        return CounterValue(f"Memory: gpu/{device.index or 0}", STORAGE, time, in_use)


def _key(tensor: Tensor) -> int:
    if tensor.layout is not torch.strided:
        return id(tensor)
    address: int = tensor.untyped_storage()._cdata
    return address
