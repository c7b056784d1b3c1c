"""Where this package gives something else than the original, and why."""

from __future__ import annotations

from typing import Any, NamedTuple


class Difference(NamedTuple):
    """Reason of a difference and what we give instead, as `core.describe` writes it."""

    why: str
    expected: Any


DIFFERENT: dict[str, Difference] = {}
