"""Curves as numbers: their points, smoothed values, and the panel each of them belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isfinite, nan

_PHASES = frozenset({"train", "training", "val", "valid", "validation", "test", "eval"})
"""Words before the name of what is measured; curves that differ in them share a panel."""


@dataclass
class Curve:
    """Points of a curve."""

    steps: list[float] = field(default_factory=list)
    """Where the points are drawn."""
    values: list[float] = field(default_factory=list)
    updates: list[int] = field(default_factory=list)
    """Which update of the plot, counted over all curves, has added each of them."""

    def add(self, step: float, value: float, update: int) -> None:
        """Adds a point."""
        self.steps.append(step)
        self.values.append(value)
        self.updates.append(update)

    def smooth(self, smoothing: float) -> list[float]:
        """Returns moving averages, in which older values count less and less.

        The first ones are not drawn towards 0. Values that are not finite are left out, so a single
        nan does not spoil all that follow.

        Args:
            smoothing: What remains of the weight of a value from one update of the plot to the
                next. So a curve with a point after each epoch, next to one with a point after each
                batch, is hardly smoothed, and does not lag behind.
        """
        averages = []
        total = weight = 0.0
        last_update = 0
        for value, update in zip(self.values, self.updates, strict=True):
            if isfinite(value):
                kept = smoothing ** (update - last_update)
                total, weight = kept * total + value, kept * weight + 1
                last_update = update
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
