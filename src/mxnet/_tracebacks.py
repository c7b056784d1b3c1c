"""Tracebacks as users need them: their own frames, none of the package.

Where the program calls the package, an exception that leaves it is relieved of the frames in
between. The handler that does this costs nothing until something is raised, and reads::

    except Exception as error:
        hide_frames(error)
        raise

A bare `raise` adds no frame of its own from Python 3.11 on. Before, it also restores the traceback
that the handler has replaced, so that nothing is hidden there.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import CodeType, TracebackType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_PACKAGE = f"{Path(__file__).parent}{os.sep}"
_THIN = f"{_PACKAGE}_np_functions{os.sep}"
"""Functions that only call those of operators: these hide their frames, and theirs stay."""
_MOST_CAUSES = 100
"""Exceptions that are looked at in a chain; a program can make it a ring."""


def _find_torch() -> str:
    spec = importlib.util.find_spec("torch")
    return f"{Path(spec.origin).parent}{os.sep}" if spec and spec.origin else _PACKAGE


_BELOW = (
    _PACKAGE,
    _find_torch(),
    contextlib.__file__,
    "<mxnet ",
    "<eval_with_key>",
    "<string>",
    "<frozen ",
)
"""What files begin with whose frames are hidden where the package has called them."""

_LIBRARIES = (*{sysconfig.get_path(name) + os.sep for name in ("stdlib", "purelib", "platlib")},)
"""What files of Python and of installed packages begin with, whoever has called them."""


class _Switch:
    """Whether frames of the package are shown."""

    shown = os.environ.get("MXNET_SHOW_INTERNAL_FRAMES", "0") not in ("", "0")


def show_internal_frames(show: bool = True) -> bool:
    """Switches frames of the package in tracebacks, and causes inside of it, on or off.

    The variable `MXNET_SHOW_INTERNAL_FRAMES=1` does the same from the start.

    Args:
        show: Whether exceptions keep them from now on, in all threads.

    Returns:
        Whether they did before.

    Example:
        >>> import mxnet as mx
        >>> before = mx.errors.show_internal_frames(True)
        >>> mx.errors.show_internal_frames(before)
        True
    """
    before, _Switch.shown = _Switch.shown, bool(show)
    return before


def is_internal(code: CodeType) -> bool:
    """Returns whether code is part of the package."""
    return code.co_filename.startswith(_PACKAGE)


def hide_frames(error: BaseException) -> None:
    """Removes frames of the package from an exception that is about to leave it.

    Nothing is removed if the caller of the calling function is a part of the package itself, which
    may want to look at the frames, nor from an exception that nobody has foreseen: one that is not
    of the package, but was raised inside of it. Causes without a frame of the user's, such as what
    torch has raised, become the attribute `internal_cause`.

    Args:
        error: The exception, whose handler raises it again by a bare `raise`.
    """
    caller = sys._getframe(2)
    while caller.f_code.co_filename.startswith(_THIN) and caller.f_back is not None:
        caller = caller.f_back
    if not is_internal(caller.f_code):
        remove_frames(error)


def remove_frames(error: BaseException) -> None:
    """Removes frames of the package from an exception, whoever is to see it."""
    if _Switch.shown:
        return
    trace = error.__traceback__
    if _is_deliberate(error) or _is_raised_by_user(trace):
        error.__traceback__ = _without_internal(trace)
        _drop_internal_causes(error)


def public_call(function: Callable[P, R]) -> Callable[P, R]:
    """Hides frames of the package in what a function raises; for those that are not called often.

    It adds a frame, which the `stacklevel` of warnings counts.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            hide_frames(error)
            raise

    return call


def _is_deliberate(error: BaseException) -> bool:
    """Returns whether the package has raised an exception on purpose, with a message to read."""
    return type(error).__module__.partition(".")[0] == "mxnet"


def _is_raised_by_user(trace: TracebackType | None) -> bool:
    """Returns whether it was the user's program, not the package, that last called something."""
    is_users = False
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if filename.startswith(_BELOW):
            is_users = False
        elif not filename.startswith(_LIBRARIES):
            is_users = True
        trace = trace.tb_next
    return is_users


def _without_internal(trace: TracebackType | None) -> TracebackType | None:
    """Returns a traceback without the frames of the package, and of torch where it is called."""
    kept: list[TracebackType] = []
    hidden: tuple[str, ...] = (_PACKAGE,)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(hidden):
            hidden = _BELOW
        else:
            kept.append(trace)
            hidden = (_PACKAGE,)
        trace = trace.tb_next
    result: TracebackType | None = None
    for item in reversed(kept):
        result = TracebackType(result, item.tb_frame, item.tb_lasti, item.tb_lineno)
    return result


def _drop_internal_causes(error: BaseException) -> None:
    """Takes causes without frames of the user's out of the chain, and shortens those of others."""
    last = error
    cause = _cause_of(error)
    for _ in range(_MOST_CAUSES):
        if cause is None:
            break
        trace = _without_internal(cause.__traceback__)
        if trace is not None:
            cause.__traceback__ = trace
            _link(last, cause)
            last = cause
        cause = _cause_of(cause)
    else:
        return
    _link(last, None)


def _cause_of(error: BaseException) -> BaseException | None:
    """Returns what Python prints before an exception, if it does."""
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _link(error: BaseException, cause: BaseException | None) -> None:
    """Makes an exception follow another one than it does, which it keeps as an attribute."""
    before = _cause_of(error)
    if before is not cause:
        error.internal_cause = before  # type: ignore[attr-defined]
        error.__cause__, error.__context__ = None, cause
        error.__suppress_context__ = False
