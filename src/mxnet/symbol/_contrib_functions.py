"""Contributed functions on symbols that are put together from operators."""

from __future__ import annotations

import math
from typing import Any

from mxnet.symbol import random
from mxnet.symbol._namespaces import FUNCTIONS
from mxnet.symbol.symbol import Symbol


def rand_zipfian(
    true_classes: Symbol, num_sampled: int, range_max: int
) -> tuple[Symbol, Symbol, Symbol]:
    """Draws classes of which small numbers are the most common; see `mx.nd.contrib.rand_zipfian`.

    Args:
        true_classes: Classes to give the expected counts of.
        num_sampled: Number of classes to draw, with repetition.
        range_max: Number of classes.
    """
    width = math.log(range_max + 1)
    places = random.uniform(0, width, shape=(num_sampled,), dtype="float64")
    ranks: Any = FUNCTIONS["op"]["exp"](places)
    cast: Any = FUNCTIONS["op"]["cast"]
    sampled = cast(ranks - 1, dtype="int64") % range_max

    def expect(drawn: Symbol) -> Symbol:
        number = cast(drawn, dtype="float64")
        share: Any = FUNCTIONS["op"]["log"]((number + 2.0) / (number + 1.0))
        count: Symbol = share / width * num_sampled
        return count

    return sampled, expect(true_classes), expect(sampled)
