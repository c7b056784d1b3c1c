"""What an estimator does with a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from mxnet import autograd
from mxnet._start import public_methods
from mxnet.contrib import amp
from mxnet.gluon.train_step import TrainStep
from mxnet.gluon.utils import split_and_load
from mxnet.ndarray import NDArray

Parts: TypeAlias = list[NDArray]
"""An array for each context."""


class BatchProcessor:
    """Trains with a batch and evaluates one; a subclass may do it in another way.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import BatchProcessor, Estimator
        >>> class Noisy(BatchProcessor):
        ...     def fit_batch(self, estimator, train_batch, batch_axis=0):
        ...         data, label = train_batch
        ...         noisy = data + nd.random.normal(scale=0.01, shape=data.shape)
        ...         return super().fit_batch(estimator, (noisy, label), batch_axis)
        >>> net = gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> loss = gluon.loss.L2Loss()
        >>> estimator = Estimator(net, loss, trainer=trainer, batch_processor=Noisy())
        >>> estimator.logger.disabled = True  # prints no times
        >>> samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2)))
        >>> data = gluon.data.DataLoader(samples, batch_size=2)
        >>> estimator.fit(data, epochs=1)
        >>> trainer.optimizer.num_update
        2
    """

    def _get_data_and_label(
        self, batch: Sequence[Any], ctx: Sequence[Any], batch_axis: int = 0
    ) -> tuple[Parts, Parts]:
        """Returns the data and the labels of a batch in parts, one for each context."""
        data = split_and_load(batch[0], ctx_list=list(ctx), batch_axis=batch_axis)
        label = split_and_load(batch[1], ctx_list=list(ctx), batch_axis=batch_axis)
        return data, label

    def evaluate_batch(
        self, estimator: Any, val_batch: Sequence[Any], batch_axis: int = 0
    ) -> tuple[Parts, Parts, Parts, Parts]:
        """Predicts a batch.

        Args:
            estimator: The estimator.
            val_batch: Data and labels.
            batch_axis: Axis of the samples, along which a batch is divided among contexts.

        Returns:
            Data, labels, predictions and losses, each with an array for each context.
        """
        data, label = self._get_data_and_label(val_batch, estimator.context, batch_axis)
        pred = [estimator.val_net(part) for part in data]
        loss = [estimator.val_loss(one, other) for one, other in zip(pred, label, strict=True)]
        return data, label, pred, loss

    def fit_batch(
        self, estimator: Any, train_batch: Sequence[Any], batch_axis: int = 0
    ) -> tuple[Parts, Parts, Parts, Parts]:
        """Computes the gradients of a batch; `GradientUpdateHandler` updates the weights.

        Args:
            estimator: The estimator.
            train_batch: Data and labels.
            batch_axis: Axis of the samples, along which a batch is divided among contexts.

        Returns:
            Data, labels, predictions and losses, each with an array for each context.
        """
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(part) for part in data]
            loss = [estimator.loss(one, other) for one, other in zip(pred, label, strict=True)]
        autograd.backward(loss)
        return data, label, pred, loss


@public_methods("__init__")
class MixedPrecisionProcessor(BatchProcessor):
    """Trains in mixed precision, by a loss scale that adapts itself.

    It turns `mx.contrib.amp` on, for the rest of the process, so it is to be made before the
    network.

    Args:
        target_dtype: The low precision, `"bfloat16"` or `"float16"`.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, MixedPrecisionProcessor
        >>> def train():  # called once, in a process that has no networks yet
        ...     processor = MixedPrecisionProcessor("bfloat16")
        ...     net = gluon.nn.Dense(1)
        ...     net.initialize()
        ...     trainer = gluon.Trainer(net.collect_params(), "sgd")
        ...     loss = gluon.loss.L2Loss()
        ...     estimator = Estimator(net, loss, trainer=trainer, batch_processor=processor)
        ...     samples = gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4))
        ...     estimator.fit(gluon.data.DataLoader(samples, batch_size=2), epochs=1)
    """

    def __init__(self, target_dtype: str = "bfloat16") -> None:
        amp.init(target_dtype)

    def fit_batch(
        self, estimator: Any, train_batch: Sequence[Any], batch_axis: int = 0
    ) -> tuple[Parts, Parts, Parts, Parts]:
        """Computes the gradients of a batch, of the loss times the loss scale."""
        if estimator.trainer._amp_loss_scaler is None:
            amp.init_trainer(estimator.trainer)
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(part) for part in data]
            loss = [estimator.loss(one, other) for one, other in zip(pred, label, strict=True)]
            with amp.scale_loss(loss, estimator.trainer) as scaled:
                autograd.backward(scaled)
        return data, label, pred, loss


class TrainStepProcessor(BatchProcessor):
    """Trains by `gluon.TrainStep`: passes and update in one call, captured as a whole on a GPU.

    Args:
        num_workers: Number of processes whose gradients a distributed store adds up.
        **options: Other arguments of `TrainStep`, such as `clip_global_norm` or `backend`.

    Example:
        >>> from mxnet import gluon, nd
        >>> from mxnet.gluon.contrib.estimator import Estimator, TrainStepProcessor
        >>> net = gluon.nn.Dense(1)
        >>> net.initialize()
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd")
        >>> loss, processor = gluon.loss.L2Loss(), TrainStepProcessor()
        >>> estimator = Estimator(net, loss, trainer=trainer, batch_processor=processor)
        >>> estimator.logger.disabled = True  # prints no times
        >>> loader = gluon.data.DataLoader(gluon.data.ArrayDataset(nd.ones((4, 3)), nd.zeros(4)), 2)
        >>> estimator.fit(loader, epochs=3)
        >>> trainer.optimizer.num_update
        6
    """

    updates_weights = True
    """The estimator adds no `GradientUpdateHandler`."""

    def __init__(self, num_workers: int = 1, **options: Any) -> None:
        self.num_workers, self.options = num_workers, options
        self._step: TrainStep | None = None
        self._made_for: tuple[Any, ...] = ()

    def fit_batch(
        self, estimator: Any, train_batch: Sequence[Any], batch_axis: int = 0
    ) -> tuple[Parts, Parts, Parts, Parts]:
        """Makes a step of training with a batch."""
        parts = (estimator.net, estimator.loss, estimator.trainer, batch_axis)
        if self._step is None or self._made_for != parts:
            self._step = TrainStep(
                *parts[:3], batch_axis=batch_axis, return_outputs=True, **self.options
            )
            self._made_for = parts
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        size = train_batch[0].shape[batch_axis] * self.num_workers
        loss, pred = self._step(train_batch[0], train_batch[1], size)
        if len(estimator.context) == 1:
            loss, pred = [loss], [pred]
        return data, label, pred, loss
