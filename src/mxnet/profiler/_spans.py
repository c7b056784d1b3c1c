"""Options of the profiler, and what it notes by thread: spans of time, counters and marks."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from mxnet._start import did_you_mean
from mxnet._state import Lock
from mxnet.errors import ArgumentValueError, MXNetError

_TRUE, _FALSE = ("true", "1"), ("false", "0")
PROCESSES = ("worker", "server")


class Options(NamedTuple):
    """What is profiled, and where the trace goes."""

    profile_all: bool = False
    profile_symbolic: bool = True
    profile_imperative: bool = True
    profile_memory: bool = True
    profile_api: bool = True
    filename: str = "profile.json"
    continuous_dump: bool = True
    dump_period: float = 1.0
    aggregate_stats: bool = False
    profile_process: str = "worker"

    def wants(self, name: str) -> bool:
        """Returns whether something is profiled: `symbolic`, `imperative`, `memory` or `api`."""
        return self.profile_all or bool(getattr(self, f"profile_{name}"))


def parse(given: Mapping[str, Any]) -> Options:
    """Checks options; those that are not given have their default.

    Raises:
        ArgumentValueError: for an unknown option, or a value that it does not take.
    """
    for name in given:
        if name not in Options._fields:
            known = ", ".join(Options._fields)
            raise ArgumentValueError(
                f"profiler.set_config: unknown option {name!r}"
                f"{did_you_mean(name, Options._fields)}; takes {known}"
            )
    defaults = Options()
    parsed = {
        name: _PARSERS[type(getattr(defaults, name))](name, str(value))
        for name, value in given.items()
    }
    options = defaults._replace(**parsed)
    if options.continuous_dump and not options.dump_period > 0:
        raise ArgumentValueError(
            f"profiler.set_config: dump_period takes a positive number, got {options.dump_period}"
        )
    if options.profile_process not in PROCESSES:
        raise _refuse("profile_process", "one of 'server', 'worker'", options.profile_process)
    return options


def _refuse(name: str, expected: str, value: str) -> MXNetError:
    return ArgumentValueError(f"profiler.set_config: {name} takes {expected}, got {value!r}")


def _parse_bool(name: str, value: str) -> bool:
    text = value.lower()
    if text not in _TRUE + _FALSE:
        raise _refuse(name, "a bool", value)
    return text in _TRUE


def _parse_float(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise _refuse(name, "a number", value) from error


def _parse_str(_: str, value: str) -> str:
    return value


_PARSERS: dict[type, Callable[[str, str], Any]] = {
    bool: _parse_bool,
    float: _parse_float,
    str: _parse_str,
}


OPERATOR, PROGRAM, BLOCK, API = "operator", "Custom Operator", "block", "MXNET_API"
"""Categories of spans: sections of the table, and `cat` in the trace."""

now = time.perf_counter_ns
"""The clock of all notes, in nanoseconds; it never goes back."""


class Span:
    """A stretch of time in which a thread did something.

    Attributes:
        name: What it did.
        category: Section of the table that it belongs to.
        start: When it began.
        end: When it ended.
        parent: The span that it is a part of.
        details: What the trace shows beside the name.
        device_time: Time that a GPU has worked for it, 0 if that is not known.
        size: Bytes of memory that its results took.
        scope: Name of the `profiler.scope` around it.
        program: Name of the user's operator whose program runs, if it is that of one.
        time_inside: Time of the operators that such a program calls.
    """

    __slots__ = (
        "category", "details", "device_time", "end", "name", "parent", "program", "scope", "size",
        "start", "time_inside",
    )  # fmt: skip

    def __init__(
        self, name: str, category: str, start: int, parent: Span | None, scope: str = ""
    ) -> None:
        self.name, self.category, self.parent, self.scope = name, category, parent, scope
        self.start = self.end = start
        self.details: dict[str, Any] = {}
        self.device_time = self.size = self.time_inside = 0
        self.program = ""

    @property
    def duration(self) -> int:
        """How long it took: on the GPU if that is known, else in this thread.

        Calls of the interface wait for a GPU, and programs of the user ask operators for their
        work: what they take themselves is the time to know.
        """
        if self.device_time and self.category != API and not self.program:
            return self.device_time
        return self.end - self.start - self.time_inside

    def add(self, *, device_time: int = 0, size: int = 0) -> None:
        """Adds work on the GPU or memory, to it and to what it is a part of."""
        span: Span | None = self
        while span is not None:
            span.device_time += device_time
            span.size += size
            span = span.parent


class AsyncSpan(NamedTuple):
    """A stretch of time that the user has marked, which may overlap others of its thread."""

    name: str
    category: str
    start: int
    end: int

    @property
    def duration(self) -> int:
        """How long it took."""
        return self.end - self.start


class CounterValue(NamedTuple):
    """The value of a counter from a time on."""

    name: str
    category: str
    start: int
    value: int


class Mark(NamedTuple):
    """A point of time that the user has marked."""

    name: str
    category: str
    start: int
    reach: str
    """`g`, `p` or `t`: whether it concerns everything, the process or the thread."""


class Kernel(NamedTuple):
    """What a GPU ran."""

    name: str
    device: int
    stream: int
    start: int
    end: int


Note: TypeAlias = Span | AsyncSpan | CounterValue | Mark | Kernel


class ThreadLog:
    """What one thread has noted.

    Blocks inside of a graph are not called when the graph runs. Their spans are *inferred*: one is
    open while the operators that run belong to the block, and ends with the last of them.

    Attributes:
        thread: The thread.
        number: Its number, as the system knows it.
        blocks: Blocks that the thread is in, innermost last.
        scope: Name of the `profiler.scope` that the thread is in.
        has_nested: Whether an operator ended since the last one began: it ran inside of another.
    """

    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.number = threading.get_native_id()
        self.blocks: list[Any] = []
        self.scope = ""
        self.has_nested = False
        self._notes: list[Note] = []
        self._open: list[Span] = []
        self._inferred: list[Span] = []
        self._last_end = 0
        self._lock = Lock()

    @property
    def innermost(self) -> Span | None:
        """The span that a new one is a part of."""
        if self._inferred:
            return self._inferred[-1]
        return self._open[-1] if self._open else None

    @property
    def is_in_operator(self) -> bool:
        """Whether the innermost span is that of an operator, such as a loop."""
        return bool(self._open) and self._open[-1].category in (OPERATOR, PROGRAM)

    def add(self, note: Note) -> None:
        """Adds a note."""
        with self._lock:
            self._notes.append(note)

    def begin(self, name: str, category: str) -> Span:
        """Begins a span, which is a part of the one that began last."""
        with self._lock:
            span = Span(name, category, now(), self.innermost, self.scope)
            self._open.append(span)
            return span

    def begin_operator(self, name: str, program: str) -> Span:
        """Begins the span of an operator; those that a user's operator calls are named after it.

        Args:
            name: Name of the operator.
            program: Name of the user's operator, if it is one.
        """
        if program:
            span = self.begin(f"{program}::pure_python", PROGRAM)
            span.program = program
            return span
        around = next((span for span in reversed(self._open) if span.program), None)
        if around is None:
            return self.begin(name, OPERATOR)
        return self.begin(f"{around.program}::{name}", PROGRAM)

    def resume(self, span: Span) -> None:
        """Goes on with a span that has ended."""
        with self._lock:
            self._open.append(span)

    def end(self, span: Span, *, is_kept: bool = True) -> None:
        """Ends a span and those inside of it.

        Args:
            span: The span.
            is_kept: Whether it is noted: the profiler may have been stopped since it began.
        """
        with self._lock:
            if span in self._inferred_parents():
                self._end_inferred(0)
            while self._open and self._open.pop() is not span:
                pass
            span.end = self._last_end = now()
            if span.parent is not None and span.parent.program:
                span.parent.time_inside += span.end - span.start
            if is_kept:
                self._notes.append(span)

    def _inferred_parents(self) -> tuple[Span | None, ...]:
        return (self._inferred[0].parent,) if self._inferred else ()

    def infer(self, names: Sequence[str]) -> None:
        """Notes that what runs next belongs to blocks inside of the innermost span.

        Args:
            names: Their names, the outermost first.
        """
        with self._lock:
            kept = self._count_common(names)
            self._end_inferred(kept)
            for name in names[kept:]:
                self._inferred.append(Span(name, BLOCK, now(), self.innermost, self.scope))

    def _count_common(self, names: Sequence[str]) -> int:
        """Returns how many of the inferred spans go on."""
        around = self._open[-1] if self._open else None
        if not self._inferred or self._inferred[0].parent is not around:
            return 0
        same = (span.name == name for span, name in zip(self._inferred, names, strict=False))
        return sum(itertools.takewhile(bool, same))

    def _end_inferred(self, kept: int) -> None:
        """Ends all inferred spans but so many, with the last operator that they had."""
        while len(self._inferred) > kept:
            span = self._inferred.pop()
            span.end = max(self._last_end, span.start)
            self._notes.append(span)

    def forget_open(self) -> None:
        """Forgets spans that have not ended; a backward pass that failed never ends its own."""
        with self._lock:
            self._open.clear()
            self._inferred.clear()

    def take(self) -> list[Note]:
        """Returns the notes since the last time."""
        with self._lock:
            if not self._open:  # the backward pass of a graph has no span of its own that ends
                self._end_inferred(0)
            notes, self._notes = self._notes, []
            return notes


class Recorder:
    """The notes of all threads."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._logs: list[ThreadLog] = []
        self._lock = Lock()

    def log(self) -> ThreadLog:
        """Returns the log of this thread."""
        log: ThreadLog | None = getattr(self._local, "log", None)
        if log is None:
            log = self._local.log = ThreadLog()
            with self._lock:
                self._logs.append(log)
        return log

    def forget_open(self) -> None:
        """Forgets spans that have not ended."""
        with self._lock:
            for log in self._logs:
                log.forget_open()

    def take(self) -> list[tuple[ThreadLog, list[Note]]]:
        """Returns the notes of each thread since the last time."""
        with self._lock:
            logs, live = self._logs, set(threading.enumerate())
            self._logs = [log for log in logs if log.thread in live]
            return [(log, log.take()) for log in logs]


recorder = Recorder()
