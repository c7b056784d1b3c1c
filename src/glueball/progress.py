"""Bars for long work; apart from `console.py`, as `doctor` needs no package but Python's own."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm  # type: ignore[import-untyped]

T = TypeVar("T")


def progress(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Yields items and draws a bar, if a person is there to see it.

    Args:
        items: What is worked on.
        label: What stands before the bar.
        total: Number of the items, if their length does not tell it.
    """
    is_quiet = not sys.stderr.isatty()
    yield from tqdm(items, desc=label, total=total, leave=False, disable=is_quiet)
