"""Counts replacements of the arrays of parameters, which invalidate lists of these arrays."""

from __future__ import annotations

import itertools


class Replacements:
    """Numbers the times at which a parameter got other arrays, or lost those it had.

    Code that keeps arrays of parameters reads `count` before it reads them; while that is the same,
    they are up to date. To ask hundreds of parameters in each call would take a tenth of a small
    step.
    """

    def __init__(self) -> None:
        self.count = 0
        """Number of the last replacement."""
        self._next = itertools.count(1)

    def note(self) -> None:
        """Notes that a parameter has other arrays now; no two threads set the same number."""
        self.count = next(self._next)


replacements = Replacements()
