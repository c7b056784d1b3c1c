"""How far training has come in its data."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from mxnet._state import processes
from mxnet.errors import FileFormatError, shown
from mxnet.gluon.checkpoint._random_states import read_states, write_states
from mxnet.gluon.data import DataLoader


class Position:
    """The epoch, the number of its batches that are done, and how its order was drawn.

    Args:
        epoch: Number of the epoch.
        done: Number of batches that are done.
        random_of_epoch: Random states before the epoch; None if it has not begun.
    """

    def __init__(
        self, epoch: int = 0, done: int = 0, random_of_epoch: dict[str, Any] | None = None
    ) -> None:
        self.epoch, self.random_of_epoch = epoch, random_of_epoch
        self._done = done
        self._is_restored = random_of_epoch is not None

    @classmethod
    def of_notes(
        cls, notes: dict[str, Any], random_of_epoch: Any, num_ranks: int, where: str
    ) -> Position:
        """Makes the position that a checkpoint has noted.

        Args:
            notes: What `notes` returned.
            random_of_epoch: Random states before the epoch.
            num_ranks: Number of ranks that shared each batch then.
            where: The checkpoint, for messages.
        """
        epoch, done = notes.get("epoch"), notes.get("batches")
        if type(epoch) is not int or type(done) is not int or min(epoch, done) < 0:
            raise FileFormatError(f"{where}: has the position {shown([epoch, done])}")
        if random_of_epoch is not None and not isinstance(random_of_epoch, dict):
            raise FileFormatError(f"{where}: has no random states of its epoch")
        return cls(epoch, done * num_ranks // processes.size(), random_of_epoch)

    def notes(self) -> dict[str, int]:
        """Returns the position as a checkpoint notes it."""
        return {"epoch": self.epoch, "batches": self._done}

    def epochs(self, count: int) -> Iterator[int]:
        """Yields the numbers of epochs from the present one on."""
        while self.epoch < count:
            yield self.epoch
            self.epoch += 1
            self._done, self.random_of_epoch = 0, None

    def batches(self, loader: Iterable[Any]) -> Iterator[Any]:
        """Yields the batches of the epoch that are not done, and counts them."""
        if self._is_restored and self.random_of_epoch is not None:
            batches = self._go_on(loader, self.random_of_epoch)
        else:
            self._done, self.random_of_epoch = 0, read_states()
            batches = iter(loader)
        self._is_restored = False
        for batch in batches:
            self._done += 1
            yield batch

    def _go_on(self, loader: Iterable[Any], states: dict[str, Any]) -> Iterator[Any]:
        """Returns the rest of an epoch, drawn as it was when the epoch began.

        The last batch that is done is loaded again, so that the loader learns whether samples draw
        random numbers, which it takes into account at the end.
        """
        after = read_states()
        write_states(states, "Checkpoint")
        first = max(self._done - 1, 0)
        if isinstance(loader, DataLoader):
            batches = loader._iterate_from(first)
        else:
            batches = itertools.islice(loader, first, None)
        if self._done:
            next(batches, None)
        write_states(after, "Checkpoint")
        return batches
