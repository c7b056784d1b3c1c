"""How far training has come in its data."""

from __future__ import annotations

import base64
import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mxnet._state import processes, rng
from mxnet.errors import FileFormatError, MXNetError, shown
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


_WORDS = 624
"""Length of the state of a Mersenne twister, which NumPy and Python have."""


def read_states() -> dict[str, Any]:
    """Returns the states of all generators."""
    _, words, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, python, python_gauss = random.getstate()
    return {
        "mxnet": {name: _encode(state) for name, state in rng.read_states().items()},
        "numpy": [_encode(np.asarray(words)), int(position), int(has_gauss), float(gauss)],
        "python": [version, _encode(np.array(python, dtype=np.uint32)), python_gauss],
    }


def write_states(states: Any, where: str) -> None:
    """Sets the states of all generators that are in this process.

    Args:
        states: What `read_states` returned, maybe from a file.
        where: The file, for messages.

    Raises:
        FileFormatError: if they are damaged; Python's generator may have changed then.
    """
    try:
        version, python, python_gauss = states["python"]
        random.setstate((version, tuple(map(int, _decode(python, np.uint32))), python_gauss))
        encoded, position, has_gauss, gauss = states["numpy"]
        words = _decode(encoded, np.uint32)
        if len(words) != _WORDS or not 0 <= position <= _WORDS:
            raise FileFormatError(f"{where}: the state of NumPy's generator is damaged")
        np.random.set_state(("MT19937", words, int(position), int(bool(has_gauss)), float(gauss)))
        ours = {str(name): _decode(item, np.uint8) for name, item in states["mxnet"].items()}
        rng.write_states(ours)
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        if isinstance(error, MXNetError):
            raise
        raise FileFormatError(f"{where}: random states are damaged: {error}") from error


def _encode(array: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(array.tobytes()).decode()


def _decode(text: str, dtype: type[np.generic]) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = np.frombuffer(bytearray(base64.b64decode(text)), dtype=dtype)
    return array
