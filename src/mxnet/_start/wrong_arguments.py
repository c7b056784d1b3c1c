"""What is said about a call whose arguments a function does not take.

Python's own message names the function that was called last, which may be the constructor of a
private base, and not the argument that was meant. Nothing here runs, nor is imported, before such
a call has failed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, NamedTuple

from mxnet._start.importing import did_you_mean
from mxnet._start.tracebacks import hands_on, plain

_SYNONYMS = {
    "bias": ("use_bias", "no_bias"),
    "device": ("ctx", "context"),
    "dim": ("axis", "axes", "dim"),
    "dims": ("axis", "axes"),
    "axes": ("axis",),
    "axis": ("axes",),
    "filters": ("channels", "num_filter"),
    "groups": ("num_group",),
    "in_features": ("in_units",),
    "keepdim": ("keepdims",),
    "lr": ("learning_rate",),
    "num_features": ("in_channels",),
    "num_filter": ("channels",),
    "num_hidden": ("units", "hidden_size"),
    "out_channels": ("channels",),
    "out_features": ("units",),
    "p": ("rate",),
    "pad": ("padding",),
    "stride": ("strides",),
    "weight_decay": ("wd",),
    "workers": ("num_workers",),
}
"""What arguments are called here whose names in other places of the trade are not similar."""
_SHORTEST_PART = 3
"""Letters of a name that a longer one has to begin with, to be what was meant."""


class _Call(NamedTuple):
    """A call that a function of the package has handed on."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def explain(error: TypeError) -> None:
    """Rewords the exception of a call that did not fit, if an argument has an unknown name.

    Args:
        error: The exception, which a function around the refused one has raised.
    """
    calls = list(_calls_in(error.__traceback__))
    if not calls or len(error.args) != 1:
        return
    known = [name for call in calls for name in _names_of(call.function)]
    given = [name for call in calls for name in call.kwargs]
    unknown = next((name for name in reversed(given) if name not in known), None)
    if unknown is None:
        return
    known = list(dict.fromkeys(known))
    hint = _find_meant(unknown, [name for name in known if name not in calls[0].kwargs])
    listed = f"; it takes {', '.join(known)}" if known and not hint else ""
    error.args = (
        f"{_call_name(calls[0])}() got an unexpected keyword argument {unknown!r}{hint}{listed}",
    )


def _calls_in(trace: TracebackType | None) -> Iterator[_Call]:
    """Yields the calls of a traceback that hand arguments on to the one that refused them.

    Calls around a function whose own arguments were all right do not count.
    """
    found: list[_Call] = []
    while trace is not None:
        if hands_on(trace.tb_frame.f_code):
            values = trace.tb_frame.f_locals
            function = values.get("declared") or values.get("function")
            if function is not None:
                call = _Call(function, values["args"], values["kwargs"])
                if found and not _is_passed_on(found[-1], call):
                    found.clear()
                found.append(call)
        trace = trace.tb_next
    yield from found


def _is_passed_on(outer: _Call, inner: _Call) -> bool:
    """Returns whether a call hands on arguments by name that an outer one has left open."""
    opened = outer.kwargs.keys() - set(_names_of(outer.function))
    return bool(opened & inner.kwargs.keys())


def _names_of(function: Callable[..., Any]) -> list[str]:
    """Returns the names of arguments that a function takes by name, but for `self`."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    names = [item.name for item in parameters if item.kind in kinds]
    return [name for name in names if name not in ("self", "cls") and not name.startswith("_")]


def _call_name(call: _Call) -> str:
    """Returns what a program calls: the class instead of its constructor, which a base may have."""
    function = call.function
    if function.__name__ == "__init__" and call.args:
        for cls in type(call.args[0]).__mro__:
            if plain(cls.__init__) is function:  # type: ignore[misc]  # only compared
                return cls.__name__
    return function.__qualname__.rpartition("<locals>.")[2]


def _find_meant(name: str, known: list[str]) -> str:
    """Returns a question after the argument that an unknown one stands for, "" if there is none."""
    for other in _SYNONYMS.get(name, ()):
        if other in known:
            return f" (did you mean {other!r}?)"
    close = did_you_mean(name, known)
    if close:
        return close
    parts = {other: "".join(word[:1] for word in other.split("_")) for other in known}
    for other, initials in parts.items():
        longer, shorter = sorted((name, other), key=len)[::-1]
        begins = len(shorter) >= _SHORTEST_PART and longer.startswith(shorter)
        if begins or (len(name) > 1 and name == initials) or (len(other) == 1 and name[0] == other):
            return f" (did you mean {other!r}?)"
    return ""
