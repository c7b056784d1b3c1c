"""Training and evaluation of a network in one call."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Generator, Iterable, Sequence
from typing import Any

from mxnet import metric
from mxnet._start import PublicInit, level_of_program, public_methods
from mxnet._state import REQUIRED, as_in_mxnet2
from mxnet.context import Context, cpu, gpu, num_gpus
from mxnet.errors import ArgumentValueError, CheckFailedError
from mxnet.gluon.contrib.estimator import utils
from mxnet.gluon.contrib.estimator.batch_processor import BatchProcessor
from mxnet.gluon.contrib.estimator.event_handler import (
    BatchBegin,
    BatchEnd,
    BatchesHandler,
    EpochBegin,
    EpochEnd,
    EventHandler,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    StoppingHandler,
    TrainBegin,
    TrainEnd,
    ValidationHandler,
)
from mxnet.gluon.data import DataLoader
from mxnet.gluon.loss import Loss
from mxnet.gluon.parameter import DeferredInitializationError
from mxnet.gluon.trainer import Trainer

__all__ = ["Estimator"]


@public_methods()
class Estimator(PublicInit):
    """Trains and evaluates a network.

    Args:
        net: The network.
        loss: The loss, an instance of `gluon.loss.Loss`.
        train_metrics: Metrics of training; accuracy, where it fits, and the loss if not given. The
            word "training" is put before their names.
        val_metrics: Metrics of evaluation, like those of training if not given.
        initializer: Initializes the network if it is not initialized; without one, values are
            uniform.
        trainer: The trainer, one with SGD and a learning rate of 0.001 if not given.
        context: A context or a list of them, among which batches are divided; the first GPU, or
            the CPU where there is none, if not given.
        val_net: Network to evaluate, the same one if not given.
        val_loss: Loss of the evaluation, the same one if not given.
        batch_processor: Trains with a batch and evaluates one, a `BatchProcessor` if not given.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator
        >>> net = gluon.nn.Dense(2)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "adam")
        >>> estimator = Estimator(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer=trainer)
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4))
        >>> estimator.logger.setLevel("WARNING")  # times are not printed
        >>> estimator.evaluate(gluon.data.DataLoader(samples, batch_size=2))
        >>> [metric.name for metric in estimator.val_metrics]
        ['validation accuracy', 'validation softmaxcrossentropyloss']
    """

    logger: logging.Logger = None  # type: ignore[assignment]  # as in the original, until made
    """Logs what handlers say, to the standard output."""

    @as_in_mxnet2(
        {"device": "context"},
        ("context",),
        net=REQUIRED,
        loss=REQUIRED,
        train_metrics=None,
        val_metrics=None,
        initializer=None,
        trainer=None,
        device=None,
        val_net=None,
        val_loss=None,
        batch_processor=None,
    )
    def __init__(
        self,
        net: Any,
        loss: Loss,
        train_metrics: Any = None,
        val_metrics: Any = None,
        initializer: Any = None,
        trainer: Trainer | None = None,
        context: Context | Sequence[Context] | None = None,
        val_net: Any = None,
        val_loss: Loss | None = None,
        batch_processor: Any = None,
    ) -> None:
        self.logger = logging.Logger("Estimator", logging.INFO)
        self.logger.addHandler(logging.StreamHandler(sys.stdout))
        self.net, self.val_net = net, net if val_net is None else val_net
        self.loss = self.val_loss = self._check_loss(loss)
        if val_loss is not None:
            self.val_loss = self._check_loss(val_loss)
        self._train_metrics = utils.check_metrics(train_metrics or [])
        self._val_metrics = utils.check_metrics(val_metrics or [])
        # Programs override these steps, and rely on their order.
        self._add_default_training_metrics()
        self._add_validation_metrics()
        self.context: list[Context] = self._check_context(context)
        self._initialize(initializer)
        self.trainer = self._check_trainer(trainer)
        self.batch_processor: Any = self._check_batch_processor(batch_processor)
        self.max_epoch: int | None = None
        self.max_batch: int | None = None
        self.batch_axis = 0
        self.event_handlers: list[Any] = []
        """The handlers of the present training, in the order in which they are called."""
        self.train_data: DataLoader | None = None
        """The data of the present training."""

    @property
    def device(self) -> list[Context]:
        """The contexts, as MXNet 2 names them."""
        return self.context

    @property
    def train_metrics(self) -> list[metric.EvalMetric]:
        """The metrics of training."""
        return self._train_metrics

    @property
    def val_metrics(self) -> list[metric.EvalMetric]:
        """The metrics of evaluation."""
        return self._val_metrics

    def fit(
        self,
        train_data: DataLoader,
        val_data: DataLoader | None = None,
        epochs: int | None = None,
        event_handlers: Any = None,
        batches: int | None = None,
        batch_axis: int = 0,
    ) -> None:
        """Trains the network, for a number of epochs or of batches.

        Handlers for updates, metrics, validation, logging and the end are added if not given.

        Args:
            train_data: Loader of data and labels.
            val_data: Loader of what the network is evaluated with after each epoch.
            epochs: Number of epochs.
            event_handlers: A handler or a list of them.
            batches: Number of batches.
            batch_axis: Axis of the samples.

        Raises:
            ValueError: if something else than loaders or handlers is given, or not exactly one of
                `epochs` and `batches`.

        Example:
            >>> from mxnet import gluon, nd
            >>> from mxnet.gluon.contrib.estimator import Estimator
            >>> net = gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
            >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
            >>> estimator.logger.disabled = True  # prints no times
            >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
            >>> data = gluon.data.DataLoader(samples, batch_size=2)
            >>> estimator.fit(data, epochs=3)
            >>> trainer.optimizer.num_update
            6
        """
        _check_loader("Estimator.fit: train_data", train_data)
        if bool(epochs) is bool(batches):
            raise ArgumentValueError(
                "Estimator.fit: expected either epochs or batches, above 0, got "
                f"epochs={epochs} and batches={batches}"
            )
        self.max_epoch, self.max_batch, self.batch_axis = epochs, batches, batch_axis
        handlers = self._prepare_default_handlers(val_data, event_handlers)
        self.event_handlers, self.train_data = handlers, train_data
        source = next((item for item in handlers if isinstance(item, BatchesHandler)), None)
        for handler in handlers:
            if getattr(handler, "keeps_log", False):
                handler.listen(self)
        at_begin, *of_epoch, at_end = self._categorize_handlers(handlers)
        for handler in at_begin:
            handler.train_begin(self)
        is_over = source is not None and source.is_done(self)
        while not is_over:
            fit_batch = self.batch_processor.fit_batch
            data = train_data if source is None else source.batches(self, train_data)
            is_over = self._run_epoch(data, batch_axis, of_epoch, fit_batch)
        for handler in at_end:
            handler.train_end(self)

    def evaluate(
        self, val_data: DataLoader, batch_axis: int = 0, event_handlers: Any = None
    ) -> None:
        """Evaluates the network; `val_metrics` have the results.

        Args:
            val_data: Loader of data and labels.
            batch_axis: Axis of the samples.
            event_handlers: A handler or a list of them; those for metrics and logging are added.

        Raises:
            ValueError: if something else than a loader or handlers is given.

        Example:
            >>> from mxnet import gluon, nd
            >>> from mxnet.gluon.contrib.estimator import Estimator
            >>> net = gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
            >>> estimator = Estimator(net, gluon.loss.L2Loss(), trainer=trainer)
            >>> estimator.logger.disabled = True  # prints no times
            >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
            >>> data = gluon.data.DataLoader(samples, batch_size=2)
            >>> estimator.evaluate(data)
            >>> [metric.name for metric in estimator.val_metrics]
            ['validation l2loss']
        """
        _check_loader("Estimator.evaluate: val_data", val_data)
        for item in self.val_metrics:
            item.reset()
        handlers = self._prepare_default_validation_handlers(event_handlers)
        _, *of_epoch, _ = self._categorize_handlers(handlers)
        self._run_epoch(val_data, batch_axis, of_epoch, self.batch_processor.evaluate_batch)

    def _run_epoch(
        self, data: Iterable[Any], batch_axis: int, handlers: Sequence[list[Any]], process: Any
    ) -> bool:
        """Goes through the data once, and returns whether a handler wants to end the training.

        Args:
            data: The data.
            batch_axis: Axis of the samples.
            handlers: Those of the begin of an epoch and of a batch, and of the end of these.
            process: Method of the batch processor.
        """
        begin_epoch, begin_batch, end_batch, end_epoch = handlers
        for handler in begin_epoch:
            handler.epoch_begin(self)
        try:
            for batch in data:
                for handler in begin_batch:
                    handler.batch_begin(self, batch=batch)
                _, label, pred, loss = process(self, batch, batch_axis)
                seen = {"batch": batch, "pred": pred, "label": label, "loss": loss}
                if any([handler.batch_end(self, **seen) for handler in end_batch]):
                    break
        finally:
            if isinstance(data, Generator):  # of a handler, which learns now that this is the end
                data.close()
        return any([handler.epoch_end(self) for handler in end_epoch])

    def _updates_itself(self) -> bool:
        return getattr(self.batch_processor, "updates_weights", False)

    # The methods below have the names of the original: classes derived from it call and replace
    # them.

    def _prepare_default_handlers(
        self, val_data: DataLoader | None, event_handlers: Any
    ) -> list[Any]:
        """Returns handlers of a training in the order in which they are called."""
        handlers = _check_handlers(event_handlers)
        added: list[Any] = [StoppingHandler(self.max_epoch, self.max_batch)]
        if not _has(handlers, GradientUpdateHandler) and not self._updates_itself():
            added.append(GradientUpdateHandler())
        if not _has(handlers, MetricHandler):
            added.append(MetricHandler(self.train_metrics))
        if not _has(handlers, ValidationHandler) and val_data is not None:
            added.append(ValidationHandler(val_data, self.evaluate))
        if not _has(handlers, LoggingHandler):
            added.append(LoggingHandler(metrics=self.train_metrics))
        return _in_order(handlers, added, [*self.train_metrics, *self.val_metrics])

    def _prepare_default_validation_handlers(self, event_handlers: Any) -> list[Any]:
        """Returns handlers of an evaluation in the order in which they are called."""
        handlers = _check_handlers(event_handlers)
        added: list[Any] = []
        if not _has(handlers, MetricHandler):
            added.append(MetricHandler(self.val_metrics))
        if not _has(handlers, LoggingHandler):
            added.append(LoggingHandler(metrics=self.val_metrics))
        return _in_order(handlers, added, self.val_metrics)

    def _categorize_handlers(self, event_handlers: Sequence[Any]) -> tuple[list[Any], ...]:
        """Returns the handlers of each of the six events, in the order in which these happen."""
        kinds = (TrainBegin, EpochBegin, BatchBegin, BatchEnd, EpochEnd, TrainEnd)
        return tuple([item for item in event_handlers if isinstance(item, kind)] for kind in kinds)

    def _add_default_training_metrics(self) -> None:
        if not self._train_metrics:
            self._train_metrics = utils.suggest_metrics(self.loss)
        utils.name_for("training", self._train_metrics)

    def _add_validation_metrics(self) -> None:
        if not self._val_metrics:
            self._val_metrics = utils.copy_metrics(self._train_metrics)
        utils.name_for("validation", self._val_metrics)

    def _get_data_and_label(self, batch: Any, ctx: list[Context], batch_axis: int = 0) -> Any:
        """Returns the data and the labels of a batch in parts, one for each context."""
        return BatchProcessor()._get_data_and_label(batch, ctx, batch_axis)

    def _check_loss(self, loss: Any) -> Loss:
        if not isinstance(loss, Loss):
            raise ArgumentValueError(f"Estimator: loss is a gluon.loss.Loss, got {loss!r}")
        return loss

    def _check_context(self, context: Any) -> list[Context]:
        """Returns a list of contexts, all of which exist."""
        count = num_gpus()
        if not context:
            if count > 1:
                warnings.warn(
                    f"Estimator: of {count} GPUs the first is used; to use all, give the context "
                    "[mx.gpu(i) for i in range(mx.context.num_gpus())]",
                    stacklevel=level_of_program(),
                )
            return [gpu(0) if count else cpu()]
        listed = list(context) if isinstance(context, (list, tuple)) else [context]
        if not all(isinstance(item, Context) for item in listed):
            raise ArgumentValueError(
                "Estimator: context is a context or a list of them, such as mx.cpu(), got "
                f"{context!r}"
            )
        for item in listed:
            if item.device_type == "gpu" and item.device_id >= count:
                raise CheckFailedError(
                    f"Estimator: expected contexts that exist, got {item}; there are {count} GPUs"
                )
        return listed

    def _check_batch_processor(self, batch_processor: Any) -> Any:
        if batch_processor is None:
            return BatchProcessor()
        for name in ("fit_batch", "evaluate_batch"):
            if not callable(getattr(batch_processor, name, None)):
                raise ArgumentValueError(
                    "Estimator: batch_processor has the methods fit_batch and evaluate_batch, "
                    f"got {type(batch_processor).__name__} without {name}"
                )
        return batch_processor

    def _initialize(self, initializer: Any) -> None:
        if not self._is_initialized():
            arguments = {} if initializer is None else {"init": initializer}
            self.net.initialize(**arguments, ctx=self.context)
        elif initializer is not None:
            warnings.warn(
                "Estimator: Network already fully initialized, so initializer is not used; "
                "net.initialize(initializer, force_reinit=True) initializes it again",
                stacklevel=level_of_program(),
            )

    def _is_initialized(self) -> bool:
        """Returns whether all parameters have values, or will have when shapes are known."""
        for parameter in self.net.collect_params().values():
            try:
                parameter.list_ctx()
            except DeferredInitializationError:
                continue
            except RuntimeError:
                return False
        return True

    def _check_trainer(self, trainer: Any) -> Trainer:
        if not trainer:
            warnings.warn(
                "Estimator: No trainer specified; SGD with a learning rate of 0.001 is used",
                stacklevel=level_of_program(),
            )
            return Trainer(self.net.collect_params(), "sgd", {"learning_rate": 0.001})
        if not isinstance(trainer, Trainer):
            raise ArgumentValueError(f"Estimator: trainer is a gluon.Trainer, got {trainer!r}")
        return trainer


def _has(handlers: Sequence[Any], kind: type[EventHandler]) -> bool:
    return any(isinstance(handler, kind) for handler in handlers)


def _in_order(given: list[Any], added: list[Any], known: Sequence[metric.EvalMetric]) -> list[Any]:
    """Returns handlers by their priority; those of a program need the metrics of added ones."""
    if given and added:
        for handler in given:
            utils.check_known(handler, known)
    return sorted([*given, *added], key=_place)


def _place(handler: Any) -> tuple[float, bool]:
    """Returns what handlers are sorted by: those that keep what others log come after them."""
    return getattr(handler, "priority", 0), getattr(handler, "keeps_log", False)


def _check_loader(where: str, data: Any) -> None:
    if not isinstance(data, DataLoader):
        raise ArgumentValueError(
            f"{where}: expected a gluon.data.DataLoader, got {type(data).__name__}; put the arrays "
            "into a gluon.data.ArrayDataset, and this into a loader"
        )


def _check_handlers(handlers: Any) -> list[Any]:
    listed = list(handlers) if isinstance(handlers, (list, tuple)) else [handlers or ()]
    listed = [handler for handler in listed if handler != ()]
    if not all(isinstance(handler, EventHandler) for handler in listed):
        raise ArgumentValueError(
            f"Estimator: event_handlers is a handler or a list of them, got {handlers!r}"
        )
    return listed
