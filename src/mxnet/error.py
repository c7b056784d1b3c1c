"""Errors that programs define and register: `mx.error`. `mx.errors` has those of the package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet.errors import MXNetError

__all__ = ["MXNetError", "register"]

error_types: dict[str, type[BaseException]] = {}
"""Classes of errors by the names under which they are registered."""


def register_error(func_name: Any = None, cls: type[BaseException] | None = None) -> Any:
    """Registers a class of errors under a name; also a decorator, with or without a name.

    In the original, a message of its C++ library that begins with the name is raised as this
    class. Errors have their classes from the start here, so a registered class is only kept.

    Args:
        func_name: Name to register under, or the class itself, which has its name then.
        cls: The class; None returns a decorator.

    Returns:
        The class, or a decorator of one.

    Example:
        >>> import mxnet as mx
        >>> @mx.error.register
        ... class ConfigurationError(mx.MXNetError):
        ...     pass
    """
    if isinstance(func_name, type):
        func_name, cls = func_name.__name__, func_name

    def register_class(cls: type[BaseException]) -> type[BaseException]:
        error_types[func_name if isinstance(func_name, str) else cls.__name__] = cls
        return cls

    register_as: Callable[[type[BaseException]], type[BaseException]] = register_class
    return register_as if cls is None else register_as(cls)


register = register_error


@register
class InternalError(MXNetError):
    """An error in the package itself, which its users cannot have caused.

    Args:
        msg: What happened.
    """

    def __init__(self, msg: str) -> None:
        super().__init__(f"{msg}\nThis is a mistake in the package, not in the program.")


for _builtin in (ValueError, TypeError, AttributeError, IndexError, NotImplementedError):
    register(_builtin)
