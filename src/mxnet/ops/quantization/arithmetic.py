"""Sums and products of quantized arrays."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.quantization.pooling import OUTPUTS
from mxnet.ops.quantization.ranges import (
    BYTES,
    INT8_LARGEST,
    INT8_LEVELS,
    INT32_LARGEST,
    RANGE,
    calibrated_range,
    constant,
    empty_results,
    inverse_scale,
    is_calibrated,
    levels_of,
    magnitude,
    require_dtype,
    require_ranges,
    saturate,
    scale_of,
)
from mxnet.ops.quantization.type_rules import FLOATS, expect_types
from mxnet.ops.registry import op
from mxnet.ops.traits import EXACT_SHAPES, NAMED_OUTPUTS, Dtypes, Labels, Settings, Traits

_ADD, _MULTIPLY = "_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul"
_RANGES = ("lhs_min", "lhs_max", "rhs_min", "rhs_max")
_RANGE_DTYPES = dict.fromkeys(_RANGES, FLOATS)
_INT32_HIGHEST = 2**31 - 1


def _fill_like_lhs(lhs: Shape, **_: object) -> dict[str, Shape]:
    return {"rhs": lhs, **dict.fromkeys(_RANGES, RANGE)}


def _require_alike(name: str, lhs: Tensor, rhs: Tensor) -> None:
    if lhs.shape != rhs.shape:
        raise MXNetError(
            f"{name}: expected arrays of one shape, got {tuple(lhs.shape)} and {tuple(rhs.shape)}"
        )


def joined_dtype(*dtypes: torch.dtype) -> torch.dtype:
    """Returns the type that holds bytes of several: uint8 only if none has a sign."""
    return torch.int8 if torch.int8 in dtypes else torch.uint8


def _sum_dtypes(known: Dtypes, settings: Settings) -> Dtypes:
    lhs, rhs = known[:2]
    if not is_calibrated(settings["min_calib_range"], settings["max_calib_range"]):
        return [torch.int32, torch.float32, torch.float32]
    both = None if lhs is None or rhs is None else joined_dtype(lhs, rhs)
    return [both, torch.float32, torch.float32]


def rescaled_factor(
    low: Tensor, high: Tensor, dtype: torch.dtype, extent: Tensor, result: torch.dtype
) -> Tensor:
    """Returns what bytes of one range are multiplied by to be bytes of another.

    Args:
        low: Lower end of their range.
        high: Upper end of their range.
        dtype: Their type.
        extent: Magnitude of the other range.
        result: Type of the result.
    """
    per_unit = inverse_scale(magnitude(low, high), levels_of(dtype))
    return inverse_scale(extent, levels_of(result)) / per_unit


def _factor_to_int32(low: Tensor, high: Tensor, dtype: torch.dtype, extent: Tensor) -> Tensor:
    """Returns what bytes of a range are multiplied by to be int32 of another one."""
    steps = constant(levels_of(dtype), extent) * extent
    return magnitude(low, high) * constant(INT32_LARGEST, extent) / steps


def _scaled(data: Tensor, factor: Tensor, other: Tensor) -> Tensor:
    """Returns bytes in steps of the result.

    Beside int8 the original rounds uint8 to int8 first. Where the result is int32, whose steps are
    small, they all become 127.
    """
    scaled = data.float().mul_(factor)
    if data.dtype is torch.uint8 and other.dtype is torch.int8:
        return saturate(scaled, torch.int8).float()
    return scaled


def _to_int32(values: Tensor) -> Tensor:
    """Rounds to nearest even, with saturation; the largest int32 is no float32."""
    whole = values.double().round_().clamp_(-INT32_LARGEST, _INT32_HIGHEST)
    return whole.to(torch.int32)


@op(
    _ADD,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=_fill_like_lhs,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*OUTPUTS),
        types=expect_types(_ADD, {"lhs": BYTES, "rhs": BYTES, **_RANGE_DTYPES}, _sum_dtypes),
    ),
)
def quantized_elemwise_add(
    lhs: Tensor,
    rhs: Tensor,
    lhs_min: Tensor,
    lhs_max: Tensor,
    rhs_min: Tensor,
    rhs_max: Tensor,
    *,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> tuple[Tensor, ...]:
    """Adds quantized arrays of one shape.

    Without a calibrated range the original gets sums of int8 and uint8 wrong: what is uint8 counts
    as 127 steps of the result. So it is here.

    Args:
        lhs: Integers, int8 or uint8.
        rhs: Integers, int8 or uint8.
        lhs_min: Lower end of the range of `lhs`, of shape `(1,)`; so are the other ranges.
        lhs_max: Upper end of the range of `lhs`.
        rhs_min: Lower end of the range of `rhs`.
        rhs_max: Upper end of the range of `rhs`.
        min_calib_range: Lower end of the range of the result.
        max_calib_range: Upper end of the range of the result.

    Returns:
        The sums and the ends of their range: bytes of the calibrated range, uint8 if both inputs
        are, or int32 if none is given.
    """
    ends = dict(zip(_RANGES, (lhs_min, lhs_max, rhs_min, rhs_max), strict=True))
    require_ranges(_ADD, **ends)
    _require_alike(_ADD, lhs, rhs)
    result = joined_dtype(lhs.dtype, rhs.dtype)
    calibrated = is_calibrated(min_calib_range, max_calib_range)
    if lhs.is_meta:
        return empty_results((lhs.shape, result if calibrated else torch.int32))
    for role, array in (("lhs", lhs), ("rhs", rhs)):
        require_dtype(_ADD, role, array, *BYTES)
    if calibrated:
        low, high = calibrated_range(min_calib_range, max_calib_range, lhs)
        extent = magnitude(low, high)
        left = rescaled_factor(lhs_min, lhs_max, lhs.dtype, extent, result)
        right = rescaled_factor(rhs_min, rhs_max, rhs.dtype, extent, result)
        sums = _scaled(lhs, left, rhs) + _scaled(rhs, right, lhs)
        return saturate(sums, result), low, high
    extent = magnitude(lhs_min, lhs_max) + magnitude(rhs_min, rhs_max)
    left = _factor_to_int32(lhs_min, lhs_max, lhs.dtype, extent)
    right = _factor_to_int32(rhs_min, rhs_max, rhs.dtype, extent)
    sums = _scaled(lhs, left, rhs) + _scaled(rhs, right, lhs)
    return _to_int32(sums), -extent, extent


def _count_products(*, enable_float_output: bool, **_: object) -> int:
    return 1 if enable_float_output else 3


def _name_products(**attrs: bool) -> tuple[str, ...]:
    return OUTPUTS[: _count_products(**attrs)]


def _product_dtypes(known: Dtypes, settings: Settings) -> Dtypes:
    if settings["enable_float_output"]:
        return [torch.float32]
    calibrated = is_calibrated(settings["min_calib_range"], settings["max_calib_range"])
    return [torch.int8 if calibrated else torch.int32, torch.float32, torch.float32]


@op(
    _MULTIPLY,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=_count_products,
    fill_shapes=_fill_like_lhs,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=Labels(outputs=_name_products, names_outputs=True),
        types=expect_types(
            _MULTIPLY,
            {"lhs": (torch.int8,), "rhs": (torch.int8,), **_RANGE_DTYPES},
            _product_dtypes,
        ),
    ),
)
def quantized_elemwise_mul(
    lhs: Tensor,
    rhs: Tensor,
    lhs_min: Tensor,
    lhs_max: Tensor,
    rhs_min: Tensor,
    rhs_max: Tensor,
    *,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    enable_float_output: bool = False,
) -> tuple[Tensor, ...]:
    """Multiplies quantized arrays of one shape.

    Args:
        lhs: Integers, int8.
        rhs: Integers, int8.
        lhs_min: Lower end of the range of `lhs`, of shape `(1,)`; so are the other ranges.
        lhs_max: Upper end of the range of `lhs`.
        rhs_min: Lower end of the range of `rhs`.
        rhs_max: Upper end of the range of `rhs`.
        min_calib_range: Lower end of the range of the result.
        max_calib_range: Upper end of the range of the result.
        enable_float_output: Whether to return the products as float32, without a range.

    Returns:
        The products and the ends of their range: int8 of the calibrated range, cut off towards 0
        and without saturation, or int32 if none is given.
    """
    ends = dict(zip(_RANGES, (lhs_min, lhs_max, rhs_min, rhs_max), strict=True))
    require_ranges(_MULTIPLY, **ends)
    _require_alike(_MULTIPLY, lhs, rhs)
    calibrated = is_calibrated(min_calib_range, max_calib_range)
    if lhs.is_meta:
        if enable_float_output:
            return (torch.empty_like(lhs, dtype=torch.float32),)
        return empty_results((lhs.shape, torch.int8 if calibrated else torch.int32))
    for role, array in (("lhs", lhs), ("rhs", rhs)):
        require_dtype(_MULTIPLY, role, array, torch.int8)
    products = lhs.to(torch.int32) * rhs
    left = inverse_scale(magnitude(lhs_min, lhs_max), INT8_LEVELS)
    right = inverse_scale(magnitude(rhs_min, rhs_max), INT8_LEVELS)
    if enable_float_output:
        step = (left.double().reciprocal() / right.double()).float()
        return (products * step,)
    if calibrated:
        low, high = calibrated_range(min_calib_range, max_calib_range, lhs)
        factor = inverse_scale(magnitude(low, high), INT8_LEVELS) / left / right
        return (products * factor).to(torch.int32).to(torch.int8), low, high
    step = scale_of(lhs_min, lhs_max, INT8_LARGEST) * scale_of(rhs_min, rhs_max, INT8_LARGEST)
    largest = step * constant(INT32_LARGEST, step)
    return products, -largest, largest
