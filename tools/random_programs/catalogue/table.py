"""The table of makers of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tools.random_programs.draft import Draft

Maker = Callable[[Draft], dict[str, Any]]
MAKERS: dict[str, Maker] = {}
"""Makers of steps by the name of what they call."""


def row(name: str) -> Callable[[Maker], Maker]:
    """Returns a decorator that adds a maker of steps."""

    def add(maker: Maker) -> Maker:
        if name in MAKERS:
            raise ValueError(f"{name} is in the table already")
        MAKERS[name] = maker
        return maker

    return add


def rows(names: str | Iterable[str], make: Callable[[Draft, str], dict[str, Any]]) -> None:
    """Adds a maker for each of several names."""
    for name in names.split() if isinstance(names, str) else names:
        row(name)(lambda draft, name=name: make(draft, name))
