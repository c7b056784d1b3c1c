"""Pausing the collector of reference cycles while many objects are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused(*, all_stays: bool = False) -> Iterator[None]:
    """Pauses the collector for the time of a `with` block, unless it is off already.

    It starts whenever many objects have been made, and then goes through all that the process has,
    the hundreds of thousands of torch among them: a third of the time of an import or of a plan.

    Args:
        all_stays: Whether what there is at the end counts as old, so that the collector does not
            go through all of it as soon as it is on again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if all_stays and not gc.get_freeze_count():
            # Moves every object to the oldest generation without looking at it.
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()
