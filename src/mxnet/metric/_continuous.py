"""Metrics of numbers and of probabilities: errors, correlation, cross entropy and perplexity."""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch
from torch import Tensor

from mxnet._start import docstrings, public_call
from mxnet.errors import ArgumentTypeError, IndexOutOfBoundsError, ShapeMismatchError
from mxnet.metric._base import (
    Arrays,
    EvalMetric,
    Names,
    alias,
    as_float,
    check_label_shapes,
    pair,
    register,
)


class _Difference(EvalMetric):
    """What the error metrics share: a mean for each batch, averaged over batches."""

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of numbers; vectors count as columns."""
        for label, pred in pair(labels, preds):
            expected, output = _column(label), _column(pred)
            try:
                difference = as_float(expected) - as_float(output)
            except RuntimeError as error:
                raise ShapeMismatchError(
                    f"{self.name}: labels of shape {tuple(expected.shape)} do not fit "
                    f"outputs of shape {tuple(output.shape)}"
                ) from error
            self._mx_add(self._mean(difference), 1)

    def _mean(self, difference: Tensor) -> Tensor:
        raise NotImplementedError


def _column(tensor: Tensor) -> Tensor:
    return tensor[:, None] if tensor.ndim == 1 else tensor


@register
class MAE(_Difference):
    """Mean absolute error.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.MAE()
        >>> label = mx.nd.array([1, 2, 3])
        >>> output = mx.nd.array([1, 4, 4])
        >>> metric.update([label], [output])
        >>> metric.get()
        ('mae', 1.0)
    """

    def __init__(
        self, name: str = "mae", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _mean(self, difference: Tensor) -> Tensor:
        return difference.abs().mean()


@register
class MSE(_Difference):
    """Mean squared error.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.MSE()
        >>> label = mx.nd.array([1, 2, 3, 4])
        >>> output = mx.nd.array([1, 4, 4, 5])
        >>> metric.update([label], [output])
        >>> metric.get()
        ('mse', 1.5)
    """

    def __init__(
        self, name: str = "mse", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _mean(self, difference: Tensor) -> Tensor:
        return difference.square().mean()


@register
class RMSE(_Difference):
    """Root of the mean squared error; the roots of batches are averaged.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.RMSE()
        >>> label = mx.nd.array([1, 2, 3, 4])
        >>> output = mx.nd.array([3, 4, 5, 6])
        >>> metric.update([label], [output])
        >>> metric.get()
        ('rmse', 2.0)
    """

    def __init__(
        self, name: str = "rmse", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _mean(self, difference: Tensor) -> Tensor:
        return difference.square().mean().sqrt()


class _Moments:
    """Number, means and sums of squared deviations of pairs, to which batches can be added."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = numpy.zeros(2)
        self.spread = numpy.zeros((2, 2))

    def add(self, label: Tensor, pred: Tensor) -> None:
        """Adds a batch, without the loss of digits that sums of squares would bring."""
        pairs = numpy.stack([label.cpu().double().numpy(), pred.cpu().double().numpy()])
        count, mean = pairs.shape[1], pairs.mean(axis=1)
        centered = pairs - mean[:, None]
        shift = mean - self.mean
        total = self.count + count
        share = self.count * count / total
        self.spread += centered @ centered.T + numpy.outer(shift, shift) * share
        self.mean += shift * (count / total)
        self.count = total

    def correlation(self) -> float:
        """Returns Pearson's coefficient, nan where one side does not vary."""
        scale = math.sqrt(self.spread[0, 0]) * math.sqrt(self.spread[1, 1])
        return float(self.spread[0, 1] / scale) if scale else math.nan


@register
@alias("pearsonr")
class PearsonCorrelation(EvalMetric):
    """Pearson's correlation coefficient of labels and outputs.

    Args:
        average: `"macro"` averages the coefficients of batches, `"micro"` takes all pairs together.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.PearsonCorrelation()
        >>> label, output = mx.nd.array([1, 2, 3]), mx.nd.array([2, 4, 7])
        >>> metric.update([label], [output])
        >>> name, value = metric.get()
        >>> name, round(float(value), 4)
        ('pearsonr', 0.9934)
    """

    def __init__(
        self,
        name: str = "pearsonr",
        output_names: Names = None,
        label_names: Names = None,
        average: str = "macro",
    ) -> None:
        self.average = average
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of labels and outputs of the same shape; see `EvalMetric.update`."""
        for label, pred in pair(labels, preds):
            check_label_shapes(label, pred, shape=True)
            expected, output = label.reshape(-1), pred.reshape(-1)
            batch = _Moments()
            for moments in (batch,) if self.average == "macro" else (self._local, self._overall):
                moments.add(expected, output)
            self._mx_count(batch.correlation() if self.average == "macro" else 0.0, 1)

    def reset(self) -> None:
        """Forgets all batches."""
        super().reset()
        self.reset_micro()

    def reset_local(self) -> None:
        """Starts the local totals anew; the global ones go on."""
        super().reset_local()
        self._local = _Moments()

    def reset_micro(self) -> None:
        """Forgets the pairs that `"micro"` takes together."""
        self._local, self._overall = _Moments(), _Moments()

    def update_variance(
        self, new_values: numpy.ndarray, *aggregate: float
    ) -> tuple[float, float, float]:
        """Joins a batch of values to what is known of those before.

        Args:
            new_values: The values, one axis.
            *aggregate: Number, mean and sum of squared deviations of the values before.

        Returns:
            The three of all values.
        """
        count, mean, spread = aggregate
        added, shift = len(new_values), numpy.mean(new_values) - mean
        total = count + added
        spread += numpy.sum((new_values - numpy.mean(new_values)) ** 2)
        return total, mean + shift * added / total, spread + shift**2 * count * added / total

    def update_cov(self, label: numpy.ndarray, pred: numpy.ndarray) -> None:
        """Adds the products of deviations from the present means to the local covariance.

        Args:
            label: Labels, one axis.
            pred: Outputs, one axis.
        """
        label_mean, pred_mean = self._local.mean
        product = numpy.sum((label - label_mean) * (pred - pred_mean))
        self._local.spread[0, 1] += product
        self._local.spread[1, 0] += product

    def get(self) -> tuple[Any, Any]:
        """Returns the name and the coefficient since `reset_local`, nan before any batch."""
        if self.average == "macro":
            return super().get()
        return self.name, self._local.correlation()

    def get_global(self) -> tuple[Any, Any]:
        """Returns the name and the coefficient since `reset`, nan before any batch."""
        if self.average == "macro":
            return super().get_global()
        return self.name, self._overall.correlation()


_LEAST_CHANCE = 1e-10
"""Smaller probabilities count as this one in `Perplexity`."""


class _LogLikelihood(EvalMetric):
    """What `CrossEntropy` and `NegativeLogLikelihood` share: they are two names of one thing."""

    def __init__(self, eps: float, name: str, output_names: Names, label_names: Names) -> None:
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of probabilities `(batch, classes)`."""
        for expected, chances in pair(labels, preds):
            expected = expected.reshape(-1)
            if len(expected) != len(chances):
                raise ArgumentTypeError(
                    f"{self.name}: takes as many labels as rows of probabilities, "
                    f"got {len(expected)} and {len(chances)}"
                )
            chance = _take_class(self.name, chances, expected)
            self._mx_add(-(chance + self.eps).log().sum(), len(expected))


def _take_class(name: str, chances: Tensor, expected: Tensor) -> Tensor:
    """Returns the probability of the labelled class in every row; negative classes count back."""
    classes = chances.shape[1]
    index = expected.to(torch.int64)
    # Asked here because an index that torch finds out of bounds on a GPU ends the whole process.
    low, high = torch.stack(torch.aminmax(index)).tolist() if len(index) else (0, 0)
    if low < -classes or high >= classes:
        raise IndexOutOfBoundsError(f"{name}: labels lie outside of the {classes} classes")
    if low < 0:
        index = index.remainder(classes)
    return as_float(chances.gather(1, index[:, None]))


@register
@alias("ce")
class CrossEntropy(_LogLikelihood):
    """Mean of `-log(probability of the labelled class)` over samples.

    Args:
        eps: Added to probabilities, because the logarithm of 0 is not finite.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.CrossEntropy()
        >>> label, output = mx.nd.array([0, 1]), mx.nd.array([[0.5, 0.5], [0.5, 0.5]])
        >>> metric.update([label], [output])
        >>> name, value = metric.get()
        >>> name, round(float(value), 4)
        ('cross-entropy', 0.6931)
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "cross-entropy",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
@alias("nll_loss")
class NegativeLogLikelihood(_LogLikelihood):
    """Mean of `-log(probability of the labelled class)` over samples.

    Args:
        eps: Added to probabilities, because the logarithm of 0 is not finite.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.NegativeLogLikelihood()
        >>> label, output = mx.nd.array([0, 1]), mx.nd.array([[0.5, 0.5], [0.5, 0.5]])
        >>> metric.update([label], [output])
        >>> name, value = metric.get()
        >>> name, round(float(value), 4)
        ('nll-loss', 0.6931)
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "nll-loss",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
class Perplexity(EvalMetric):
    """Exponential of the mean of `-log(probability of the labelled class)`.

    Args:
        ignore_label: Label of samples that do not count, such as padding; None counts all.
        axis: Axis of the classes.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.Perplexity(ignore_label=-1)
        >>> label, output = mx.nd.array([0, 1, -1]), mx.nd.array([[0.5, 0.5], [0.5, 0.5], [1, 0]])
        >>> metric.update([label], [output])
        >>> name, value = metric.get()
        >>> name, round(float(value), 4)
        ('perplexity', 2.0)
    """

    def __init__(
        self,
        ignore_label: float | None,
        axis: int = -1,
        name: str = "perplexity",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(
            name, output_names, label_names, ignore_label=ignore_label, has_global_stats=True
        )
        self.ignore_label = ignore_label
        self.axis = axis

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of probabilities of them along the axis."""
        for expected, chances in pair(labels, preds):
            self._mx_add(*self._likelihood(expected, chances))

    def _likelihood(self, expected: Tensor, chances: Tensor) -> tuple[Tensor, float | Tensor]:
        """Returns the sum of `-log(probability)` and the number of samples that count."""
        rows = chances.movedim(self.axis, -1)
        rows, expected = rows.reshape(-1, rows.shape[-1]), expected.reshape(-1)
        if len(expected) != len(rows):
            raise ArgumentTypeError(
                f"{self.name}: outputs of shape {tuple(chances.shape)} take {len(rows)} labels, "
                f"got {len(expected)}"
            )
        index = expected.to(torch.int64).clamp(0, rows.shape[1] - 1)
        logs = as_float(rows.gather(1, index[:, None])[:, 0]).clamp_min(_LEAST_CHANCE).log()
        if self.ignore_label is None:
            return -logs.sum(), len(expected)
        counted = expected != self.ignore_label
        return -(logs * counted).sum(), counted.sum()

    def _mx_value(self, total: Any, count: Any) -> float:
        return math.exp(total / count) if count else math.nan


docstrings.inherit(globals())
