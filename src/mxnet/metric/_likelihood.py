"""Metrics of probabilities: cross entropy, likelihood and perplexity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._start import inherit_docstrings, public_call
from mxnet.errors import ArgumentTypeError, IndexOutOfBoundsError
from mxnet.metric._base import (
    Arrays,
    EvalMetric,
    alias,
    as_float,
    pair,
    register,
)

_LEAST_CHANCE = 1e-10
"""Smaller probabilities count as this one in `Perplexity`."""


class _LogLikelihood(EvalMetric):
    """What `CrossEntropy` and `NegativeLogLikelihood` share: they are two names of one thing."""

    def __init__(
        self,
        eps: float,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
    ) -> None:
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
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
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
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
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
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
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


inherit_docstrings(globals())
