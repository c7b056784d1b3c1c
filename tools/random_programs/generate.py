"""Makes programs from a seed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from tools.random_programs.catalogue import (
    elementwise,
    indexing,
    layers,
    linear,
    networks,
    reductions,
    shapes,
)
from tools.random_programs.catalogue.table import MAKERS
from tools.random_programs.draft import Draft
from tools.random_programs.spelling import spelt
from tools.random_programs.usage import USES

FAMILIES = (elementwise, reductions, shapes, indexing, linear, layers, networks)
"""The modules that have filled the table."""

FEWEST, MOST = 5, 20


@cache
def weights() -> dict[str, float]:
    """Returns how often each row of the table is taken, which depends on its use in public."""
    return {name: 1 + math.log2(1 + USES.get(name, 0)) / 3 for name in MAKERS}


def program(seed: int, only: str = "") -> dict[str, Any]:
    """Makes one program.

    Args:
        seed: Number on which all of it depends.
        only: Part of the names of operators; others are not taken.
    """
    draft = Draft(f"p{seed}", seed)
    chosen = {name: weight for name, weight in weights().items() if only in name}
    wanted = draft.whole(FEWEST, MOST)
    while len(draft.steps) < wanted:
        name = draft.weighted(chosen)
        draft.add(spelt(draft, MAKERS[name](draft)))
    return draft.data()


def programs(first: int, count: int, only: str = "") -> Iterator[dict[str, Any]]:
    """Makes programs of successive seeds."""
    return (program(seed, only) for seed in range(first, first + count))
