"""The functions of `mx.profiler`, and its objects: domains, tasks, counters, markers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from mxnet import errors
from mxnet._start import level_of_program
from mxnet._state import Lock
from mxnet.profiler._reports import SORTS
from mxnet.profiler._session import session
from mxnet.profiler._spans import PROCESSES, AsyncSpan, CounterValue, Mark, now, parse, recorder

_STATES = ("stop", "run")
_FORMATS = ("table", "json")


def set_config(**kwargs: Any) -> None:
    """Sets the options of the profiler; those that are not given have their default.

    Args:
        **kwargs: Any of the following.

            `filename`: file of the trace, `"profile.json"` by default. `continuous_dump` (True) and
            `dump_period` (1.0): whether it is also written while the program runs, and how many
            seconds apart. `aggregate_stats` (False): whether statistics are kept for `dumps`.

            `profile_imperative`, `profile_symbolic`, `profile_memory`, `profile_api` (True each):
            whether to profile operators that run by themselves, those of graphs, memory, and calls
            of the interface. `profile_all` (False) asks for all of them. A graph whose operators
            are profiled runs them one by one; with `profile_symbolic=False` it runs as ever,
            compiled or captured if it is.

            `profile_process`: `"worker"`; there are no servers to profile.

    Raises:
        ArgumentValueError: for an unknown option, or a value that it does not take.
    """
    options = parse(kwargs)
    _check_process("set_config", options.profile_process)
    session.configure(options)


def profiler_set_config(mode: str = "symbolic", filename: str = "profile.json") -> None:
    """Sets what is profiled and the file of the trace; deprecated, use `set_config`."""
    warnings.warn(
        "profiler.profiler_set_config() is deprecated. Please use profiler.set_config() instead",
        stacklevel=level_of_program(),
    )
    set_config(**{f"profile_{mode}": True, "filename": filename})


def set_state(state: str = "stop", profile_process: str = "worker") -> None:
    """Starts or stops the profiler.

    Args:
        state: `"run"` or `"stop"`.
        profile_process: `"worker"`; there are no servers to profile.

    Raises:
        UnknownNameError: if the state is neither.
    """
    if state not in _STATES:
        raise errors.UnknownNameError(
            f"profiler.set_state: state takes 'run' or 'stop', got {state!r}"
        )
    _check_process("set_state", profile_process)
    if state == "run":
        session.start()
    else:
        session.stop()


def profiler_set_state(state: str = "stop") -> None:
    """Starts or stops the profiler; deprecated, use `set_state`."""
    warnings.warn(
        "profiler.profiler_set_state() is deprecated. Please use profiler.set_state() instead",
        stacklevel=level_of_program(),
    )
    set_state(state)


def pause(profile_process: str = "worker") -> None:
    """Stops the profiler for a while; `resume` goes on."""
    _check_process("pause", profile_process)
    session.stop()


def resume(profile_process: str = "worker") -> None:
    """Goes on after `pause`."""
    _check_process("resume", profile_process)
    session.start()


def dump(finished: bool = True, profile_process: str = "worker") -> None:
    """Writes the trace to the file that `set_config` names.

    With `continuous_dump` a program that ends without it writes the trace then.

    Args:
        finished: Whether the file is complete: the profiler stops, and the next run begins another
            one. Otherwise the file can be looked at, and later calls add to it.
        profile_process: `"worker"`; there are no servers to profile.

    Raises:
        MXNetError: if the profiler has not run since the last file was finished.
        FileAccessError: if the file cannot be written.
    """
    _check_process("dump", profile_process)
    session.dump(finished=finished is True)


def dump_profile() -> None:
    """Writes the trace; deprecated, use `dump`."""
    warnings.warn(
        "profiler.dump_profile() is deprecated. Please use profiler.dump() instead",
        stacklevel=level_of_program(),
    )
    dump(True)


def dumps(
    reset: bool = False, format: str = "table", sort_by: str = "total", ascending: bool = False
) -> str:
    """Returns statistics over what was profiled; `aggregate_stats=True` must have been set.

    Args:
        reset: Whether to begin anew afterwards.
        format: `"table"` or `"json"`.
        sort_by: What entries of a section are ordered by: `"total"`, `"avg"`, `"min"`, `"max"` or
            `"count"`.
        ascending: Whether the smallest comes first.

    Returns:
        The text; an empty one if no statistics are kept.

    Raises:
        InvalidArgumentError: if an argument is none of these.
        MXNetError: if there is nothing to reset, because no statistics are kept.
    """
    choices: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "format": (format, _FORMATS),
        "sort_by": (sort_by, tuple(SORTS)),
        "ascending": (ascending, (False, True)),
        "reset": (reset, (False, True)),
    }
    for name, (value, known) in choices.items():
        if value not in known:
            listed = ", ".join(map(repr, known))
            raise errors.InvalidArgumentError(
                f"profiler.dumps: {name} takes {listed}, got {value!r}"
            )
    statistics = session.statistics()
    if statistics is None:
        if reset:
            raise errors.MXNetError(
                "profiler.dumps: no statistics are kept that could be reset; "
                "call set_config(aggregate_stats=True) first"
            )
        return ""
    write = statistics.as_table if format == "table" else statistics.as_json
    text = write(sort_by, ascending=bool(ascending))
    if reset:
        statistics.clear()
    return text


@contextmanager
def scope(name: str = "<unk>:", append_mode: bool = True) -> Iterator[str]:
    """Names a part of the program: the memory of its operators is listed under this name.

    Args:
        name: The name; a colon is added if it ends with none.
        append_mode: Whether the name follows that of the scope around it, instead of replacing it.

    Example:
        >>> import mxnet as mx
        >>> with mx.profiler.scope("encoder"), mx.profiler.scope("attention") as name:
        ...     print(name)
        encoder:attention:
    """
    log = recorder.log()
    before = log.scope
    own = name if name.endswith(":") else f"{name}:"
    log.scope = f"{before}{own}" if append_mode else own
    try:
        yield log.scope
    finally:
        log.scope = before


def _check_process(where: str, process: str) -> None:
    if process not in PROCESSES:
        raise errors.UnknownNameError(
            f"profiler.{where}: profile_process takes 'worker' or 'server', got {process!r}"
        )
    if process == "server":
        raise errors.MXNetError(f"profiler.{where}: there is no server to profile; use 'worker'")


_REACHES = {"global": "g", "process": "p", "thread": "t", "task": "p", "marker": "p"}
_T = TypeVar("_T", bound="_Duration")


class UnsuitableObjectError(errors.UnsupportedTypeError, AttributeError):
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
            raise errors.ArgumentValueError(
                f"Marker.mark: scope takes one of {known}, got {scope!r}"
            )
        if session.is_running:
            category = f"{self.domain.name},instant_marker"
            recorder.log().add(Mark(self.name, category, now(), _REACHES[scope]))
