"""Tracebacks as users need them: their own frames, none of the package.

Where the program calls the package, an exception that leaves it is relieved of the frames in
between. The handler that does this stands in `public_call` and costs nothing until something is
raised. Its bare `raise` adds no frame of its own. In Python 3.10 it restores the traceback that is
noted beside the exception, which `_note_for_raise` replaces there.

Whole modules and classes get the handler from `public_functions`, `public_methods` and
`PublicInit`. Code of the package calls functions without it: those of private modules, or
`plain(function)`.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import CodeType, FunctionType, TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R")
C = TypeVar("C", bound=type)

_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"
_THIN = f"{_PACKAGE}_np_functions{os.sep}"
"""Functions that only call those of operators: these hide their frames, and theirs stay."""
_BY_ARGUMENTS = (TypeError, AttributeError, ValueError, LookupError, OSError, StopIteration)
"""What Python raises when a function goes on with an argument of a wrong type."""
_MOST_CAUSES = 100
"""Exceptions that are looked at in a chain; a program can make it a ring."""


def _find_torch() -> str:
    spec = importlib.util.find_spec("torch")
    return f"{Path(spec.origin).parent}{os.sep}" if spec and spec.origin else _PACKAGE


_BELOW = (
    _PACKAGE,
    f"{Path(__file__).parents[2] / 'glueball'}{os.sep}",
    _find_torch(),
    contextlib.__file__,
    "<mxnet ",
    "<eval_with_key>",
    "<string>",
    "<frozen ",
)
"""What files begin with whose frames are hidden where the package has called them."""

_LIBRARIES = (*{sysconfig.get_path(name) + os.sep for name in ("stdlib", "purelib", "platlib")},)
"""What paths of Python and of installed packages begin with."""


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


def place_of_program() -> tuple[str, int]:
    """Returns the file and the number of the line of the program that has called the package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def line_of_program() -> str:
    """Returns the line of the program that has called the package, as messages name it."""
    return "{}, line {}".format(*place_of_program())


def level_of_program() -> int:
    """Returns the `stacklevel` by which a warning of the caller names a line of the program.

    How many functions of the package lie in between may differ, handlers of frames among them.
    """
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_BELOW):
        frame, level = frame.f_back, level + 1
    return level


def is_internal(code: CodeType) -> bool:
    """Returns whether code is part of the package."""
    return code.co_filename.startswith(_PACKAGE)


def hide_frames(error: BaseException) -> None:
    """Removes frames of the package from an exception that is about to leave it.

    Nothing is removed if the caller of the calling function is a part of the package itself, which
    may want to look at the frames, nor from an unforeseen exception: one of a class that is not of
    the package, raised inside of it. Causes that the user's code has not raised, but torch or
    another library that the package called, become the attribute `internal_cause`.

    Args:
        error: The exception, whose handler raises it again by a bare `raise`.
    """
    caller = sys._getframe(2)
    while caller.f_code.co_filename.startswith(_THIN) and caller.f_back is not None:
        caller = caller.f_back
    if not is_internal(caller.f_code):
        failure = getattr(error, "mx_failure", None)
        if failure is not None:  # an error of values, of which the program knows by this
            failure.note_told()
        remove_frames(error, _explain(error))


def _explain(error: BaseException) -> bool:
    """Rewords what Python has raised inside of the package, if an argument is the reason for it."""
    if not isinstance(error, _BY_ARGUMENTS) or _is_deliberate(error):
        return False
    if _is_raised_by_user(error.__traceback__):
        return False
    from mxnet._start.wrong_arguments import explain  # noqa: PLC0415 - of a failed call

    try:
        return explain(error)
    except Exception:  # noqa: BLE001 - comparing arguments runs code of any class
        return False


def remove_frames(error: BaseException, is_explained: bool = False) -> None:
    """Removes frames of the package from an exception, also where the package is the caller.

    Args:
        error: The exception.
        is_explained: Whether its message says what is wrong with the call.
    """
    if _Switch.shown:
        return
    trace = error.__traceback__
    if is_explained or _is_deliberate(error) or _is_raised_by_user(trace):
        error.__traceback__ = without_internal(trace, is_explained)
        _drop_internal_causes(error)
        if sys.version_info < (3, 11):
            _note_for_raise(error)


def _note_for_raise(error: BaseException) -> None:
    """Replaces the traceback that a bare `raise` of Python 3.10 restores.

    Later versions have no such note: they take the exception's own.
    """
    if sys.exc_info()[1] is not error:
        return
    note = type(error), error, error.__traceback__
    for item in note:  # of which the function below takes a reference each
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(item))
    ctypes.pythonapi.PyErr_SetExcInfo(*map(ctypes.py_object, note))


def public_call(function: Callable[P, R]) -> Callable[P, R]:
    """Hides frames of the package in what a function raises.

    It adds a frame, which the `stacklevel` of warnings counts; see `level_of_program`. Functions
    that take about a microsecond have it written into them by `expand` (`expansion.py`). One that
    takes a context also takes it as `device=`, as MXNet 2 calls it.
    """
    context = _context_argument(function)
    if context:
        return _call_with_device(function, context)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            hide_frames(error)
            raise

    return call


def overridable(function: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, ...], R]:
    """Returns a method as it is; checkers of types let subclasses give it other parameters."""
    return function


_CONTEXTS = ("ctx", "context")
"""What arguments are called that MXNet 2 calls `device`."""


def _context_argument(function: Callable[..., Any]) -> str:
    """Returns the name of the argument that takes a context, "" if there is none."""
    declared = getattr(function, "__wrapped__", function)
    code = getattr(getattr(declared, "__func__", declared), "__code__", None)
    if code is None:
        return ""
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if "device" not in names:
        for name in _CONTEXTS:
            if name in names:
                return name
    return ""


def _call_with_device(function: Callable[P, R], context: str) -> Callable[P, R]:
    """Returns what `public_call` does, for a function that has an argument for a context."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            if "device" in kwargs and context not in kwargs:
                kwargs[context] = kwargs.pop("device")
            return function(*args, **kwargs)
        except Exception as error:
            hide_frames(error)
            raise

    return call


def accept_device(function: Callable[P, R]) -> Callable[P, R]:
    """Returns a function that takes its context as `device=`, too, if it takes one."""
    context = _context_argument(function)
    return _call_with_device(function, context) if context else function


def takes_device(function: Callable[..., Any]) -> bool:
    """Returns whether a function takes its context as `device=`, too."""
    return getattr(function, "__code__", None) is _HANDLER_WITH_DEVICE


_WRAPPERS: set[CodeType] = set()
"""Code that passes the arguments of a program on to functions that may not take them."""


def passes_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Declares that a `TypeError` raised by a function itself is about what its caller passed."""
    code = getattr(plain(function), "__code__", None)
    if code is not None:
        _WRAPPERS.add(code)
    return function


def hands_on(code: CodeType) -> bool:
    """Returns whether code passes arguments of a program on; see `passes_arguments`."""
    return code in _WRAPPERS


HANDLER = public_call(len).__code__
_HANDLER_WITH_DEVICE = _call_with_device(len, "ctx").__code__
HANDLERS = {HANDLER, _HANDLER_WITH_DEVICE}
"""The code around public functions."""
_WRAPPERS.update(HANDLERS)


def plain(function: Callable[P, R]) -> Callable[P, R]:
    """Returns a public function without the handler, for callers inside of the package."""
    if getattr(function, "__code__", None) not in HANDLERS:
        return function
    return function.__wrapped__  # type: ignore[attr-defined, no-any-return]  # as `wraps` sets it


_HANDLED: dict[FunctionType, Callable[..., Any]] = {}
"""Functions with the handler, which all public modules share, by those without."""


def public_functions(namespace: dict[str, Any]) -> None:
    """Hides frames of the package in what the functions of a public module raise.

    These are all whose names do not begin with an underscore and that were written in its package,
    or, at the top level, in the module. Those with a handler of their own stay as they are.
    Private modules keep the functions without the handler: the package imports them from there.

    Args:
        namespace: The module's `globals()`, when everything is in it.
    """
    package, name = namespace["__package__"], namespace["__name__"]
    place = package if "." in package else name
    for name, value in tuple(namespace.items()):
        if name[0] != "_" and _needs_handler(value) and value.__module__.startswith(place):
            namespace[name] = _handled(value, namespace)


def _handled(function: FunctionType, namespace: dict[str, Any]) -> Callable[..., Any]:
    """Returns a function with the handler, always the same one.

    Pickle finds it by its name in its module: the first public one that has it.
    """
    call = _HANDLED.get(function)
    if call is None:
        call = _HANDLED[function] = public_call(function)
        home = vars(sys.modules[function.__module__])
        if "._" in function.__module__ and namespace.get(function.__qualname__) is function:
            call.__module__ = namespace["__name__"]
        elif home.get(function.__name__) is function:
            home[function.__name__] = call
    return call


def public_methods(*names: str) -> Callable[[C], C]:
    """Makes a decorator that hides frames of the package in what methods of a class raise.

    Args:
        *names: The methods, which the class itself defines; without any, all of them whose names
            do not begin with an underscore.
    """

    def decorate(cls: C) -> C:
        own = vars(cls).items()
        for name in names or [name for name, value in own if name[0] != "_" and _is_method(value)]:
            method = vars(cls)[name]
            if isinstance(method, (staticmethod, classmethod)):
                wrapped: Any = type(method)(public_call(method.__func__))
            else:
                wrapped = public_call(method)
            setattr(cls, name, wrapped)
        return cls

    return decorate


def _is_method(value: object) -> bool:
    """Returns whether something in a class is a method without the handler."""
    return _needs_handler(getattr(value, "__func__", value))


class PublicInit:
    """Base of classes whose constructors hide frames of the package, in all of its subclasses.

    Constructors of the program's own subclasses stay as they are.
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        init = vars(cls).get("__init__")
        if _needs_handler(init):
            cls.__init__ = public_call(init)  # type: ignore[method-assign, arg-type]  # checked above


def _needs_handler(value: object) -> bool:
    """Returns whether something is a function of the package that hides no frames itself."""
    if not isinstance(value, FunctionType):
        return False
    code = value.__code__
    is_own = code.co_filename.startswith(_PACKAGE)  # without a call: an import asks 1500 times
    return is_own and hide_frames.__name__ not in code.co_names + code.co_freevars


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


def without_internal(
    trace: TracebackType | None, is_explained: bool = False
) -> TracebackType | None:
    """Returns a traceback without the frames of the package, and of torch where it is called.

    Args:
        trace: The traceback.
        is_explained: Whether frames of other libraries say nothing that the message does not.
    """
    kept: list[TracebackType] = []
    hidden: tuple[str, ...] = (_PACKAGE,)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(hidden):
            if is_explained:
                break
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
    """Takes causes that the user's code has not raised out of the chain, and shortens others."""
    last = error
    cause = _cause_of(error)
    for _ in range(_MOST_CAUSES):
        if cause is None:
            break
        if _is_raised_by_user(cause.__traceback__):
            cause.__traceback__ = without_internal(cause.__traceback__)
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
