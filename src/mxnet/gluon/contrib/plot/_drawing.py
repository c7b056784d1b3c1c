"""Curves as pictures, by matplotlib."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from mxnet.errors import ArgumentValueError, MissingLibraryError
from mxnet.gluon.contrib.plot._curves import Curve, group_by_panel

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
