"""Tracks the containers of a pickle: how deep they are nested, and how large when unfolded.

A pickle may use one container in many places, so that a few bytes make a structure that takes
exponential time to walk, and may nest containers deeper than Python's functions can follow. Here
a container must not change after it has become a part of another one, which no real file does.
So depth and size are known exactly when a part is added, and no container contains itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mxnet import limits
from mxnet._formats.safe_pickle._reading import Name, Reading, Unfinished

_DEPTH = 64
_SET, _CONTAINER = 256, 64
"""Approximate bytes of an empty set and of another container; in the file it takes one byte."""
_CONTAINERS = (dict, set, frozenset, Unfinished)
"""Types of constructed values that have parts."""


@dataclass(slots=True)
class _Facts:
    value: Any
    """Kept alive, so that no other object gets its id."""
    depth: int = 1
    size: int = 1
    """Number of values in it, counting each as often as it is used."""
    is_part: bool = False
    has_names: bool = False


class Contents:
    """The containers that a pickle has made so far."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._facts: dict[int, _Facts] = {}
        self._most = limits.get("pickle_values")

    def add(self, value: Any, parts: Sequence[Any]) -> None:
        """Notes a new container and its parts."""
        if value != ():  # the empty tuple, which is a singleton
            self._reading.charge(_SET if isinstance(value, (set, frozenset)) else _CONTAINER)
            facts = self._facts[id(value)] = _Facts(value)
            self._count(facts, parts)

    def add_made(self, value: Any, arguments: tuple[Any, ...]) -> None:
        """Notes a value that a constructor made; names in its arguments are not parts of it."""
        if isinstance(value, _CONTAINERS):
            self.add(value, (arguments,))
            self._facts[id(value)].has_names = False

    def finish(self, value: Any) -> Any:
        """Returns a value in its final form."""
        return value.finish(self._reading) if isinstance(value, Unfinished) else value

    def put_in(self, target: Any, parts: Sequence[Any]) -> list[Any]:
        """Notes that values become parts of a container, and returns them in their final form."""
        facts = self._facts[id(target)]
        self._count(facts, parts)
        if facts.is_part:
            raise self._reading.error(
                "a container or object changes after it has become a part of another one, or of "
                "itself"
            )
        if facts.has_names:
            raise self._reading.refusal("a class is no value")
        return [self.finish(part) for part in parts]

    def has_names(self, value: Any) -> bool:
        """Returns whether a value is a name or has names among its parts."""
        if type(value) is Name:
            return True
        facts = self._facts.get(id(value))
        return facts is not None and facts.has_names

    def _count(self, facts: _Facts, parts: Sequence[Any]) -> None:
        for part in parts:
            below = self._facts.get(id(part))
            if below is None:
                facts.size += 1
                facts.has_names |= type(part) is Name
                continue
            below.is_part = True
            facts.depth = max(facts.depth, below.depth + 1)
            facts.size += below.size
            facts.has_names |= below.has_names
        if facts.depth > _DEPTH:
            raise self._reading.error(
                f"expected containers in containers to a depth of {_DEPTH} at most"
            )
        if facts.size > self._most:
            limits.check("pickle_values", facts.size, self._reading.place)
