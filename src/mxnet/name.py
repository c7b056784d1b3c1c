"""Automatic names for symbols and blocks."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING

from mxnet._thread_scope import HasCurrent

if TYPE_CHECKING:
    from typing_extensions import Self


class NameManager(metaclass=HasCurrent):
    """Counts names that are made from a hint: `dense0`, `dense1` and so on.

    As a `with` block it names what is created inside, starting from zero.

    Example:
        >>> import mxnet as mx
        >>> with mx.name.NameManager() as names:
        ...     print(names.get(None, "dense"), names.get(None, "dense"), names.get("out", "dense"))
        dense0 dense1 out
    """

    _current: _Current

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}
        self._outer: list[NameManager] = []

    def get(self, name: str | None, hint: str) -> str:
        """Gives the name to use.

        Args:
            name: The name that the user asked for, if any.
            hint: What a made-up name starts with.
        """
        if name:
            return name
        number = self._counter.get(hint, 0)
        self._counter[hint] = number + 1
        return f"{hint}{number}"

    def __enter__(self) -> Self:
        self._outer.append(NameManager._current.value)
        NameManager._current.value = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        NameManager._current.value = self._outer.pop()


class Prefix(NameManager):
    """A name manager that puts a prefix before every name, given or made up.

    Args:
        prefix: The prefix.
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def get(self, name: str | None, hint: str) -> str:
        """Gives the name to use, with the prefix; see `NameManager.get`."""
        return self._prefix + super().get(name, hint)


class _Current(threading.local):
    """The current manager of a thread, at first a new one."""

    def __init__(self) -> None:
        self.value = NameManager()


NameManager._current = _Current()
