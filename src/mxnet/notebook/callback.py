"""Callbacks for notebooks: tables of metrics by pandas, and curves by Bokeh that grow.

pandas and Bokeh are imported when a callback is made; a message says what to install if one is
missing.

Example:
    >>> from mxnet.notebook.callback import args_wrapper
    >>> class Counter:
    ...     def callback_args(self):
    ...         return {"batch_end_callback": print}
    >>> args_wrapper(Counter(), Counter())
    {'batch_end_callback': [<built-in function print>, <built-in function print>]}
"""

from __future__ import annotations

import datetime
import time
from collections import defaultdict
from typing import Any

from mxnet._start import importing
from mxnet.errors import UndefinedMethodError
from mxnet.notebook._tables import Pandas_Failed_To_Import as Pandas_Failed_To_Import
from mxnet.notebook._tables import PandasLogger as PandasLogger
from mxnet.notebook._tables import args_wrapper as args_wrapper
from mxnet.notebook._tables import import_for


class LiveBokehChart:
    """Base of the charts: a class derived from it draws what a `PandasLogger` has kept.

    Args:
        pandas_logger: The logger; None makes one.
        metric_name: Name of the metric that is drawn.
        display_freq: Seconds between two updates of the chart.
        batch_size: Number of records in a batch, for a logger that is made.
        frequent: Every how many batches that logger adds a row.

    Raises:
        MissingLibraryError: if pandas or Bokeh is not installed.
        UndefinedMethodError: if the class does not define `setup_chart`.
    """

    def __init__(
        self,
        pandas_logger: PandasLogger | None,
        metric_name: str | None,
        display_freq: float = 10,
        batch_size: int | None = None,
        frequent: int = 50,
    ) -> None:
        self._io = import_for(type(self).__name__, "bokeh.io")
        self._plotting = import_for(type(self).__name__, "bokeh.plotting")
        self.pandas_logger = pandas_logger or PandasLogger(batch_size or 1, frequent=frequent)
        self.display_freq, self.metric_name = display_freq, metric_name
        self.last_update = time.time()
        self._io.output_notebook()
        self.handle = self.setup_chart()

    def setup_chart(self) -> Any:
        """Draws the chart without data, and returns Bokeh's handle of it.

        Raises:
            UndefinedMethodError: unless the class defines it.
        """
        raise UndefinedMethodError(f"{type(self).__name__}: expected a class with setup_chart")

    def update_chart_data(self) -> None:
        """Adds new data to what is drawn.

        Raises:
            UndefinedMethodError: unless the class defines it.
        """
        raise UndefinedMethodError(
            f"{type(self).__name__}: expected a class with update_chart_data"
        )

    def interval_elapsed(self) -> bool:
        """Returns whether it is time for an update."""
        return time.time() - self.last_update > self.display_freq

    def batch_cb(self, param: Any) -> None:
        """Updates the chart if it is time to.

        Args:
            param: What `Module.fit` hands to its callbacks.
        """
        del param
        if self.interval_elapsed():
            self._do_update()

    def eval_cb(self, param: Any) -> None:
        """Updates the chart after an evaluation.

        Args:
            param: What `Module.fit` hands to its callbacks.
        """
        del param
        self._do_update()

    def callback_args(self) -> dict[str, Any]:
        """Returns the callbacks as arguments for `Module.fit`."""
        return {"batch_end_callback": self.batch_cb, "eval_end_callback": self.eval_cb}

    def _do_update(self) -> None:
        self.update_chart_data()
        self._push_render()

    def _push_render(self) -> None:
        """Sends the chart to the notebook again."""
        self._io.push_notebook(handle=self.handle)
        self.last_update = time.time()


class LiveTimeSeries(LiveBokehChart):
    """Curve of a value against time, to which `update_chart_data` adds points.

    Args:
        **fig_params: Options of Bokeh's `figure`, such as `title`.

    Raises:
        MissingLibraryError: if pandas or Bokeh is not installed.
    """

    def __init__(self, **fig_params: Any) -> None:
        self._options = {"x_axis_type": "datetime", "x_axis_label": "Elapsed time", **fig_params}
        self.start_time = datetime.datetime.now()
        self.x_axis_val: list[datetime.timedelta] = []
        self.y_axis_val: list[float] = []
        super().__init__(None, None)

    def setup_chart(self) -> Any:
        """Draws the curve without points, and returns Bokeh's handle of it."""
        self.fig = self._plotting.figure(**self._options)
        self._curve = self.fig.line([], [])
        return self._plotting.show(self.fig, notebook_handle=True)

    def elapsed(self) -> datetime.timedelta:
        """Returns the time since the chart was made."""
        return datetime.datetime.now() - self.start_time

    def update_chart_data(self, value: float) -> None:  # type: ignore[override]
        """Adds a point at the present time.

        Args:
            value: Its height.
        """
        self.x_axis_val.append(self.elapsed())
        self.y_axis_val.append(value)
        _set_points(self._curve, self.x_axis_val, self.y_axis_val)
        self._push_render()


class LiveLearningCurve(LiveBokehChart):
    """Curves of a metric in training and in evaluation against time.

    Args:
        metric_name: Name of the metric, such as `"accuracy"`.
        display_freq: Seconds between two updates of the chart.
        frequent: Every how many batches a point is added; the metric is reset then.

    Raises:
        MissingLibraryError: if pandas or Bokeh is not installed.
    """

    def __init__(self, metric_name: str, display_freq: float = 10, frequent: int = 50) -> None:
        self.frequent = frequent
        self.start_time = datetime.datetime.now()
        self._data: dict[str, defaultdict[str, list[Any]]] = {
            "train": defaultdict(list),
            "eval": defaultdict(list),
        }
        super().__init__(None, metric_name, display_freq, frequent=frequent)

    def setup_chart(self) -> Any:
        """Draws both curves without points, and returns Bokeh's handle of them."""
        self.fig = self._plotting.figure(x_axis_type="datetime", x_axis_label="Training time")
        self.train1 = self.fig.line(
            [], [], line_dash="dotted", line_alpha=0.3, legend_label="train"
        )
        self.train2 = self.fig.scatter(
            [], [], size=1.5, line_alpha=0.3, fill_alpha=0.3, legend_label="train"
        )
        self.valid1 = self.fig.line(
            [], [], line_color="green", line_width=2, legend_label="validation"
        )
        self.valid2 = self.fig.scatter([], [], line_color="green", line_width=2)
        self.fig.legend.location = "bottom_right"
        self.fig.yaxis.axis_label = self.metric_name
        return self._plotting.show(self.fig, notebook_handle=True)

    def batch_cb(self, param: Any) -> None:
        """Adds a point after every `frequent` batches, and updates the chart if it is time to.

        Args:
            param: What `Module.fit` hands to its callbacks.
        """
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")
        if self.interval_elapsed():
            self._do_update()

    def eval_cb(self, param: Any) -> None:
        """Adds the point of an evaluation, and updates the chart.

        Args:
            param: What `Module.fit` hands to its callbacks.
        """
        self._process_batch(param, "eval")
        self._do_update()

    def update_chart_data(self) -> None:
        """Adds new points to both curves."""
        for kind, glyphs in (
            ("train", (self.train1, self.train2)),
            ("eval", (self.valid1, self.valid2)),
        ):
            points = self._data[kind]
            for glyph in glyphs:
                _set_points(glyph, points["elapsed"], points[str(self.metric_name)])

    def _process_batch(self, param: Any, df_name: str) -> None:
        """Keeps the values of the metric, and resets it."""
        if param.eval_metric is None:
            return
        points = self._data[df_name]
        for name, value in param.eval_metric.get_name_value():
            points[name].append(value)
        points["elapsed"].append(datetime.datetime.now() - self.start_time)
        param.eval_metric.reset()


def _set_points(glyph: Any, x: list[datetime.timedelta], y: list[Any]) -> None:
    """Sets the points of a curve, all at once because Bokeh wants columns of equal length."""
    glyph.data_source.data = {"x": list(x), "y": list(y)}


importing.publish_classes(globals())
__getattr__ = importing.make_getattr(__name__, globals(), {"pd": "mxnet.notebook._tables:pd"})
