"""Metrics of numbers and of probabilities, which count samples where `mx.metric` counts batches."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mxnet import metric as classic
from mxnet._start import docstrings, public_call
from mxnet.errors import CheckFailedError, ShapeMismatchError
from mxnet.gluon.metric._base import EvalMetric, alias, register
from mxnet.metric._base import Arrays, Names, as_float, pair


class _OfSamples(EvalMetric):
    """What metrics share that have a number for each sample, which are averaged."""

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch; see `EvalMetric.update`."""
        for label, pred in pair(labels, preds):
            try:
                numbers = self._measure(as_float(label), as_float(pred))
            except (RuntimeError, IndexError) as error:
                raise ShapeMismatchError(
                    f"{self.name}: labels of shape {tuple(label.shape)} do not fit "
                    f"outputs of shape {tuple(pred.shape)}"
                ) from error
            self._mx_add(numbers.sum(), self._count(label))

    def _measure(self, label: Tensor, pred: Tensor) -> Tensor:
        """Returns a number for each sample."""
        raise NotImplementedError

    def _count(self, label: Tensor) -> int:
        return len(label)


@register
class MAE(_OfSamples):
    """Mean absolute error.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.MAE()
        >>> metric.update(mx.np.array([1, 2, 3]), mx.np.array([1, 4, 4]))
        >>> metric.get()
        ('mae', 1.0)
    """

    def __init__(
        self, name: str = "mae", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)

    def _measure(self, label: Tensor, pred: Tensor) -> Tensor:
        return (label - pred).abs().reshape(len(label), -1).mean(dim=-1)


@register
class MSE(_OfSamples):
    """Mean squared error.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.MSE()
        >>> metric.update(mx.np.array([1, 2, 3, 4]), mx.np.array([1, 4, 4, 5]))
        >>> metric.get()
        ('mse', 1.5)
    """

    def __init__(
        self, name: str = "mse", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)

    def _measure(self, label: Tensor, pred: Tensor) -> Tensor:
        return (label - pred).square().reshape(len(label), -1).mean(dim=-1)


@register
class RMSE(MSE):
    """Root of the mean squared error of all samples.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.RMSE()
        >>> metric.update(mx.np.array([1, 2]), mx.np.array([3, 4]))
        >>> metric.get()
        ('rmse', 2.0)
    """

    def __init__(
        self, name: str = "rmse", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)

    def _mx_value(self, total: Any, count: Any) -> float:
        return math.sqrt(super()._mx_value(total, count))


@register
class MeanPairwiseDistance(_OfSamples):
    """Mean distance of outputs and labels, each a vector.

    Args:
        p: Which norm of the difference is the distance.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.MeanPairwiseDistance()
        >>> metric.update(mx.np.array([[1, 2], [5, 6]]), mx.np.array([[1, 5], [9, 9]]))
        >>> metric.get()
        ('mpd', 4.0)
    """

    def __init__(
        self, name: str = "mpd", output_names: Names = None, label_names: Names = None, p: float = 2
    ) -> None:
        super().__init__(name, output_names, label_names)
        self.p = p

    def _measure(self, label: Tensor, pred: Tensor) -> Tensor:
        difference = label.reshape(len(label), -1) - pred.reshape(len(pred), -1)
        return difference.pow(self.p).sum(dim=-1).pow(1 / self.p)


@register
class MeanCosineSimilarity(_OfSamples):
    """Mean cosine of the angles between outputs and labels, vectors along the last axis.

    Args:
        eps: Least product of lengths that is divided by.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.MeanCosineSimilarity()
        >>> metric.update(mx.np.array([[3, 4], [2, 2]]), mx.np.array([[1, 0], [1, 1]]))
        >>> name, value = metric.get()
        >>> name, round(value, 4)
        ('cos_sim', 0.8)
    """

    def __init__(
        self,
        name: str = "cos_sim",
        output_names: Names = None,
        label_names: Names = None,
        eps: float = 1e-8,
    ) -> None:
        super().__init__(name, output_names, label_names)
        self.eps = eps

    def _measure(self, label: Tensor, pred: Tensor) -> Tensor:
        lengths = torch.linalg.vector_norm(label, dim=-1) * torch.linalg.vector_norm(pred, dim=-1)
        cosines: Tensor = (label * pred).sum(dim=-1) / lengths.clamp_min(self.eps)
        return cosines

    def _count(self, label: Tensor) -> int:
        return label[..., 0].numel()


@register
@alias("ce")
class CrossEntropy(EvalMetric):
    """Mean of `-log(probability of the labelled class)` over samples.

    Args:
        eps: Smaller probabilities count as this one.
        ignore_label: Label of samples that do not count, such as padding; None counts all.
        axis: Axis of the classes.
        from_logits: Whether outputs are scores, whose softmax has the probabilities.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.CrossEntropy()
        >>> metric.update(mx.np.array([0, 1]), mx.np.array([[0.5, 0.5], [0.5, 0.5]]))
        >>> name, value = metric.get()
        >>> name, round(value, 4)
        ('cross-entropy', 0.6931)
    """

    def __init__(
        self,
        eps: float = 1e-12,
        ignore_label: float | None = None,
        axis: int = -1,
        from_logits: bool = False,
        name: str = "cross-entropy",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(name, output_names, label_names)
        self.ignore_label = ignore_label
        self.axis = axis
        self.from_logits = from_logits
        self.eps = eps

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of probabilities or scores; see `EvalMetric.update`."""
        for label, pred in pair(labels, preds):
            expected, rows = label.reshape(-1), pred.movedim(self.axis, -1)
            rows = rows.reshape(-1, rows.shape[-1])
            if len(expected) != len(rows):
                raise CheckFailedError(
                    f"{self.name}: outputs of shape {tuple(pred.shape)} take {len(rows)} labels, "
                    f"got {len(expected)}"
                )
            self._mx_add(*self._likelihood(expected, as_float(rows)))

    def _likelihood(self, expected: Tensor, rows: Tensor) -> tuple[Tensor, float | Tensor]:
        """Returns the sum of `-log(probability)` and the number of samples that count."""
        chances = rows.softmax(dim=-1) if self.from_logits else rows
        index = expected.to(torch.int64).clamp(0, rows.shape[1] - 1)
        logs = chances.gather(1, index[:, None])[:, 0].clamp_min(self.eps).log()
        if self.ignore_label is None:
            return -logs.sum(), len(expected)
        counted = expected != self.ignore_label
        return -(logs * counted).sum(), counted.sum()


@register
class Perplexity(CrossEntropy):
    """Exponential of the mean of `-log(probability of the labelled class)`.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.Perplexity(ignore_label=-1)
        >>> metric.update(mx.np.array([0, -1]), mx.np.array([[0.5, 0.5], [1, 0]]))
        >>> name, value = metric.get()
        >>> name, round(value, 4)
        ('perplexity', 2.0)
    """

    def __init__(
        self,
        eps: float = 1e-12,
        ignore_label: float | None = None,
        axis: int = -1,
        from_logits: bool = False,
        name: str = "perplexity",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(eps, ignore_label, axis, from_logits, name, output_names, label_names)

    def _mx_value(self, total: Any, count: Any) -> float:
        return math.exp(super()._mx_value(total, count))


@register
@alias("pearsonr")
class PearsonCorrelation(EvalMetric, classic.PearsonCorrelation):
    """Pearson's correlation coefficient of all labels and outputs together.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.PearsonCorrelation()
        >>> metric.update(mx.np.array([1, 2, 3]), mx.np.array([2, 4, 7]))
        >>> name, value = metric.get()
        >>> name, round(value, 4)
        ('pearsonr', 0.9934)
    """

    def __init__(
        self, name: str = "pearsonr", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names, average="micro")


@register
class Loss(EvalMetric, classic.Loss):
    """Mean of all elements of the outputs, for outputs that are losses.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.Loss()
        >>> metric.update(None, [mx.np.array([1, 2, 6])])
        >>> metric.get()
        ('loss', 3.0)
    """


@register
class Torch(Loss):
    """`Loss` under the name of a framework whose criteria once could be used as layers.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.Torch()
        >>> metric.update(None, [mx.np.array([1, 2, 6])])
        >>> metric.get()
        ('torch', 3.0)
    """

    def __init__(
        self, name: str = "torch", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)


docstrings.inherit(globals())
