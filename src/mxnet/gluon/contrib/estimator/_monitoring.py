"""Handlers that watch a metric."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from mxnet import metric
from mxnet.errors import ArgumentValueError
from mxnet.gluon.contrib.estimator._events import EpochEnd, TrainBegin, TrainEnd

_OPERATORS = {"min": np.less, "max": np.greater}


def choose_operator(mode: str, monitor: metric.EvalMetric, owner: str) -> np.ufunc:
    """Returns what says whether a value of a metric is better than another.

    Args:
        mode: `"min"`, `"max"`, or `"auto"`, which takes larger values for better ones and says so.
        monitor: The metric.
        owner: Name of the caller, for the warning.
    """
    if mode not in ("auto", "min", "max"):
        warnings.warn(
            f"{owner}: mode is one of auto, min and max, got {mode!r}; auto is used",
            RuntimeWarning,
            stacklevel=4,
        )
        mode = "auto"
    if mode == "auto":
        warnings.warn(
            f"{owner}: a larger {monitor.name!r} counts as better; say so with mode='max', or the "
            "contrary with mode='min'",
            stacklevel=4,
        )
        mode = "max"
    return _OPERATORS[mode]


def worst_value(better: np.ufunc) -> float:
    """Returns a value that every other one is better than."""
    return float("inf") if better is np.less else -float("inf")


class EarlyStoppingHandler(TrainBegin, EpochEnd, TrainEnd):
    """Ends the training when a metric does not get better any more.

    Args:
        monitor: The metric, one of `estimator.train_metrics` or `estimator.val_metrics`.
        min_delta: What counts as better must be so by more than this.
        patience: Number of epochs without a better value after which training ends.
        mode: `"min"` if smaller values are better, `"max"` if larger ones are; `"auto"` is `"max"`.
        baseline: Value that the first epochs have to beat.
    """

    def __init__(
        self,
        monitor: metric.EvalMetric,
        min_delta: float = 0,
        patience: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
    ) -> None:
        if not isinstance(monitor, metric.EvalMetric):
            raise ArgumentValueError(
                "EarlyStoppingHandler: monitor is one of the metrics of estimator.train_metrics or "
                f"estimator.val_metrics, got {monitor!r}"
            )
        self.monitor, self.baseline, self.patience = monitor, baseline, patience
        self.wait = self.stopped_epoch = self.current_epoch = 0
        self.stop_training = False
        self.monitor_op = choose_operator(mode, monitor, "EarlyStoppingHandler")
        self.min_delta = -min_delta if self.monitor_op is np.less else min_delta

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Forgets what an earlier training has seen."""
        self.wait = self.stopped_epoch = self.current_epoch = 0
        self.stop_training = False
        self.best = worst_value(self.monitor_op) if self.baseline is None else self.baseline

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Looks at the metric."""
        name, value = self.monitor.get()
        if np.isnan(value):
            warnings.warn(
                f"EarlyStoppingHandler: {name!r} was not updated in this epoch; monitor one of the "
                "metrics of estimator.train_metrics or estimator.val_metrics",
                RuntimeWarning,
                stacklevel=3,
            )
        elif self.monitor_op(value - self.min_delta, self.best):
            self.best, self.wait = value, 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch = self.current_epoch
                self.stop_training = True
        self.current_epoch += 1
        return self.stop_training

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Says if it has ended the training."""
        if self.stop_training and self.stopped_epoch > 0:
            estimator.logger.info(
                "[Epoch %d] EarlyStoppingHandler: stopped, as %s does not get better",
                self.stopped_epoch,
                self.monitor.name,
            )
