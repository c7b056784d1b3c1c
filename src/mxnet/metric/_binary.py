"""Metrics of two classes: what was called class 1, and what is.

They count outcomes, from which precision, recall and coefficients follow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy
import torch
from torch import Tensor

from mxnet._start import inherit_docstrings, public_call
from mxnet.errors import ShapeMismatchError
from mxnet.metric._base import Arrays, EvalMetric, check_label_shapes, pair, register, tensor_of
from mxnet.metric._classification import argmax, flat_classes


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

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
        average: str,
    ) -> None:
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
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
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
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    def _score(self, outcomes: _Outcomes) -> float:
        return outcomes.matthews


inherit_docstrings(globals())
