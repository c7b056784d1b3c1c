"""In which order the axes of images are in memory where a device convolves them fastest.

Shapes stay as they are: a tensor of shape `(batch, channels, height, width)` with the channels last
in memory has other strides.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.errors import MXNetError

_VARIABLE = "MXNET_GPU_LAYOUT"
_FAST = frozenset((torch.float16, torch.bfloat16))
_FAST_WITH_TF32 = _FAST | {torch.float32}
"""Types that GPUs convolve fastest with the channels last."""


def prefers_channels_last(device: torch.device, dtypes: Iterable[torch.dtype]) -> bool:
    """Returns whether a device convolves images fastest with the channels last in memory.

    GPUs convolve float16, bfloat16 and TF32 in that order, and would reorder everything else before
    and after each convolution. The environment variable `MXNET_GPU_LAYOUT` decides otherwise, if it
    is `NCHW`.

    Args:
        device: The device.
        dtypes: Types of images or filters.

    Raises:
        MXNetError: if the variable is neither `NCHW` nor `NHWC`.
    """
    if device.type != "cuda":
        return False
    wish = os.environ.get(_VARIABLE, "NHWC")
    if wish not in ("NCHW", "NHWC"):
        raise MXNetError(f"{_VARIABLE}: expected NCHW or NHWC, got {wish!r}")
    fast = _FAST_WITH_TF32 if torch.backends.cudnn.allow_tf32 else _FAST
    return wish == "NHWC" and not fast.isdisjoint(dtypes)


def put_channels_last(tensor: Tensor) -> Tensor:
    """Returns images, or filters for them, with the channels last in memory; others as they are.

    torch gives a leaf its gradient in the leaf's own order.
    """
    if tensor.dim() != 4:
        return tensor
    return tensor.contiguous(memory_format=torch.channels_last)


def has_channels_last(tensor: Tensor) -> bool:
    """Returns whether the strides of a tensor are those of images with their channels last."""
    if tensor.dim() != 4:
        return False
    _, channels, height, width = tensor.shape
    return tensor.stride() == (channels * height * width, 1, width * channels, channels)


def arrange_filters(filters: Tensor) -> Tensor:
    """Returns the filters of a network in the order in which their device convolves fastest."""
    if filters.dim() == 4 and prefers_channels_last(filters.device, (filters.dtype,)):
        return put_channels_last(filters)
    return filters


def arrange(tensors: Sequence[Tensor | None], attrs: Mapping[str, Any]) -> Sequence[Tensor | None]:
    """Returns the inputs of a convolution in the order in which their device computes fastest."""
    images = tensors[0]
    if images is None or images.dim() != 4 or attrs.get("layout") == "NHWC":
        return tensors
    if not prefers_channels_last(images.device, (images.dtype,)):
        return tensors
    return [None if item is None else put_channels_last(item) for item in tensors]
