"""Likelihoods of point processes."""

from __future__ import annotations

from typing import Any

from .core import Sample, ints, rand, sample, values

HAWKES = "_contrib_hawkesll"


def hawkes(
    lengths: list[int],
    end: float = 4.0,
    *,
    kinds: int = 3,
    events: int = 4,
    dtype: str = "float32",
    **fields: Any,
) -> Sample:
    """Samples of events with random marks and lags, of which some count.

    Gradients are compared by a program, as the original gives some of the inputs none.
    """
    count = len(lengths)
    return sample(
        HAWKES,
        rand(count, kinds, low=0.2, dtype=dtype),
        rand(kinds, low=0.2, dtype=dtype),
        rand(kinds, low=0.2, dtype=dtype),
        rand(count, kinds, low=0.2, dtype=dtype),
        rand(count, events, low=0.1, dtype=dtype),
        ints(count, events, high=kinds),
        values(lengths, dtype),
        values([end] * count, dtype),
        gradient=False,
        numeric=False,
        **fields,
    )


SAMPLES = [
    hawkes([4, 4]),
    hawkes([2, 0, 4], 10.0),
    hawkes([3], kinds=1, events=3),
    hawkes([4, 1], dtype="float64"),
    sample(
        HAWKES,
        *(rand(2, 3), rand(2), rand(3), rand(2, 3), rand(2, 4)),
        *(ints(2, 4, high=3), values([4, 4]), values([4, 4])),
        raises=True,
    ),
]
