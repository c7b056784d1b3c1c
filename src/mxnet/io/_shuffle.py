"""Shuffling that gives the same order as the original for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

_LARGEST = 2**32 - 1


class Shuffler:
    """Shuffles by a Mersenne Twister, as the C++ library that the original uses does.

    Args:
        seed: Seed of the generator.
    """

    def __init__(self, seed: int) -> None:
        self._numbers = self._draw(seed % 2**32)

    @staticmethod
    def _draw(seed: int) -> Iterator[int]:
        bits = np.random.MT19937()
        bits.state = cast(Any, np.random.RandomState(seed).get_state(legacy=False))
        while True:
            yield from bits.random_raw(1024).tolist()

    def shuffle(self, values: list[Any]) -> None:
        """Shuffles values in place."""
        for place in range(1, len(values)):
            # Numbers past the last multiple of the number of choices would favour the first ones.
            width = _LARGEST // (place + 1)
            drawn = next(self._numbers)
            while drawn >= width * (place + 1):
                drawn = next(self._numbers)
            other = drawn // width
            values[place], values[other] = values[other], values[place]
