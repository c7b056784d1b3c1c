"""Makes programs from a seed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from tools.random_programs.catalogue import (
    elementwise,
    indexing,
    layers,
    linear,
    networks,
    numpy_elements,
    numpy_layers,
    numpy_reductions,
    numpy_shapes,
    reductions,
    shapes,
    sparse,
    sparse_training,
)
from tools.random_programs.catalogue.table import TABLES
from tools.random_programs.draft import Draft
from tools.random_programs.modes import dialect_of
from tools.random_programs.spelling import spelt
from tools.random_programs.usage import USES

FAMILIES = (elementwise, reductions, shapes, indexing, linear, layers, networks)
NUMPY_FAMILIES = (numpy_elements, numpy_layers, numpy_reductions, numpy_shapes)
SPARSE_FAMILIES = (sparse, sparse_training)
"""The modules that have filled the tables."""

FEWEST, MOST = 5, 20
LETTERS = {"nd": "p", "np": "n", "sparse": "s"}
"""What names of programs begin with, by dialect."""


@cache
def weights(dialect: str = "nd") -> dict[str, float]:
    """Returns how often each row of a table is taken, which depends on its use in public."""
    makers = TABLES[dialect]
    return {name: 1 + math.log2(1 + USES.get(_plain(name), 0)) / 3 for name in makers}


def _plain(name: str) -> str:
    return name.removeprefix("np.").removeprefix("npx.")


def program(
    seed: int, only: str = "", dialect: str = "nd", first: str | None = None
) -> dict[str, Any]:
    """Makes one program.

    Args:
        seed: Number on which all of it depends.
        only: Part of the names of operators; others are not taken.
        dialect: "nd", "np" for functions of `mx.np` and `mx.npx`, or "sparse" for sparse arrays.
        first: Row of the table for the first step, any if None.
    """
    draft = Draft(f"{LETTERS[dialect]}{seed}", seed, dialect)
    makers = TABLES[dialect]
    chosen = {name: weight for name, weight in weights(dialect).items() if only in name}
    wanted = draft.whole(FEWEST, MOST)
    with dialect_of(draft.data()):
        if first is not None:
            draft.add(makers[first](draft))
        while len(draft.steps) < wanted:
            name = draft.weighted(chosen)
            draft.add(spelt(draft, makers[name](draft)))
    return draft.data()


def programs(
    first: int, count: int, only: str = "", dialect: str = "nd"
) -> Iterator[dict[str, Any]]:
    """Makes programs of successive seeds."""
    return (program(seed, only, dialect) for seed in range(first, first + count))


def of_all_rows(
    first: int, count: int, dialects: Sequence[str] = ("nd", "np")
) -> Iterator[dict[str, Any]]:
    """Makes programs of some dialects, `count` that begin with each row of the tables."""
    seeds = itertools.count(first)
    for dialect in dialects:
        for row in TABLES[dialect]:
            for _ in range(count):
                yield program(next(seeds), "", dialect, row)
