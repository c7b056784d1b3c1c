"""Fused dense layers on bytes: a product with an activation, as the original computes it."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from mxnet.ops.quantization.fused_steps import (
    Activation,
    Layer,
    Packed,
    Prepared,
    Quantity,
    Rescaling,
    quantize_rows,
    rescale,
    scale_of_result,
    scales_of_rows,
)
from mxnet.ops.quantization.kernels import multiply_to_int32, uses_fused_kernels
from mxnet.ops.quantization.ranges import INT8_LEVELS, inverse_scale, magnitude, saturate

_SIGNED = ("elu", "gelu", "tanh")
"""Activations whose results are int8; the original takes others for positive, also `leaky`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusedDense(Layer):
    """A dense layer with an activation, on bytes.

    Attributes:
        flatten: Whether all axes but the first are one.
        activation: What is applied to the result.
        by_row: Whether weight and bias are floats, of which each row gets a step.
        returns_floats: Whether the result is float32.
        calibrated: Smallest and largest number that the result stands for; None for int32.
        packed: The weight in the order of oneDNN.
    """

    flatten: bool
    activation: Activation
    by_row: bool
    returns_floats: bool
    calibrated: tuple[float, float] | None
    packed: Packed = field(default_factory=Packed)

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the result."""
        if self.returns_floats:
            return torch.float32
        if self.calibrated is None:
            return torch.int32
        function = self.activation.function
        return torch.int8 if function is None or function in _SIGNED else torch.uint8

    def prepare(self, weight: Tensor, bias: Tensor | None, *ranges: Tensor) -> Prepared:
        """Makes what depends on parameters alone.

        Args:
            weight: Matrix of shape `(units, in_units)`.
            bias: Bias of each unit, or None.
            *ranges: Smallest and largest number that the weight stands for, and those of the bias,
                if they are int8.
        """
        if self.by_row:
            scales = scales_of_rows(weight, one_for_all=False)
            weight = quantize_rows(weight, scales)
        else:
            scale = inverse_scale(magnitude(*ranges[:2]), INT8_LEVELS)
            scales = scale.expand(len(weight)).contiguous()
            if bias is not None:
                bias = bias * (magnitude(*ranges[2:]) / INT8_LEVELS)
        if bias is None:
            bias = torch.zeros_like(scales)
        return Prepared(weight, scales, bias, torch.zeros_like(scales, dtype=torch.int32))

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
        """The scale of what a product returns."""
        is_scaled = self.activation.function in (None, "relu") and not self.returns_floats
        return scale_of_result(self.calibrated, self.dtype) if is_scaled else 1.0

    def _rescale(self, prepared: Prepared, source: Quantity) -> Rescaling:
        return rescale(prepared, source, self._scale)

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
            values = values * scale_of_result(self.calibrated, self.dtype)
        return saturate(values, self.dtype)

    def _add_up(self, source: Quantity, prepared: Prepared) -> Tensor:
        """Returns sums of products as int32, to which the activation is applied as they are."""
        sums = multiply_to_int32(source.data, prepared.weight)
        scale = source.scale * prepared.scales
        sums = sums + (prepared.bias * scale).round().to(torch.int32)
        return self.activation.apply_to_int32(sums)


def _pack(prepared: Prepared, shape: torch.Size) -> Tensor:
    """Returns the weight in the order in which oneDNN computes data of a shape fastest."""
    packed: Tensor = torch.ops.onednn.qlinear_prepack(prepared.weight, shape)
    return packed
