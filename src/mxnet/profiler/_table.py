"""Statistics over what was profiled, as the table and the JSON that `dumps` returns.

Sections, titles and columns are those of the original. A counter has its last value in the column
of the time, a thousandth of it as if it were microseconds, and half of its range in that of the
average.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mxnet.profiler._spans import (
    BLOCK,
    OPERATOR,
    PROGRAM,
    AsyncSpan,
    CounterValue,
    Mark,
    Note,
    Span,
)

STORAGE = "Device Storage"
"""Section of the memory in use."""
_MEMORY_OF = {OPERATOR: "Operator Memory", PROGRAM: "Operator Memory", BLOCK: "Block Memory"}
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

    def add_all(self, notes: Iterable[Note]) -> None:
        """Adds notes to the sums."""
        for note in notes:
            if isinstance(note, (Span, AsyncSpan)):
                row = _row(self._times, note.category, note.name, _NANOSECONDS)
                row.add(note.duration)
            elif isinstance(note, CounterValue):
                table = self._memory if note.category == STORAGE else self._times
                row = _row(table, note.category, note.name, _BYTES, is_counter=True)
                row.add(note.value)
            elif isinstance(note, Mark):
                self._times.setdefault(note.category, {})
            if isinstance(note, Span) and note.size:
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
