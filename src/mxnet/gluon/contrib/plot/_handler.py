"""The handler that draws the metrics of an `Estimator`."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.contrib.estimator.event_handler import BatchEnd, EpochEnd, TrainBegin, TrainEnd
from mxnet.gluon.contrib.plot._live_plot import LivePlot
from mxnet.metric import EvalMetric


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
