"""Convolution of a single volume on the CPU, for which torch does not choose oneDNN by itself.

torch sends small batches to a kernel of its own, which unfolds the data and is several times slower
for volumes. The library can be called directly, but what torch records of that would go to the same
slow kernel in `backward`. So there the volume is cut in two along its first axis, which makes a
batch of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

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
"""Numbers of products from which the library is faster, without gradients and with them."""


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
            halved: Tensor = _Halved.apply(data, weight, bias, stride, pad, dilate)  # type: ignore[no-untyped-call]
            return halved
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


class _Halved(torch.autograd.Function):
    """Convolution by oneDNN, whose `backward` has a batch of two."""

    @staticmethod
    def forward(
        ctx: Any,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        stride: Shape,
        pad: Shape,
        dilate: Shape,
    ) -> Tensor:
        """Returns what the library computes."""
        ctx.save_for_backward(data, weight)
        ctx.window, ctx.has_bias = (stride, pad, dilate), bias is not None
        return torch.mkldnn_convolution(data, weight, bias, pad, stride, dilate, 1)

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor | None, ...]:
        """Returns the gradients of data, weight and bias."""
        data, weight = ctx.saved_tensors
        stride, pad, dilate = ctx.window
        wanted = [*ctx.needs_input_grad[:2], ctx.has_bias and ctx.needs_input_grad[2]]
        rest = ((0, 0, 0), 1, wanted)
        if torch.is_grad_enabled():  # whose own gradients torch knows
            found = torch.ops.aten.convolution_backward(
                head, data, weight, [len(weight)], stride, pad, dilate, False, *rest
            )
            return (*found, None, None, None)
        depth = head.shape[2]
        half = (depth + 1) // 2
        length = (half - 1) * stride[0] + dilate[0] * (weight.shape[2] - 1) + 1
        starts = (-pad[0], half * stride[0] - pad[0])
        halves = _stack_parts(data, starts, length), _stack_parts(head, (0, half), half)
        of_data, of_weight, of_bias = torch.ops.aten.convolution_backward(
            halves[1], halves[0], weight, [len(weight)],
            stride, (0, *pad[1:]), dilate, False, *rest,
        )  # fmt: skip
        if wanted[0]:
            of_data = _add_parts(of_data, starts, data)
        return of_data, of_weight, of_bias, None, None, None


def _find_part(start: int, length: int, depth: int) -> tuple[slice, slice]:
    """Returns which planes of a volume a part has, and where in the part they are."""
    first, last = max(start, 0), min(start + length, depth)
    return slice(first, last), slice(first - start, last - start)


def _stack_parts(volume: Tensor, starts: Sequence[int], length: int) -> Tensor:
    """Makes a batch of parts of one volume, which may begin before it and end after it."""
    batch = volume.new_zeros(len(starts), volume.shape[1], length, *volume.shape[3:])
    for part, start in zip(batch, starts, strict=True):
        planes, places = _find_part(start, length, volume.shape[2])
        part[:, places] = volume[0, :, planes]
    return batch


def _add_parts(parts: Tensor, starts: Sequence[int], volume: Tensor) -> Tensor:
    """Adds up what parts of a volume have gathered: the reverse of `_stack_parts`."""
    result = torch.zeros_like(volume)
    for part, start in zip(parts, starts, strict=True):
        planes, places = _find_part(start, parts.shape[2], volume.shape[2])
        result[0, :, planes] += part[:, places]
    return result
