"""The handler that saves a training, and takes it up again."""

from __future__ import annotations

import os
import re
import warnings
from typing import Any

import numpy as np

from mxnet import metric
from mxnet._formats.files import written_together
from mxnet._start import level_of_program
from mxnet.errors import ArgumentValueError, InvalidArgumentError, MissingFileError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.contrib.estimator import _handlers


class CheckpointHandler(_handlers.TrainBegin, _handlers.BatchEnd, _handlers.EpochEnd):
    """Saves parameters and the states of the optimizer from time to time.

    A checkpoint is the files `PREFIX-epochEbatchB.params` and `.states`, written together; the
    graph of a hybridized network is in `PREFIX-symbol.json`.

    Args:
        model_dir: Folder of the files, made if it is not there.
        model_prefix: Beginning of their names.
        monitor: Metric that says which checkpoint is the best, one of `estimator.train_metrics` or
            `estimator.val_metrics`.
        verbose: Above 0, what is saved is logged.
        save_best: Whether to keep the best checkpoint as `PREFIX-best`.
        mode: `"min"` if a smaller value is better, `"max"` if a larger one is; `"auto"` is `"max"`.
        epoch_period: Number of epochs between two checkpoints, None for none after an epoch.
        batch_period: Number of batches between two checkpoints, None for none after a batch.
        max_checkpoints: Number of checkpoints to keep; older ones of this training are removed.
        resume_from_checkpoint: Whether to go on from the last checkpoint in the folder. The epochs
            or batches that were trained then count.

    Example:
        >>> import os, tempfile
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import CheckpointHandler, Estimator
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     handler = CheckpointHandler(folder, model_prefix="net", max_checkpoints=1)
        ...     estimator.fit(data, epochs=2, event_handlers=[handler])
        ...     print(sorted(os.listdir(folder)))
        ['net-epoch1batch4.params', 'net-epoch1batch4.states']
    """

    def __init__(
        self,
        model_dir: str | os.PathLike[str],
        model_prefix: str = "model",
        monitor: metric.EvalMetric | None = None,
        verbose: int = 0,
        save_best: bool = False,
        mode: str = "auto",
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        max_checkpoints: int = 5,
        resume_from_checkpoint: bool = False,
    ) -> None:
        if save_best and not isinstance(monitor, metric.EvalMetric):
            raise ArgumentValueError(
                "CheckpointHandler: save_best needs as monitor one of the metrics of "
                f"estimator.train_metrics or estimator.val_metrics, got {monitor!r}"
            )
        self.monitor, self.verbose, self.save_best = monitor, verbose, save_best
        self.model_dir, self.model_prefix = os.fspath(model_dir), model_prefix
        os.makedirs(self.model_dir, exist_ok=True)
        self.epoch_period, self.batch_period = epoch_period, batch_period
        self.current_batch = self.current_epoch = 0
        self.max_checkpoints = max_checkpoints
        self.resume_from_checkpoint = resume_from_checkpoint
        self.saved_checkpoints: list[str] = []
        self.trained_epoch = self.trained_batch = -1
        if save_best and monitor is not None:
            self.monitor_op = _handlers.choose_operator(mode, monitor, "CheckpointHandler")
            self.best = _handlers.worst_value(self.monitor_op)

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Starts to count, from the last checkpoint if asked to.

        Raises:
            ValueError: if the last checkpoint is of a training as long as this one, or there are
                no periods in the unit of the training.
            MissingFileError: if a part of the last checkpoint is missing.
        """
        self.current_batch = self.current_epoch = 0
        self.trained_epoch = self.trained_batch = -1
        if self.save_best:
            self.best = _handlers.worst_value(self.monitor_op)
        if self.resume_from_checkpoint:
            self._resume(estimator)

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Saves if enough batches have passed."""
        if self.current_batch == 0:
            self._save_symbol(estimator)
        if self.batch_period and (self.current_batch + 1) % self.batch_period == 0:
            self._save_checkpoint(estimator, self.trained_batch + 1 + self.current_batch)
        self.current_batch += 1

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Saves if enough epochs have passed."""
        if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0:
            self._save_checkpoint(estimator, self.trained_batch + self.current_batch)
        self.current_epoch += 1

    def _path(self, name: str) -> str:
        return os.path.join(self.model_dir, name)

    def _log(self, estimator: Any, text: str) -> None:
        if self.verbose > 0:
            where = f"[Epoch {self.current_epoch}] CheckpointHandler"
            estimator.logger.info("%s: %s", where, text)

    def _save_checkpoint(self, estimator: Any, total_batch: int) -> None:
        """Saves under the number of the epoch and that of the batch, as the original counts them.

        Args:
            estimator: The estimator.
            total_batch: Number of the batch if training may have been taken up again.
        """
        epoch, batch = self.current_epoch, self.current_batch
        if self.resume_from_checkpoint:
            epoch, batch = self.trained_epoch + epoch + 1, total_batch
        name = f"{self.model_prefix}-epoch{epoch}batch{batch}"
        self._log(
            estimator,
            f"trained total {self.current_batch + 1} batches, saving model at {self.model_dir} "
            f"with prefix: {name}",
        )
        self._save(estimator, name)
        if name not in self.saved_checkpoints:
            self.saved_checkpoints.append(name)
        while len(self.saved_checkpoints) > self.max_checkpoints:
            self._remove(self.saved_checkpoints.pop(0))
        if self.save_best and self.monitor is not None:
            self._save_if_best(estimator, self.monitor)

    def _save_if_best(self, estimator: Any, monitor: metric.EvalMetric) -> None:
        name, value = monitor.get()
        if np.isnan(value):
            warnings.warn(
                f"CheckpointHandler: {name!r} was not updated, so nothing is saved as the best; "
                "monitor one of the metrics of estimator.train_metrics or estimator.val_metrics",
                RuntimeWarning,
                stacklevel=level_of_program(),
            )
        elif self.monitor_op(value, self.best):
            best = f"{self.model_prefix}-best"
            self._log(
                estimator,
                f"{name} improved from {self.best:.5f} to {value:.5f}, updating best model at "
                f"{self.model_dir} with prefix: {best}",
            )
            self.best = value
            self._save(estimator, best)
        else:
            self._log(estimator, f"{name} did not improve from {self.best:.5f}, best model stays")

    def _save(self, estimator: Any, name: str) -> None:
        with written_together():
            estimator.net.save_parameters(self._path(f"{name}.params"))
            estimator.trainer.save_states(self._path(f"{name}.states"))

    def _remove(self, name: str) -> None:
        for ending in (".params", ".states"):
            path = self._path(name + ending)
            if os.path.exists(path):
                os.remove(path)

    def _save_symbol(self, estimator: Any) -> None:
        """Saves the graph of the network, if it has one."""
        path = self._path(f"{self.model_prefix}-symbol.json")
        graph = estimator.net._cached_graph if isinstance(estimator.net, HybridBlock) else ()
        if graph:
            graph[1].save(path)
        else:
            estimator.logger.info(
                "CheckpointHandler: no graph is saved as %s; hybridize the network for that", path
            )

    def _resume(self, estimator: Any) -> None:
        found = self._find_last()
        unit, number, period = "batches", estimator.max_batch, self.batch_period
        if estimator.max_epoch:
            unit, number, period = "epochs", estimator.max_epoch, self.epoch_period
        if not period:
            raise InvalidArgumentError(
                f"CheckpointHandler: to resume a training by {unit}, expected checkpoints of them, "
                f"got no period in {unit}"
            )
        if found is None:
            text = "CheckpointHandler: No checkpoint found, training from scratch for %d %s"
            estimator.logger.info(text, number, unit)
            return
        self.trained_epoch, self.trained_batch = found
        done = 1 + (self.trained_epoch if unit == "epochs" else self.trained_batch)
        if done >= number:
            raise ArgumentValueError(
                f"CheckpointHandler: the last checkpoint in {self.model_dir} has {done} {unit}, "
                f"and {number} were to be trained; train more, or begin from scratch with "
                "resume_from_checkpoint=False"
            )
        self._load(estimator, f"{self.model_prefix}-epoch{found[0]}batch{found[1]}")
        if unit == "epochs":
            estimator.max_epoch = number - done
        else:
            estimator.max_batch = number - done
        estimator.logger.info(
            "CheckpointHandler: Checkpoint resumed from epoch %d batch %d, "
            "continue to train for %d %s ",
            *found,
            number - done,
            unit,
        )

    def _find_last(self) -> tuple[int, int] | None:
        """Returns the numbers of the checkpoint with the most epochs, and of these batches."""
        pattern = re.compile(rf"{re.escape(self.model_prefix)}-epoch(\d+)batch(\d+)\.params")
        matches = filter(None, map(pattern.fullmatch, os.listdir(self.model_dir)))
        numbers = [(int(match[1]), int(match[2])) for match in matches]
        return max(numbers, default=None)

    def _load(self, estimator: Any, name: str) -> None:
        paths = [self._path(name + ending) for ending in (".params", ".states")]
        for path in paths:
            if not os.path.exists(path):
                raise MissingFileError(f"CheckpointHandler: {path} is missing, cannot resume")
        estimator.net.load_parameters(paths[0], ctx=estimator.context)
        estimator.trainer.load_states(paths[1])
