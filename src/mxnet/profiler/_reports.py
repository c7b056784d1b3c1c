"""What was profiled, as the table and the JSON of `dumps` and the trace that `dump` writes.

Sections, titles and columns of the table are those of the original. A counter has its last value in
the column of the time, a thousandth of it as if it were microseconds, and half of its range in that
of the average.

The trace has the format of Chrome. Threads of the program are rows of the process `cpu/0`, kernels
of a GPU rows of a process of its own, and each domain of the user is a process as well. Times are
microseconds since the profiler was imported.
"""

from __future__ import annotations

import errno
import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mxnet._formats.files import open_foreign, write_atomically
from mxnet.errors import FileAccessError
from mxnet.profiler import _spans

STORAGE = "Device Storage"
"""Section of the memory in use."""
_MEMORY_OF = {
    _spans.OPERATOR: "Operator Memory",
    _spans.PROGRAM: "Operator Memory",
    _spans.BLOCK: "Block Memory",
}
"""Sections with the memory of results, by the category of what computed them."""
_TIME_COLUMNS = ("Time (ms)", "Min Time (ms)", "Max Time (ms)", "Avg Time (ms)")
_MEMORY_COLUMNS = ("Min Use  (kB)", "Max Use  (kB)", "Avg Use  (kB)")
_UNITS = {"Time": "ms", "Memory": "kB"}
_NANOSECONDS, _BYTES = 1_000_000, 1000
"""How many make a millisecond and a kilobyte."""


class Row:
    """Statistics of one name.

    Args:
        unit: How many of the whole numbers that are added make one of the unit that is shown.
        is_counter: Whether they are the values of a counter.
    """

    def __init__(self, unit: int, *, is_counter: bool) -> None:
        self.count = 0
        self._total = 0
        self._range: tuple[int, int] | None = None
        self._unit, self._is_counter = unit, is_counter

    def add(self, value: int) -> None:
        """Adds a duration, an amount of memory or the new value of a counter."""
        self.count += 1
        self._total = value if self._is_counter else self._total + value
        low, high = self._range or (value, value)
        self._range = min(low, value), max(high, value)

    @property
    def total(self) -> float:
        """Sum; of a counter its last value."""
        return self._total / self._unit

    @property
    def minimum(self) -> float:
        """Smallest value."""
        return 0 if self._range is None else self._range[0] / self._unit

    @property
    def maximum(self) -> float:
        """Greatest value."""
        return 0 if self._range is None else self._range[1] / self._unit

    @property
    def average(self) -> float:
        """Average; of a counter half of its range, rounded down, as in the original."""
        if self._is_counter:
            low, high = self._range or (0, 0)
            return (high - low) // 2 / self._unit
        return self._total / self.count / self._unit


SORTS: dict[str, Callable[[Row], float]] = {
    "total": lambda row: row.total,
    "avg": lambda row: row.average,
    "min": lambda row: row.minimum,
    "max": lambda row: row.maximum,
    "count": lambda row: row.count,
}


class Statistics:
    """Sums over all notes since the last reset."""

    def __init__(self) -> None:
        self._times: dict[str, dict[str, Row]] = {}
        self._memory: dict[str, dict[str, Row]] = {}

    def clear(self) -> None:
        """Forgets all notes."""
        self._times.clear()
        self._memory.clear()

    def add_all(self, notes: Iterable[_spans.Note]) -> None:
        """Adds notes to the sums."""
        for note in notes:
            if isinstance(note, (_spans.Span, _spans.AsyncSpan)):
                row = _row(self._times, note.category, note.name, _NANOSECONDS)
                row.add(note.duration)
            elif isinstance(note, _spans.CounterValue):
                table = self._memory if note.category == STORAGE else self._times
                row = _row(table, note.category, note.name, _BYTES, is_counter=True)
                row.add(note.value)
            elif isinstance(note, _spans.Mark):
                self._times.setdefault(note.category, {})
            if isinstance(note, _spans.Span) and note.size:
                section = _MEMORY_OF.get(note.category)
                if section is not None:
                    name = f"{note.scope}{note.name}"
                    _row(self._memory, section, name, _BYTES).add(note.size)

    def as_table(self, sort_by: str, *, ascending: bool) -> str:
        """Returns the statistics as text."""
        parts = ["\nProfile Statistics:\n\tNote the difference in units for different entries.\n"]
        for section in sorted({*self._times, *self._memory}):
            is_memory = section in self._memory
            rows = (self._memory if is_memory else self._times)[section]
            columns = _MEMORY_COLUMNS if is_memory else _TIME_COLUMNS
            titles = ("Total Count", *columns)
            lines = [section, "=================", _line("Name", titles)]
            lines.append(_line("----", ["-" * len(title) for title in titles]))
            for name, row in _sorted(rows, sort_by, ascending=ascending):
                values = (row.minimum, row.maximum, row.average)
                shown = values if is_memory else (row.total, *values)
                lines.append(_line(name, (str(row.count), *(f"{value:.4f}" for value in shown))))
            parts.append("\n".join(lines) + "\n\n")
        return "".join(parts)

    def as_json(self, sort_by: str, *, ascending: bool) -> str:
        """Returns the statistics as JSON."""
        times = {
            section: {
                name: {"Count": row.count, "Total": row.total, **_spread(row)}
                for name, row in _sorted(rows, sort_by, ascending=ascending)
            }
            for section, rows in sorted(self._times.items())
        }
        memory = {
            section: {
                name: {"Count": row.count, **_spread(row)}
                for name, row in _sorted(rows, sort_by, ascending=ascending)
            }
            for section, rows in sorted(self._memory.items())
        }
        return json.dumps({"Time": times, "Memory": memory, "Unit": _UNITS}, indent=4)


def _row(
    table: dict[str, dict[str, Row]],
    section: str,
    name: str,
    unit: int,
    *,
    is_counter: bool = False,
) -> Row:
    rows = table.setdefault(section, {})
    row = rows.get(name)
    if row is None:
        row = rows[name] = Row(unit, is_counter=is_counter)
    return row


def _sorted(rows: dict[str, Row], sort_by: str, *, ascending: bool) -> list[tuple[str, Row]]:
    key = SORTS[sort_by]
    return sorted(rows.items(), key=lambda item: key(item[1]), reverse=not ascending)


def _spread(row: Row) -> dict[str, Any]:
    return {"Min": row.minimum, "Max": row.maximum, "Avg": row.average}


def _line(name: str, cells: Sequence[str]) -> str:
    first, *others = cells
    return f"{name:<25}{first:>16}" + "".join(f"{cell:>17}" for cell in others)


_BEGIN = '{\n"displayTimeUnit": "ms",\n"traceEvents": [\n'
_END = "\n]\n}\n"
_ORIGIN = _spans.now()
_HOST = "cpu/0"
_BLOCK_SIZE = 1 << 20
_REST = 10
"""A file that is written again and again rests for so many times the time that it took."""


class TraceFile:
    """A file of events, complete at any time, whatever stops the process or fills the disk.

    Each time that events are added the file is written anew and takes the place of the one before.

    Args:
        path: Name of the file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._length = 0
        """Bytes up to the last event."""
        self._is_empty = True
        self._rests_until = 0.0

    def is_due(self) -> bool:
        """Returns whether writing again takes little of the time since it was written last."""
        return time.monotonic() >= self._rests_until

    def append(self, events: Sequence[dict[str, Any]]) -> None:
        """Adds events; a first call replaces what the file was before.

        Raises:
            FileAccessError: if the file cannot be written; it is as it was before then.
        """
        begin = time.monotonic()
        text = ",\n".join(map(json.dumps, events))
        comma = ",\n" if text and not self._is_empty else ""
        added = f"{comma}{text}".encode() if self._length else f"{_BEGIN}{text}".encode()
        try:
            write_atomically(self.path, itertools.chain(self._earlier(), [added, _END.encode()]))
        except OSError as error:
            raise FileAccessError(error.errno, f"profiler.dump: {error}", self.path) from error
        self._length += len(added)
        self._is_empty = self._is_empty and not text
        end = time.monotonic()
        self._rests_until = end + _REST * (end - begin)

    def _earlier(self) -> Iterator[bytes]:
        """Yields what the file has up to the last event."""
        left = self._length
        if not left:
            return
        with open_foreign(self.path) as file:
            while left and (block := file.read(min(_BLOCK_SIZE, left))):
                left -= len(block)
                yield block
        if left:
            raise FileAccessError(
                errno.EIO, f"profiler.dump: lacks {left} bytes of what was written", self.path
            )


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

    def make(
        self, notes: Iterable[tuple[_spans.ThreadLog, Sequence[_spans.Note]]]
    ) -> list[dict[str, Any]]:
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
        self, log: _spans.ThreadLog, note: _spans.Note, names: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        thread, title = log.number, log.thread.name
        if isinstance(note, _spans.Kernel):
            thread, title = note.stream, f"stream {note.stream}"
        process = self._process_of(_process_name(note), names)
        if (process, thread) not in self._threads:
            self._threads.add((process, thread))
            names.append(_name("thread_name", title, process, thread))
        event = {"name": note.name, "pid": process, "tid": thread, "ts": _micro(note.start)}
        if isinstance(note, _spans.Kernel):
            return [{**event, "cat": "kernel", "ph": "X", "dur": (note.end - note.start) / 1000}]
        event["cat"] = note.category
        if isinstance(note, _spans.CounterValue):
            return [{**event, "ph": "C", "args": {note.name: note.value}}]
        if isinstance(note, _spans.Mark):
            return [{**event, "ph": "i", "s": note.reach}]
        if isinstance(note, _spans.AsyncSpan):
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


def _process_name(note: _spans.Note) -> str:
    if isinstance(note, _spans.Kernel):
        return f"gpu/{note.device}"
    if isinstance(note, _spans.Span) or note.category == STORAGE:
        return _HOST
    return note.category


def _name(event: str, name: str, process: int, thread: int) -> dict[str, Any]:
    return {"name": event, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}


def _details(span: _spans.Span) -> dict[str, Any]:
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
