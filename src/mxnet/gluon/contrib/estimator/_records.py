"""Handlers that show and keep what a training does: a bar, TensorBoard, a folder of the run."""

from __future__ import annotations

import csv
import importlib
import io
import json
import logging
import os
import platform
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mxnet import _version, metric
from mxnet._formats.files import read_foreign_text, write_atomically, written_together
from mxnet._state import processes
from mxnet.contrib.tensorboard import open_writer
from mxnet.errors import ArgumentValueError, MissingLibraryError
from mxnet.gluon.contrib import plot
from mxnet.gluon.contrib.estimator import _handlers
from mxnet.gluon.contrib.estimator.utils import check_metrics

_LOG_SECONDS = 5.0
"""How long a line of the log may wait before the file is written again."""
_SMALLER_IS_BETTER = ("loss", "error", "mae", "mse", "rmse", "perplexity", "nll", "entropy")


def _values(estimator: Any) -> dict[str, float]:
    """Returns the values of all metrics by name, without those that have seen no batch."""
    found = [*estimator.train_metrics, *estimator.val_metrics]
    rows = [row for item in found for row in item.get_name_value()]
    return {name: float(value) for name, value in rows if not np.isnan(value)}


class ProgressBarHandler(
    _handlers.TrainBegin, _handlers.BatchBegin, _handlers.BatchEnd, _handlers.EpochEnd
):
    """Shows a bar of tqdm for each epoch, with metrics beside it.

    There is a bar in a terminal and in a notebook, and none where the output goes to a file. It is
    gone before the line of the epoch is logged.

    Args:
        metrics: The metrics to show, those of training if not given.
        seconds: Seconds between two values of the metrics, whose reading waits for the device.
        priority: Its place among handlers.

    Raises:
        MissingLibraryError: if tqdm is not installed.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, ProgressBarHandler
        >>> net = gluon.nn.Dense(1)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> loader = gluon.data.DataLoader(gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4)), 2)
        >>> bar = ProgressBarHandler()
        >>> estimator.fit(loader, epochs=2, event_handlers=bar)
        >>> bar.current_epoch
        2
    """

    def __init__(self, metrics: Any = None, seconds: float = 0.5, priority: float = -900) -> None:
        self.metrics = None if metrics is None else check_metrics(metrics)
        self.seconds, self.priority = seconds, priority
        self.current_epoch = 0
        self._make_bar = _load_tqdm()
        self._bar: Any = None
        self._read_at = 0.0

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts to count, and removes the bar of a training that has failed."""
        self.current_epoch = 0
        self._close()

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Opens the bar with the first batch, after what is logged at the begin of an epoch."""
        if self._bar is not None:
            return
        total = None
        with suppress(TypeError, NotImplementedError):  # not all samplers know their length
            total = len(estimator.train_data)
        self._bar = self._make_bar(
            total=total,
            desc=f"epoch {self.current_epoch + 1}",
            unit=" batches",
            leave=False,
            mininterval=min(self.seconds, 0.1),
            file=sys.stderr,
            # None asks whether the file is a terminal, which that of a notebook is not.
            disable=False if plot.notebook_display() is not None else None,
        )
        self._read_at = time.monotonic()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Moves the bar."""
        if self._bar.disable:
            return
        if time.monotonic() - self._read_at >= self.seconds:
            metrics = estimator.train_metrics if self.metrics is None else self.metrics
            rows = [row for item in metrics for row in item.get_name_value()]
            self._bar.set_postfix({name: f"{value:.4g}" for name, value in rows}, refresh=False)
            self._read_at = time.monotonic()
        self._bar.update()

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Removes the bar."""
        self.current_epoch += 1
        self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _load_tqdm() -> Any:
    """Returns the class of bars."""
    try:
        return importlib.import_module("tqdm").tqdm
    except ImportError as error:
        raise MissingLibraryError(
            "ProgressBarHandler: needs tqdm, which is not installed; pip install tqdm"
        ) from error


class TensorBoardHandler(_handlers.TrainBegin, _handlers.BatchEnd, _handlers.EpochEnd):
    """Writes metrics and the learning rate where TensorBoard finds them.

    Args:
        logging_dir: Folder of the event files, which `tensorboard --logdir` shows.
        batch_period: After how many batches metrics of training get a point, whose step is the
            number of the batch. None for a point after each epoch, whose step is its number.
        priority: Its place among handlers, after those that update the metrics.

    Raises:
        MissingLibraryError: if nothing is installed that writes event files.

    Example:
        >>> import os, tempfile
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, TensorBoardHandler
        >>> net = gluon.nn.Dense(1)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> loader = gluon.data.DataLoader(gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4)), 2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     estimator.fit(loader, epochs=2, event_handlers=TensorBoardHandler(folder))
        ...     [name.partition(".tfevents.")[0] for name in os.listdir(folder)]
        ['events.out']
    """

    def __init__(
        self,
        logging_dir: str | os.PathLike[str],
        batch_period: int | None = None,
        priority: float = 1000,
    ) -> None:
        if batch_period is not None and batch_period < 1:
            raise ArgumentValueError(
                f"TensorBoardHandler: expected batch_period above 0 or None, got {batch_period}"
            )
        self.batch_period, self.priority = batch_period, priority
        self.current_batch = self.current_epoch = 0
        self.summary_writer = open_writer("TensorBoardHandler", os.fspath(logging_dir))

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts to count."""
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Adds a point to the curves of training if it is time."""
        self.current_batch += 1
        if self.batch_period is not None and self.current_batch % self.batch_period == 0:
            self._add(estimator, estimator.train_metrics, self.current_batch)

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Adds a point to the curves of validation, and to those of training too by epochs."""
        self.current_epoch += 1
        if self.batch_period is None:
            metrics = [*estimator.train_metrics, *estimator.val_metrics]
            self._add(estimator, metrics, self.current_epoch)
        else:
            self._add(estimator, estimator.val_metrics, self.current_batch)
        self.summary_writer.flush()

    def _add(self, estimator: Any, metrics: Iterable[metric.EvalMetric], step: int) -> None:
        for item in metrics:
            for name, value in item.get_name_value():
                if not np.isnan(value):
                    self.summary_writer.add_scalar(name, value, global_step=step)
        rate = estimator.trainer.learning_rate
        self.summary_writer.add_scalar("learning rate", rate, global_step=step)


class RunFolder(_handlers.TrainBegin, _handlers.BatchEnd, _handlers.EpochEnd, _handlers.TrainEnd):
    """Keeps a training in a folder: configuration, log, curves and the best parameters.

    Every file is replaced as a whole, so that a reader, or a kill, never meets half of one:

    - `config.json`: what the program gave as `config`, the network, loss, optimizer, and versions;
    - `log.txt`: what the estimator logs, below what earlier trainings have logged there;
    - `curves.csv`: a row for each epoch with seconds, learning rate and all metrics, and
      `curves.png`, the same as a picture, if matplotlib is installed;
    - `best.params` and `best.json`: parameters of the best epoch for `net.load_parameters`, and
      which one it is.

    In a distributed training the first process writes.

    Args:
        path: The folder, made if it is not there.
        config: What else is to be in `config.json`, such as the arguments of the program.
        monitor: Metric that says which epoch is the best: the last one of validation if there is
            validation, else of training, if not given.
        mode: `"min"` if smaller values are better, `"max"` if larger ones are; `"auto"` takes
            `"min"` for losses and errors by their name.
        priority: Its place among handlers, the last one if not given.

    Example:
        >>> import os, tempfile
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, RunFolder
        >>> net = gluon.nn.Dense(1)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.handlers.clear()  # nothing is printed, all of it is in the folder
        >>> loader = gluon.data.DataLoader(gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4)), 2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = RunFolder(folder, config={"units": 1})
        ...     estimator.fit(loader, epochs=2, event_handlers=run)
        ...     sorted(name for name in os.listdir(folder) if not name.endswith("png"))
        ['best.json', 'best.params', 'config.json', 'curves.csv', 'log.txt']
    """

    keeps_log = True
    """It listens before any handler is called, and comes after those of its priority that log."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        config: Mapping[str, Any] | None = None,
        monitor: metric.EvalMetric | None = None,
        mode: str = "auto",
        priority: float = float("inf"),
    ) -> None:
        if mode not in ("auto", "min", "max"):
            raise ArgumentValueError(f"RunFolder: mode is one of auto, min and max, got {mode!r}")
        self.path = Path(path)
        self.config = dict(config or {})
        try:
            json.dumps(self.config)
        except (TypeError, ValueError) as error:
            raise ArgumentValueError(f"RunFolder: config is not JSON: {error}") from error
        self.monitor, self.mode, self.priority = monitor, mode, priority
        self.rows: list[dict[str, float]] = []
        self.best: float | None = None
        self._log = _Lines()
        self._written_at = self._marked_at = 0.0

    def listen(self, estimator: Any) -> None:
        """Begins to keep what is logged, below the log of the folder; comes before all handlers."""
        self.path.mkdir(parents=True, exist_ok=True)
        log = self.path / "log.txt"
        self._log.lines = read_foreign_text(log).splitlines() if log.exists() else []
        if self._log not in estimator.logger.handlers:
            estimator.logger.addHandler(self._log)

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Begins a new table."""
        self.rows, self.best = [], None
        self._marked_at = time.monotonic()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Writes the log if it has waited for long."""
        if time.monotonic() - self._written_at >= _LOG_SECONDS:
            self._write_log()

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Adds a row, draws the curves, and saves the parameters if they are the best."""
        now = time.monotonic()
        seconds = self.rows[-1]["seconds"] if self.rows else 0.0
        row = {
            "epoch": len(self.rows) + 1,
            "seconds": round(seconds + now - self._marked_at, 3),
            "learning rate": float(estimator.trainer.learning_rate),
            **_values(estimator),
        }
        self.rows.append(row)
        self._marked_at = now
        if processes.rank():
            return
        if len(self.rows) == 1:
            self._write_config(estimator)
        self._write_curves()
        self._save_if_best(estimator)
        self._write_log()

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Writes the rest of the log, and stops listening."""
        self._write_log()
        estimator.logger.removeHandler(self._log)

    def _write_json(self, name: str, content: Mapping[str, Any]) -> None:
        write_atomically(self.path / name, [(json.dumps(content, indent=2) + "\n").encode()])

    def _write_log(self) -> None:
        self._written_at = time.monotonic()
        if not processes.rank():
            text = "".join(f"{line}\n" for line in self._log.lines)
            write_atomically(self.path / "log.txt", [text.encode()])

    def _write_config(self, estimator: Any) -> None:
        trainer = estimator.trainer
        parameters = estimator.net.collect_params().values()
        self._write_json(
            "config.json",
            {
                "config": self.config,
                "network": repr(estimator.net),
                "parameters": sum(int(np.prod(item.shape)) for item in parameters),
                "loss": repr(estimator.loss),
                "optimizer": type(trainer.optimizer).__name__.lower(),
                "learning_rate": self.rows[0]["learning rate"],
                "weight_decay": float(trainer.optimizer.wd),
                "context": [str(item) for item in estimator.context],
                "processes": processes.size(),
                "epochs": estimator.max_epoch,
                "batches": estimator.max_batch,
                "versions": {
                    "glueball": _version.PRODUCT_VERSION,
                    "numpy": np.__version__,
                    "python": platform.python_version(),
                    "torch": torch.__version__,
                },
            },
        )

    def _write_curves(self) -> None:
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        write_atomically(self.path / "curves.csv", [text.getvalue().encode()])
        curves = {name: plot.Curve() for name in names if name not in ("epoch", "seconds")}
        for row in self.rows:
            for name, curve in curves.items():
                if name in row:
                    curve.add(row["epoch"], row[name], int(row["epoch"]))
        with suppress(MissingLibraryError):  # the table has all that the picture would show
            picture = plot.draw(curves, title="", xlabel="epoch", smoothing=0, picture_format="png")
            write_atomically(self.path / "curves.png", [picture])

    def _save_if_best(self, estimator: Any) -> None:
        name, value = self._monitored(estimator)
        if value is None or np.isnan(value):
            return
        is_min = self.mode == "min"
        if self.mode == "auto":
            is_min = any(word in name.lower() for word in _SMALLER_IS_BETTER)
        if self.best is None or (value < self.best if is_min else value > self.best):
            self.best = value
            with written_together():
                estimator.net.save_parameters(os.fspath(self.path / "best.params"))
                self._write_json(
                    "best.json", {"epoch": len(self.rows), "metric": name, "value": value}
                )

    def _monitored(self, estimator: Any) -> tuple[str, float | None]:
        """Returns the name of the metric that decides, and its value."""
        if self.monitor is not None:
            chosen: Any = self.monitor
        else:
            validated = [item for item in estimator.val_metrics if item.num_inst]
            found = validated or estimator.train_metrics
            if not found:
                return "", None
            chosen = found[0]
        name, value = chosen.get_name_value()[0]
        return name, float(value)


class _Lines(logging.Handler):
    """Keeps what is logged, with the time.

    Attributes:
        lines: A line of text for each message.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        self.lines.append(f"{moment} {record.getMessage()}")
