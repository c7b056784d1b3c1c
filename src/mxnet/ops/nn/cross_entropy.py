"""The softmax cross entropy of class numbers in one kernel; losses have four operators for it."""

from __future__ import annotations

from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.ops.nn.softmax import log_softmax
from mxnet.ops.reduction import pick

_NO_LABEL = -(2**62)
"""Value of `ignore_index`: torch always has one, and no class has this number."""


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


_LABEL_TYPES = (torch.float32, torch.float64, torch.int32, torch.int64)
"""Dtypes that contain the numbers of all classes that a network may have."""


def cross_entropy_at_once(data: Tensor, label: Tensor) -> Tensor:
    """Returns what `cross_entropy` does, on a GPU with fewer launches; not for graphs.

    There a loss of zero may be -0: to make it 0 would take as long as the logarithms.

    Args:
        data: Scores of shape `(batch, classes)` for which `has_kernel` is true.
        label: Numbers of classes; one outside counts as the nearest one.
    """
    index = _find_classes(data, label)
    if index is None:
        return cross_entropy(data, label)
    return F.nll_loss(torch.log_softmax(data, 1), index, reduction="none")


def cross_entropy_in_single(data: Tensor, label: Tensor) -> Tensor:
    """Returns the losses in single precision of scores in half precision, which stay as they are.

    Args:
        data: Scores, as of `cross_entropy_at_once`.
        label: Numbers of classes; one outside counts as the nearest one.
    """
    index = _find_classes(data, label)
    if index is None:
        return cross_entropy(data.float(), label)
    # a GPU converts scores, and gradients on their way back, as it reads and writes them
    logarithms = torch.log_softmax(data, 1, dtype=torch.float32)
    return F.nll_loss(logarithms, index, reduction="none")


def _find_classes(data: Tensor, label: Tensor) -> Tensor | None:
    """Returns labels as numbers of classes if one launch is enough for that, else None."""
    if not data.is_cuda or label.dtype not in _LABEL_TYPES:
        return None
    if torch.cuda.is_current_stream_capturing():  # the numbers would have to stay as long as that
        return None
    later = _later_classes(data.shape[1], label.dtype, label.device)
    return torch.bucketize(label, later, right=True)


@lru_cache(maxsize=8)
def _later_classes(count: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Returns the numbers of all classes but the first."""
    return torch.arange(1, count, dtype=dtype, device=device)
