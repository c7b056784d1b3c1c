"""Times on a GPU, from torch's profiler.

An operator only asks the GPU for work, which is done later. torch's profiler knows which call asked
for which kernel; ranges with the number of a span tell whose call it was.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import torch
from torch.profiler import ProfilerActivity, profile, record_function

from mxnet.profiler._spans import Kernel, Span

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
