"""Handlers without which nothing is trained: updates, metrics, validation and the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mxnet import metric
from mxnet.gluon.contrib.estimator._events import BatchEnd, EpochBegin, EpochEnd, TrainBegin
from mxnet.gluon.contrib.estimator.utils import check_metrics


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Ends the training after a number of epochs or batches.

    `Estimator.fit` has one of its own, whose numbers replace those given here.

    Args:
        max_epoch: Number of epochs, None for any.
        max_batch: Number of batches, None for any.
    """

    def __init__(self, max_epoch: int | None = None, max_batch: int | None = None) -> None:
        self.max_epoch, self.max_batch = max_epoch, max_batch
        self.current_batch = self.current_epoch = 0
        self.stop_training = False

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts to count."""
        self.max_epoch, self.max_batch = estimator.max_epoch, estimator.max_batch
        self.current_batch = self.current_epoch = 0
        self.stop_training = False

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Counts a batch."""
        self.current_batch += 1
        if self.current_batch == self.max_batch:
            self.stop_training = True
        return self.stop_training

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Counts an epoch."""
        self.current_epoch += 1
        if self.current_epoch == self.max_epoch:
            self.stop_training = True
        return self.stop_training


class MetricHandler(EpochBegin, BatchEnd):
    """Updates metrics after each batch, and starts them again with each epoch.

    Args:
        metrics: The metrics; one of the class `mx.metric.Loss` is given losses, the others labels
            and predictions.
        priority: Its place among handlers.
    """

    def __init__(self, metrics: Any, priority: float = -1000) -> None:
        self.metrics = check_metrics(metrics)
        self.priority = priority

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts the metrics again."""
        for item in self.metrics:
            item.reset()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Updates the metrics by a batch."""
        for item in self.metrics:
            if isinstance(item, metric.Loss):
                item.update(0, kwargs["loss"])
            else:
                item.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """Evaluates a network from time to time.

    Args:
        val_data: The data.
        eval_fn: Function to call with the data, such as `Estimator.evaluate`.
        epoch_period: Number of epochs between two calls, None for none at the end of an epoch.
        batch_period: Number of batches between two calls, None for none after a batch.
        priority: Its place among handlers.
        event_handlers: Handlers that the function is to call.
    """

    def __init__(
        self,
        val_data: Any,
        eval_fn: Callable[..., Any],
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        priority: float = -1000,
        event_handlers: Any = None,
    ) -> None:
        self.val_data, self.eval_fn = val_data, eval_fn
        self.epoch_period, self.batch_period = epoch_period, batch_period
        self.current_batch = self.current_epoch = 0
        self.priority = priority
        self.event_handlers = event_handlers

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts to count."""
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Evaluates if enough batches have passed."""
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            self._evaluate(estimator)

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Evaluates if enough epochs have passed."""
        self.current_epoch += 1
        if self.epoch_period and self.current_epoch % self.epoch_period == 0:
            self._evaluate(estimator)

    def _evaluate(self, estimator: Any) -> None:
        self.eval_fn(
            val_data=self.val_data,
            batch_axis=estimator.batch_axis,
            event_handlers=self.event_handlers,
        )


class GradientUpdateHandler(BatchEnd):
    """Updates the weights after each batch.

    Args:
        priority: Its place among handlers; metrics are updated after it.
    """

    def __init__(self, priority: float = -2000) -> None:
        self.priority = priority

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Makes a step of the trainer, with as many samples as there are losses."""
        losses: Sequence[Any] = kwargs["loss"]
        if not isinstance(losses, (list, tuple)):
            losses = [losses]
        estimator.trainer.step(sum(part.shape[0] if part.shape else 1 for part in losses))
