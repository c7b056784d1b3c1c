"""Curves as numbers: their points, smoothed values, and the panel each of them belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite, nan

_PHASES = frozenset({"train", "training", "val", "valid", "validation", "test", "eval"})
"""Words before the name of what is measured; curves that differ in them share a panel."""


@dataclass
class Curve:
    """Points of a curve: where, and how much."""

    steps: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


def smooth(values: Sequence[float], smoothing: float) -> list[float]:
    """Returns moving averages, in which older values count less and less.

    The first ones are not drawn towards 0. Values that are not finite are left out, so a single
    nan does not spoil all that follow.

    Args:
        values: The numbers.
        smoothing: What remains of the weight of a value from one step to the next.
    """
    averages = []
    total = weight = 0.0
    for value in values:
        if isfinite(value):
            total = smoothing * total + (1 - smoothing) * value
            weight = smoothing * weight + (1 - smoothing)
        averages.append(total / weight if weight else nan)
    return averages


def group_by_panel(names: Iterable[str]) -> dict[str, list[str]]:
    """Returns the names of curves by panel: `train_loss` and `val_loss` are in `loss`."""
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(_panel_of(name), []).append(name)
    return panels


def _panel_of(name: str) -> str:
    words = name.replace("_", " ").split()
    if len(words) > 1 and words[0].lower() in _PHASES:
        return " ".join(words[1:])
    return " ".join(words) or name
