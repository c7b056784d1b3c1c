"""Fused layers on bytes: a layer with what follows it, as the original computes them.

A scale is the integer, not rounded, that stands for the number 1. Scales are computed as the
original does, because the last bit of one decides how a number between two integers is rounded.

Weights become int8 with a scale for each row, or one for all if the result stays int32. In a graph
for prediction they are prepared once; see `mxnet.graph.fused.compute`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._state import remember
from mxnet.errors import MXNetError
from mxnet.ops.core.traits import Attention
from mxnet.ops.quantization.conversion import (
    INT8_LARGEST,
    INT8_LEVELS,
    UINT8_LARGEST,
    constant,
    inverse_scale,
    levels_of,
    magnitude,
    saturate,
)
from mxnet.ops.quantization.kernels import (
    Window,
    as_uint8,
    convolve_to_int32,
    multiply_to_int32,
    slide_on_bytes,
    uses_fused_kernels,
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
        self, prepared: Prepared, shape: torch.Size, pack: Callable[[Prepared, torch.Size], Tensor]
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
        self, prepared: Prepared, source: Quantity, make: Callable[[Prepared, Quantity], Rescaling]
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


def _range_of_sums(source: Quantity, steps: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the range of int32 sums of products with a weight of one step."""
    largest = UINT8_LARGEST if source.data.dtype is torch.uint8 else INT8_LARGEST
    step = magnitude(source.low, source.high) / largest
    extent = step * (steps[:1] * (INT8_LEVELS / INT8_LARGEST)) * _LARGEST_INT32
    return -extent, extent


def _range_of_products(left: Quantity, right: Quantity) -> tuple[Tensor, Tensor]:
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


def _scales_of_rows(weight: Tensor, *, one_for_all: bool) -> Tensor:
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


def _quantize_rows(weight: Tensor, scales: Tensor) -> Tensor:
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


def _rescale(prepared: Prepared, source: Quantity, scale: float) -> Rescaling:
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
def _scale_of_result(calibrated: tuple[float, float] | None, dtype: torch.dtype) -> float:
    """Returns the scale of bytes with a calibrated range."""
    extent = max(map(abs, calibrated or (0.0, 0.0)))
    return _divide(levels_of(dtype), extent) if extent else _LARGEST_SCALE


def _divide(number: float, divisor: float) -> float:
    """Divides in float32, without tensors."""
    return float(np.float32(number) / np.float32(divisor))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """A fused layer on bytes.

    Attributes:
        calibrated: Smallest and largest number that the result stands for; None for int32.
        activation: What is applied to the result.
        returns_floats: Whether the result is float32.
        dtype: The dtype of the result.
        packed: The weight in the order of oneDNN.
    """

    calibrated: tuple[float, float] | None
    activation: Activation
    returns_floats: bool = False
    dtype: torch.dtype = field(init=False)
    packed: Packed = field(default_factory=Packed)

    def __post_init__(self) -> None:
        if self.returns_floats:
            dtype = torch.float32
        elif self.calibrated is None:
            dtype = torch.int32
        else:
            dtype = torch.uint8 if self._is_positive() else torch.int8
        object.__setattr__(self, "dtype", dtype)

    def _is_positive(self) -> bool:
        """Returns whether calibrated results have no negative numbers, as the original sees it."""
        return False


class WeightedLayer(Layer, ABC):
    """A fused layer with a weight."""

    __slots__ = ()

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

    @property
    def _scale(self) -> float:
        """The scale of what the layer computes before its activation."""
        return _scale_of_result(self.calibrated, self.dtype)

    def _rescale(self, prepared: Prepared, source: Quantity) -> Rescaling:
        return _rescale(prepared, source, self._scale)


def _prepared(weight: Tensor, scales: Tensor, bias: Tensor | None) -> Prepared:
    bias = torch.zeros_like(scales) if bias is None else bias
    return Prepared(weight, scales, bias, torch.zeros_like(scales, dtype=torch.int32))


def _add_bias(sums: Tensor, prepared: Prepared, scale: Tensor) -> Tensor:
    """Adds the bias to sums of products, whose channels are on axis 1, as int32."""
    return sums + _per_channel((prepared.bias * scale).round(), sums).to(torch.int32)


def _per_channel(values: Tensor, like: Tensor) -> Tensor:
    """Returns a number for each channel in a shape that fits results."""
    return values.reshape(-1, *([1] * (like.ndim - 2)))


_SATURATING = (None, "relu", "clip")
"""Activations that saturation of bytes does, unless they are of another dtype than the result."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusedConvolution(WeightedLayer):
    """A convolution with normalization, addition and activation, on bytes.

    Attributes:
        window: How the filters slide.
        eps: What the normalization adds to the variance; None if there is no normalization.
        has_scale: Whether the normalization has a scale that is not 1.
    """

    window: Window
    eps: float | None
    has_scale: bool

    def _is_positive(self) -> bool:
        return self.activation.function in ("relu", "clip")

    def prepare(self, weight: Tensor, bias: Tensor | None, *normalization: Tensor) -> Prepared:
        """Makes what depends on parameters alone.

        Args:
            weight: Filters, float32.
            bias: Bias of each, or None.
            *normalization: Scale, shift, mean and variance, if there is a normalization.
        """
        if self.eps is not None:
            weight, bias = fold_normalization(
                weight, bias, *normalization, eps=self.eps, has_scale=self.has_scale
            )
        scales = _scales_of_rows(weight, one_for_all=self.calibrated is None)
        return _prepared(_quantize_rows(weight, scales), scales, bias)

    def _pack(self, prepared: Prepared, shape: torch.Size) -> Tensor:
        """Returns the filters in the order in which oneDNN computes data of a shape fastest."""
        window = self.window
        packed: Tensor = torch.ops.onednn.qconv_prepack(
            prepared.weight,
            prepared.scales,
            1.0,
            0,
            window.stride,
            window.pad,
            window.dilate,
            window.groups,
            shape,
        )
        return packed

    def run(self, source: Quantity, prepared: Prepared, addend: Quantity | None = None) -> Tensor:
        """Convolves bytes.

        Args:
            source: The data, with the channels on axis 1.
            prepared: What `prepare` has made.
            addend: What is added.

        Returns:
            Integers of `dtype`. Where something is added the original writes to its memory: the
            result saturates as the addend does, and is read as `dtype` then.

        Raises:
            MXNetError: on a CPU, for uint8 that stands for negative numbers, too.
        """
        if self.calibrated is None:
            return self._add_up(source, prepared, addend)
        if not uses_fused_kernels(source.data) or not source.data.numel():
            return self._finish(self._convolve_exactly(source, prepared), addend)
        is_image = len(self.window.stride) == 2  # torch adds to nothing else
        if self.activation.function not in _SATURATING or not (addend is None or is_image):
            numbers = self._call_onednn(source, prepared, None, torch.float32)
            return self._finish(numbers, addend)
        dtype = self.dtype if addend is None else addend.data.dtype
        result = self._call_onednn(source, prepared, addend, dtype)
        return result if addend is None else result.view(self.dtype)

    def _rescale(self, prepared: Prepared, source: Quantity) -> Rescaling:
        _check_sign(source)
        return _rescale(prepared, source, self._scale)

    def _call_onednn(
        self, source: Quantity, prepared: Prepared, addend: Quantity | None, dtype: torch.dtype
    ) -> Tensor:
        data, zero = as_uint8(source.data)
        window = self.window
        filters = self.packed.get(prepared, data.shape, self._pack)
        # With all scales in one factor oneDNN rounds as often as the original, but for the bias.
        factors, _, _, bias = self.packed.rescale(prepared, source, self._rescale)
        head = (data, 1.0, zero, filters, factors, prepared.zeros)
        slides = (window.stride, window.pad, window.dilate, window.groups, 1.0, 0, dtype)
        if addend is None:
            return slide_on_bytes(data.ndim)(*head, bias, *slides, "none", [], "")
        activation = "relu" if self.activation.function == "relu" else "none"
        memory = addend.data.clone(memory_format=torch.channels_last)
        summed: Tensor = torch.ops.onednn.qconv2d_pointwise.binary(
            *head,
            memory,
            bias,
            *slides,
            addend.factor_to(self._scale),
            0,
            "sum",
            1.0,
            activation,
            [],
            "",
        )
        return summed

    def _finish(self, values: Tensor, addend: Quantity | None) -> Tensor:
        """Makes bytes of the integers, not rounded, that a convolution returns.

        The activation is applied to these, not to numbers: so it is in the original.
        """
        if addend is not None:
            values = values + addend.data * (constant(self._scale, values) / addend.scale)
        if self.activation.function != "clip":
            values = self.activation.apply(values)
        dtype = self.dtype if addend is None else addend.data.dtype
        return saturate(values, dtype).view(self.dtype)

    def _convolve_exactly(self, source: Quantity, prepared: Prepared) -> Tensor:
        """Returns integers, not rounded, where oneDNN does not compute them."""
        sums = convolve_to_int32(source.data, prepared.weight, self.window)
        return self._rescale(prepared, source).apply(sums, (-1, *[1] * (sums.ndim - 2)))

    def _add_up(self, source: Quantity, prepared: Prepared, addend: Quantity | None) -> Tensor:
        """Returns sums of products as int32."""
        _check_sign(source)
        sums = convolve_to_int32(source.data, prepared.weight, self.window)
        scale = source.scale * prepared.scales
        sums = _add_bias(sums, prepared, scale)
        if addend is not None:
            factor = _per_channel(scale / addend.scale, sums)
            sums = sums + (addend.data * factor).round().to(torch.int32)
        return sums if self.activation.function == "clip" else self.activation.apply_to_int32(sums)


def _check_sign(source: Quantity) -> None:
    # On a GPU the check would have to wait for the range.
    if source.data.dtype is not torch.uint8 or source.data.device.type != "cpu":
        return
    if source.low.item() < 0:
        raise MXNetError(
            "quantized convolution: expected int8 for data whose range has negative numbers, got "
            'uint8; quantize with quantized_dtype="auto" or "int8"'
        )


_SIGNED = ("elu", "gelu", "tanh")
"""Activations whose results are int8; the original takes others for positive, also `leaky`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusedDense(WeightedLayer):
    """A dense layer with an activation, on bytes.

    Attributes:
        flatten: Whether all axes but the first are one.
        by_row: Whether weight and bias are floats, of which each row gets a step.
    """

    flatten: bool
    by_row: bool

    def _is_positive(self) -> bool:
        return self.activation.function not in (None, *_SIGNED)

    def prepare(self, weight: Tensor, bias: Tensor | None, *ranges: Tensor) -> Prepared:
        """Makes what depends on parameters alone.

        Args:
            weight: Matrix of shape `(units, in_units)`.
            bias: Bias of each unit, or None.
            *ranges: Smallest and largest number that the weight stands for, and those of the bias,
                if they are int8.
        """
        if self.by_row:
            scales = _scales_of_rows(weight, one_for_all=False)
            weight = _quantize_rows(weight, scales)
        else:
            scale = inverse_scale(magnitude(*ranges[:2]), INT8_LEVELS)
            scales = scale.expand(len(weight)).contiguous()
            if bias is not None:
                bias = bias * (magnitude(*ranges[2:]) / INT8_LEVELS)
        return _prepared(weight, scales, bias)

    def run(self, source: Quantity, prepared: Prepared, addend: Quantity | None = None) -> Tensor:
        """Multiplies bytes.

        Args:
            source: The data.
            prepared: What `prepare` has made.
            addend: None: nothing is added.
        """
        del addend
        data = source.data
        if self.flatten and data.ndim != 2:
            data = data.flatten(1) if data.ndim > 1 else data.unsqueeze(1)
        rows = Quantity(data.reshape(-1, data.shape[-1]), source.low, source.high)
        return self._multiply(rows, prepared).reshape(*data.shape[:-1], -1)

    def _multiply(self, source: Quantity, prepared: Prepared) -> Tensor:
        if self.dtype is torch.int32:
            return self._add_up(source, prepared)
        if not uses_fused_kernels(source.data) or not source.data.numel():
            sums = multiply_to_int32(source.data, prepared.weight)
            return self._finish(self._rescale(prepared, source).apply(sums))
        factors, whole, rest, bias = self.packed.rescale(prepared, source, self._rescale)
        if self.activation.function in (None, "relu") and not self.returns_floats:
            return self._call_onednn(source, prepared, factors, bias, self.dtype)
        # Floats keep all of their bits if sums are multiplied behind the bias, as in the original.
        sums = self._call_onednn(source, prepared, torch.ones_like(factors), whole, torch.float32)
        return self._finish(torch.addcmul(rest, sums, factors))

    @property
    def _scale(self) -> float:
        is_scaled = self.activation.function in (None, "relu") and not self.returns_floats
        return _scale_of_result(self.calibrated, self.dtype) if is_scaled else 1.0

    def _call_onednn(
        self,
        source: Quantity,
        prepared: Prepared,
        factors: Tensor,
        bias: Tensor,
        dtype: torch.dtype,
    ) -> Tensor:
        is_rectified = self.activation.function == "relu" and not self.returns_floats
        result: Tensor = torch.ops.onednn.qlinear_pointwise(
            source.data,
            1.0,
            0,
            self.packed.get(prepared, source.data.shape, _pack),
            factors,
            prepared.zeros,
            bias,
            1.0,
            0,
            dtype,
            "relu" if is_rectified else "none",
            [],
            "",
        )
        return result

    def _finish(self, values: Tensor) -> Tensor:
        """Makes the result of the numbers that a product returns."""
        values = self.activation.apply(values)
        if self.returns_floats:
            return values
        if self._scale == 1:
            values = values * _scale_of_result(self.calibrated, self.dtype)
        return saturate(values, self.dtype)

    def _add_up(self, source: Quantity, prepared: Prepared) -> Tensor:
        """Returns sums of products as int32, to which the activation is applied as they are."""
        sums = multiply_to_int32(source.data, prepared.weight)
        sums = _add_bias(sums, prepared, source.scale * prepared.scales)
        return self.activation.apply_to_int32(sums)


def _pack(prepared: Prepared, shape: torch.Size) -> Tensor:
    """Returns the weight in the order in which oneDNN computes data of a shape fastest."""
    packed: Tensor = torch.ops.onednn.qlinear_prepack(prepared.weight, shape)
    return packed


_EXACT_FLOATS = 2**24
"""Float32 has all integers below it; larger sums of products are computed in float64."""
_LARGEST_PRODUCT = 255 * 255


def _multiply(left: Tensor, right: Tensor) -> Tensor:
    """Returns products of matrices of bytes, exactly, as floats."""
    largest = left.shape[-1] * _LARGEST_PRODUCT
    dtype = torch.float32 if largest < _EXACT_FLOATS else torch.float64
    return torch.bmm(left.to(dtype), right.to(dtype))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusedAttention(Layer):
    """A product of self-attention on bytes: scores, or sums of values by weights.

    Attributes:
        attention: What the product is a part of.
        heads: Number of heads.
    """

    attention: Attention
    heads: int

    def run(self, source: Quantity, weights: Quantity | None) -> tuple[Tensor, ...]:
        """Multiplies bytes.

        Args:
            source: Queries, keys and values.
            weights: What values are summed by; None for scores.

        Returns:
            The result and, if it is of integers, its range.
        """
        other = source if weights is None else weights
        attention, heads, root = self.attention, self.heads, 1.0
        if attention.split_values is not None and attention.join is not None:
            values = attention.split_values(source.data, heads=heads)
            sums = attention.join(_multiply(other.data, values), heads=heads)
        elif attention.split_scores is not None:
            queries, keys, _ = attention.split_scores(source.data, heads=heads)
            sums, root = _multiply(queries, keys.transpose(1, 2)), queries.shape[2] ** 0.5
        factor = self._factor(source, other, root)
        result = sums.float() * factor if root != 1 or self.dtype is not torch.int32 else sums
        if self.returns_floats:
            return (result,)
        if self.calibrated is None:
            return result.round().to(torch.int32), *_range_of_products(source, other)
        ends = (constant(end, result) for end in self.calibrated)
        return saturate(result, self.dtype), *ends

    def _factor(self, source: Quantity, other: Quantity, root: float) -> Tensor:
        """Returns what sums of products are multiplied with."""
        if self.dtype is torch.int32:
            return constant(1 / root, source.low)
        scale = 1.0 if self.returns_floats else _scale_of_result(self.calibrated, self.dtype)
        factor = constant(scale, source.low) / (source.scale * other.scale)
        return (factor.double() / root).float()
