"""Errors that programs define and register: `mx.error`. `mx.errors` has those of the package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet.errors import MXNetError


class _UnsupportedOperandError(MXNetError):
    """A function is not there for the operands that it was called with.

    Args:
        function: The function.
        alias: The operator that stands for it, if there is one.
        args: What it was called with.
    """

    _what = ""

    def __init__(self, function: Callable[..., Any], alias: str | None, *args: Any) -> None:
        super().__init__()
        self.function = function.__name__
        self.alias = alias
        self.args = tuple(str(type(item)) for item in args)

    def __str__(self) -> str:
        operator = f" (the operator {self.alias!r})" if self.alias else ""
        operands = f" with arguments of {', '.join(self.args)}" if self.args else ""
        return f"{self.function}{operator}{operands}: {self._what}; only NDArray has it"


class NotImplementedForSymbol(_UnsupportedOperandError):  # noqa: N818 - the original's name
    """A function needs values, which a symbol does not have."""

    _what = "is not implemented for Symbol"


class NotSupportedForSparseNDArray(_UnsupportedOperandError):  # noqa: N818 - the original's name
    """A function is not there for sparse arrays."""

    _what = "is not supported for sparse arrays"


error_types: dict[str, Any] = {
    "NotImplementedForSymbol": NotImplementedForSymbol,
    "ValueError": ValueError,
    "TypeError": TypeError,
    "AttributeError": AttributeError,
    "IndexError": IndexError,
    "NotImplementedError": NotImplementedError,
}
"""Classes of errors by the name that begins their message."""


def register_error(func_name: Any = None, cls: Any = None) -> Any:
    """Registers a class of errors, under its own name or another; can be used as a decorator.

    Args:
        func_name: The name, or the class if there is no other name.
        cls: The class; if it is not given, a decorator is returned.

    Example:
        >>> import mxnet as mx
        >>> @mx.base.register_error
        ... class OutOfCoffeeError(mx.MXNetError):
        ...     pass
        >>> mx.base.error_types["OutOfCoffeeError"] is OutOfCoffeeError
        True
    """
    if callable(func_name):
        func_name, cls = func_name.__name__, func_name

    def register(class_or_function: Any) -> Any:
        error_types[func_name] = class_or_function
        return class_or_function

    return register if cls is None else register(cls)


def _valid_error_name(name: str) -> bool:
    """Returns whether a text can be the name of a class, with modules before it."""
    return all(letter.isalnum() or letter in "_." for letter in name)


def _find_error_type(line: str) -> str | None:
    """Returns the name of the error that a line begins with, None if there is none."""
    name, colon, _ = line.partition(":")
    name = name.strip()
    return name if colon and _valid_error_name(name) else None


def c2pyerror(err_msg: str) -> tuple[str, str | None]:
    """Puts the trace of a message of a C library before the message.

    Args:
        err_msg: The message, with the trace after a line `Stack trace:`.

    Returns:
        The message as Python shows errors, and the name of the error that it begins with.
    """
    lines = err_msg.splitlines()
    begin = next((i for i, line in enumerate(lines) if "Stack trace" in line), len(lines))
    message, trace = lines[:begin], lines[begin + 1 :]
    title = ["Traceback (most recent call last):"] if trace else []
    return "\n".join([*title, *trace, *message]), _find_error_type(lines[0])


__all__ = ["MXNetError", "register"]

register = register_error


@register
class InternalError(MXNetError):
    """An error in the package itself, which its users cannot have caused.

    Args:
        msg: What happened.
    """

    def __init__(self, msg: str) -> None:
        super().__init__(f"{msg}\nThis is a mistake in the package, not in the program.")
