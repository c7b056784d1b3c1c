"""The tables of makers of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tools.random_programs.draft import Draft

Maker = Callable[[Draft], dict[str, Any]]
MAKERS: dict[str, Maker] = {}
"""Makers of steps by the name of what they call."""
NUMPY_MAKERS: dict[str, Maker] = {}
"""Those of the NumPy dialect, where names of functions begin with `np.` or `npx.`."""
SPARSE_MAKERS: dict[str, Maker] = {}
"""Those of programs with sparse arrays."""
TABLES = {"nd": MAKERS, "np": NUMPY_MAKERS, "sparse": SPARSE_MAKERS}
"""The tables by dialect."""


def row(name: str, table: dict[str, Maker] = MAKERS) -> Callable[[Maker], Maker]:
    """Returns a decorator that adds a maker of steps to a table."""

    def add(maker: Maker) -> Maker:
        if name in table:
            raise ValueError(f"{name} is in the table already")
        table[name] = maker
        return maker

    return add


def rows(
    names: str | Iterable[str],
    make: Callable[[Draft, str], dict[str, Any]],
    table: dict[str, Maker] = MAKERS,
) -> None:
    """Adds a maker for each of several names."""
    for name in names.split() if isinstance(names, str) else names:
        row(name, table)(lambda draft, name=name: make(draft, name))


def numpy_row(name: str) -> Callable[[Maker], Maker]:
    """Returns a decorator that adds a maker of steps of the NumPy dialect."""
    return row(name, NUMPY_MAKERS)


def numpy_rows(names: str | Iterable[str], make: Callable[[Draft, str], dict[str, Any]]) -> None:
    """Adds a maker of the NumPy dialect for each of several names."""
    rows(names, make, NUMPY_MAKERS)


def sparse_row(name: str) -> Callable[[Maker], Maker]:
    """Returns a decorator that adds a maker of steps of programs with sparse arrays."""
    return row(name, SPARSE_MAKERS)


def sparse_rows(names: str | Iterable[str], make: Callable[[Draft, str], dict[str, Any]]) -> None:
    """Adds a maker of programs with sparse arrays for each of several names."""
    rows(names, make, SPARSE_MAKERS)
