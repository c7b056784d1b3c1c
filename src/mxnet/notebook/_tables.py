"""Metrics of training as tables of pandas."""

from __future__ import annotations

import importlib
import time
from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from mxnet.errors import MissingLibraryError, UnknownNameError


def import_for(where: str, name: str) -> Any:
    """Imports a module that the package can do without.

    Args:
        where: What needs it, for the message.
        name: Name of the module.

    Raises:
        MissingLibraryError: if it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        library = name.partition(".")[0]
        raise MissingLibraryError(
            f"{where}: needs {library}; install it by `pip install {library}`"
        ) from error


class PandasLogger:
    """Keeps the metrics of training in tables: one each of batches, evaluations and epochs.

    Args:
        batch_size: Number of records in a batch.
        frequent: Every how many batches a row is added.

    Raises:
        MissingLibraryError: if pandas is not installed.

    Example:
        .. code-block:: python

            logger = mx.notebook.callback.PandasLogger(batch_size=32)
            module.fit(batches, num_epoch=3, **logger.callback_args())
            logger.train_df.plot(x="elapsed", y="accuracy")
    """

    def __init__(self, batch_size: int, frequent: int = 50) -> None:
        self._pandas = import_for("PandasLogger", "pandas")
        self.batch_size, self.frequent = batch_size, frequent
        self._dataframes = {name: self._pandas.DataFrame() for name in ("train", "eval", "epoch")}
        self.last_time = time.time()
        self.start_time = self.last_epoch_time = datetime.now()

    @property
    def train_df(self) -> Any:
        """Table of batches."""
        return self._dataframes["train"]

    @property
    def eval_df(self) -> Any:
        """Table of evaluations."""
        return self._dataframes["eval"]

    @property
    def epoch_df(self) -> Any:
        """Table of epochs, with their durations."""
        return self._dataframes["epoch"]

    @property
    def all_dataframes(self) -> dict[str, Any]:
        """All tables by their names: `"train"`, `"eval"` and `"epoch"`."""
        return self._dataframes

    def elapsed(self) -> timedelta:
        """Returns the time since the logger was made."""
        return datetime.now() - self.start_time

    def append_metrics(self, metrics: dict[str, Any], df_name: str) -> None:
        """Adds a row to a table.

        Args:
            metrics: Values by their columns; a new name becomes a new column.
            df_name: Name of the table.

        Raises:
            UnknownNameError: if there is no such table.
        """
        if df_name not in self._dataframes:
            raise UnknownNameError(
                f"append_metrics: expected one of {list(self._dataframes)}, got {df_name!r}"
            )
        table = self._dataframes[df_name]
        row = self._pandas.DataFrame([metrics])
        if len(table):
            # Rows of objects are joined, since columns that are empty in one have no type of their
            # own; then each column gets the type of what is in it.
            joined = [table.astype(object), row.astype(object)]
            row = self._pandas.concat(joined, ignore_index=True).infer_objects()
        self._dataframes[df_name] = row

    def train_cb(self, param: Any) -> None:
        """Adds a row after every `frequent` batches, and resets the metric.

        Args:
            param: What `Module.fit` hands to its callbacks.
        """
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")

    def eval_cb(self, param: Any) -> None:
        """Adds a row for an evaluation, and resets the metric.

        Args:
            param: What `Module.fit` hands to its callbacks.
        """
        self._process_batch(param, "eval")

    def epoch_cb(self, *args: Any) -> None:
        """Adds a row with the duration of an epoch.

        Args:
            *args: What `Module.fit` hands to callbacks at the end of an epoch, of no use here.
        """
        del args
        metrics: dict[str, Any] = {"elapsed": self.elapsed()}
        now = datetime.now()
        metrics["epoch_time"] = now - self.last_epoch_time
        self.append_metrics(metrics, "epoch")
        self.last_epoch_time = now

    def callback_args(self) -> dict[str, Any]:
        """Returns the callbacks as arguments for `Module.fit`."""
        return {
            "batch_end_callback": self.train_cb,
            "eval_end_callback": self.eval_cb,
            "epoch_end_callback": self.epoch_cb,
        }

    def _process_batch(self, param: Any, dataframe: str) -> None:
        """Adds speed, time and metric of a batch to a table."""
        now = time.time()
        metrics: dict[str, Any] = {}
        if param.eval_metric is not None:
            metrics = dict(param.eval_metric.get_name_value())
            param.eval_metric.reset()
        batches_per_second = self.frequent / max(now - self.last_time, 1e-9)
        row = {
            # The original has the two columns the other way round, and so have its notebooks.
            "records_per_sec": batches_per_second,
            "batches_per_sec": batches_per_second * self.batch_size,
            "minibatch_count": param.nbatch,
            "epoch": param.epoch,
            "elapsed": self.elapsed(),
            **metrics,
        }
        self.append_metrics(row, dataframe)
        self.last_time = now


def args_wrapper(*args: Any) -> dict[str, list[Any]]:
    """Returns the callbacks of several objects together, as arguments for `Module.fit`.

    Args:
        *args: Objects with a method `callback_args`, such as a `PandasLogger` and a chart.
    """
    together: defaultdict[str, list[Any]] = defaultdict(list)
    for item in args:
        for name, callback in item.callback_args().items():
            together[name].append(callback)
    return dict(together)


# The modules themselves are imported when they are asked for.


class Bokeh_Failed_To_Import:  # noqa: N801 - the original's name
    """Stands for Bokeh if it is not installed."""


class Pandas_Failed_To_Import:  # noqa: N801 - the original's name
    """Stands for pandas if it is not installed."""


_STAND_INS = {"bokeh": ("bokeh", Bokeh_Failed_To_Import), "pd": ("pandas", Pandas_Failed_To_Import)}


def __getattr__(name: str) -> Any:
    if name not in _STAND_INS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    library, stand_in = _STAND_INS[name]
    try:
        return importlib.import_module(library)
    except ImportError:
        return stand_in


Bokeh_Failed_To_Import.__module__ = "mxnet.notebook"
