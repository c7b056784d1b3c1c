"""Convolutions and products of bytes: int8 kernels of the CPU, exact everywhere else.

oneDNN multiplies uint8 or int8 data with int8 weights, adds up in int32 and returns the sums as
float32, or scaled and rounded as bytes. A float32 holds integers exactly up to 2**24: where a sum
could be greater, the channels are split and the parts are added as int32. Where there is no such
kernel (on GPUs, and on CPUs for which torch has no oneDNN) a convolution of float64 is exact too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet import _engine
from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape

_EXACT_FLOATS = 2**24
"""Integers below are float32 exactly, and so are all their sums that stay below."""
_LARGEST_PRODUCT = 255 * 128
_MIDDLE = 128
"""What int8 is shifted by to be uint8, the only data that torch hands to oneDNN's convolution."""
_CONVOLUTIONS = (F.conv1d, F.conv2d, F.conv3d)


@dataclass(frozen=True, slots=True)
class Window:
    """How a convolution slides: a number for each spatial axis, and the number of groups."""

    stride: Shape
    pad: Shape
    dilate: Shape
    groups: int = 1


@dataclass(frozen=True, slots=True)
class Addend:
    """An array that is added to a convolution before its activation.

    Attributes:
        data: Array of the shape and dtype of the result; it may be overwritten.
        scale: What it is multiplied by, in steps of the result.
    """

    data: Tensor
    scale: float = 1.0


HAS_INT8_KERNELS: bool = torch.backends.mkldnn.is_available() and _engine.has(  # type: ignore[no-untyped-call]
    "_int_mm",
    "ops.onednn.qconv_prepack",
    "ops.onednn.qconv1d_pointwise",
    "ops.onednn.qconv2d_pointwise.binary",
    "ops.onednn.qconv3d_pointwise",
    "ops.onednn.qlinear_prepack",
    "ops.onednn.qlinear_pointwise",
)
"""Whether torch hands convolutions and products of bytes to oneDNN."""


def uses_int8_kernels(data: Tensor) -> bool:
    """Returns whether an array is where the int8 kernels are."""
    return HAS_INT8_KERNELS and data.device.type == "cpu"


def _as_uint8(data: Tensor) -> tuple[Tensor, int]:
    """Returns data as uint8 and the integer that stands for 0."""
    if data.dtype is torch.uint8:
        return data, 0
    return data.view(torch.uint8) ^ _MIDDLE, _MIDDLE


def _zero_points(count: int) -> Tensor:
    return torch.zeros(count, dtype=torch.int32)


@dataclass(frozen=True, slots=True)
class PackedConvolution:
    """Filters in the order of memory that oneDNN wants; see `pack_convolution`.

    Attributes:
        weight: The reordered filters.
        window: How they slide.
        num_filter: Their number.
        zero: The integer of the data, as uint8, that stands for 0.
    """

    weight: Tensor
    window: Window
    num_filter: int
    zero: int


def pack_convolution(
    weight: Tensor, window: Window, dtype: torch.dtype, shape: Sequence[int] | None = None
) -> PackedConvolution:
    """Reorders filters for `convolve`, once for all calls with the same filters.

    Args:
        weight: Filters, int8, of shape `(num_filter, channels / groups, *kernel)`.
        window: How they slide.
        dtype: Type of the data, int8 or uint8.
        shape: Shape of the data, if it is known; oneDNN chooses a better order then.
    """
    zero = 0 if dtype is torch.uint8 else _MIDDLE
    count = weight.shape[0]
    packed = torch.ops.onednn.qconv_prepack(
        weight,
        torch.ones(count),
        1.0,
        zero,
        window.stride,
        window.pad,
        window.dilate,
        window.groups,
        None if shape is None else list(shape),
    )
    return PackedConvolution(packed, window, count, zero)


def convolve(
    data: Tensor,
    packed: PackedConvolution,
    *,
    scales: Tensor | None = None,
    bias: Tensor | None = None,
    addend: Addend | None = None,
    relu: bool = False,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Convolves bytes on the CPU: `relu(sums * scales + bias + addend)`, rounded if it is bytes.

    Args:
        data: Data, int8 or uint8, with the channels on axis 1.
        packed: Filters for such data.
        scales: Step of a sum of products in steps of the result, for each filter; None for 1.
        bias: Offset of each filter in steps of the result, float32.
        addend: What else is added.
        relu: Whether negative results become 0.
        dtype: Type of the result: float32, int8 or uint8. Bytes are rounded to nearest even and
            saturate.
    """
    window, count = packed.window, packed.num_filter
    shifted, zero = _as_uint8(data)
    if zero != packed.zero:
        raise MXNetError("quantization: filters are packed for data of another dtype")
    factors = torch.ones(count) if scales is None else scales
    head = (shifted, 1.0, zero, packed.weight, factors, _zero_points(count))
    slides = (bias, window.stride, window.pad, window.dilate, window.groups, 1.0, 0, dtype)
    activation = "relu" if relu else "none"
    if addend is None:
        slide = getattr(torch.ops.onednn, f"qconv{data.ndim - 2}d_pointwise")
        result: Tensor = slide(*head, *slides, activation, [], "")
        return result
    summed: Tensor = torch.ops.onednn.qconv2d_pointwise.binary(
        *head, addend.data, *slides, addend.scale, 0, "sum", 1.0, activation, [], ""
    )
    return summed


def _may_exceed_floats(weight: Tensor, dtype: torch.dtype) -> bool:
    """Returns whether a sum of products could be an integer that float32 does not hold."""
    if weight[0].numel() * _LARGEST_PRODUCT < _EXACT_FLOATS:
        return False
    heaviest = weight.flatten(1).to(torch.int16).abs().sum(1, dtype=torch.int64).max()
    return int(heaviest) * (255 if dtype is torch.uint8 else 128) >= _EXACT_FLOATS


def _convolve_exactly(data: Tensor, weight: Tensor, window: Window) -> Tensor:
    """Convolves integers as float64, which holds all sums of products of bytes."""
    slide = _CONVOLUTIONS[data.ndim - 3]
    sums = slide(
        data.double(),
        weight.double(),
        None,
        window.stride,
        window.pad,
        window.dilate,
        window.groups,
    )
    return sums.to(torch.int32)


def convolve_to_int32(data: Tensor, weight: Tensor, window: Window) -> Tensor:
    """Convolves bytes and returns the sums of products as int32, exactly.

    Args:
        data: Data, int8 or uint8, with the channels on axis 1.
        weight: Filters, int8, of shape `(num_filter, channels / groups, *kernel)`.
        window: How they slide.
    """
    if not uses_int8_kernels(data):
        return _convolve_exactly(data, weight, window)
    if not _may_exceed_floats(weight, data.dtype):
        packed = pack_convolution(weight, window, data.dtype, data.shape)
        return convolve(data, packed).to(torch.int32, memory_format=torch.contiguous_format)
    channels = weight.shape[1]
    if window.groups > 1 or channels == 1:
        return _convolve_exactly(data, weight, window)
    half = channels // 2
    return convolve_to_int32(data[:, :half], weight[:, :half], window) + convolve_to_int32(
        data[:, half:], weight[:, half:], window
    )


_INT_MM_ROWS, _INT_MM_MULTIPLE = 17, 8
"""What CUDA's product of int8 takes: at least so many rows, and lengths that are multiples."""


def _suits_cuda(data: Tensor, weight: Tensor) -> bool:
    rows, length = data.shape
    return (
        data.dtype is torch.int8
        and rows >= _INT_MM_ROWS
        and length % _INT_MM_MULTIPLE == 0
        and weight.shape[0] % _INT_MM_MULTIPLE == 0
    )


def multiply_to_int32(data: Tensor, weight: Tensor) -> Tensor:
    """Returns `data @ weight.T` of bytes as int32, exactly.

    Args:
        data: Matrix of shape `(rows, length)`, int8 or uint8.
        weight: Matrix of shape `(columns, length)`, int8.
    """
    on_cpu = data.device.type == "cpu"
    if not data.numel() or not weight.numel():
        return data.new_zeros((data.shape[0], weight.shape[0]), dtype=torch.int32)
    if data.shape[1] == 1:  # of which torch's product returns wrong numbers
        return data.to(torch.int32) * weight.to(torch.int32).t()
    if uses_int8_kernels(data) or (not on_cpu and _suits_cuda(data, weight)):
        return torch._int_mm(data, weight.t())
    return (data.double() @ weight.double().t()).to(torch.int32)


@dataclass(frozen=True, slots=True)
class PackedProduct:
    """A matrix in the order of memory that oneDNN wants; see `pack_product`."""

    weight: Tensor
    num_rows: int


def pack_product(weight: Tensor, shape: Sequence[int] | None = None) -> PackedProduct:
    """Reorders the int8 matrix of a dense layer for `multiply`, once for all calls.

    Args:
        weight: Matrix of shape `(units, in_units)`.
        shape: Shape of the data, if it is known.
    """
    packed = torch.ops.onednn.qlinear_prepack(weight, None if shape is None else list(shape))
    return PackedProduct(packed, weight.shape[0])


def multiply(
    data: Tensor,
    packed: PackedProduct,
    *,
    scales: Tensor | None = None,
    bias: Tensor | None = None,
    relu: bool = False,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Multiplies bytes on the CPU: `relu(data @ weight.T * scales + bias)`.

    Args:
        data: Data of shape `(rows, in_units)`, int8 or uint8.
        packed: The matrix.
        scales: Step of a sum of products in steps of the result, for each unit; None for 1.
        bias: Offset of each unit in steps of the result, float32.
        relu: Whether negative results become 0.
        dtype: Type of the result: float32, int8 or uint8, which are rounded to nearest even.
    """
    count = packed.num_rows
    factors = torch.ones(count) if scales is None else scales
    result: Tensor = torch.ops.onednn.qlinear_pointwise(
        data,
        1.0,
        0,
        packed.weight,
        factors,
        _zero_points(count),
        bias,
        1.0,
        0,
        dtype,
        "relu" if relu else "none",
        [],
        "",
    )
    return result
