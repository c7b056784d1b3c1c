"""Which arrays are parts of the same batch."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from mxnet.ndarray import NDArray


class Place:
    """What is known of a part of a batch.

    Args:
        parts: All parts of the batch.
        number: Position of this one.
    """

    __slots__ = ("_parts", "computed", "number")

    def __init__(self, parts: Sequence[weakref.ref[NDArray]], number: int) -> None:
        self._parts, self.number = parts, number
        self.computed: dict[int, Any] = {}
        """What a block, by its identity, has computed from the part before it was asked to."""

    def all_parts(self) -> list[NDArray]:
        """Returns the parts of the batch that are still alive."""
        return [part for part in (reference() for reference in self._parts) if part is not None]

    @property
    def num_parts(self) -> int:
        """Number of parts of the batch."""
        return len(self._parts)


class SplitBatches:
    """The parts of batches that are still alive."""

    def __init__(self) -> None:
        self.are_watched = False
        """Whether a network needs to know them; others pay nothing."""
        self._places: dict[int, Place] = {}
        """By identity of the part."""

    def note(self, parts: Sequence[NDArray]) -> None:
        """Takes notice that arrays are the parts of a batch, in their order."""
        if not self.are_watched or len(parts) < 2:
            return
        references: list[weakref.ref[NDArray]] = []
        for number, part in enumerate(parts):
            references.append(weakref.ref(part, self._forget_later(id(part))))
            self._places[id(part)] = Place(references, number)

    def _forget_later(self, key: int) -> Any:
        places = self._places
        return lambda _: places.pop(key, None)

    def find(self, part: NDArray) -> Place | None:
        """Returns what is known of an array, None if it is no part of a batch."""
        return self._places.get(id(part))


split_batches = SplitBatches()
