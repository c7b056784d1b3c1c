"""What users mark in their programs: domains, tasks, frames, events, counters and markers."""

from __future__ import annotations

from typing import TypeVar

from mxnet._state import Lock
from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.profiler._session import session
from mxnet.profiler._spans import AsyncSpan, CounterValue, Mark, now, recorder

_REACHES = {"global": "g", "process": "p", "thread": "t", "task": "p", "marker": "p"}
_T = TypeVar("_T", bound="_Duration")


class UnsuitableObjectError(UnsupportedTypeError, AttributeError):
    """A name is not a string or a domain no `Domain`; the original misses an attribute of it."""


def _check_name(where: str, name: str) -> str:
    if not isinstance(name, str):
        raise UnsuitableObjectError(f"{where}: name takes a str, got {name!r}")
    return name


class Domain:
    """A group of tasks, frames, counters and markers, with a section of its own in the table.

    Args:
        name: Name of the domain.

    Example:
        >>> import mxnet as mx
        >>> domain = mx.profiler.Domain("loading")
        >>> counter = domain.new_counter("images", 0)
        >>> counter += 32
        >>> print(domain, counter)
        loading images
    """

    def __init__(self, name: str) -> None:
        self.name = _check_name("Domain", name)

    def __str__(self) -> str:
        return self.name

    def new_task(self, name: str) -> Task:
        """Returns a new task of this domain."""
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """Returns a new frame of this domain."""
        return Frame(self, name)

    def new_counter(self, name: str, value: int | None = None) -> Counter:
        """Returns a new counter of this domain, with a value if one is given."""
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """Returns a new marker of this domain."""
        return Marker(self, name)


def _check_domain(where: str, domain: Domain) -> Domain:
    if not isinstance(domain, Domain):
        raise UnsuitableObjectError(f"{where}: domain takes a Domain, got {domain!r}")
    return domain


class _Duration:
    """Something that starts and stops; it is noted if the profiler runs when it stops."""

    def __init__(self, name: str, category: str) -> None:
        self.name = _check_name(type(self).__name__, name)
        self._category = category
        self._start: int | None = None

    def start(self) -> None:
        """Starts the time."""
        self._start = now()

    def stop(self) -> None:
        """Stops the time and notes it, if the profiler runs and `start` was called before."""
        if self._start is not None and session.is_running:
            recorder.log().add(AsyncSpan(self.name, self._category, self._start, now()))

    def __enter__(self: _T) -> _T:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __str__(self) -> str:
        return self.name


class Task(_Duration):
    """A unit of work, whose times are added up under its name.

    Args:
        domain: Domain that it belongs to.
        name: Name of the task.
    """

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, _check_domain("Task", domain).name)


class Frame(_Duration):
    """One of many alike stretches of time, such as steps, in a section apart from tasks.

    Args:
        domain: Domain that it belongs to.
        name: Name of the frame.
    """

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, f"{_check_domain('Frame', domain).name},frame")


class Event(_Duration):
    """A stretch of the program that belongs to no domain.

    Args:
        name: Name of the event.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "event")


class Counter:
    """A number that changes over time.

    Args:
        domain: Domain that it belongs to.
        name: Name of the counter.
        value: Value to begin with; the first one that is noted.
    """

    def __init__(self, domain: Domain, name: str, value: int | None = None) -> None:
        self.name = _check_name("Counter", name)
        self._category = _check_domain("Counter", domain).name
        self._value = 0
        self._lock = Lock()
        if value is not None:
            self.set_value(value)

    def set_value(self, value: int) -> None:
        """Sets the value."""
        with self._lock:
            self._set(int(value))

    def increment(self, delta: int = 1) -> None:
        """Adds to the value."""
        with self._lock:
            self._set(self._value + int(delta))

    def decrement(self, delta: int = 1) -> None:
        """Subtracts from the value."""
        self.increment(-int(delta))

    def _set(self, value: int) -> None:
        self._value = value
        if session.is_running:
            recorder.log().add(CounterValue(self.name, self._category, now(), value))

    def __iadd__(self, delta: int) -> Counter:
        self.increment(delta)
        return self

    def __isub__(self, delta: int) -> Counter:
        self.decrement(delta)
        return self

    def __str__(self) -> str:
        return self.name


class Marker:
    """Marks points of time.

    Args:
        domain: Domain that it belongs to.
        name: Name of the marker.
    """

    def __init__(self, domain: Domain, name: str) -> None:
        self.name, self.domain = _check_name("Marker", name), _check_domain("Marker", domain)

    def mark(self, scope: str = "process") -> None:
        """Marks this moment.

        Args:
            scope: What it concerns: `"global"`, `"process"`, `"thread"`, `"task"` or `"marker"`.

        Raises:
            ArgumentValueError: if the scope is none of these.
        """
        if scope not in _REACHES:
            known = ", ".join(map(repr, _REACHES))
            raise ArgumentValueError(f"Marker.mark: scope takes one of {known}, got {scope!r}")
        if session.is_running:
            category = f"{self.domain.name},instant_marker"
            recorder.log().add(Mark(self.name, category, now(), _REACHES[scope]))
