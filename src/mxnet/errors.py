"""Exceptions raised by the package.

Every class also derives from the builtin that describes the mistake, so that code which catches
`ValueError`, `TypeError` or, as programs for the original do, `AssertionError` keeps working.

What is raised is one of these. A class of its own, in the module that raises it, is justified by
a handler that catches this error and no other, by attributes that it carries, by documentation
that names it, or by a combination of builtins that no class here has.

Tracebacks show the frames of the program; `show_internal_frames` adds those of the package.
"""

from typing import Any

from mxnet._start import show_internal_frames as show_internal_frames

_LONG = 200
"""Characters of a value that a message shows."""


def shorten(text: str, length: int = _LONG) -> str:
    """Returns both ends of a text that is too long for a message, and how long it is."""
    if len(text) <= length:
        return text
    half = length // 2
    return f"{text[:half]} ... {text[-half:]} ({len(text):,} characters)"


def shown(value: object) -> str:
    """Returns a value as a message shows it, which may come from a file and be of any length."""
    try:
        return shorten(repr(value))
    except (ValueError, RecursionError):  # a very long integer, or lists in lists in lists
        return f"a {type(value).__name__} that is too large to show"


class MXNetError(RuntimeError):
    """Base of all errors raised by operators, arrays and files."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Makes a class of a private module one of this module, as tracebacks show it."""
        super().__init_subclass__(**options)
        if cls.__module__.startswith("mxnet.") and "._" in cls.__module__:
            cls.__module__ = __name__
            globals()[cls.__name__] = cls  # where pickles look for it


class AttributeValueError(MXNetError, ValueError):
    """An operator attribute has a value that it does not take."""


class ArgumentTypeError(MXNetError, TypeError, AssertionError):
    """An argument that must be an array is something else."""


class ArgumentValueError(MXNetError, ValueError):
    """An argument has a value that cannot be used."""


class InvalidArgumentError(ArgumentValueError, AssertionError):
    """An argument has a value that cannot be used; the original asserts it in some places."""


class CheckFailedError(MXNetError, AssertionError):
    """Something does not hold that the original asserts, such as an object's being ready."""


class FileFormatError(MXNetError, ValueError):
    """A file is truncated, damaged or not of the expected format."""


class FileAccessError(OSError, MXNetError):
    """A file cannot be read, written or downloaded.

    OSError comes first because it keeps the file's name.
    """


class MissingFileError(FileNotFoundError, FileAccessError):
    """A file or its folder is not there."""


class LimitExceededError(MXNetError, ValueError):
    """A file or an attribute asks for more than `mx.limits` allows."""


class AllocationError(MXNetError, MemoryError):
    """There is not enough memory for an array."""


class UnknownNameError(MXNetError, KeyError):
    """A name stands for nothing known: a device type, a gradient request."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class UnknownDtypeError(AttributeValueError, TypeError, KeyError):
    """A dtype is no element type; the original raises TypeError or KeyError by the place."""

    __str__ = Exception.__str__


class ShapeMismatchError(MXNetError, ValueError):
    """Arrays do not fit together, or an array is not of the shape that is needed."""


class UnsupportedTypeError(MXNetError, TypeError):
    """A value is of a type that the operation does not take."""


class UnsuitableArgumentError(UnsupportedTypeError, ValueError):
    """An argument cannot be used because of its type or its value."""


class NotSupportedError(MXNetError, NotImplementedError):
    """An object does not do what others of its family do, such as a sparse array."""


class UndefinedMethodError(MXNetError, NotImplementedError):
    """A class does not define a method that its base leaves to it."""


class RemovedFunctionError(MXNetError, DeprecationWarning):
    """A function or an option was only kept to say what replaces it."""


class MissingLibraryError(MXNetError, ImportError):
    """A library that the package can do without is needed after all."""


class ExecutionError(MXNetError):
    """Values of inputs do not fit; raised when the result is read, as in the original."""


class ExecutionValueError(ExecutionError, ValueError):
    """Values of inputs do not fit, where the original raises `ValueError` when they are read."""


class IndexOutOfBoundsError(MXNetError, IndexError):
    """An index lies outside of the array."""
