"""The trace in the format of Chrome, which Perfetto and `chrome://tracing` open.

Threads of the program are rows of the process `cpu/0`, kernels of a GPU rows of a process of its
own, and each domain of the user is a process as well. Times are microseconds since the profiler was
imported.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Any

from mxnet.errors import FileAccessError
from mxnet.profiler._spans import (
    AsyncSpan,
    CounterValue,
    Kernel,
    Mark,
    Note,
    Span,
    ThreadLog,
    now,
)
from mxnet.profiler._table import STORAGE

_BEGIN = '{\n"displayTimeUnit": "ms",\n"traceEvents": [\n'
_END = "\n]\n}\n"
_ORIGIN = now()
_HOST = "cpu/0"


class TraceFile:
    """A file of events, which is complete after every time that some were added.

    Args:
        path: Name of the file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._length = 0
        self._is_empty = True

    def append(self, events: Sequence[dict[str, Any]]) -> None:
        """Adds events; a first call replaces what the file was before.

        Raises:
            FileAccessError: if the file cannot be written.
        """
        text = ",\n".join(map(json.dumps, events))
        try:
            with open(self.path, "r+b" if self._length else "wb") as file:
                if not self._length:
                    self._length = file.write(_BEGIN.encode())
                file.seek(self._length)
                if text:
                    comma = "" if self._is_empty else ",\n"
                    self._length += file.write(f"{comma}{text}".encode())
                    self._is_empty = False
                file.write(_END.encode())
                file.truncate()
        except OSError as error:
            raise FileAccessError(error.errno, f"profiler.dump: {error}", self.path) from error


class Events:
    """Makes events of notes, and names processes and threads when they first appear."""

    def __init__(self) -> None:
        self._processes: dict[str, int] = {}
        self._threads: set[tuple[int, int]] = set()
        self._numbers = itertools.count(1)

    def clear(self) -> None:
        """Forgets which names were given, for another file."""
        self._processes.clear()
        self._threads.clear()

    def make(self, notes: Iterable[tuple[ThreadLog, Sequence[Note]]]) -> list[dict[str, Any]]:
        """Returns events in the order of time, after those that name what is new."""
        names: list[dict[str, Any]] = []
        events: list[dict[str, Any]] = []
        for log, items in notes:
            for item in items:
                events += self._convert(log, item, names)
        # What takes longer comes first: what began at the same time is a part of it.
        events.sort(key=lambda event: (event["ts"], -event.get("dur", 0)))
        return [*names, *events]

    def _convert(
        self, log: ThreadLog, note: Note, names: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        thread, title = log.number, log.thread.name
        if isinstance(note, Kernel):
            thread, title = note.stream, f"stream {note.stream}"
        process = self._process_of(_process_name(note), names)
        if (process, thread) not in self._threads:
            self._threads.add((process, thread))
            names.append(_name("thread_name", title, process, thread))
        event = {"name": note.name, "pid": process, "tid": thread, "ts": _micro(note.start)}
        if isinstance(note, Kernel):
            return [{**event, "cat": "kernel", "ph": "X", "dur": (note.end - note.start) / 1000}]
        event["cat"] = note.category
        if isinstance(note, CounterValue):
            return [{**event, "ph": "C", "args": {note.name: note.value}}]
        if isinstance(note, Mark):
            return [{**event, "ph": "i", "s": note.reach}]
        if isinstance(note, AsyncSpan):
            event["id"] = next(self._numbers)
            return [{**event, "ph": "b"}, {**event, "ph": "e", "ts": _micro(note.end)}]
        event |= {"ph": "X", "dur": (note.end - note.start) / 1000}
        details = _details(note)
        return [{**event, "args": details} if details else event]

    def _process_of(self, name: str, names: list[dict[str, Any]]) -> int:
        number = self._processes.get(name)
        if number is None:
            number = self._processes[name] = len(self._processes)
            names.append(_name("process_name", name, number, 0))
        return number


def _process_name(note: Note) -> str:
    if isinstance(note, Kernel):
        return f"gpu/{note.device}"
    if isinstance(note, Span) or note.category == STORAGE:
        return _HOST
    return note.category


def _name(event: str, name: str, process: int, thread: int) -> dict[str, Any]:
    return {"name": event, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}


def _details(span: Span) -> dict[str, Any]:
    details = dict(span.details)
    if span.scope:
        details["scope"] = span.scope
    if span.size:
        details["bytes"] = span.size
    if span.device_time:
        details["device time (us)"] = span.device_time / 1000
    return details


def _micro(time: int) -> float:
    return (time - _ORIGIN) / 1000
