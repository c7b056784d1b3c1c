"""Samplers with an order of their own."""

from __future__ import annotations

from collections.abc import Iterator

from mxnet.errors import CheckFailedError
from mxnet.gluon.data import sampler

__all__ = ["IntervalSampler"]


class IntervalSampler(sampler.Sampler):
    """Returns every n-th index, then starts again one further, until all have come.

    Its length is the number of indices, as in the original, also without `rollover`.

    Args:
        length: Number of indices.
        interval: Distance of one to the next.
        rollover: Whether to start again; otherwise the first round is all.

    Example:
        >>> from mxnet.gluon.contrib.data import IntervalSampler
        >>> list(IntervalSampler(7, interval=3))
        [0, 3, 6, 1, 4, 2, 5]
    """

    def __init__(self, length: int, interval: int, rollover: bool = True) -> None:
        if interval > length:
            raise CheckFailedError(
                f"IntervalSampler: interval takes at most the length {length}, got {interval}"
            )
        self._length = length
        self._interval = interval
        self._rollover = rollover

    def __iter__(self) -> Iterator[int]:
        for start in range(self._interval if self._rollover else 1):
            yield from range(start, self._length, self._interval)

    def __len__(self) -> int:
        return self._length
