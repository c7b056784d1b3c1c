"""Times on a GPU, from torch's profiler.

An operator only asks the GPU for work, which is done later. torch's profiler knows which call asked
for which kernel; ranges with the number of a span tell whose call it was.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile, record_function

from mxnet.profiler._reports import STORAGE
from mxnet.profiler._spans import CounterValue, Kernel, Span, ThreadLog

_RANGE = "mxnet::"
"""Begins the names of our ranges."""


class _Event(Protocol):
    """The part of an event of torch's profiler that is used."""

    name: str
    device_type: Any
    device_index: int
    time_range: Any
    cpu_parent: Any
    kernels: Any


class DeviceTimes:
    """Finds out how long a GPU worked for each span; without a GPU it does nothing."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._spans: dict[int, Span] = {}
        self._profile: Any = None
        self._thread = 0

    @property
    def is_running(self) -> bool:
        """Whether kernels are being noted."""
        return self._profile is not None

    def start(self) -> None:
        """Begins to note the kernels of GPUs, if there are any."""
        if torch.cuda.is_available() and self._profile is None:
            activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
            # All is one cycle; torch warns that events of earlier ones are lost unless it is told.
            started: Any = profile(activities=activities, acc_events=True)
            started.start()
            self._profile, self._thread = started, threading.get_ident()

    def stop(self) -> list[Kernel]:
        """Adds the times of kernels to the spans that asked for them, and returns the kernels.

        torch's profiler belongs to the thread that started it; in another one nothing happens.
        """
        if self._profile is None or self._thread != threading.get_ident():
            return []
        stopped, self._profile = self._profile, None
        stopped.stop()
        spans, self._spans = self._spans, {}
        return attribute(stopped.events(), spans)

    def range_of(self, span: Span) -> AbstractContextManager[Any]:
        """Returns a `with` block in which kernels are asked for by a span."""
        if self._profile is None:
            return nullcontext()
        number = next(self._numbers)
        self._spans[number] = span
        return record_function(f"{_RANGE}{number}")


def attribute(events: Iterable[_Event], spans: Mapping[int, Span]) -> list[Kernel]:
    """Adds the times of kernels to spans.

    Args:
        events: Events of torch's profiler, in microseconds of its own clock.
        spans: Spans by the number of their range.

    Returns:
        The kernels, by the clock of spans.
    """
    events = list(events)
    offset: float | None = None
    for event in events:
        span = _span_of(event, spans)
        if span is None or not _is_of_host(event):
            continue
        if event.name.startswith(_RANGE):
            # The clocks differ by a constant; a range begins a little later than its span.
            difference = span.start - event.time_range.start * 1000
            offset = difference if offset is None else max(offset, difference)
        for kernel in event.kernels:
            if not kernel.name.startswith(_RANGE):
                span.add(device_time=round(kernel.duration * 1000))
    if offset is None:
        return []
    return [
        _as_kernel(event, offset)
        for event in events
        if not _is_of_host(event) and not event.name.startswith(_RANGE)
    ]


def _is_of_host(event: _Event) -> bool:
    return bool(event.device_type.name == "CPU")


def _span_of(event: Any, spans: Mapping[int, Span]) -> Span | None:
    """Returns the span whose range an event is in."""
    while event is not None:
        if event.name.startswith(_RANGE):
            return spans.get(int(event.name.removeprefix(_RANGE)))
        event = event.cpu_parent
    return None


def _as_kernel(event: Any, offset: float) -> Kernel:
    start, end = event.time_range.start * 1000 + offset, event.time_range.end * 1000 + offset
    stream = getattr(event, "device_resource_id", 0)  # torch has it since 2.8
    return Kernel(event.name, event.device_index, stream, round(start), round(end))


# On a GPU the amount in use is that of torch's allocator. A CPU has no such number: there it is
# what the results of operators that ran under the profiler hold.


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
