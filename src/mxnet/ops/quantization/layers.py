"""Convolution and dense layer on bytes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import flops
from mxnet.ops.attrs import Count, Shape
from mxnet.ops.nn._checks import require_shape
from mxnet.ops.nn.conv import Layout, Tuning, convolution, fill_convolution
from mxnet.ops.nn.spatial import check_window
from mxnet.ops.quantization.kernels import Window, convolve_to_int32, multiply_to_int32
from mxnet.ops.quantization.ranges import (
    BYTES,
    INT8_LARGEST,
    INT8_LEVELS,
    INT32_LARGEST,
    RANGE,
    UINT8_LARGEST,
    constant,
    empty_results,
    inverse_scale,
    levels_of,
    magnitude,
    require_dtype,
    require_ranges,
    scale_of,
)
from mxnet.ops.quantization.type_rules import FLOATS, expect_types
from mxnet.ops.registry import op
from mxnet.ops.traits import EXACT_SHAPES, NAMED_OUTPUTS, Traits

_CONV, _DENSE = "_contrib_quantized_conv", "_contrib_quantized_fully_connected"
_OUTPUTS = ("output", "min_output", "max_output")
_OUTPUT_DTYPES = [torch.int32, torch.float32, torch.float32]
_RANGES = ("min_data", "max_data", "min_weight", "max_weight")
_BIAS_RANGES = ("min_bias", "max_bias")
_INPUT_DTYPES = {"weight": (torch.int8,), "bias": (torch.int8,)} | dict.fromkeys(
    _RANGES + _BIAS_RANGES, FLOATS
)


def _inputs(*, no_bias: bool, **_: object) -> tuple[str, ...]:
    """Names the inputs; a bias brings its range."""
    if no_bias:
        return ("data", "weight", *_RANGES)
    return ("data", "weight", "bias", *_RANGES, *_BIAS_RANGES)


def _with_ranges(shapes: dict[str, Shape]) -> dict[str, Shape]:
    return shapes | dict.fromkeys(_RANGES + _BIAS_RANGES, RANGE)


def _range_of_sums(ends: Sequence[Tensor], levels: float) -> tuple[Tensor, Tensor]:
    """Returns the range that int32 sums of products stand for.

    Args:
        ends: Ends of the ranges of the data and of the weights.
        levels: What the range of the weights is split into.
    """
    low_data, high_data, low_weight, high_weight = ends
    step = scale_of(low_data, high_data, INT8_LARGEST) * scale_of(low_weight, high_weight, levels)
    largest = step * constant(INT32_LARGEST, step)
    return -largest, largest


def _fill_conv(data: Shape, **settings: Any) -> dict[str, Shape]:
    if len(data) not in (4, 5):
        raise MXNetError(f"{_CONV}: expected data of 4 or 5 axes, got shape {data}")
    return _with_ranges(dict(fill_convolution(data, **settings)))


def _check_conv(*, num_group: int, layout: str | None, **window: Any) -> None:
    if num_group != 1:
        raise MXNetError(f"{_CONV}: expected num_group=1, got {num_group}")
    if layout not in (None, "NCHW", "NCDHW"):
        raise MXNetError(f"{_CONV}: expected layout NCHW or NCDHW, got {layout}")
    check_window(_CONV, (2, 3), **window)


@op(
    _CONV,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=_fill_conv,
    active_inputs=_inputs,
    check_attrs=_check_conv,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*_OUTPUTS),
        types=expect_types(_CONV, _INPUT_DTYPES, _OUTPUT_DTYPES),
        flops=flops.convolution_with(weight=1),
    ),
)
def quantized_conv(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: Count = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Tuning = None,
    cudnn_off: bool = False,
    layout: Layout = None,
) -> tuple[Tensor, ...]:
    """Computes a convolution of bytes, whose result is int32.

    Args:
        data: Integers, uint8, on GPUs also int8, of shape `(batch, channels, *spatial)` with two or
            three spatial axes.
        weight: Filters, int8, of shape `(num_filter, channels, *kernel)`.
        bias: Offsets, int8, of shape `(num_filter,)`. To sums of uint8 they are added as they are:
            their range does not matter.
        min_data: Lower end of the range of the data, of shape `(1,)`; so are the other ranges.
        max_data: Upper end of the range of the data.
        min_weight: Lower end of the range of the filters.
        max_weight: Upper end of the range of the filters.
        min_bias: Lower end of the range of the bias.
        max_bias: Upper end of the range of the bias.
        kernel: Size of the window.
        stride: Steps of the window, 1 if empty.
        dilate: Distances between the points of the window, 1 if empty.
        pad: Zeros on both sides of each spatial axis, none if empty.
        num_filter: Number of output channels.
        num_group: 1.
        workspace: Accepted for compatibility.
        no_bias: Whether to leave the bias and its range out.
        cudnn_tune: Accepted for compatibility.
        cudnn_off: Accepted for compatibility.
        layout: `NCHW`, `NCDHW` or None.

    Returns:
        The sums of products, int32, and the ends of the range that int32 stands for.
    """
    attrs = {"kernel": kernel, "stride": stride, "dilate": dilate, "pad": pad}
    ends = dict(zip(_RANGES, (min_data, max_data, min_weight, max_weight), strict=True))
    require_ranges(_CONV, **ends)
    if data.is_meta:
        shape = convolution(
            data.float(), weight.float(), num_filter=num_filter, no_bias=True, **attrs
        ).shape
        return empty_results((shape, torch.int32))
    require_dtype(_CONV, "data", data, *((torch.uint8,) if _is_on_cpu(data) else BYTES))
    require_dtype(_CONV, "weight", weight, torch.int8)
    axes = len(kernel)
    require_shape(_CONV, "weight", weight, (num_filter, data.shape[1], *kernel))
    window = Window(stride or (1,) * axes, pad or (0,) * axes, dilate or (1,) * axes)
    sums = convolve_to_int32(data, weight, window)
    if data.dtype is torch.int8 and not no_bias:
        require_ranges(_CONV, min_bias=min_bias, max_bias=max_bias)
        bias_ends = _given({"min_bias": min_bias, "max_bias": max_bias})
        offsets = _scale_bias(_required_bias(_CONV, bias, num_filter), bias_ends, _given(ends))
        sums += offsets.reshape(-1, *(1,) * axes)
    elif not no_bias:
        sums += _required_bias(_CONV, bias, num_filter).reshape(-1, *(1,) * axes)
    return (sums, *_range_of_sums(_given(ends), INT8_LARGEST))


def _is_on_cpu(data: Tensor) -> bool:
    return data.device.type == "cpu"


def _scale_bias(offsets: Tensor, bias_ends: Sequence[Tensor], ends: Sequence[Tensor]) -> Tensor:
    """Returns a bias of int8 in the unit of sums of products of int8, as int32.

    Args:
        offsets: The bias.
        bias_ends: Ends of its range.
        ends: Ends of the ranges of the data and of the weights.
    """
    low_data, high_data, low_weight, high_weight = ends
    low_bias, high_bias = bias_ends
    step = scale_of(low_data, high_data, INT8_LARGEST) * scale_of(
        low_weight, high_weight, INT8_LARGEST
    )
    factor = scale_of(low_bias, high_bias, INT8_LARGEST) / step
    return (offsets * factor).round().to(torch.int32)


def _given(ends: dict[str, Tensor | None]) -> tuple[Tensor, ...]:
    return tuple(end for end in ends.values() if end is not None)


def _required_bias(name: str, bias: Tensor | None, count: int) -> Tensor:
    if bias is None:
        raise MXNetError(f"{name}: expected an input `bias` with no_bias=False, got none")
    require_dtype(name, "bias", bias, torch.int8)
    require_shape(name, "bias", bias, (count,))
    return bias.to(torch.int32)


def _fill_dense(data: Shape, *, num_hidden: int, flatten: bool, **_: object) -> dict[str, Shape]:
    in_units = prod(data[1:]) if flatten else data[-1]
    return _with_ranges({"weight": (num_hidden, in_units), "bias": (num_hidden,)})


def _rescale_bias(bias: Tensor, low: Tensor, high: Tensor, per_unit: Tensor) -> Tensor:
    """Returns a bias in steps of the sums of products, cut off towards 0.

    Args:
        bias: The offsets.
        low: Lower end of their range.
        high: Upper end of their range.
        per_unit: Number of steps of the sums that stand for 1.
    """
    scale = magnitude(low, high) * per_unit / constant(INT8_LEVELS, low)
    return (bias * scale).to(torch.int32)


@op(
    _DENSE,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=_fill_dense,
    active_inputs=_inputs,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*_OUTPUTS),
        types=expect_types(_DENSE, {"data": BYTES, **_INPUT_DTYPES}, _OUTPUT_DTYPES),
        flops=flops.dense,
    ),
)
def quantized_fully_connected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
) -> tuple[Tensor, ...]:
    """Computes a dense layer on bytes, whose result is int32.

    Args:
        data: Integers, int8 or uint8, of shape `(batch, ...)`.
        weight: Weights, int8, of shape `(num_hidden, in_units)`.
        bias: Offsets, int8, of shape `(num_hidden,)`.
        min_data: Lower end of the range of the data, of shape `(1,)`; so are the other ranges.
        max_data: Upper end of the range of the data.
        min_weight: Lower end of the range of the weights.
        max_weight: Upper end of the range of the weights.
        min_bias: Lower end of the range of the bias.
        max_bias: Upper end of the range of the bias.
        num_hidden: Size of the output.
        no_bias: Whether to leave the bias and its range out.
        flatten: Whether to fold all axes but the first into one; otherwise the layer applies to the
            last axis.

    Returns:
        The sums of products, int32, and the ends of the range that int32 stands for.
    """
    ends = dict(zip(_RANGES, (min_data, max_data, min_weight, max_weight), strict=True))
    require_ranges(_DENSE, **ends)
    if flatten:
        rows = data.reshape(data.shape[0], -1)
        shape: Shape = (data.shape[0], num_hidden)
    else:
        rows = data.reshape(-1, data.shape[-1])
        shape = (*data.shape[:-1], num_hidden)
    require_shape(_DENSE, "weight", weight, (num_hidden, rows.shape[1]))
    if data.is_meta:
        return empty_results((shape, torch.int32))
    require_dtype(_DENSE, "data", data, *BYTES)
    require_dtype(_DENSE, "weight", weight, torch.int8)
    sums = multiply_to_int32(rows, weight)
    low, high, low_weight, high_weight = _given(ends)
    if not no_bias:
        require_ranges(_DENSE, min_bias=min_bias, max_bias=max_bias)
        per_unit = inverse_scale(magnitude(low, high), levels_of(data.dtype)) * inverse_scale(
            magnitude(low_weight, high_weight), INT8_LEVELS
        )
        offsets = _required_bias(_DENSE, bias, num_hidden)
        low_bias, high_bias = _given({"min_bias": min_bias, "max_bias": max_bias})
        sums += _rescale_bias(offsets, low_bias, high_bias, per_unit)
    # The original splits the range of the weights, not that of the data, into 255.
    levels = UINT8_LARGEST if data.dtype is torch.uint8 else INT8_LARGEST
    return (sums.reshape(shape), *_range_of_sums(_given(ends), levels))
