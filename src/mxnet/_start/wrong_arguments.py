"""What is said about a call whose arguments a function does not take.

Python's own message names the function that was called last, which may be the constructor of a
private base, and not the argument that was meant; where a function goes on with an argument of a
wrong type, it names neither. Nothing here runs, nor is imported, before such a call has failed.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from mxnet._start.importing import find_meant, type_name
from mxnet._start.tracebacks import hands_on, is_internal, plain

_LOOKED_UP = frozenset({"__getattr__", "__getitem__", "__len__", "__setattr__"})
"""Methods whose exceptions are about what they were asked for."""
_LONGEST_REASON = 120
"""Characters of what Python or torch has said."""
_NUMBERS = {float: (int, float), complex: (int, float, complex), int: (int,)}


class _Call(NamedTuple):
    """A call of a function of the package."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    is_outermost: bool
    """Whether no other function of the package has made it."""


def explain(error: BaseException) -> bool:
    """Rewords an exception that the arguments of a call have caused.

    Args:
        error: What Python has raised inside of the package.

    Returns:
        Whether they have: the message says what is wrong with the call.
    """
    if isinstance(error, (OSError, StopIteration)):  # which name a file, or end a loop
        return True
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or len(error.args) != 1:
        return False
    if last.tb_frame.f_code.co_name in _LOOKED_UP and is_internal(last.tb_frame.f_code):
        return _explain_type(error) or True
    if not isinstance(error, TypeError) or not hands_on(last.tb_frame.f_code):
        return _explain_type(error)
    block = last.tb_frame.f_locals.get("self")
    if hasattr(block, "collect_params"):
        _explain_inputs(error, block, last.tb_frame.f_locals)
    else:
        _explain_misfit(error)
    return True


def _explain_inputs(error: TypeError, block: Any, values: dict[str, Any]) -> None:
    """Rewords the exception of a block that does not take as many inputs as it was given."""
    is_hybrid = getattr(block, "_mx_has_hybrid_forward", bool)()
    function = block.hybrid_forward if is_hybrid else block.forward
    where = f"{type(block).__name__} {block.name!r}"
    try:
        parameters = list(inspect.signature(function).parameters.values())[int(is_hybrid) :]
    except (TypeError, ValueError):
        return
    known = [item for item in parameters if item.name not in block._reg_params]
    if is_hybrid and "F" not in inspect.signature(function).parameters:
        written = ", ".join(["self", "F", *inspect.signature(function).parameters])
        error.args = (
            f"{where}: hybrid_forward gets the operators before the inputs: "
            f"write `def hybrid_forward({written})`",
        )
        return
    if not known:
        error.args = (f"{where}: {error}",)
        return
    given = len(values["args"]) + ("x" in values)
    confused = _explain_forward(block, parameters, given) if is_hybrid else _explain_f(known, given)
    if confused:
        error.args = (f"{where}: {confused}",)
        return
    names = [
        f"{'*' * (item.kind is item.VAR_POSITIONAL)}{item.name}"
        + (f"={item.default}" if item.default is not item.empty else "")
        for item in known
        if item.kind is not item.VAR_KEYWORD
    ]
    error.args = (f"{where}: takes {', '.join(names)}, got {given} input{'s' * (given != 1)}",)


def _explain_forward(block: Any, parameters: list[inspect.Parameter], given: int) -> str:
    """Returns what is wrong with a `hybrid_forward` that does not take the block's parameters."""
    taken = [item.name for item in parameters]
    left = [name for name in block._reg_params if name not in taken]
    if not left or any(item.kind is item.VAR_KEYWORD for item in parameters):
        return ""
    others = taken[given:] if len(taken) == given + len(left) else []
    instead = f", which takes {others[0]!r} instead" if others else ""
    names = ", ".join(["self", "F", *taken[: len(taken) - len(others)], *left])
    return (
        f"the parameter {left[0]!r} is given to hybrid_forward{instead}: "
        f"write `def hybrid_forward({names})`"
    )


def _explain_f(known: list[inspect.Parameter], given: int) -> str:
    """Returns what is wrong with a `forward` that is written like a `hybrid_forward`."""
    if known[0].name != "F" or given >= len(known):
        return ""
    return "forward gets the inputs alone: leave `F` out, or call the method hybrid_forward"


def _explain_misfit(error: TypeError) -> None:
    """Rewords the exception of a call that did not fit the signature of a function."""
    calls = list(_calls_in(error.__traceback__))
    if not calls:
        return
    known = [name for call in calls for name in _names_of(call.function)]
    given = [name for call in calls for name in call.kwargs]
    unknown = next((name for name in reversed(given) if name not in known), None)
    known = list(dict.fromkeys(known))
    hint = ""
    if unknown is not None:
        hint = find_meant(unknown, [name for name in known if name not in calls[0].kwargs])
    if unknown is None or (not hint and _takes_any_name(calls[-1].function)):
        # Python begins with the function, which may be the constructor of a private base.
        refused, bracket, reason = str(error).partition("()")
        if bracket and refused.endswith(calls[-1].function.__qualname__):
            error.args = (f"{_call_name(calls[-1])}(){reason}",)
        return
    listed = f"; it takes {', '.join(known)}" if known and not hint else ""
    error.args = (
        f"{_call_name(_called_by_program(calls))}() got an unexpected keyword argument "
        f"{unknown!r}{hint}{listed}",
    )


def _calls_in(trace: TracebackType | None) -> Iterator[_Call]:
    """Yields the calls of a traceback that hand arguments on to the one that refused them.

    Calls around a function whose own arguments were all right do not count.
    """
    found: list[_Call] = []
    is_outermost = True
    while trace is not None:
        if hands_on(trace.tb_frame.f_code):
            values = trace.tb_frame.f_locals
            function = values.get("declared") or values.get("function")
            if function is not None:
                call = _Call(function, values["args"], values["kwargs"], is_outermost)
                if found and not _is_passed_on(found[-1], call):
                    found.clear()
                found.append(call)
        is_outermost = not is_internal(trace.tb_frame.f_code)
        trace = trace.tb_next
    yield from found


def _called_by_program(calls: list[_Call]) -> _Call:
    """Returns the call to name: a constructor where the package has called what leads to it."""
    if calls[0].is_outermost:
        return calls[0]
    return next((call for call in calls if call.function.__name__ == "__init__"), calls[0])


def _is_passed_on(outer: _Call, inner: _Call) -> bool:
    """Returns whether a call hands on arguments by name that an outer one has left open."""
    opened = outer.kwargs.keys() - set(_names_of(outer.function))
    return bool(opened & inner.kwargs.keys())


def _takes_any_name(function: Callable[..., Any]) -> bool:
    """Returns whether a function takes arguments of every name."""
    code = getattr(plain(function), "__code__", None)
    return code is not None and bool(code.co_flags & inspect.CO_VARKEYWORDS)


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
    name = function.__qualname__.rpartition("<locals>.")[2]
    owner, dot, method = name.rpartition(".")
    if not dot or not call.args:
        return name
    cls = type(call.args[0])
    if owner not in [base.__qualname__ for base in cls.__mro__]:  # not a method of its
        return name
    if method != "__init__":
        return f"{cls.__name__}.{method}"
    for base in cls.__mro__:
        if plain(base.__init__) is function:  # type: ignore[misc]  # only compared
            return base.__name__
    return name


def _explain_type(error: BaseException) -> bool:
    """Rewords an exception if an argument is not of the type that the function is declared for."""
    call = _outermost_call(error.__traceback__)
    if call is None:
        return False
    try:
        signature = inspect.signature(call.function)
        given = signature.bind(*call.args, **call.kwargs).arguments
    except (TypeError, ValueError):
        return False
    for name, value in given.items():
        parameter = signature.parameters[name]
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        expected = _declared(parameter.annotation, call.function)
        if value is not parameter.default and not _is_of(value, expected):
            wrong = f"{name} takes {_words(expected)}, got {type_name(value)}"
            if name == "prefix" and call.args and hasattr(call.args[0], "add"):
                wrong += "; its method add takes blocks, one by one"
            break
    else:
        quoted = str(error).split("'")[1::2]
        names = [
            name
            for name, value in given.items()
            if _is_open(_declared(signature.parameters[name].annotation, call.function))
            and _is_blamed(error, quoted, value)
        ]
        if len(names) != 1 or names[0] == "self":
            return False
        wrong = f"{names[0]} cannot be of type {type_name(given[names[0]])}"
    reason = str(error).partition("\n")[0][:_LONGEST_REASON]
    error.args = (f"{_call_name(call)}: {wrong} ({type(error).__name__}: {reason})",)
    return True


def _is_open(expected: Any) -> bool:
    """Returns whether a declared type does not tell which values are of it."""
    return expected is Any or getattr(expected, "_is_protocol", False)


def _is_blamed(error: BaseException, quoted: list[str], value: Any) -> bool:
    """Returns whether Python's message is about a value, which it names by its type."""
    if isinstance(error, AttributeError):
        return error.obj is value
    return isinstance(error, TypeError) and type(value).__name__ in quoted


def _outermost_call(trace: TracebackType | None) -> _Call | None:
    """Returns the first call of the package in a traceback: that of the program."""
    while trace is not None and not is_internal(trace.tb_frame.f_code):
        trace = trace.tb_next
    if trace is None:
        return None
    frame, values = trace.tb_frame, trace.tb_frame.f_locals
    if hands_on(frame.f_code):
        function = values.get("declared") or values.get("function")
        return function and _Call(function, values["args"], values["kwargs"], True)
    return _call_of(frame)


def _call_of(frame: FrameType) -> _Call | None:
    """Returns the call of a function that has the handler inside, by what its arguments are now."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or not names:
        return None
    values = {name: frame.f_locals[name] for name in names if name in frame.f_locals}
    owner = values.get("self")
    found: Any = frame.f_globals.get(code.co_name)
    if owner is not None:
        found = getattr(type(owner), code.co_name, None)
    function = plain(found)
    if getattr(function, "__code__", None) is not code or len(values) < len(names):
        return None
    first = values.pop("self", None)
    return _Call(function, () if owner is None else (first,), values, True)


def _declared(annotation: Any, function: Callable[..., Any]) -> Any:
    """Returns what an annotation means, `Any` if that is not known here."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, getattr(function, "__globals__", {}))  # noqa: S307 - our own
    except Exception:  # noqa: BLE001 - names for type checkers alone
        return Any


def _words(expected: Any) -> str:
    """Returns a declared type as a sentence has it."""
    origin, inside = typing.get_origin(expected), typing.get_args(expected)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(map(_words, inside))
    if origin is typing.Literal:
        return " or ".join(map(repr, inside))
    kind = origin or expected
    if kind in (None, type(None)):
        return "None"
    if kind is collections.abc.Callable:
        return "a function"
    if kind is tuple and inside and Ellipsis not in inside:
        return f"a tuple of {len(inside)}"
    if not isinstance(kind, type):
        return str(expected)
    package = kind.__module__.partition(".")[0]
    is_plain = package in ("builtins", "collections", "mxnet")
    return kind.__name__ if is_plain else f"{package}.{kind.__name__}"


def _is_of(value: Any, expected: Any) -> bool:
    """Returns whether a value is of a declared type, as far as can be told."""
    if expected in (Any, inspect.Parameter.empty) or isinstance(expected, (typing.TypeVar, str)):
        return True
    origin = typing.get_origin(expected)
    if origin in (typing.Union, types.UnionType):
        return any(_is_of(value, item) for item in typing.get_args(expected))
    if origin is typing.Literal:
        return value in typing.get_args(expected)
    kind = origin or expected
    if kind is None:
        return value is None
    if not isinstance(kind, type):
        return True
    if kind in _NUMBERS and hasattr(value, "dtype"):  # a number of NumPy
        return bool(value.shape == ())
    try:
        return isinstance(value, _NUMBERS.get(kind, kind))
    except TypeError:  # a protocol that cannot be asked
        return True
