"""The moments of a training at which handlers are called."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

import numpy as np

from mxnet import metric
from mxnet._start import PublicInit, level_of_program
from mxnet.errors import ArgumentValueError
from mxnet.gluon.contrib.estimator.utils import check_metrics


class EventHandler(PublicInit):
    """Base of all handlers.

    Handlers with a smaller `priority` are called first, those without one count as 0.
    """


class TrainBegin(EventHandler):
    """Handler of the moment before training: a subclass defines `train_begin`.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, TrainBegin
        >>> class CountWeights(TrainBegin):
        ...     def train_begin(self, estimator, *args, **kwargs):
        ...         print("parameters:", len(estimator.net.collect_params()))
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> estimator.fit(data, epochs=1, event_handlers=[CountWeights()])
        parameters: 2
    """

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called before training."""


class TrainEnd(EventHandler):
    """Handler of the moment after training: a subclass defines `train_end`.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, TrainEnd
        >>> class Report(TrainEnd):
        ...     def train_end(self, estimator, *args, **kwargs):
        ...         print("trained", estimator.max_epoch, "epochs")
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> estimator.fit(data, epochs=2, event_handlers=[Report()])
        trained 2 epochs
    """

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called after training."""


class EpochBegin(EventHandler):
    """Handler of the moment before an epoch: a subclass defines `epoch_begin`.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import EpochBegin, Estimator
        >>> class Warm(EpochBegin):
        ...     def epoch_begin(self, estimator, *args, **kwargs):
        ...         estimator.trainer.set_learning_rate(estimator.trainer.learning_rate * 2)
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> estimator.fit(data, epochs=3, event_handlers=[Warm()])
        >>> trainer.learning_rate
        0.08
    """

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called before an epoch."""


class EpochEnd(EventHandler):
    """Handler of the moment after an epoch: a subclass defines `epoch_end`.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import EpochEnd, Estimator
        >>> class StopAfterTwo(EpochEnd):
        ...     epochs = 0
        ...     def epoch_end(self, estimator, *args, **kwargs):
        ...         self.epochs += 1
        ...         return self.epochs == 2  # True ends the training
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> handler = StopAfterTwo()
        >>> estimator.fit(data, epochs=9, event_handlers=[handler])
        >>> handler.epochs
        2
    """

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Is called after an epoch, and returns True to end the training."""
        return False


class BatchBegin(EventHandler):
    """Handler of the moment before a batch: a subclass defines `batch_begin`.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import BatchBegin, Estimator
        >>> class ShowShapes(BatchBegin):
        ...     def batch_begin(self, estimator, *args, **kwargs):
        ...         data, label = kwargs["batch"]
        ...         print(data.shape, label.shape)
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> estimator.fit(data, epochs=1, event_handlers=[ShowShapes()])
        (2, 3) (2, 2)
        (2, 3) (2, 2)
    """

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called before a batch, which is `kwargs["batch"]`."""


class BatchEnd(EventHandler):
    """Handler of the moment after a batch: a subclass defines `batch_end`.

    The method returns True to end the training.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import BatchEnd, Estimator
        >>> class Losses(BatchEnd):
        ...     def batch_end(self, estimator, *args, **kwargs):
        ...         print([loss.shape for loss in kwargs["loss"]])
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> estimator.fit(data, epochs=1, event_handlers=[Losses()])
        [(2,)]
        [(2,)]
    """

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Is called after a batch, and returns True to end the epoch.

        `kwargs` has `batch`, and `label`, `pred` and `loss` with an array for each context.
        """
        return False


class BatchesHandler(EventHandler):
    """Handler that yields the batches of a training, at most one of them for a training.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import BatchesHandler, Estimator
        >>> class FirstBatches(BatchesHandler):
        ...     def batches(self, estimator, data):
        ...         yield from list(data)[:2]
        >>> net = gluon.nn.Dense(1)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> loader = gluon.data.DataLoader(gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4)), 1)
        >>> estimator.fit(loader, epochs=3, event_handlers=FirstBatches())
        >>> trainer.optimizer.num_update
        6
    """

    def is_done(self, estimator: Any) -> bool:
        """Returns whether nothing is left to be trained; asked before the first epoch."""
        return False

    def batches(self, estimator: Any, data: Iterable[Any]) -> Generator[Any, None, None]:
        """Yields the batches of an epoch; closed when the epoch ends, or fails, before them."""
        yield from data


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Ends the training after a number of epochs or batches.

    `Estimator.fit` has one of its own, whose numbers replace those given here.

    Args:
        max_epoch: Number of epochs, None for any.
        max_batch: Number of batches, None for any.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, StoppingHandler
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=1)
        >>> handler = StoppingHandler(max_batch=5)
        >>> estimator.fit(data, batches=5, event_handlers=[handler])
        >>> handler.current_batch, handler.current_epoch
        (5, 2)
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

    Example:
        >>> from mxnet import metric, nd
        >>> from mxnet.gluon.contrib.estimator import MetricHandler
        >>> accuracy = metric.Accuracy()
        >>> handler = MetricHandler([accuracy])  # an estimator makes one of its metrics
        >>> outputs = nd.array([[0.9, 0.1], [0.4, 0.6]])
        >>> handler.batch_end(None, pred=[outputs], label=[nd.array([0, 0])], loss=[nd.zeros(2)])
        >>> accuracy.get()
        ('accuracy', 0.5)
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

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, ValidationHandler
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> def evaluate(val_data, **kwargs):
        ...     print("validation on", len(val_data), "batches")
        >>> handler = ValidationHandler(data, evaluate, epoch_period=2)
        >>> estimator.fit(data, epochs=4, event_handlers=[handler])
        validation on 2 batches
        validation on 2 batches
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
        num_workers: Number of processes whose gradients a distributed store adds up, so that the
            sum is divided by the samples of all. MXNet divides by those of one.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, GradientUpdateHandler
        >>> class EveryOther(GradientUpdateHandler):  # updates after each second batch
        ...     batches = 0
        ...     def batch_end(self, estimator, *args, **kwargs):
        ...         self.batches += 1
        ...         if self.batches % 2 == 0:
        ...             super().batch_end(estimator, *args, **kwargs)
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> net.collect_params().setattr("grad_req", "add")
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=1)
        >>> estimator.fit(data, epochs=1, event_handlers=[EveryOther()])
        >>> trainer.optimizer.num_update
        2
    """

    def __init__(self, priority: float = -2000, num_workers: int = 1) -> None:
        self.priority, self.num_workers = priority, num_workers

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Makes a step of the trainer, with as many samples as there are losses."""
        losses: Sequence[Any] = kwargs["loss"]
        if not isinstance(losses, (list, tuple)):
            losses = [losses]
        size = sum(part.shape[0] if part.shape else 1 for part in losses)
        estimator.trainer.step(size * self.num_workers)


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
            stacklevel=level_of_program(),
        )
        mode = "auto"
    if mode == "auto":
        warnings.warn(
            f"{owner}: a larger {monitor.name!r} counts as better; say so with mode='max', or the "
            "contrary with mode='min'",
            stacklevel=level_of_program(),
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

    Example:
        >>> from mxnet import gluon, metric, nd
        >>> from mxnet.gluon.contrib.estimator import EarlyStoppingHandler, Estimator
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> options = {"learning_rate": 0}  # with which nothing gets better
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd", options)
        >>> error = metric.MSE()
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), train_metrics=error, trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> watched = estimator.train_metrics[0]
        >>> handler = EarlyStoppingHandler(watched, mode="min", patience=2)
        >>> estimator.fit(data, epochs=20, event_handlers=[handler])
        >>> handler.stopped_epoch
        2
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
                stacklevel=level_of_program(),
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


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """Logs times and metrics to the logger of the estimator.

    Args:
        log_interval: `"epoch"`, or a number of batches after which to log, too.
        metrics: The metrics to log.
        priority: Its place among handlers, the last one if not given.

    Example:
        >>> import logging
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, LoggingHandler
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> lines = []
        >>> estimator.logger.handlers = [logging.Handler()]
        >>> estimator.logger.handlers[0].emit = lambda record: lines.append(record.getMessage())
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> handler = LoggingHandler(log_interval=1, metrics=estimator.train_metrics)
        >>> estimator.fit(data, epochs=1, event_handlers=[handler])
        >>> [line.split("]")[0] + "]" for line in lines if "Batch" in line]
        ['[Epoch 0]', '[Epoch 0]']
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
