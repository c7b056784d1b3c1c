"""Metrics that compare classes: of two, of many, or of several labels at once."""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch
from torch import Tensor

from mxnet import metric as classic
from mxnet import numpy as mx_np
from mxnet._start import docstrings, public_call
from mxnet.errors import ArgumentValueError, CheckFailedError, ShapeMismatchError
from mxnet.gluon.metric._base import EvalMetric, alias, register
from mxnet.metric import check_label_shapes
from mxnet.metric._base import Arrays, Names, pair, tensor_of
from mxnet.ndarray import NDArray

_LEAST = 1e-12
"""Smaller numbers are not divided by."""


@register
@alias("acc")
class Accuracy(EvalMetric, classic.Accuracy):
    """Share of samples whose largest output is that of the labelled class.

    Example:
        >>> import mxnet as mx
        >>> accuracy = mx.gluon.metric.Accuracy()
        >>> accuracy.update(mx.np.array([0, 1]), mx.np.array([[0.3, 0.7], [0.1, 0.9]]))
        >>> accuracy.get()
        ('accuracy', 0.5)
    """


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric, classic.TopKAccuracy):
    """Share of samples whose labelled class is among the `top_k` largest outputs.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.TopKAccuracy(top_k=2)
        >>> metric.update(mx.np.array([2, 0]), mx.np.array([[0.1, 0.6, 0.3], [0.1, 0.6, 0.3]]))
        >>> metric.get()
        ('top_k_accuracy_2', 0.5)
    """


@register
class PCC(EvalMetric, classic.PCC):
    """Correlation coefficient of any number of classes, from their confusion matrix.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.PCC()
        >>> metric.update(mx.np.array([0, 1]), mx.np.array([[0.9, 0.1], [0.2, 0.8]]))
        >>> metric.get()
        ('pcc', 1.0)
    """

    def __init__(
        self, name: str = "pcc", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)


def predict_with_threshold(pred: Any, threshold: Any = 0.5) -> Any:
    """Returns which outputs exceed a threshold.

    Args:
        pred: Probabilities, or confidences.
        threshold: A float, or an array with one for each class.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.metric.predict_with_threshold(mx.np.array([0.4, 0.6]))
        array([False,  True])
    """
    _check_threshold(pred.shape, threshold)
    return pred > threshold


def _check_threshold(shape: tuple[int, ...], threshold: Any) -> None:
    if isinstance(threshold, float):
        return
    if not isinstance(threshold, NDArray):
        raise ArgumentValueError(
            f"metric: a threshold is a float or an array, got {type(threshold).__name__}"
        )
    if threshold.shape[-1:] != shape[-1:]:
        raise CheckFailedError(
            f"metric: outputs of shape {tuple(shape)} do not fit thresholds of shape "
            f"{threshold.shape}"
        )


def _exceeds(pred: Tensor, threshold: Any) -> Tensor:
    _check_threshold(tuple(pred.shape), threshold)
    if not isinstance(threshold, float):
        threshold = tensor_of(threshold).to(pred.device)
    exceeds: Tensor = pred > threshold
    return exceeds


def one_hot(idx: Any, num: int) -> Any:
    """Returns rows that have a one at the index, and zeros elsewhere.

    Args:
        idx: The indices, one axis.
        num: Length of rows.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.metric.one_hot(mx.np.array([0, 2]), 3)
        array([[1, 0, 0],
               [0, 0, 1]], dtype=int32)
    """
    places = mx_np.array(numpy.arange(num), dtype=idx.dtype, ctx=idx.ctx)
    return (places == idx[:, None]).astype("int32")


class _Outcomes:
    """How often each class was predicted, and how often rightly.

    Args:
        class_type: `"binary"`, `"multiclass"` or `"multilabel"`.
        threshold: From which confidence on a class counts as predicted, if not the largest does.
        beta: How many times recall weighs as much as precision.
    """

    def __init__(self, class_type: str = "binary", threshold: Any = 0.5, beta: float = 1) -> None:
        self.class_type = class_type
        self.threshold = threshold
        self.beta = beta
        self.reset_stats()

    def reset_stats(self) -> None:
        """Forgets all batches."""
        self.num_classes: int | None = None
        self._counts = numpy.zeros((4, 1))

    def update_stats(self, label: Tensor, pred: Tensor) -> None:
        """Adds a batch, with one transfer if it is on an accelerator."""
        if not label.numel():
            raise ShapeMismatchError(f"metric: got no labels, of shape {tuple(label.shape)}")
        expected = label.to(torch.int32)
        is_class, is_called = self._split(expected, pred)
        check_label_shapes(is_class, is_called)
        is_one, is_zero = is_class == 1, is_class == 0
        both = (is_called & is_one, is_called & is_zero, ~is_called & is_one, ~is_called & is_zero)
        sums = torch.stack([found.sum(dim=0) for found in both])
        *counts, largest = torch.cat((sums.reshape(-1), expected.max().reshape(1))).tolist()
        classes = sums[0].numel()
        if self.class_type == "binary" and largest > 1:
            raise ArgumentValueError(f"metric: takes labels 0 and 1, got {largest}")
        if self.class_type == "multiclass" and largest >= classes:
            raise CheckFailedError(f"metric: label {largest} lies outside of {classes} classes")
        if self.num_classes not in (None, classes):
            raise CheckFailedError(
                f"metric: the number of classes was {self.num_classes} and becomes {classes}"
            )
        self.num_classes = classes
        self._counts = self._counts + numpy.reshape(counts, (4, classes))

    def _split(self, label: Tensor, pred: Tensor) -> tuple[Tensor, Tensor]:
        """Returns labels and predictions of classes, `(samples,)` or `(samples, classes)`."""
        if self.class_type == "binary":
            if pred.shape != label.shape:
                if pred.shape[-1] > 2:
                    raise ArgumentValueError(
                        f"metric: outputs of shape {tuple(pred.shape)} are not of two classes"
                    )
                pred = pred[..., -1]
            return label.reshape(-1), _exceeds(pred, self.threshold).reshape(-1)
        classes = pred.shape[-1]
        if self.class_type == "multiclass":
            every = torch.arange(classes, device=pred.device)
            called = pred.argmax(dim=-1).reshape(-1, 1) == every
            return (label.reshape(-1, 1) == every).to(torch.int32), called
        if self.class_type == "multilabel":
            if pred.shape != label.shape:
                raise CheckFailedError(
                    f"metric: labels of shape {tuple(label.shape)} do not fit outputs of shape "
                    f"{tuple(pred.shape)}"
                )
            called = _exceeds(pred, self.threshold)
            return label.reshape(-1, classes), called.reshape(-1, classes)
        raise ArgumentValueError(
            f"metric: class_type is 'binary', 'multiclass' or 'multilabel', got {self.class_type!r}"
        )

    @property
    def total_examples(self) -> int:
        return int(self._counts[:, 0].sum())

    def fscore(self, average: str | None) -> Any:
        """Returns the score of all classes together, the mean of theirs, or those of each."""
        counts = self._counts.sum(axis=1) if average == "micro" else self._counts
        hits, alarms, misses, _ = counts
        precision = hits / numpy.maximum(hits + alarms, _LEAST)
        recall = hits / numpy.maximum(hits + misses, _LEAST)
        weight = self.beta**2
        scores = (1 + weight) * precision * recall
        scores = scores / numpy.maximum(weight * precision + recall, _LEAST)
        return scores.mean() if average == "macro" else scores

    def matthews(self) -> float:
        """Returns the correlation of labels and predictions."""
        hits, alarms, misses, rejections = self._counts[:, 0]
        margins = (hits + alarms, hits + misses, rejections + alarms, rejections + misses)
        # An empty row or column leaves no correlation to speak of: its factor counts as 1.
        scale = math.prod(margin or 1.0 for margin in margins)
        return float((hits * rejections - alarms * misses) / math.sqrt(scale))


class _OfOutcomes(EvalMetric):
    """What metrics share that follow from all outcomes."""

    def __init__(
        self, outcomes: _Outcomes, name: str, output_names: Names, label_names: Names
    ) -> None:
        self._outcomes = outcomes
        super().__init__(name, output_names, label_names)

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of classes and of confidences; see `EvalMetric.update`."""
        for label, pred in pair(labels, preds):
            self._outcomes.update_stats(label, pred)
        self.num_inst = self._outcomes.total_examples
        self.sum_metric = self._score() * self.num_inst

    def _score(self) -> Any:
        raise NotImplementedError

    def reset(self) -> None:
        """Forgets all batches."""
        super().reset()
        self._outcomes.reset_stats()

    def reset_local(self) -> None:
        """Forgets all batches: there are no totals beside the local ones."""
        self.reset()


@register
class F1(_OfOutcomes):
    """Harmonic mean of precision and recall.

    Args:
        class_type: `"binary"` for labels 0 and 1; `"multiclass"` where the class with the largest
            output is predicted; `"multilabel"` for labels `(batch, classes)` of 0 and 1.
        threshold: From which output on a class is predicted, a float or an array with one for each
            class; not for `"multiclass"`.
        average: `"micro"` counts the outcomes of all classes together, `"macro"` takes the mean of
            their scores, None gives the score of each.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.F1()
        >>> metric.update(mx.np.array([0, 1, 1]), mx.np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]))
        >>> name, value = metric.get()
        >>> name, round(value, 4)
        ('f1', 0.6667)
    """

    def __init__(
        self,
        name: str = "f1",
        output_names: Names = None,
        label_names: Names = None,
        class_type: str = "binary",
        threshold: Any = 0.5,
        average: str | None = "micro",
    ) -> None:
        self.average = average
        super().__init__(_Outcomes(class_type, threshold), name, output_names, label_names)

    @property
    def metrics(self) -> _Outcomes:
        """The outcomes that were counted."""
        return self._outcomes

    def _score(self) -> Any:
        return self._outcomes.fscore(self.average)


@register
class Fbeta(F1):
    """Mean of precision and recall, of which recall weighs `beta` times as much.

    Args:
        beta: How many times.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.Fbeta(beta=2)
        >>> metric.update(mx.np.array([0, 1, 1]), mx.np.array([0.1, 0.8, 0.4]))
        >>> name, value = metric.get()
        >>> name, round(value, 4)
        ('fbeta', 0.5556)
    """

    def __init__(
        self,
        name: str = "fbeta",
        output_names: Names = None,
        label_names: Names = None,
        class_type: str = "binary",
        beta: float = 1,
        threshold: Any = 0.5,
        average: str | None = "micro",
    ) -> None:
        super().__init__(name, output_names, label_names, class_type, threshold, average)
        self._outcomes.beta = beta


@register
class MCC(_OfOutcomes):
    """Matthews correlation coefficient of two classes, of all samples together.

    1 is a perfect, 0 a random and -1 a reversed prediction; always predicting one class gives 0.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.MCC()
        >>> metric.update(mx.np.array([0, 1, 0, 1]), mx.np.array([0.1, 0.8, 0.4, 0.6]))
        >>> metric.get()
        ('mcc', 1.0)
    """

    def __init__(
        self, name: str = "mcc", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(_Outcomes(), name, output_names, label_names)

    def _score(self) -> float:
        return self._outcomes.matthews()


@register
class BinaryAccuracy(EvalMetric):
    """Share of outputs that lie on the side of a threshold that the label says.

    Args:
        threshold: From which output on the label is 1, a float or an array with one for each class.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.gluon.metric.BinaryAccuracy()
        >>> metric.update(mx.np.array([0, 1]), mx.np.array([0.7, 0.9]))
        >>> metric.get()
        ('binary_accuracy', 0.5)
    """

    def __init__(
        self,
        name: str = "binary_accuracy",
        output_names: Names = None,
        label_names: Names = None,
        threshold: Any = 0.5,
    ) -> None:
        self.threshold = threshold
        super().__init__(name, output_names, label_names)

    @public_call
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch of labels 0 and 1 and of confidences; see `EvalMetric.update`."""
        for label, pred in pair(labels, preds):
            expected, called = label.reshape(-1), _exceeds(pred, self.threshold).reshape(-1)
            check_label_shapes(expected, called)
            self._mx_add((expected.to(torch.int32) == called).sum(), len(called))


docstrings.inherit(globals())
