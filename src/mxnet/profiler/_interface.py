"""The functions of `mx.profiler`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mxnet.errors import InvalidArgumentError, MXNetError, UnknownNameError
from mxnet.profiler._options import PROCESSES, parse
from mxnet.profiler._session import session
from mxnet.profiler._spans import recorder
from mxnet.profiler._table import SORTS

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
        stacklevel=2,
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
        raise UnknownNameError(f"profiler.set_state: state takes 'run' or 'stop', got {state!r}")
    _check_process("set_state", profile_process)
    if state == "run":
        session.start()
    else:
        session.stop()


def profiler_set_state(state: str = "stop") -> None:
    """Starts or stops the profiler; deprecated, use `set_state`."""
    warnings.warn(
        "profiler.profiler_set_state() is deprecated. Please use profiler.set_state() instead",
        stacklevel=2,
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
        "profiler.dump_profile() is deprecated. Please use profiler.dump() instead", stacklevel=2
    )
    dump(True)


def dumps(
    reset: bool = False,
    format: str = "table",
    sort_by: str = "total",
    ascending: bool = False,
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
            raise InvalidArgumentError(f"profiler.dumps: {name} takes {listed}, got {value!r}")
    statistics = session.statistics()
    if statistics is None:
        if reset:
            raise MXNetError(
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
        raise UnknownNameError(
            f"profiler.{where}: profile_process takes 'worker' or 'server', got {process!r}"
        )
    if process == "server":
        raise MXNetError(f"profiler.{where}: there is no server to profile; use 'worker'")
