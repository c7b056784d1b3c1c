"""What `NameManager` and `AttrScope` share: a current instance in each thread."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Current(threading.local, Generic[T]):
    """The instance that is current in a thread, and those around it.

    The latter are kept here and not by the instance, which threads may enter at the same time.

    Args:
        make: Makes the instance that a thread begins with.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self.value = make()
        self._outer: list[T] = []

    def enter(self, instance: T) -> None:
        """Makes an instance current."""
        self._outer.append(self.value)
        self.value = instance

    def leave(self) -> None:
        """Makes the one before current again."""
        self.value = self._outer.pop()


class HasCurrent(type):
    """Adds the attribute `current` to a class, the instance of the innermost `with` block.

    Programs read it, though the original calls that deprecated; inside the package `_current.value`
    is read instead.
    """

    _current: Current[Any]

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
