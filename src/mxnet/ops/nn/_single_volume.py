"""Convolution of a single volume on the CPU, for which torch does not choose oneDNN by itself.

torch sends small batches to a kernel of its own, which unfolds the data and is several times slower
for volumes. The library can be called directly, but what torch records of that would go to the same
slow kernel in `backward`. Torch leaves groups and larger batches to the library, so there the data
are given twice, to two groups of half the filters each; or, where groups are slow, the volume is
cut in two along its first axis, which makes a batch of two.
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
_BLOCK = 16
"""Channels that the library handles at once; groups of other sizes are slow."""


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
            result: Tensor = _Neglected.apply(data, weight, bias, stride, pad, dilate)  # type: ignore[no-untyped-call]
            return result
    return F.conv3d(data, weight, bias, stride, pad, dilate, groups)


def _is_neglected(data: Tensor, weight: Tensor, groups: int) -> bool:
    """Returns whether torch would run its slow kernel where oneDNN could do it."""
    return (
        data.shape[0] == 1
        and groups == 1
        and data.is_cpu
        and weight.shape[3:] != (1, 1)
        and data.dtype is torch.float32 is weight.dtype
        and prod(data.shape[:4]) <= _LARGE
        and min(weight.shape[3:]) <= 3
        and _AVAILABLE
        and bool(torch.backends.mkldnn.enabled)
        and not torch.compiler.is_compiling()
    )


class _Neglected(torch.autograd.Function):
    """Convolution by oneDNN, also in `backward`."""

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
        wanted = [*ctx.needs_input_grad[:2], ctx.has_bias and ctx.needs_input_grad[2]]
        if torch.is_grad_enabled():  # whose own gradients torch knows
            stride, pad, dilate = ctx.window
            found = torch.ops.aten.convolution_backward(
                head, data, weight, [len(weight)],
                stride, pad, dilate, False, (0, 0, 0), 1, wanted,
            )  # fmt: skip
            return (*found, None, None, None)
        by_groups = data.shape[1] % _BLOCK == 0 and len(weight) % (2 * _BLOCK) == 0
        differentiate = _differentiate_groups if by_groups else _differentiate_halves
        return (*differentiate(head, data, weight, ctx.window, wanted), None, None, None)


def _differentiate_groups(
    head: Tensor, data: Tensor, weight: Tensor, window: Sequence[Shape], wanted: list[bool]
) -> tuple[Tensor | None, ...]:
    """Computes gradients by two groups, of which each has all channels and half the filters."""
    stride, pad, dilate = window
    channels = data.shape[1]
    of_data, of_weight, of_bias = torch.ops.aten.convolution_backward(
        head, torch.cat((data, data), 1), weight, [len(weight)],
        stride, pad, dilate, False, (0, 0, 0), 2, wanted,
    )  # fmt: skip
    if wanted[0]:
        of_data = of_data[:, :channels] + of_data[:, channels:]
    return of_data, of_weight, of_bias


def _differentiate_halves(
    head: Tensor, data: Tensor, weight: Tensor, window: Sequence[Shape], wanted: list[bool]
) -> tuple[Tensor | None, ...]:
    """Computes gradients by a batch of two, the parts of the volume before and after its middle."""
    stride, pad, dilate = window
    half = (head.shape[2] + 1) // 2
    length = (half - 1) * stride[0] + dilate[0] * (weight.shape[2] - 1) + 1
    starts = (-pad[0], half * stride[0] - pad[0])
    halves = _stack_parts(data, starts, length), _stack_parts(head, (0, half), half)
    of_data, of_weight, of_bias = torch.ops.aten.convolution_backward(
        halves[1], halves[0], weight, [len(weight)],
        stride, (0, *pad[1:]), dilate, False, (0, 0, 0), 1, wanted,
    )  # fmt: skip
    if wanted[0]:
        of_data = _add_parts(of_data, starts, data)
    return of_data, of_weight, of_bias


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
