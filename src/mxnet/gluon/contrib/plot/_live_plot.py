"""The plot that grows while a loop runs."""

from __future__ import annotations

import importlib
import os
import sys
import time
from base64 import b64encode
from html import escape
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.gluon.contrib.plot._drawing import Curve, draw, load_figure_class
from mxnet.metric import EvalMetric
from mxnet.ndarray import NDArray


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
        if self.path is not None or _notebook_display() is not None:
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
        display = _notebook_display()
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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
            path.write_text(head + self._repr_html_(), encoding="utf-8")
        else:
            path.write_bytes(self._picture(suffix))

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


def _notebook_display() -> Any:
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
