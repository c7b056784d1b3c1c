"""The softmax cross entropy of class numbers in one kernel; losses have four operators for it."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor

from mxnet.ops.nn.softmax import log_softmax
from mxnet.ops.reduction import pick

_NO_LABEL = -(2**62)
"""Label that torch is to ignore: none that anybody has."""


def has_kernel(data: Tensor, label: Tensor) -> bool:
    """Returns whether torch has a kernel for scores and labels of these shapes and types."""
    return data.ndim == 2 and label.shape == data.shape[:1] and data.is_floating_point()


def cross_entropy(data: Tensor, label: Tensor) -> Tensor:
    """Returns minus the logarithm of the probability of each label.

    Args:
        data: Scores of shape `(batch, ..., classes)`.
        label: Numbers of classes; one outside counts as the nearest one.
    """
    if not has_kernel(data, label):
        loss: Tensor = -pick(log_softmax(data), label, keepdims=True)
        return loss.flatten(1).mean(1) if loss.ndim > 1 else loss
    return _find_losses(data, label.long()) + 0.0  # no loss is -0, as the mean of one is not


def _find_losses(data: Tensor, index: Tensor) -> Tensor:
    if data.is_cpu:
        try:
            return F.cross_entropy(data, index, reduction="none", ignore_index=_NO_LABEL)
        except IndexError:  # a label outside
            pass
    return F.cross_entropy(data, index.clamp(0, data.shape[1] - 1), reduction="none")
