"""Fused convolutions on bytes: a convolution with what follows it, as the original computes it.

Filters become int8 with a step for each of them, or one step for all if the result stays int32. In
a graph for prediction they are prepared once; see `mxnet.graph.fused.prepare`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.quantization.fused_steps import (
    Activation,
    Layer,
    Packed,
    Prepared,
    Quantity,
    Rescaling,
    fold_normalization,
    quantize_rows,
    rescale,
    scale_of_result,
    scales_of_rows,
)
from mxnet.ops.quantization.kernels import (
    Window,
    as_uint8,
    convolve_to_int32,
    slide_on_bytes,
    uses_fused_kernels,
)
from mxnet.ops.quantization.ranges import constant, saturate

_SATURATING = (None, "relu", "clip")
"""Activations that saturation of bytes does, unless they are of another dtype than the result."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusedConvolution(Layer):
    """A convolution with normalization, addition and activation, on bytes.

    Attributes:
        window: How the filters slide.
        activation: What is applied to the result.
        eps: What the normalization adds to the variance; None if there is no normalization.
        has_scale: Whether the normalization has a scale that is not 1.
        calibrated: Smallest and largest number that the result stands for; None for int32.
        packed: The filters in the order of oneDNN.
    """

    window: Window
    activation: Activation
    eps: float | None
    has_scale: bool
    calibrated: tuple[float, float] | None
    packed: Packed = field(default_factory=Packed)

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the result."""
        if self.calibrated is None:
            return torch.int32
        return torch.uint8 if self.activation.function in ("relu", "clip") else torch.int8

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
        scales = scales_of_rows(weight, one_for_all=self.calibrated is None)
        if bias is None:
            bias = torch.zeros_like(scales)
        zeros = torch.zeros_like(scales, dtype=torch.int32)
        return Prepared(quantize_rows(weight, scales), scales, bias, zeros)

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

    @property
    def _scale(self) -> float:
        """The scale of a calibrated result."""
        return scale_of_result(self.calibrated, self.dtype)

    def _rescale(self, prepared: Prepared, source: Quantity) -> Rescaling:
        _check_sign(source)
        return rescale(prepared, source, self._scale)

    def _call_onednn(
        self,
        source: Quantity,
        prepared: Prepared,
        addend: Quantity | None,
        dtype: torch.dtype,
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
        sums = sums + _per_channel((prepared.bias * scale).round(), sums).to(torch.int32)
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


def _per_channel(values: Tensor, like: Tensor) -> Tensor:
    """Returns a number for each channel in a shape that fits results."""
    return values.reshape(-1, *([1] * (like.ndim - 2)))
