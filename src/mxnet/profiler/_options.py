"""Options of the profiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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
            raise ArgumentValueError(f"profiler.set_config: unknown option {name!r}; takes {known}")
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
