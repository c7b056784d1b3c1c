"""What `NameManager` and `AttrScope` share: a current instance in each thread."""

from __future__ import annotations

import warnings
from typing import Any, Protocol


class Holder(Protocol):
    """Thread-local storage of the current instance."""

    value: Any


class HasCurrent(type):
    """Gives a class the attribute `current`, the instance of the innermost `with` block.

    Programs read it, though the original calls that deprecated; inside the package `_current.value`
    is read instead.
    """

    _current: Holder

    @property
    def current(cls) -> Any:
        """The instance that is current in this thread."""
        cls._warn()
        return cls._current.value

    @current.setter
    def current(cls, instance: Any) -> None:
        cls._warn()
        cls._current.value = instance

    def _warn(cls) -> None:
        message = f"{cls.__name__}.current is deprecated: enter a {cls.__name__} by `with` instead"
        warnings.warn(message, DeprecationWarning, stacklevel=3)
