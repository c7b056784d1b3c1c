"""Convolutions and products of bytes: int8 kernels of the CPU, exact everywhere else.

oneDNN multiplies uint8 or int8 data with int8 weights, adds up in int32 and returns the sums as
float32, or scaled and rounded as bytes. A float32 holds integers exactly up to 2**24: where a sum
could be greater, the channels are split and the parts are added as int32. Where there is no such
kernel (on GPUs, and on CPUs for which torch has no oneDNN) a convolution of float64 is exact too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, reduce

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet import _engine
from mxnet.ops.core.attrs import Shape

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


@cache  # the release of torch does not change
def _has_fused_kernels() -> bool:
    """Returns whether layers of oneDNN take and return int8; those of torch 2.6 return uint8."""
    data, weight = -torch.ones((1, 4), dtype=torch.int8), torch.ones((4, 4), dtype=torch.int8)
    one, none = torch.ones(4), torch.zeros(4, dtype=torch.int32)
    packed = torch.ops.onednn.qlinear_prepack(weight, data.shape)
    head = (1.0, 0, packed, one, none, None, 1.0, 0, torch.int8)
    try:
        product = torch.ops.onednn.qlinear_pointwise(data, *head, "none", [], "")
    except RuntimeError:
        return False
    return bool(product.dtype is torch.int8 and (product == -4).all())


def uses_fused_kernels(data: Tensor) -> bool:
    """Returns whether a layer with its conversions is one call of oneDNN where an array is."""
    return uses_int8_kernels(data) and _has_fused_kernels()


def as_uint8(data: Tensor) -> tuple[Tensor, int]:
    """Returns data as uint8 and the integer that stands for 0."""
    if data.dtype is torch.uint8:
        return data, 0
    return data.view(torch.uint8) ^ _MIDDLE, _MIDDLE


def slide_on_bytes(num_axes: int) -> Callable[..., Tensor]:
    """Returns oneDNN's convolution of data with so many axes."""
    slide: Callable[..., Tensor] = getattr(torch.ops.onednn, f"qconv{num_axes - 2}d_pointwise")
    return slide


def _call_onednn(data: Tensor, zero: int, weight: Tensor, window: Window) -> Tensor:
    """Returns sums of products as float32, exact as long as they are below 2**24.

    Args:
        data: Data, uint8.
        zero: The integer of the data that stands for 0.
        weight: Filters, int8.
        window: How they slide.
    """
    slides = (window.stride, window.pad, window.dilate, window.groups)
    scale, none = torch.ones(1), torch.zeros(1, dtype=torch.int32)
    packed = torch.ops.onednn.qconv_prepack(weight, scale, 1.0, zero, *slides, list(data.shape))
    head = (data, 1.0, zero, packed, scale, none, None)
    sums: Tensor = slide_on_bytes(data.ndim)(*head, *slides, 1.0, 0, torch.float32, "none", [], "")
    return sums


@cache  # the CPU does not change
def _adds_pairs_exactly() -> bool:
    """Returns whether the CPU adds products of the largest bytes without saturation.

    Before VNNI, two products were added to 16 bits, and saturated.
    """
    data = torch.full((1, 32, 3, 3), 255, dtype=torch.uint8)
    window = Window((1, 1), (0, 0), (1, 1))
    for count in (4, 16):
        weight = torch.full((count, 32, 3, 3), 127, dtype=torch.int8)
        if not (_call_onednn(data, 0, weight, window) == 32 * 9 * 255 * 127).all():
            return False
    return True


def _convolve_on_cpu(data: Tensor, weight: Tensor, window: Window) -> Tensor:
    """Returns sums of products, which are below 2**24, as int32."""
    shifted, zero = as_uint8(data)
    if _adds_pairs_exactly():
        return _call_onednn(shifted, zero, weight, window).to(torch.int32)
    # Products of 7 bits do not saturate, and those of the highest bit neither.
    low = _call_onednn(shifted & 127, 0, weight, window)
    high = _call_onednn(shifted >> 7, zero >> 7, weight, window)
    return low.add_(high, alpha=_MIDDLE).to(torch.int32)


def _split_channels(weight: Tensor, dtype: torch.dtype) -> list[int]:
    """Returns numbers of channels such that no sum over so many is lost in float32.

    Args:
        weight: Filters, int8.
        dtype: Type of the data.
    """
    channels = weight.shape[1]
    if weight[0].numel() * _LARGEST_PRODUCT < _EXACT_FLOATS:
        return [channels]
    # The magnitude of -128 is an uint8.
    magnitudes = weight.abs().view(torch.uint8).flatten(2).sum(2, dtype=torch.int32)
    largest = 255 if dtype is torch.uint8 else 128
    parts = 1
    while parts < channels:
        size = -(-channels // parts)
        heaviest = max(int(part.sum(1).max()) for part in torch.split(magnitudes, size, 1))
        if heaviest * largest < _EXACT_FLOATS:
            break
        parts *= 2
    size = -(-channels // parts)
    return [min(size, channels - start) for start in range(0, channels, size)]


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

    Returns:
        The sums; on a CPU with the channels last in memory, as oneDNN computes them.
    """
    if not uses_int8_kernels(data):
        return _convolve_exactly(data, weight, window)
    sizes = _split_channels(weight, data.dtype)
    if len(sizes) == 1:
        return _convolve_on_cpu(data, weight, window)
    if window.groups > 1:
        return _convolve_exactly(data, weight, window)
    parts = zip(torch.split(data, sizes, 1), torch.split(weight, sizes, 1), strict=True)
    sums = [_convolve_on_cpu(part, rows, window) for part, rows in parts]
    return reduce(Tensor.add_, sums)


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


@lru_cache(maxsize=2)  # the CPU does not change
def _has_exact_products(dtype: torch.dtype) -> bool:
    """Returns whether the CPU multiplies matrices of the largest bytes without saturation.

    Older releases of torch do not multiply uint8 at all.
    """
    largest = 255 if dtype is torch.uint8 else -128
    data = torch.full((4, 64), largest, dtype=dtype)
    weight = torch.full((8, 64), 127, dtype=torch.int8)
    try:
        return bool((torch._int_mm(data, weight.t()) == 64 * largest * 127).all())
    except RuntimeError:
        return False


def _multiply_on_cpu(data: Tensor, weight: Tensor) -> Tensor | None:
    """Returns `data @ weight.T` as int32, None if the CPU has no exact product of bytes."""
    if not HAS_INT8_KERNELS:
        return None
    if _has_exact_products(data.dtype):
        return torch._int_mm(data, weight.t())
    if data.dtype is torch.uint8 and _has_exact_products(torch.int8):
        shifted = (data ^ _MIDDLE).view(torch.int8)
        return torch._int_mm(shifted, weight.t()) + _MIDDLE * weight.sum(1, dtype=torch.int32)
    return None


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
    product = None
    if on_cpu:
        product = _multiply_on_cpu(data, weight)
    elif _suits_cuda(data, weight):
        product = torch._int_mm(data, weight.t())
    if product is not None:
        return product
    return (data.double() @ weight.double().t()).to(torch.int32)
