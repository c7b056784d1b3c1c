"""Functions that training loops call after a batch or an epoch, to report on the progress.

A loop passes an object with `epoch`, `nbatch` and `eval_metric`. Messages go to the root logger in
the original's format, which programs parse.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import Any, Protocol

from mxnet._start import tracebacks
from mxnet.metric import EvalMetric
from mxnet.module._checkpoints import save_checkpoint


class BatchEnd(Protocol):
    """What a training loop tells a callback."""

    epoch: int
    nbatch: int
    eval_metric: EvalMetric | None


class CheckpointingModule(Protocol):
    """What `module_checkpoint` asks of a module."""

    def save_checkpoint(self, prefix: str, epoch: int, save_optimizer_states: bool) -> object:
        """Writes the files of one checkpoint."""


def module_checkpoint(
    mod: CheckpointingModule, prefix: str, period: int = 1, save_optimizer_states: bool = False
) -> Callable[..., None]:
    """Makes a callback that saves a module after every few epochs.

    Args:
        mod: The module.
        prefix: What the names of the files start with.
        period: Number of epochs between checkpoints.
        save_optimizer_states: Whether to save what the optimizer needs to continue.

    Example:
        >>> import os, tempfile
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
        >>> module = mx.mod.Module(net, label_names=None)
        >>> module.bind([("data", (1, 3))])
        >>> module.init_params()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save = mx.callback.module_checkpoint(module, os.path.join(folder, "net"))
        ...     save(0)
        ...     print(sorted(os.listdir(folder)))
        ['net-0001.params', 'net-symbol.json']
    """
    every = max(1, int(period))

    def save(iter_no: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        del sym, arg, aux
        done = iter_no + 1
        if done % every == 0:
            mod.save_checkpoint(prefix, done, save_optimizer_states)

    return save


def do_checkpoint(prefix: str, period: int = 1) -> Callable[..., None]:
    """Makes a callback that saves symbol and parameters after every few epochs.

    Args:
        prefix: What the names of the files start with.
        period: Number of epochs between checkpoints.

    Example:
        >>> import os, tempfile
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save = mx.callback.do_checkpoint(os.path.join(folder, "net"), period=2)
        ...     for epoch in range(4):  # as `Module.fit` does with `epoch_end_callback=save`
        ...         save(epoch, net, {"fc_bias": mx.nd.zeros(2)}, {})
        ...     print(sorted(os.listdir(folder)))
        ['net-0002.params', 'net-0004.params', 'net-symbol.json']
    """
    every = max(1, int(period))

    def save(iter_no: int, sym: Any, arg: Any, aux: Any) -> None:
        done = iter_no + 1
        if done % every == 0:
            save_checkpoint(prefix, done, sym, arg, aux)

    return save


def log_train_metric(period: int, auto_reset: bool = False) -> Callable[[BatchEnd], None]:
    """Makes a callback that logs the training metric every few batches.

    Args:
        period: Number of batches between messages.
        auto_reset: Whether to start the metric anew after a message.

    Example:
        >>> import logging
        >>> from unittest import mock
        >>> import mxnet as mx
        >>> accuracy = mx.metric.Accuracy()
        >>> accuracy.update([mx.nd.array([1])], [mx.nd.array([[0.2, 0.8]])])
        >>> log = mx.callback.log_train_metric(period=10)
        >>> with mock.patch.object(logging, "info", lambda form, *values: print(form % values)):
        ...     log(mx.model.BatchEndParam(epoch=0, nbatch=10, eval_metric=accuracy, locals=None))
        Iter[0] Batch[10] Train-accuracy=1.000000
    """

    def log(param: BatchEnd) -> None:
        metric = param.eval_metric
        if metric is None or param.nbatch % period:
            return
        for name, value in metric.get_name_value():
            logging.info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value)
        if auto_reset:
            metric.reset_local()

    return log


class Speedometer:
    """Logs samples per second, and the training metric, every few batches.

    Args:
        batch_size: Number of samples in a batch.
        frequent: Number of batches between messages.
        auto_reset: Whether to start the metric anew after a message.

    Example:
        >>> import logging
        >>> from unittest import mock
        >>> import mxnet as mx
        >>> report = mx.callback.Speedometer(batch_size=32, frequent=2)
        >>> with mock.patch.object(logging, "info", lambda form, *values: print(values[0])):
        ...     for number in range(5):  # as `Module.fit` does with `batch_end_callback=report`
        ...         report(mx.model.BatchEndParam(0, number, mx.metric.Accuracy(), None))
        Epoch[0] Batch [0-2]
        Epoch[0] Batch [2-4]
    """

    def __init__(self, batch_size: int, frequent: int = 50, auto_reset: bool = True) -> None:
        self.batch_size = batch_size
        self.frequent = frequent
        self.auto_reset = auto_reset
        self.init = False
        self.tic = 0.0
        self.last_count = 0

    @tracebacks.public_call
    def __call__(self, param: BatchEnd) -> None:
        """Takes note of a batch; the first one of an epoch starts the clock."""
        count = param.nbatch
        running = self.init and count >= self.last_count
        self.last_count = count
        if not running:
            self.init = True
            self.tic = time.time()
        elif count % self.frequent == 0:
            self._report(param)
            self.tic = time.time()

    def _report(self, param: BatchEnd) -> None:
        # The metric waits for the device, so that the time is that of finished batches.
        results = [] if param.eval_metric is None else param.eval_metric.get_name_value()
        seconds = time.time() - self.tic
        speed = self.frequent * self.batch_size / seconds if seconds else math.inf
        if param.eval_metric is None:
            where = f"Iter[{param.epoch}] Batch [{param.nbatch}]"
        elif self.auto_reset:
            param.eval_metric.reset_local()
            where = f"Epoch[{param.epoch}] Batch [{param.nbatch - self.frequent}-{param.nbatch}]"
        else:
            where = f"Epoch[{param.epoch}] Batch [0-{param.nbatch}]"
        # Logging formats the values: a metric with values of its own kind must not end training.
        values = [part for result in results for part in result]
        form = "%s\tSpeed: %.2f samples/sec" + "\t%s=%f" * len(results)
        logging.info(form, where, speed, *values)


class ProgressBar:
    """Logs a bar that fills up with the batches of an epoch.

    Args:
        total: Number of batches in an epoch.
        length: Number of characters of the bar.

    Example:
        >>> import logging
        >>> from unittest import mock
        >>> import mxnet as mx
        >>> bar = mx.callback.ProgressBar(total=4, length=8)
        >>> with mock.patch.object(logging, "info", lambda form, *args: print(form.strip() % args)):
        ...     for number in (1, 4):
        ...         bar(mx.model.BatchEndParam(0, number, None, None))
        [==------] 25%
        [========] 100%
    """

    def __init__(self, total: int, length: int = 80) -> None:
        self.bar_len = length
        self.total = total

    def __call__(self, param: BatchEnd) -> None:
        """Logs the bar as it is after a batch."""
        filled = round(self.bar_len * param.nbatch / self.total)
        bar = "=" * filled + "-" * (self.bar_len - filled)
        logging.info("[%s] %s%%\r", bar, math.ceil(100 * param.nbatch / self.total))


class LogValidationMetricsCallback:
    """Logs the validation metrics at the end of an epoch.

    Example:
        >>> import logging
        >>> from unittest import mock
        >>> import mxnet as mx
        >>> error = mx.metric.MAE()
        >>> error.update([mx.nd.array([1])], [mx.nd.array([3])])
        >>> report = mx.callback.LogValidationMetricsCallback()
        >>> with mock.patch.object(logging, "info", lambda form, *values: print(form % values)):
        ...     report(mx.model.BatchEndParam(0, 0, error, None))
        Epoch[0] Validation-mae=2.000000
    """

    def __call__(self, param: BatchEnd) -> None:
        """Logs a line for each value."""
        if param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            logging.info("Epoch[%d] Validation-%s=%f", param.epoch, name, value)


tracebacks.public_functions(globals())
