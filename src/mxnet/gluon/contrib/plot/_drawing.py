"""Curves as pictures, by matplotlib."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from math import isfinite, nan
from typing import Any

from mxnet.errors import ArgumentValueError, MissingLibraryError

_MOST_COLUMNS = 3
_PANEL = (4.4, 3.0)
"""Width and height of a panel, in inches."""
_DOTS = 144
"""Dots per inch of a picture of dots."""
_MOST_POINTS = 2000
"""Points of a curve that are drawn; more cannot be told apart."""
_FEW_POINTS = 20
"""Points up to which each of them has a mark."""


def load_figure_class() -> Any:
    """Returns matplotlib's class `Figure`, which needs no screen and leaves `pyplot` alone.

    Raises:
        MissingLibraryError: if matplotlib is not installed.
    """
    try:
        return importlib.import_module("matplotlib.figure").Figure
    except ImportError as error:
        raise MissingLibraryError(
            "LivePlot: drawing needs matplotlib, which is not installed; pip install glueball[plot]"
        ) from error


def draw(
    curves: Mapping[str, Curve], *, title: str, xlabel: str, smoothing: float, picture_format: str
) -> bytes:
    """Draws curves and returns the picture as a file.

    Args:
        curves: The curves by name.
        title: What is written above.
        xlabel: What the steps are.
        smoothing: Weight of older values, 0 for curves as they are.
        picture_format: `"png"`, `"svg"`, `"pdf"` or another that matplotlib writes.

    Raises:
        MissingLibraryError: if matplotlib is not installed.
        ArgumentValueError: if it does not write this format.
    """
    panels = group_by_panel(curves)
    columns = max(min(len(panels), _MOST_COLUMNS), 1)
    rows = max(-(-len(panels) // columns), 1)
    size = (_PANEL[0] * columns, _PANEL[1] * rows)
    figure = load_figure_class()(figsize=size, layout="constrained")
    known = figure.canvas.get_supported_filetypes()
    if picture_format not in known:
        raise ArgumentValueError(
            f"LivePlot: expected a picture format of {', '.join(sorted(known))}, "
            f"got {picture_format!r}"
        )
    for index, (panel, names) in enumerate(panels.items()):
        axes = figure.add_subplot(rows, columns, index + 1)
        axes.set_title(panel, fontsize="medium")
        axes.set_xlabel(xlabel)
        axes.grid(alpha=0.3)
        for name in names:
            _draw_curve(axes, name, curves[name], smoothing)
        if len(names) > 1:
            axes.legend()
    figure.suptitle(title)
    file = BytesIO()
    figure.savefig(file, format=picture_format, dpi=_DOTS)
    return file.getvalue()


def _draw_curve(axes: Any, name: str, curve: Curve, smoothing: float) -> None:
    """Adds a curve; where it is smoothed, the values as they are lie faintly behind."""
    stride = -(-len(curve.steps) // _MOST_POINTS)
    steps, values = curve.steps[::stride], curve.values[::stride]
    marker = "." if len(steps) <= _FEW_POINTS else ""
    if not smoothing:
        axes.plot(steps, values, marker=marker, label=name)
        return
    (faint,) = axes.plot(steps, values, marker=marker, alpha=0.3)
    smoothed = curve.smooth(smoothing)[::stride]
    axes.plot(steps, smoothed, color=faint.get_color(), label=name)


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
