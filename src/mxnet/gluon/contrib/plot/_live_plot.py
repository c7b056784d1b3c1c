"""The plot that grows while a loop runs: its pictures, and its handler for `Estimator`."""

from __future__ import annotations

import importlib
import os
import sys
import time
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from io import BytesIO
from math import isfinite, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from mxnet._formats.files import write_atomically
from mxnet.errors import ArgumentValueError, MissingLibraryError, UnsupportedTypeError
from mxnet.gluon.contrib.estimator.event_handler import BatchEnd, EpochEnd, TrainBegin, TrainEnd
from mxnet.metric import EvalMetric
from mxnet.ndarray import NDArray

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


class LivePlot:
    """Curves of numbers, drawn while a training goes on.

    In a notebook the picture appears below the cell and is replaced by a newer one. Elsewhere the
    picture is written to `path`, or the numbers are printed as lines if there is no `path`.
    Pictures need matplotlib: `pip install glueball[plot]`.

    Names that differ in a first word such as `train` or `val` alone share a panel.

    Args:
        title: What is written above the picture.
        smoothing: From 0, curves as they are, to below 1, very smooth: what remains of the weight
            of a value from one update to the next.
        interval: Seconds between two pictures, or two lines; 0 draws after every update.
        path: File of the picture, whose ending chooses the format; None for no file.
        xlabel: What a step is.

    Raises:
        ArgumentValueError: if `smoothing` or `interval` is out of range.
        MissingLibraryError: if a picture is to be drawn and matplotlib is not installed.

    Example:
        >>> from mxnet.gluon.contrib.plot import LivePlot
        >>> with LivePlot(interval=0) as plot:
        ...     for loss in (0.9, 0.5, 0.3):
        ...         plot.update(loss=loss)
        step 1: loss 0.9
        step 2: loss 0.5
        step 3: loss 0.3
        >>> plot.values("loss")
        [0.9, 0.5, 0.3]
    """

    def __init__(
        self,
        title: str = "",
        *,
        smoothing: float = 0.0,
        interval: float = 1.0,
        path: str | os.PathLike[str] | None = None,
        xlabel: str = "step",
    ) -> None:
        if not 0 <= smoothing < 1:
            raise ArgumentValueError(
                f"LivePlot: expected smoothing from 0 to below 1, got {smoothing}"
            )
        if not interval >= 0:
            raise ArgumentValueError(f"LivePlot: expected interval of at least 0, got {interval}")
        self.title, self.xlabel = title, xlabel
        self.smoothing, self.interval = smoothing, interval
        self.path = None if path is None else Path(path)
        self._curves: dict[str, Curve] = {}
        self._last_step, self._updates = 0.0, 0
        self._drawn_at = float("-inf")
        self._is_drawn = True
        """Whether all points are in the last picture."""
        self._handle: Any = None
        """What replaces the picture in a notebook."""
        if self.path is not None or notebook_display() is not None:
            load_figure_class()  # says at the beginning that matplotlib is missing

    def update(self, *, step: float | None = None, **values: Any) -> None:
        """Adds a point to curves, and draws if it is time.

        Reading an array waits for its device, so on a GPU it is better not to update after every
        batch.

        Args:
            step: Where the points are, one after the last step if not given.
            **values: Numbers by name of the curve. Of an array, such as the losses of a batch, the
                mean is taken; of a metric its value.

        Raises:
            UnsupportedTypeError: if a value is no number.
        """
        if not values:
            return
        numbers = {name: _to_number(name, value) for name, value in values.items()}
        self._last_step = self._last_step + 1 if step is None else float(step)
        self._updates += 1
        for name, number in numbers.items():
            self._curves.setdefault(name, Curve()).add(self._last_step, number, self._updates)
        self._is_drawn = False
        if time.monotonic() - self._drawn_at >= self.interval:
            self.draw()

    def draw(self) -> None:
        """Shows all points now: in the notebook, in the file, or as a line."""
        display = notebook_display()
        if display is not None:
            self._show(display)
        elif self.path is None:
            self._print()
        if self.path is not None:
            self.save(self.path)
        self._is_drawn, self._drawn_at = True, time.monotonic()

    def close(self) -> None:
        """Shows the points that came after the last picture; `with` calls it at the end."""
        if not self._is_drawn:
            self.draw()

    def __enter__(self) -> LivePlot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def names(self) -> list[str]:
        """Returns the names of the curves, in the order in which they came."""
        return list(self._curves)

    def steps(self, name: str) -> list[float]:
        """Returns where the points of a curve are."""
        return list(self._curve(name).steps)

    def values(self, name: str, *, smoothed: bool = False) -> list[float]:
        """Returns the values of a curve.

        Args:
            name: Its name.
            smoothed: Whether to smooth them as in the picture.
        """
        curve = self._curve(name)
        return curve.smooth(self.smoothing) if smoothed else list(curve.values)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file.

        Args:
            path: The file; its ending chooses the format: `.png`, `.svg`, `.pdf` and others that
                matplotlib writes, or `.html` for a page of its own.

        Raises:
            ArgumentValueError: if there is no such format.
            MissingLibraryError: if matplotlib is not installed.
        """
        path = Path(path)
        suffix = path.suffix.removeprefix(".").lower()
        if suffix == "html":
            head = f'<!doctype html><meta charset="utf-8"><title>{escape(self.title)}</title>'
            content = (head + self._repr_html_()).encode()
        else:
            content = self._picture(suffix)
        write_atomically(path, [content])

    def _repr_html_(self) -> str:
        """Returns what notebooks show."""
        if not self._curves:
            return "<div>LivePlot without points</div>"
        picture = self._picture("png")
        width = int.from_bytes(picture[16:20], "big") // 2  # so that it is sharp on every screen
        encoded, text = b64encode(picture).decode("ascii"), escape(self._line(), quote=True)
        return f'<img src="data:image/png;base64,{encoded}" alt="{text}" width="{width}">'

    def __repr__(self) -> str:
        return f"<LivePlot {self._line()}>" if self._curves else "<LivePlot without points>"

    def _curve(self, name: str) -> Curve:
        if name not in self._curves:
            known = ", ".join(self._curves) or "none yet"
            raise ArgumentValueError(f"LivePlot: expected a curve of {known}, got {name!r}")
        return self._curves[name]

    def _picture(self, picture_format: str) -> bytes:
        return draw(
            self._curves,
            title=self.title,
            xlabel=self.xlabel,
            smoothing=self.smoothing,
            picture_format=picture_format,
        )

    def _line(self) -> str:
        """Returns the last values of all curves as a line of text."""
        texts = []
        for name, curve in self._curves.items():
            smoothed = (
                f" (smoothed {curve.smooth(self.smoothing)[-1]:.4g})" if self.smoothing else ""
            )
            texts.append(f"{name} {curve.values[-1]:.4g}{smoothed}")
        return f"{self.xlabel} {self._last_step:g}: {', '.join(texts)}"

    def _print(self) -> None:
        if self._curves:
            sys.stdout.write(f"{self._line()}\n")
            sys.stdout.flush()

    def _show(self, display: Any) -> None:
        if self._handle is None:
            self._handle = display(self, display_id=True)
        else:
            self._handle.update(self)


def notebook_display() -> Any:
    """Returns the function that shows objects in a notebook, None outside of one."""
    module = sys.modules.get("IPython")  # there in every notebook; elsewhere it is not imported
    shell = None if module is None else module.get_ipython()
    if getattr(shell, "kernel", None) is None:
        return None
    return importlib.import_module("IPython.display").display


def _to_number(name: str, value: Any) -> float:
    """Returns a number, the mean of an array, or the value of a metric."""
    if isinstance(value, EvalMetric):
        value = value.get()[1]
    if isinstance(value, NDArray):
        value = value.astype("float64").asnumpy()
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UnsupportedTypeError(
            f"LivePlot.update: expected a number, an array or a metric for {name!r}, "
            f"got {type(value).__name__}"
        ) from error
    return float(array.mean()) if array.size else float("nan")


class PlotHandler(TrainBegin, BatchEnd, EpochEnd, TrainEnd):
    """Draws the metrics of training and validation while `Estimator.fit` runs.

    Args:
        plot: The plot to draw on, a new `LivePlot` if not given.
        batches: After how many batches the metrics of training get a point; the steps are batches
            then. None for a point after each epoch.
        priority: Its place among handlers, after those that update the metrics.

    Raises:
        ArgumentValueError: if `batches` is not above 0.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator
        >>> from mxnet.gluon.contrib.plot import PlotHandler
        >>> net = gluon.nn.Dense(1)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4))
        >>> loader = gluon.data.DataLoader(samples, batch_size=2)
        >>> handler = PlotHandler()
        >>> estimator.fit(loader, epochs=2, event_handlers=handler)  # doctest: +ELLIPSIS
        epoch 1: training l2loss ...
        >>> handler.plot.steps("training l2loss")
        [1.0, 2.0]
    """

    def __init__(
        self, plot: LivePlot | None = None, batches: int | None = None, priority: float = 1000
    ) -> None:
        if batches is not None and batches < 1:
            raise ArgumentValueError(
                f"PlotHandler: expected batches above 0 or None, got {batches}"
            )
        by_default = "epoch" if batches is None else "batch"
        self.plot = LivePlot(xlabel=by_default) if plot is None else plot
        self.batches = batches
        self.priority = priority
        self.current_batch = self.current_epoch = 0

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts to count."""
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Adds a point to the curves of training if it is time."""
        self.current_batch += 1
        if self.batches is not None and self.current_batch % self.batches == 0:
            self.plot.update(step=self.current_batch, **_read(estimator.train_metrics))

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Adds a point to the curves of validation, and to those of training too by epochs."""
        self.current_epoch += 1
        if self.batches is None:
            metrics = [*estimator.train_metrics, *estimator.val_metrics]
            self.plot.update(step=self.current_epoch, **_read(metrics))
        else:
            self.plot.update(step=self.current_batch, **_read(estimator.val_metrics))

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Shows the last points."""
        self.plot.close()


def _read(metrics: Iterable[EvalMetric]) -> dict[str, float]:
    """Returns the values of metrics by name, without those that have seen no batch."""
    return {
        name: value
        for metric in metrics
        for name, value in metric.get_name_value()
        if metric.num_inst or not isnan(value)
    }
