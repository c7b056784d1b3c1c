"""The size of groups of operations."""

from __future__ import annotations

import mxnet as mx
from mxnet import nd

from .core import functions, lines
from .engine_helpers import size_of_groups


def scopes():
    before = mx.engine.set_bulk_size(3)
    with mx.engine.bulk(10):
        x = nd.ones((2,))
        for _ in range(4):
            x += 1
        inside = mx.engine.set_bulk_size(10)
    return before, inside, x, mx.engine.set_bulk_size(before)


PROGRAMS = functions(globals()) | lines(
    size_of_groups,
    """
    (mx.engine.set_bulk_size(7), mx.engine.set_bulk_size(before))
    mx.engine.set_bulk_size('a')
    mx.engine.set_bulk_size(2.5)
    mx.engine.set_bulk_size(None)
    """,
)
