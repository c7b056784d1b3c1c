"""Metrics that compare classes: accuracy, and coefficients of many classes or of two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any, TypeAlias

import numpy
import torch
from torch import Tensor

from mxnet._start import docstrings, public_call
from mxnet.errors import ArgumentTypeError, MXNetError, ShapeMismatchError
from mxnet.metric._base import (
    Arrays,
    EvalMetric,
    Names,
    alias,
    check_label_shapes,
    pair,
    register,
    tensor_of,
)

Matrix: TypeAlias = "numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float64]]"


def argmax(pred: Tensor, axis: int) -> Tensor:
    """Returns the class with the largest output."""
    try:
        return pred.argmax(dim=axis)
    except IndexError as error:
        raise MXNetError(
            f"metric: outputs of shape {tuple(pred.shape)} have no axis {axis}"
        ) from error


def flat_classes(label: Tensor, pred: Tensor) -> tuple[Tensor, Tensor]:
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
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of scores or predicted classes; see `EvalMetric.update`."""
        for expected, output in pair(labels, preds):
            if output.shape != expected.shape:
                output = argmax(output, self.axis)
            expected, classes = flat_classes(expected, output)
            self._mx_add((expected == classes).sum(), classes.numel())


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric):
    """Share of samples whose labelled class is among the `top_k` largest outputs.

    Args:
        top_k: How many outputs count, at least 2.
        name: Name of the metric, to which `top_k` is appended.

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
        output_names: Names = None,
        label_names: Names = None,
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
                expected, ranked = flat_classes(expected, scores.argsort())
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


@register
class PCC(EvalMetric):
    """Correlation coefficient of any number of classes, from their confusion matrix.

    For two classes it is the Matthews coefficient of all samples together; see `MCC`.

    Args:
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
        output_names: Names = None,
        label_names: Names = None,
        has_global_stats: bool = True,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    @property
    def k(self) -> int:
        """The number of classes that were seen, at least 2."""
        return len(self.gcm)

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
                output = argmax(output, 1)
            batch = _confusion(*flat_classes(expected, output))
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


# They count outcomes, from which precision, recall and coefficients follow.


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
    def total_examples(self) -> float:
        return (
            self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
        )

    @property
    def precision(self) -> float:
        hits = self.true_positives
        return hits / (hits + self.false_positives) if hits else 0.0

    @property
    def recall(self) -> float:
        hits = self.true_positives
        return hits / (hits + self.false_negatives) if hits else 0.0

    @property
    def fscore(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def matthews(self) -> float:
        if not self.total_examples:
            return 0.0
        hits, rejections = self.true_positives, self.true_negatives
        alarms, misses = self.false_positives, self.false_negatives
        margins = (hits + alarms, hits + misses, rejections + alarms, rejections + misses)
        # An empty row or column leaves no correlation to speak of: its factor counts as 1.
        scale = math.prod(margin or 1.0 for margin in margins)
        return (hits * rejections - alarms * misses) / math.sqrt(scale)


_NUMBERS = frozenset(
    {
        *("true_positives", "false_positives", "false_negatives", "true_negatives"),
        *("total_examples", "precision", "recall", "fscore"),
    }
)


def _count_outcomes(name: str, label: Tensor, pred: Tensor) -> list[float]:
    """Counts hits, false alarms, misses and right rejections of class 1, in one transfer."""
    check_label_shapes(label, pred)
    expected, classes = flat_classes(label, argmax(pred, 1))
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


class _BinaryClassificationMetrics:
    """Outcomes of class 1, since the last local reset and since the last one of all.

    The numbers are attributes: `true_positives`, `false_positives`, `false_negatives`,
    `true_negatives`, `total_examples`, `precision`, `recall` and `fscore`, and the same with
    `global_` before them.
    """

    def __init__(self) -> None:
        self._local, self._overall = _Outcomes(), _Outcomes()

    def __getattr__(self, name: str) -> Any:
        local = name.removeprefix("global_")
        if name.startswith("__") or local not in _NUMBERS:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(self._local if local == name else self._overall, local)

    def update_binary_stats(self, label: Any, pred: Any) -> None:
        """Adds a batch.

        Args:
            label: Classes, 0 or 1.
            pred: Scores of both classes, `(batch, 2)`.
        """
        self.add(_count_outcomes("F1", tensor_of(label), tensor_of(pred)))

    def add(self, counts: Sequence[float]) -> None:
        """Adds counts of hits, false alarms, misses and right rejections."""
        self._local.add(counts)
        self._overall.add(counts)

    def matthewscc(self, use_global: bool = False) -> float:
        """Returns the Matthews coefficient, since the last local reset or of all."""
        return (self._overall if use_global else self._local).matthews

    def local_reset_stats(self) -> None:
        """Forgets the local outcomes."""
        self._local = _Outcomes()

    def reset_stats(self) -> None:
        """Forgets all outcomes."""
        self._local, self._overall = _Outcomes(), _Outcomes()


class _BinaryMetric(EvalMetric):
    """What F1 and MCC share: outcomes of class 1, averaged over batches or taken together."""

    def __init__(self, name: str, output_names: Names, label_names: Names, average: str) -> None:
        self.average = average
        self._metrics = _BinaryClassificationMetrics()
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
        self._metrics.add(astuple(batch))
        local, overall = self._metrics._local, self._metrics._overall
        self.num_inst = int(local.total_examples)
        self.sum_metric = self._score(local) * self.num_inst
        self.global_num_inst = int(overall.total_examples)
        self.global_sum_metric = self._score(overall) * self.global_num_inst

    def reset(self) -> None:
        """Forgets all batches."""
        super().reset()
        self._metrics.reset_stats()

    def reset_local(self) -> None:
        """Starts the local totals anew; the global ones go on."""
        super().reset_local()
        self._metrics.local_reset_stats()


@register
class F1(_BinaryMetric):
    """Harmonic mean of precision and recall of class 1, for two classes.

    Args:
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
        output_names: Names = None,
        label_names: Names = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    @property
    def metrics(self) -> _BinaryClassificationMetrics:
        """Outcomes of all batches, with precision and recall; of `"micro"` averages only."""
        return self._metrics

    def _score(self, outcomes: _Outcomes) -> float:
        return outcomes.fscore


@register
class MCC(_BinaryMetric):
    """Matthews correlation coefficient of two classes.

    1 is a perfect, 0 a random and -1 a reversed prediction; always predicting one class gives 0.

    Args:
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
        output_names: Names = None,
        label_names: Names = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    def _score(self, outcomes: _Outcomes) -> float:
        return outcomes.matthews


docstrings.inherit(globals())
