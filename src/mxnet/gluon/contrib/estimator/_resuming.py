"""The handler that takes a training up again where it was, to the bit."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.checkpoint import Checkpoint
from mxnet.gluon.contrib.estimator import _handlers
from mxnet.metric import EvalMetric

_HISTORY = "estimator"
"""Name of what is saved here, in `Checkpoint.extra`."""
_LEFT_OUT = ("stop_training", "train_start", "epoch_start", "batch_start")
"""Attributes of handlers that are of one run: a training that goes on was not ended, and clocks."""


class ResumeHandler(_handlers.BatchesHandler, _handlers.TrainBegin, _handlers.TrainEnd):
    """Saves all that a training depends on, and goes on from there when the program runs again.

    A program that was killed and is started again trains to the same weights, bit by bit, as one
    that was not: `gluon.Checkpoint` saves parameters, the states of the optimizer, random states
    and the position in the data, and this handler the values of metrics and of other handlers, such
    as the patience of `EarlyStoppingHandler`. When the training is complete, `fit` returns at once.

    Args:
        folder: Folder of the checkpoints; all processes of a distributed training use the same.
        every: Number of batches between two checkpoints, None for one after each epoch. There is
            always one at the end.
        keep: How many checkpoints are kept.

    Example:
        >>> import tempfile
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, ResumeHandler
        >>> def train(epochs, folder):
        ...     net = gluon.nn.Dense(1)
        ...     net.initialize()
        ...     trainer = gluon.Trainer(net.collect_params(), "adam")
        ...     estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
        ...     estimator.logger.disabled = True
        ...     samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4))
        ...     loader = gluon.data.DataLoader(samples, batch_size=2)
        ...     handler = ResumeHandler(folder)
        ...     estimator.fit(loader, epochs=epochs, event_handlers=handler)
        ...     return handler.checkpoint.step
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     train(1, folder), train(3, folder)
        (2, 6)
    """

    priority = -float("inf")
    """It is the first of all, so that other handlers see what it has restored."""

    def __init__(
        self, folder: str | os.PathLike[str], every: int | None = None, keep: int = 3
    ) -> None:
        if keep < 1 or (every is not None and every < 1):
            raise ArgumentValueError(
                f"ResumeHandler: keep and every take 1 or more, got keep={keep} and every={every}"
            )
        self.folder, self.every, self.keep = folder, every, keep
        self.checkpoint: Any = None
        """The `gluon.Checkpoint` of the training, once it has begun."""
        self._epochs: Iterator[int] = iter(())
        self._has_begun = False
        self._ended: list[int | None] | None = None
        self._to_restore: dict[str, Any] = {}
        self._at_start: dict[str, Any] = {}
        self._at_break: dict[str, Any] | None = None
        """What had been counted when the present epoch broke off, None if it did not."""

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Restores the latest checkpoint, if there is one.

        Raises:
            ArgumentValueError: if another handler would take up a checkpoint of its own.
        """
        for other in estimator.event_handlers:
            if getattr(other, "resume_from_checkpoint", False):
                raise ArgumentValueError(
                    f"ResumeHandler: {type(other).__name__}(resume_from_checkpoint=True) would "
                    "restore other weights; leave that argument out"
                )
        self.checkpoint = Checkpoint(self.folder, estimator.net, estimator.trainer, keep=self.keep)
        step = self.checkpoint.restore_latest()
        history = self.checkpoint.extra.get(_HISTORY)
        history = history if isinstance(history, dict) else {}
        self._to_restore = history.get("values") or {}
        self._ended = history.get("ended")
        self._has_begun, self._at_start, self._at_break = False, {}, None
        self._epochs = self.checkpoint.epochs(1 << 40)
        if step is not None:
            text = "ResumeHandler: goes on after %d batches, in epoch %d"
            estimator.logger.info(text, step, self.checkpoint.epoch)

    def is_done(self, estimator: Any) -> bool:
        """Returns whether the training that was restored has all of its epochs or batches."""
        wanted = [estimator.max_epoch, estimator.max_batch]
        if self._ended == wanted:  # it may have ended early
            return True
        if estimator.max_epoch:
            return bool(self.checkpoint.epoch >= estimator.max_epoch)
        return bool(self.checkpoint.step >= estimator.max_batch)

    def batches(self, estimator: Any, data: Iterable[Any]) -> Generator[Any, None, None]:
        """Yields the batches of an epoch that are still to be done, and saves when it is time."""
        self._has_begun = True
        next(self._epochs)
        if not self._at_start:
            self._at_start = _plain_values(estimator)
            _put_back(estimator, self._to_restore)
        elif self.every is None:
            self._save(self._changes(estimator))
        self._at_break = None
        for batch in self.checkpoint.batches(data):
            try:
                yield batch
            except GeneratorExit:  # a handler has ended the epoch, or the step has failed
                self.checkpoint.wait()
                self.checkpoint.advance()
                self._at_break = self._changes(estimator)
                raise
            self.checkpoint.advance()
            if self.every is not None and self.checkpoint.step % self.every == 0:
                self._save(self._changes(estimator))

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Saves the end, and waits until all is on the disk."""
        if self._has_begun:  # else nothing was left to be done
            values = self._at_break
            if values is None or estimator.max_epoch:
                next(self._epochs)
                values = self._changes(estimator)
            self._save(values, [estimator.max_epoch, estimator.max_batch])
        self.checkpoint.wait()

    def _save(self, values: dict[str, Any], ended: list[int | None] | None = None) -> None:
        self.checkpoint.extra[_HISTORY] = {"values": values, "ended": ended}
        self.checkpoint.save_async()

    def _changes(self, estimator: Any) -> dict[str, Any]:
        """Returns what metrics and handlers have counted since the training began."""
        found = {}
        for owner, values in _plain_values(estimator).items():
            before = self._at_start.get(owner, {})
            changed = {
                name: value
                for name, value in values.items()
                if name in before and before[name] != value
            }
            if changed:
                found[owner] = changed
        return found


def _owners(estimator: Any) -> dict[str, Any]:
    """Returns the metrics and handlers of a training by names that a restart gives again."""
    found: dict[str, Any] = {}
    metrics = [*estimator.train_metrics, *estimator.val_metrics]
    for item in [*metrics, *estimator.event_handlers]:
        name = type(item).__name__
        count = sum(key.split()[0] == name for key in found)
        found[f"{name} {count}"] = item
    return found


def _plain_values(estimator: Any) -> dict[str, dict[str, Any]]:
    """Returns the attributes of metrics and handlers that JSON can express.

    Private ones of handlers are left out: clocks, and what is made again with the handler.
    """
    for item in [*estimator.train_metrics, *estimator.val_metrics]:
        item.get()  # adds what waits on the device
    return {
        owner: {
            name: _copy(value)
            for name, value in vars(item).items()
            if _is_of_training(item, name) and _is_plain(value)
        }
        for owner, item in _owners(estimator).items()
        if not isinstance(item, ResumeHandler)
    }


def _is_of_training(item: Any, name: str) -> bool:
    """Returns whether an attribute of a metric or handler counts what a training has done."""
    is_private = name.startswith("_") and not isinstance(item, EvalMetric)
    return not is_private and name not in _LEFT_OUT


def _put_back(estimator: Any, values: dict[str, Any]) -> None:
    """Sets attributes that were saved, where they are there and plain now, too."""
    owners = _owners(estimator)
    for owner, saved in values.items():
        item = owners.get(owner)
        if item is None or not isinstance(saved, dict):
            continue
        for name, value in saved.items():
            present = vars(item).get(name, vars)  # a function is not plain
            if _is_of_training(item, name) and _is_plain(present) and _is_plain(value):
                setattr(item, name, value)


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(isinstance(name, str) and _is_plain(item) for name, item in value.items())
    return value is None or isinstance(value, (bool, int, float, str))


def _copy(value: Any) -> Any:
    """Returns a copy of a plain value."""
    if isinstance(value, list):
        return [*map(_copy, value)]
    if isinstance(value, dict):
        return {name: _copy(item) for name, item in value.items()}
    return value
