"""Counts the steps of loops, which a few lines of a file may make many."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mxnet import limits


class _Count(threading.local):
    """Steps of the outermost loop that runs in this thread, and of all loops inside of it."""

    depth = 0
    steps = 0


_count = _Count()


@contextmanager
def loop_scope() -> Iterator[bool]:
    """Marks the run of a loop; tells whether it is inside of no other one."""
    if _count.depth == 0:
        _count.steps = 0
    _count.depth += 1
    try:
        yield _count.depth == 1
    finally:
        _count.depth -= 1


def count_step(where: str) -> None:
    """Counts one step.

    Args:
        where: The loop, as it stands in a message.

    Raises:
        LimitExceededError: if the outermost loop and those inside of it have taken too many.
    """
    _count.steps += 1
    limits.check("loop_iterations", _count.steps, where)
