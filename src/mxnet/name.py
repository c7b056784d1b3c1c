"""Automatic names for symbols and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mxnet._state import Current, HasCurrent, Lock

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

    _current: Current[NameManager]

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}

    def get(self, name: str | None, hint: str) -> str:
        """Returns the name to use.

        Args:
            name: The name that the user asked for, if any.
            hint: What a made-up name starts with.
        """
        if name:
            return name
        return f"{hint}{count_up(self._counter, hint)}"

    def __enter__(self) -> Self:
        NameManager._current.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        NameManager._current.leave()


class Prefix(NameManager):
    """A name manager that puts a prefix before every name, given or made up.

    Args:
        prefix: The prefix.
    """

    def __init__(self, prefix: str) -> None:
        self._counter, self._prefix = {}, prefix

    def get(self, name: str | None, hint: str) -> str:
        """Returns the name to use, with the prefix; see `NameManager.get`."""
        return self._prefix + super().get(name, hint)


_counting = Lock()


def count_up(counts: dict[str, int], hint: str) -> int:
    """Returns the next number of a hint, to each thread another one.

    Args:
        counts: Numbers that are next.
        hint: What to count.
    """
    with _counting:
        number = counts.get(hint, 0)
        counts[hint] = number + 1
    return number


NameManager._current = Current(NameManager)


def current() -> NameManager:
    """Returns the manager that names symbols and blocks now in this thread.

    Example:
        >>> import mxnet as mx
        >>> with mx.name.Prefix("first_"):
        ...     mx.name.current().get("out", "dense")
        'first_out'
    """
    manager: NameManager = NameManager._current.value
    return manager
