"""Metrics that compare classes: accuracy, F1, and correlation coefficients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy
import torch
from torch import Tensor

from mxnet._tracebacks import public_call
from mxnet.errors import ArgumentTypeError, MXNetError, ShapeMismatchError
from mxnet.metric._base import (
    Arrays,
    EvalMetric,
    alias,
    check_label_shapes,
    pair,
    register,
)

Matrix: TypeAlias = "numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float64]]"


def _argmax(pred: Tensor, axis: int) -> Tensor:
    """Returns the class with the largest output."""
    try:
        return pred.argmax(dim=axis)
    except IndexError as error:
        raise MXNetError(
            f"metric: outputs of shape {tuple(pred.shape)} have no axis {axis}"
        ) from error


def _flat_classes(label: Tensor, pred: Tensor) -> tuple[Tensor, Tensor]:
    """Returns two vectors of classes; what follows the decimal point is dropped."""
    classes, expected = pred.reshape(-1), label.reshape(-1)
    check_label_shapes(expected, classes)
    return expected.to(torch.int32), classes.to(torch.int32)


@register
@alias("acc")
class Accuracy(EvalMetric):
    """Share of samples whose largest output is that of the labelled class.

    Args:
        axis: Axis of the classes, for outputs that are scores.
        name: Name of the metric.
        output_names: Names of the outputs that `update_dict` uses.
        label_names: Names of the labels that `update_dict` uses.

    Example:
        >>> import mxnet as mx
        >>> accuracy = mx.metric.Accuracy()
        >>> accuracy.update(mx.nd.array([0, 1]), mx.nd.array([[0.3, 0.7], [0.1, 0.9]]))
        >>> accuracy.get()
        ('accuracy', 0.5)
    """

    def __init__(
        self,
        axis: int = 1,
        name: str = "accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of scores or predicted classes; see `EvalMetric.update`."""
        for expected, output in pair(labels, preds):
            if output.shape != expected.shape:
                output = _argmax(output, self.axis)
            expected, classes = _flat_classes(expected, output)
            self._mx_add((expected == classes).sum(), classes.numel())


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric):
    """Share of samples whose labelled class is among the `top_k` largest outputs.

    Args:
        top_k: How many outputs count, at least 2.
        name: Name of the metric, to which `top_k` is appended.
        output_names: Names of the outputs that `update_dict` uses.
        label_names: Names of the labels that `update_dict` uses.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.TopKAccuracy(top_k=2)
        >>> label, output = mx.nd.array([2, 0]), mx.nd.array([[0.1, 0.6, 0.3], [0.1, 0.6, 0.3]])
        >>> metric.update([label], [output])
        >>> metric.get()
        ('top_k_accuracy_2', 0.5)
    """

    def __init__(
        self,
        top_k: int = 1,
        name: str = "top_k_accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, top_k=top_k, has_global_stats=True)
        if top_k <= 1:
            raise ArgumentTypeError(
                f"TopKAccuracy: top_k takes 2 or more, got {top_k}; for 1 use Accuracy"
            )
        self.top_k = top_k
        self.name = f"{self.name}_{top_k}"

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of scores `(batch, classes)`; see `EvalMetric.update`."""
        for expected, scores in pair(labels, preds):
            if scores.ndim > 2:
                raise ArgumentTypeError(
                    f"{self.name}: outputs have at most 2 axes, got shape {tuple(scores.shape)}"
                )
            if scores.ndim < 2:
                expected, ranked = _flat_classes(expected, scores.argsort())
                self._mx_add((expected == ranked).sum(), ranked.numel())
                continue
            self._mx_add(self._count_hits(expected.reshape(-1), scores), scores.shape[0])

    def _count_hits(self, expected: Tensor, scores: Tensor) -> Tensor:
        samples, classes = scores.shape
        if self.top_k > classes or len(expected) != samples:
            raise ShapeMismatchError(
                f"{self.name}: takes {samples} labels and at least {self.top_k} classes, "
                f"got {len(expected)} labels and {classes} classes"
            )
        best = scores.float().topk(self.top_k, dim=1).indices
        return (best == expected.to(torch.int32)[:, None]).sum()


@dataclass
class _Outcomes:
    """How often a class was predicted and how often rightly."""

    true_positives: float = 0
    false_positives: float = 0
    false_negatives: float = 0
    true_negatives: float = 0

    def add(self, counts: Sequence[float]) -> None:
        hits, alarms, misses, rejections = counts
        self.true_positives += hits
        self.false_positives += alarms
        self.false_negatives += misses
        self.true_negatives += rejections

    @property
    def total(self) -> float:
        return (
            self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
        )

    @property
    def f1(self) -> float:
        hits = self.true_positives
        if not hits:
            return 0.0
        precision = hits / (hits + self.false_positives)
        recall = hits / (hits + self.false_negatives)
        return 2 * precision * recall / (precision + recall)

    @property
    def matthews(self) -> float:
        if not self.total:
            return 0.0
        hits, rejections = self.true_positives, self.true_negatives
        alarms, misses = self.false_positives, self.false_negatives
        margins = (hits + alarms, hits + misses, rejections + alarms, rejections + misses)
        # An empty row or column leaves no correlation to speak of: its factor counts as 1.
        scale = math.prod(margin or 1.0 for margin in margins)
        return (hits * rejections - alarms * misses) / math.sqrt(scale)


def _count_outcomes(name: str, label: Tensor, pred: Tensor) -> list[float]:
    """Counts hits, false alarms, misses and right rejections of class 1, in one transfer."""
    check_label_shapes(label, pred)
    expected, classes = _flat_classes(label, _argmax(pred, 1))
    if not len(expected):
        return [0.0] * 4
    is_one, called_one = expected == 1, classes == 1
    sums = torch.stack((is_one & called_one, called_one, is_one)).sum(dim=1)
    hits, called, present, low, high = torch.cat(
        (sums, torch.stack(torch.aminmax(expected)))
    ).tolist()
    if high > low + 1 and bool(((expected != low) & (expected != high)).any()):
        raise ShapeMismatchError(f"{name}: takes labels of two classes, got more")
    rejections = len(expected) - called - present + hits
    return [float(count) for count in (hits, called - hits, present - hits, rejections)]


class _BinaryMetric(EvalMetric):
    """What F1 and MCC share: outcomes of class 1, averaged over batches or taken together."""

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
        average: str,
    ) -> None:
        self.average = average
        self._local, self._overall = _Outcomes(), _Outcomes()
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def _score(self, outcomes: _Outcomes) -> float:
        raise NotImplementedError

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of scores `(batch, 2)`; see `EvalMetric.update`."""
        batch = _Outcomes()
        for expected, scores in pair(labels, preds):
            batch.add(_count_outcomes(self.name, expected, scores))
        if self.average == "macro":
            self._mx_count(numpy.float64(self._score(batch)), 1)
            return
        counts = (
            batch.true_positives,
            batch.false_positives,
            batch.false_negatives,
            batch.true_negatives,
        )
        self._local.add(counts)
        self._overall.add(counts)
        self.num_inst = int(self._local.total)
        self.sum_metric = self._score(self._local) * self.num_inst
        self.global_num_inst = int(self._overall.total)
        self.global_sum_metric = self._score(self._overall) * self.global_num_inst

    def reset(self) -> None:
        """Forgets all batches."""
        super().reset()
        self._local, self._overall = _Outcomes(), _Outcomes()

    def reset_local(self) -> None:
        """Starts the local totals anew; the global ones go on."""
        super().reset_local()
        self._local = _Outcomes()


@register
class F1(_BinaryMetric):
    """Harmonic mean of precision and recall of class 1, for two classes.

    Args:
        name: Name of the metric.
        output_names: Names of the outputs that `update_dict` uses.
        label_names: Names of the labels that `update_dict` uses.
        average: `"macro"` averages the scores of batches, `"micro"` counts all samples together.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.F1()
        >>> label = mx.nd.array([0, 1, 1, 0])
        >>> output = mx.nd.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.4, 0.6]])
        >>> metric.update([label], [output])
        >>> metric.get()
        ('f1', 0.5)
    """

    def __init__(
        self,
        name: str = "f1",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    def _score(self, outcomes: _Outcomes) -> float:
        return outcomes.f1


@register
class MCC(_BinaryMetric):
    """Matthews correlation coefficient of two classes.

    1 is a perfect, 0 a random and -1 a reversed prediction; always predicting one class gives 0.

    Args:
        name: Name of the metric.
        output_names: Names of the outputs that `update_dict` uses.
        label_names: Names of the labels that `update_dict` uses.
        average: `"macro"` averages the scores of batches, `"micro"` counts all samples together.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.MCC()
        >>> label = mx.nd.array([0, 1, 0, 1])
        >>> output = mx.nd.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.4, 0.6]])
        >>> metric.update([label], [output])
        >>> metric.get()
        ('mcc', 1.0)
    """

    def __init__(
        self,
        name: str = "mcc",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    def _score(self, outcomes: _Outcomes) -> float:
        return outcomes.matthews


@register
class PCC(EvalMetric):
    """Correlation coefficient of any number of classes, from their confusion matrix.

    For two classes it is the Matthews coefficient of all samples together; see `MCC`.

    Args:
        name: Name of the metric.
        output_names: Names of the outputs that `update_dict` uses.
        label_names: Names of the labels that `update_dict` uses.
        has_global_stats: Whether `get_global` goes on through `reset_local`.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.PCC()
        >>> label = mx.nd.array([0, 1, 0, 1])
        >>> output = mx.nd.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.4, 0.6]])
        >>> metric.update([label], [output])
        >>> metric.get()
        ('pcc', 1.0)
    """

    lcm: Matrix
    """Predicted and labelled classes since `reset_local`."""
    gcm: Matrix
    """Predicted and labelled classes since `reset`."""

    def __init__(
        self,
        name: str = "pcc",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        has_global_stats: bool = True,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    @property
    def sum_metric(self) -> float:
        """The coefficient since `reset_local`, times the number of batches."""
        return _correlation(self.lcm) * float(self.num_inst)

    @property
    def global_sum_metric(self) -> float:
        """The coefficient since `reset`, times the number of batches."""
        return _correlation(self.gcm) * float(self.global_num_inst)

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of scores or predicted classes; see `EvalMetric.update`."""
        for expected, output in pair(labels, preds):
            if output.shape != expected.shape:
                output = _argmax(output, 1)
            batch = _confusion(*_flat_classes(expected, output))
            self.lcm = _summed(self.lcm, batch)
            self.gcm = _summed(self.gcm, batch)
        self.num_inst += 1
        self.global_num_inst += 1

    def reset(self) -> None:
        """Forgets all batches."""
        self.global_num_inst = 0
        self.gcm = numpy.zeros((2, 2))
        self.reset_local()

    def reset_local(self) -> None:
        """Starts the local matrix anew; the global one goes on."""
        self.num_inst = 0
        self.lcm = numpy.zeros((2, 2))


def _confusion(expected: Tensor, classes: Tensor) -> Matrix:
    """Counts each pair of predicted and labelled class."""
    count = int(torch.maximum(expected.max(), classes.max())) + 1
    pairs = classes.to(torch.int64) * count + expected
    matrix: Matrix = torch.bincount(pairs, minlength=count * count).cpu().double().numpy()
    return matrix.reshape(count, count)


def _summed(first: Matrix, second: Matrix) -> Matrix:
    """Adds two confusion matrices that may know different numbers of classes."""
    size = max(len(first), len(second))
    total = numpy.zeros((size, size))
    for matrix in (first, second):
        total[: len(matrix), : len(matrix)] += matrix
    return total


def _correlation(matrix: Matrix) -> float:
    """Returns the covariance of labels and predictions over the product of their deviations."""
    predicted, labelled = matrix.sum(axis=1), matrix.sum(axis=0)
    total = matrix.sum()
    covariance = total * numpy.trace(matrix) - predicted @ labelled
    variances = (total**2 - predicted @ predicted) * (total**2 - labelled @ labelled)
    return float(covariance / math.sqrt(variances)) if variances > 0 else math.nan
