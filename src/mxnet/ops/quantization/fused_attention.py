"""Products of self-attention on bytes, as the original computes them.

Sums of products are whole numbers. Those that fit are computed in float32, which has all integers
below 2**24, and others in float64; both are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from mxnet.ops.core.traits import Attention
from mxnet.ops.quantization.fused_steps import Quantity, range_of_products, scale_of_result
from mxnet.ops.quantization.ranges import constant, saturate

_EXACT_FLOATS = 2**24
_LARGEST_PRODUCT = 255 * 255


class AttentionResult(NamedTuple):
    """What a product of attention returns."""

    calibrated: tuple[float, float] | None
    """Smallest and largest number that it stands for; None if that is not known."""
    returns_floats: bool

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the result."""
        if self.returns_floats:
            return torch.float32
        return torch.int32 if self.calibrated is None else torch.int8


def _multiply(left: Tensor, right: Tensor) -> Tensor:
    """Returns products of matrices of bytes, exactly, as floats."""
    largest = left.shape[-1] * _LARGEST_PRODUCT
    dtype = torch.float32 if largest < _EXACT_FLOATS else torch.float64
    return torch.bmm(left.to(dtype), right.to(dtype))


def attend(
    attention: Attention, sources: list[Quantity], heads: int, wanted: AttentionResult
) -> tuple[Tensor, ...]:
    """Computes scores, or sums of values by weights.

    Args:
        attention: What the product is a part of.
        sources: Queries, keys and values; for sums also the weights.
        heads: Number of heads.
        wanted: What is to be returned.

    Returns:
        The result and, if it is of integers, its range.
    """
    source, other = sources[0], sources[-1]
    root = 1.0
    if attention.split_values is not None and attention.join is not None:
        values = attention.split_values(source.data, heads=heads)
        sums = attention.join(_multiply(other.data, values), heads=heads)
    elif attention.split_scores is not None:
        queries, keys, _ = attention.split_scores(source.data, heads=heads)
        sums, root = _multiply(queries, keys.transpose(1, 2)), queries.shape[2] ** 0.5
    factor = _factor(source, other, root, wanted)
    result = sums.float() * factor if root != 1 or wanted.dtype is not torch.int32 else sums
    if wanted.returns_floats:
        return (result,)
    if wanted.calibrated is None:
        return result.round().to(torch.int32), *range_of_products(source, other)
    ends = (constant(end, result) for end in wanted.calibrated)
    return saturate(result, wanted.dtype), *ends


def _factor(source: Quantity, other: Quantity, root: float, wanted: AttentionResult) -> Tensor:
    """Returns what sums of products are multiplied with."""
    if wanted.dtype is torch.int32:
        return constant(1 / root, source.low)
    is_calibrated = wanted.dtype is torch.int8
    scale = scale_of_result(wanted.calibrated, torch.int8) if is_calibrated else 1.0
    factor = constant(scale, source.low) / (source.scale * other.scale)
    return (factor.double() / root).float()
