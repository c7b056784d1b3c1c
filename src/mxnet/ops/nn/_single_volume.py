"""Convolution of a single volume on the CPU, for which torch does not choose oneDNN by itself.

torch sends small batches to a kernel of its own, which unfolds the data and is several times slower
for volumes. The library can be called directly in prediction. What torch records of that would go
to the same slow kernel in `backward`, so that with gradients the volume is cut into two along its
first axis, which makes a batch of two.
"""

from __future__ import annotations

from math import prod

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet import _engine
from mxnet.ops.attrs import Shape

_AVAILABLE: bool = torch.backends.mkldnn.is_available() and _engine.has("mkldnn_convolution")  # type: ignore[no-untyped-call]
_LARGE = 20480
"""Product of the first four lengths beyond which torch chooses oneDNN."""
_LEAST_PREDICTION = 300_000
_LEAST_TRAINING = 10_000_000
"""Products from which the library is faster, with and without gradients."""


def convolve_volume(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Shape,
    pad: Shape,
    dilate: Shape,
    groups: int,
) -> Tensor:
    """Convolves volumes of shape `(batch, channels, depth, height, width)`."""
    if _is_neglected(data, weight, groups):
        sizes = [
            (size + 2 * margin - distance * (window - 1) - 1) // step + 1
            for size, window, step, margin, distance in zip(
                data.shape[2:], weight.shape[2:], stride, pad, dilate, strict=True
            )
        ]
        work = weight.numel() * prod(sizes) if min(sizes) > 0 else 0
        inputs = (data, weight) if bias is None else (data, weight, bias)
        learns = torch.is_grad_enabled() and any(item.requires_grad for item in inputs)
        if not learns and work >= _LEAST_PREDICTION:
            return torch.mkldnn_convolution(data, weight, bias, pad, stride, dilate, groups)
        if learns and work >= _LEAST_TRAINING and sizes[0] > 1:
            return _convolve_halves(data, weight, bias, stride, pad, dilate, sizes[0])
    return F.conv3d(data, weight, bias, stride, pad, dilate, groups)


def _is_neglected(data: Tensor, weight: Tensor, groups: int) -> bool:
    """Returns whether torch would run its slow kernel where oneDNN could do it."""
    return (
        data.shape[0] == 1
        and groups == 1
        and data.is_cpu
        and data.dtype is torch.float32 is weight.dtype
        and prod(data.shape[:4]) <= _LARGE
        and tuple(weight.shape[3:]) != (1, 1)
        and min(weight.shape[3:]) <= 3
        and _AVAILABLE
        and bool(torch.backends.mkldnn.enabled)
        and not torch.compiler.is_compiling()
    )


def _convolve_halves(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Shape,
    pad: Shape,
    dilate: Shape,
    depth: int,
) -> Tensor:
    """Computes the two halves of an output of a given depth as a batch of two."""
    half = (depth + 1) // 2
    length = (half - 1) * stride[0] + dilate[0] * (weight.shape[2] - 1) + 1
    start = half * stride[0]
    missing = start + length - data.shape[2] - pad[0]
    padded = F.pad(data, (0, 0, 0, 0, pad[0], max(missing, 0)))
    batch = torch.cat((padded[:, :, :length], padded[:, :, start : start + length]))
    halves = F.conv3d(batch, weight, bias, stride, (0, *pad[1:]), dilate)
    return torch.cat((halves[:1], halves[1:, :, : depth - half]), 2)
