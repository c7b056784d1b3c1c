"""What fused layers on bytes share: steps of integers, int8 weights and activations.

A scale is the integer, not rounded, that stands for the number 1. Scales are computed as the
original does, because the last bit of one decides how a number between two integers is rounded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._state import remember
from mxnet.ops.quantization.ranges import (
    INT8_LARGEST,
    INT8_LEVELS,
    UINT8_LARGEST,
    constant,
    inverse_scale,
    levels_of,
    magnitude,
    saturate,
)

_LARGEST_SCALE = 1e38
"""In place of the scale of an empty range, so that all but 0 saturates."""
_MOST_SHAPES = 16
_LARGEST_INT32 = 2.0**31 - 1
_LARGEST_FLOAT = 2.0**31 - 128
"""The largest int32 that is a float32: what overflows becomes in the original, and NaN."""


class Quantity(NamedTuple):
    """A quantized array: bytes and the range of numbers that they stand for."""

    data: Tensor
    low: Tensor
    high: Tensor

    @property
    def scale(self) -> Tensor:
        """What numbers are multiplied with to become the bytes."""
        return inverse_scale(magnitude(self.low, self.high), levels_of(self.data.dtype))

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest number that the bytes stand for."""
        return self.low.item(), self.high.item()

    def factor_to(self, scale: float) -> float:
        """Returns what the bytes are multiplied with to become those of another scale."""
        extent = max(map(abs, self.ends))
        return _divide(scale, _divide(levels_of(self.data.dtype), extent)) if extent else 0.0


_FUNCTIONS: dict[str | None, Callable[[Tensor, float], Tensor]] = {
    None: lambda values, _: values,
    "relu": lambda values, _: values.relu_(),
    "leaky": F.leaky_relu_,
    "elu": F.elu_,
    "gelu": lambda values, _: F.gelu(values),
    "clip": lambda values, highest: values.clamp_(0, highest),
    "sigmoid": lambda values, _: values.sigmoid_(),
    "tanh": lambda values, _: values.tanh_(),
    "softrelu": lambda values, _: F.softplus(values),
    "exponential": lambda values, _: values.exp_(),
    "squared": lambda values, _: values.square_(),
    "sqrt": lambda values, _: values.sqrt_(),
    "abs": lambda values, _: values.abs_(),
}


class Activation(NamedTuple):
    """What is applied to the result of a layer."""

    function: str | None
    """As `mxnet.graph.fused.parts` calls it, None for nothing."""
    number: float = 0.0
    """Slope of `leaky` and `elu`, upper end of `clip`."""

    def apply(self, values: Tensor) -> Tensor:
        """Applies it to floats, perhaps in place."""
        return _FUNCTIONS[self.function](values, self.number)

    def apply_to_int32(self, sums: Tensor) -> Tensor:
        """Applies it to sums of products as they are, and rounds."""
        if self.function is None:
            return sums
        values = self.apply(sums.double()).nan_to_num_(_LARGEST_FLOAT)
        return values.clamp_(-(2.0**31), _LARGEST_FLOAT).round_().to(torch.int32)


class Prepared(NamedTuple):
    """What a layer makes of its parameters."""

    weight: Tensor
    """int8."""
    scales: Tensor
    """What each row of the weight was multiplied with."""
    bias: Tensor
    """Bias of each row: numbers."""
    zeros: Tensor
    """The integer of each row that stands for 0."""


class Packed:
    """Weights in the order of memory that oneDNN wants for data of some shapes.

    In another order it would bring a weight into that order in each call, which for small data
    takes a hundred times as long as the layer.
    """

    def __init__(self) -> None:
        # By shape of the data, with the weight, which is another one after a parameter has
        # changed; `_MOST_SHAPES` at most.
        self._known: dict[torch.Size, tuple[Tensor, Tensor]] = {}
        self._rescaling: tuple[Tensor, tuple[float, float], Rescaling] | None = None

    def get(
        self,
        prepared: Prepared,
        shape: torch.Size,
        pack: Callable[[Prepared, torch.Size], Tensor],
    ) -> Tensor:
        """Returns a weight for data of a shape, packed before if it is the same weight.

        Args:
            prepared: What has the weight.
            shape: Shape of the data.
            pack: Packs the weight for data of the shape.
        """
        known = self._known.get(shape)
        if known is None or known[0] is not prepared.weight:
            known = prepared.weight, pack(prepared, shape)
            remember(self._known, shape, known, _MOST_SHAPES)
        return known[1]

    def rescale(
        self,
        prepared: Prepared,
        source: Quantity,
        make: Callable[[Prepared, Quantity], Rescaling],
    ) -> Rescaling:
        """Returns how sums become results, known from before if the range is: it is calibrated.

        Args:
            prepared: What the layer has made of its parameters.
            source: The data.
            make: Makes it.
        """
        known, ends = self._rescaling, source.ends
        if known is None or known[0] is not prepared.bias or known[1] != ends:
            known = self._rescaling = prepared.bias, ends, make(prepared, source)
        return known[2]


class Layer(ABC):
    """A fused layer on bytes."""

    __slots__ = ()

    calibrated: tuple[float, float] | None

    @property
    @abstractmethod
    def dtype(self) -> torch.dtype:
        """The dtype of the result."""

    @abstractmethod
    def prepare(self, weight: Tensor, bias: Tensor | None, *others: Tensor) -> Prepared:
        """Makes what depends on parameters alone."""

    @abstractmethod
    def run(self, source: Quantity, prepared: Prepared, addend: Quantity | None = None) -> Tensor:
        """Computes the result."""

    def find_range(self, source: Quantity, prepared: Prepared) -> tuple[Tensor, Tensor]:
        """Returns the smallest and the largest number that a result of integers stands for."""
        if self.calibrated is None:
            return _range_of_sums(source, 1 / prepared.scales)
        low, high = (source.low.new_full((1,), end) for end in self.calibrated)
        return low, high


def _range_of_sums(source: Quantity, steps: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the range of int32 sums of products with a weight of one step."""
    largest = UINT8_LARGEST if source.data.dtype is torch.uint8 else INT8_LARGEST
    step = magnitude(source.low, source.high) / largest
    extent = step * (steps[:1] * (INT8_LEVELS / INT8_LARGEST)) * _LARGEST_INT32
    return -extent, extent


def range_of_products(left: Quantity, right: Quantity) -> tuple[Tensor, Tensor]:
    """Returns the range of int32 sums of products of two arrays of bytes."""
    steps = (
        magnitude(item.low, item.high)
        / constant(UINT8_LARGEST if item.data.dtype is torch.uint8 else INT8_LARGEST, item.low)
        for item in (left, right)
    )
    extent = next(steps) * next(steps) * _LARGEST_INT32
    return -extent, extent


def fold_normalization(
    weight: Tensor,
    bias: Tensor | None,
    gamma: Tensor,
    beta: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    eps: float,
    has_scale: bool,
) -> tuple[Tensor, Tensor]:
    """Returns filters and bias with a normalization in them; only the factor is a double first.

    Args:
        weight: Filters, float32.
        bias: Bias of each, or None.
        gamma: Scale of the normalization.
        beta: Its shift.
        mean: Moving mean.
        var: Moving variance.
        eps: What is added to the variance.
        has_scale: Whether the scale is used; otherwise it is 1.
    """
    scale = gamma.double() if has_scale else torch.ones_like(var)
    factor = (scale / torch.sqrt(var.double() + eps)).float()
    offset = -mean if bias is None else bias - mean
    return weight * factor.reshape(-1, *([1] * (weight.ndim - 1))), beta + offset * factor


def scales_of_rows(weight: Tensor, *, one_for_all: bool) -> Tensor:
    """Returns by what each row of a weight is multiplied to become int8.

    Args:
        weight: Floats; a row is all that has one index on axis 0.
        one_for_all: Whether all rows have the same scale.
    """
    if not weight.numel():
        return torch.ones(len(weight), device=weight.device)
    extents = weight.abs().flatten(1).amax(1)
    if one_for_all:
        extents = extents.amax().repeat(len(extents))
    levels = torch.full_like(extents, INT8_LEVELS)
    return torch.where(extents > 0, levels / extents, torch.ones_like(extents))


def quantize_rows(weight: Tensor, scales: Tensor) -> Tensor:
    """Returns a weight as int8."""
    return saturate(weight * scales.reshape(-1, *([1] * (weight.ndim - 1))), torch.int8)


class Rescaling(NamedTuple):
    """What makes results of sums of products."""

    factors: Tensor
    """What sums of each row are multiplied with."""
    whole: Tensor
    """Bias of each row: whole numbers that are added to sums."""
    rest: Tensor
    """What of the bias is not in these: all for data whose range is empty, otherwise 0."""
    bias: Tensor
    """Bias of each row as it is added to sums that are multiplied already."""

    def apply(self, sums: Tensor, shape: Sequence[int] = (-1,)) -> Tensor:
        """Returns results of sums of products, not rounded, exactly as the original.

        Args:
            sums: The sums, int32.
            shape: Shape of what belongs to rows, so that it fits the sums.
        """
        factors, whole, rest, _ = (item.reshape(*shape) for item in self)
        # Sums are converted before the bias is added, as in the original.
        return (sums.float() + whole) * factors + rest


def rescale(prepared: Prepared, source: Quantity, scale: float) -> Rescaling:
    """Returns how sums of products become results, with all roundings of the original.

    Args:
        prepared: What a layer has made of its parameters.
        source: The data.
        scale: Scale of the result; 1 for floats.
    """
    result_scale = constant(scale, prepared.bias)
    source_scale = source.scale
    factors = result_scale / source_scale / prepared.scales
    whole = (prepared.bias * (source_scale * prepared.scales)).round()
    # Data whose range is empty are zeros, and add nothing to the bias.
    is_empty = torch.isinf(source_scale)
    whole = torch.where(is_empty, 0, whole)
    rest = torch.where(is_empty, prepared.bias * result_scale, 0)
    return Rescaling(factors, whole, rest, whole * factors + rest)


@lru_cache(maxsize=1024)  # layers ask in every call
def scale_of_result(calibrated: tuple[float, float] | None, dtype: torch.dtype) -> float:
    """Returns the scale of bytes with a calibrated range."""
    extent = max(map(abs, calibrated or (0.0, 0.0)))
    return _divide(levels_of(dtype), extent) if extent else _LARGEST_SCALE


def _divide(number: float, divisor: float) -> float:
    """Divides in float32, without tensors."""
    return float(np.float32(number) / np.float32(divisor))
