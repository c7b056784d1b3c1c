"""Random numbers of samples: the same for any number of workers.

Before a batch is loaded, the three generators that samples may draw from (Python's `random`,
NumPy's and that of `mx.random`) are seeded from their states at the beginning of the iteration and
the number of the batch. In this process they are restored afterwards, so that batches are the same
whether they are loaded here or by workers. A generator that samples drew from is advanced when the
iteration ends, so that the next iteration has other numbers; the others stay untouched.
"""

from __future__ import annotations

import hashlib
import pickle
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from typing import Any, NamedTuple

import numpy as np
import torch


class Drawn(NamedTuple):
    """Which generators have been drawn from."""

    python: bool = False
    numpy: bool = False
    torch: bool = False

    def __or__(self, other: Any) -> Drawn:
        return Drawn(*(one or two for one, two in zip(self, other, strict=True)))


class Seeds(NamedTuple):
    """Digests of the generators' states at the beginning of an iteration."""

    python: bytes
    numpy: bytes
    torch: bytes

    @classmethod
    def now(cls) -> Seeds:
        """Reads the states of the generators without drawing from them."""
        state = _State()
        python = pickle.dumps(state.python)
        return cls(*(hashlib.blake2b(item).digest() for item in (python, *state.rest())))

    @contextmanager
    def of_batch(self, number: int, restore: bool = True) -> Iterator[list[Drawn]]:
        """Seeds the generators for one batch.

        Args:
            number: Position of the batch in the iteration.
            restore: Whether to restore them afterwards.

        Yields:
            A list that holds, after the `with` block, which generators were drawn from.
        """
        draws: list[Drawn] = []
        before = _State() if restore else None
        try:
            random.seed(_derive(self.python, number))
            np.random.seed(np.frombuffer(_derive(self.numpy, number), dtype=np.uint32))
            torch.default_generator.manual_seed(
                int.from_bytes(_derive(self.torch, number)[:8], "little") >> 1
            )
            seeded = _State()
            yield draws
            draws.append(seeded.compare(_State()))
        finally:
            if before is not None:
                before.restore()


class _State:
    """The states of the generators."""

    def __init__(self) -> None:
        self.python = random.getstate()
        self.numpy: Any = np.random.get_state()
        self.torch = torch.get_rng_state()

    def rest(self) -> tuple[bytes, bytes]:
        """Returns the states of NumPy and torch as bytes."""
        name, key, *counts = self.numpy
        return pickle.dumps((name, counts)) + key.tobytes(), self.torch.numpy().tobytes()

    def compare(self, other: _State) -> Drawn:
        """Returns which of the generators have another state there."""
        pairs = zip(self.rest(), other.rest(), strict=True)
        return Drawn(self.python != other.python, *(one != two for one, two in pairs))

    def restore(self) -> None:
        """Restores these states."""
        random.setstate(self.python)
        np.random.set_state(self.numpy)
        torch.set_rng_state(self.torch)


class RestOfBatches:
    """The batches of an iteration from one on, for training that goes on after a restart.

    Args:
        batches: All batches.
        first: Number of the first one.
    """

    def __init__(self, batches: Iterable[Any], first: int) -> None:
        self._batches, self.first = batches, first

    def __iter__(self) -> Iterator[Any]:
        return islice(self._batches, self.first, None)


def numbered(batches: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Yields batches with the numbers that they have in a whole iteration."""
    first = batches.first if isinstance(batches, RestOfBatches) else 0
    return zip(count(first), batches, strict=False)


def _derive(digest: bytes, number: int) -> bytes:
    return hashlib.blake2b(digest, digest_size=16, salt=number.to_bytes(16, "little")).digest()


def move_on(drawn: Drawn) -> None:
    """Draws once from each generator that samples have drawn from."""
    if drawn.python:
        random.random()
    if drawn.numpy:
        np.random.random_sample()
    if drawn.torch:
        torch.rand(())
