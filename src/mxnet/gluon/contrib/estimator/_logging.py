"""The handler that says how far a training is."""

from __future__ import annotations

import logging
import time
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.contrib.estimator._events import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    TrainBegin,
    TrainEnd,
)
from mxnet.gluon.contrib.estimator.utils import check_metrics


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """Logs times and metrics to the logger of the estimator.

    Args:
        log_interval: `"epoch"`, or a number of batches after which to log, too.
        metrics: The metrics to log.
        priority: Its place among handlers, the last one if not given.
    """

    def __init__(
        self, log_interval: int | str = "epoch", metrics: Any = None, priority: float = float("inf")
    ) -> None:
        if not isinstance(log_interval, int) and log_interval != "epoch":
            raise ArgumentValueError(
                "LoggingHandler: log_interval is a number of batches or 'epoch', "
                f"got {log_interval!r}"
            )
        self.metrics = check_metrics(metrics or [])
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.priority = priority
        self.log_interval = log_interval
        self.log_interval_time = 0.0

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Logs the optimizer, its learning rate, and for how long it will be."""
        self.train_start = time.time()
        estimator.logger.setLevel(logging.INFO)
        estimator.logger.info(
            "Training begin: using optimizer %s with current learning rate %.4f ",
            type(estimator.trainer.optimizer).__name__,
            estimator.trainer.learning_rate,
        )
        if estimator.max_epoch:
            estimator.logger.info("Train for %d epochs.", estimator.max_epoch)
        else:
            estimator.logger.info("Train for %d batches.", estimator.max_batch)
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.log_interval_time = 0.0

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Logs the metrics at the end."""
        seconds = int(time.time() - self.train_start)
        text = f"Train finished using total {seconds}s with {self.current_epoch} epochs."
        estimator.logger.info("%s", f"{text} {self._describe()}".rstrip())

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Logs that an epoch begins, or an evaluation."""
        if any(item.name.startswith("training") for item in self.metrics):
            estimator.logger.info(
                "[Epoch %d] Begin, current learning rate: %.4f",
                self.current_epoch,
                estimator.trainer.learning_rate,
            )
        else:
            estimator.logger.info("Validation Begin")
        self.epoch_start = time.time()

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Logs the time of an epoch and its metrics."""
        text = f"[Epoch {self.current_epoch}] Finished in {time.time() - self.epoch_start:.3f}s"
        estimator.logger.info("%s", ", ".join(filter(None, [text, self._describe()])))
        self.current_epoch += 1
        self.batch_index = 0

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts the clock."""
        self.batch_start = time.time()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Logs the number of samples and the metrics if it is time."""
        if not isinstance(self.log_interval, int):
            return
        self.log_interval_time += time.time() - self.batch_start
        self.processed_samples += len(kwargs["batch"][0])
        if self.batch_index % self.log_interval == 0:
            place = f"[Epoch {self.current_epoch}][Batch {self.batch_index}]"
            text = f"{place}[Samples {self.processed_samples}] time/interval: "
            text += f"{self.log_interval_time:.3f}s {self._describe()}"
            estimator.logger.info("%s", text.rstrip())
            self.log_interval_time = 0.0
        self.batch_index += 1

    def _describe(self) -> str:
        """Returns the metrics with their values."""
        values = (item.get() for item in self.metrics)
        return ", ".join(f"{name}: {value:.4f}" for name, value in values)
