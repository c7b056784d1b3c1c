"""Batch normalization of bytes, by statistics that are known."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.nn._checks import require_shape
from mxnet.ops.quantization.pooling import DATA_RANGE, OUTPUTS
from mxnet.ops.quantization.ranges import (
    BYTES,
    INT8_LEVELS,
    RANGE,
    UINT8_LEVELS,
    calibrated_range,
    constant,
    empty_results,
    is_calibrated,
    magnitude,
    require_dtype,
    require_ranges,
    saturate,
)
from mxnet.ops.quantization.type_rules import FLOATS, expect_types
from mxnet.ops.registry import op
from mxnet.ops.traits import EXACT_SHAPES, NAMED_OUTPUTS, Traits

_NAME = "_contrib_quantized_batch_norm"
_PARAMETERS = ("gamma", "beta", "moving_mean", "moving_var")


def _fill_shapes(data: Shape, *, axis: int, **_: object) -> dict[str, Shape]:
    return {
        **dict.fromkeys(_PARAMETERS, (data[axis],)),
        "min_data": RANGE,
        "max_data": RANGE,
    }


def _slope_and_offset(
    parameters: tuple[Tensor, ...], eps: float, extent: Tensor, result: Tensor
) -> tuple[Tensor, Tensor]:
    """Returns what a byte is multiplied by, and what is added, for each channel.

    Args:
        parameters: Scale, offset, mean and variance of each channel.
        eps: What is added to variances.
        extent: Magnitude of the range of the data.
        result: Magnitude of the range of the result.
    """
    gamma, beta, mean, variance = parameters
    gain = gamma * (variance.double() + eps).rsqrt_().float()
    slope = gain * extent / result
    offset = (beta - mean * gamma * (variance.double() + eps).rsqrt_().float()) * constant(
        INT8_LEVELS, result
    )
    # The original's kernel normalizes once more, by a variance of 1.
    unit = (constant(1, result) + constant(eps, result)).sqrt()
    return slope / unit, offset / result


@op(
    _NAME,
    aux=("moving_mean", "moving_var"),
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=_fill_shapes,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*OUTPUTS),
        types=expect_types(
            _NAME,
            {"data": BYTES, **dict.fromkeys(_PARAMETERS, FLOATS), **DATA_RANGE},
            [torch.int8, torch.float32, torch.float32],
        ),
    ),
)
def quantized_batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> tuple[Tensor, ...]:
    """Normalizes bytes by the moving mean and variance of their channel.

    Args:
        data: Integers, int8 or uint8, with the channels on axis 1.
        gamma: Scale of each channel; it counts whatever `fix_gamma` is.
        beta: Offset of each channel.
        moving_mean: Mean of each channel.
        moving_var: Variance of each channel.
        min_data: Lower end of the range of the data, of shape `(1,)`.
        max_data: Upper end of the range of the data, of shape `(1,)`.
        eps: What is added to variances.
        momentum: Accepted for compatibility.
        fix_gamma: Accepted for compatibility.
        use_global_stats: Accepted for compatibility.
        output_mean_var: Accepted for compatibility.
        axis: Axis of the channels, 1.
        cudnn_off: Accepted for compatibility.
        min_calib_range: Lower end of the range of the result; it is needed.
        max_calib_range: Upper end of the range of the result; it is needed.

    Returns:
        The normalized integers, int8, and the ends of their range.
    """
    require_ranges(_NAME, min_data=min_data, max_data=max_data)
    parameters = (gamma, beta, moving_mean, moving_var)
    for role, array in zip(_PARAMETERS, parameters, strict=True):
        require_shape(_NAME, role, array, (data.shape[axis],))
    if data.is_meta:
        return empty_results((data.shape, torch.int8))
    require_dtype(_NAME, "data", data, *BYTES)
    for role, array in zip(_PARAMETERS, parameters, strict=True):
        require_dtype(_NAME, role, array, torch.float32)
    if data.shape[axis] != data.shape[1]:
        raise MXNetError(f"{_NAME}: expected the channels on axis 1, got axis {axis}")
    if not is_calibrated(min_calib_range, max_calib_range):
        raise MXNetError(
            f"{_NAME}: expected a calibrated range, got none; set min_calib_range and "
            "max_calib_range"
        )
    low, high = calibrated_range(min_calib_range, max_calib_range, data)
    slope, offset = _slope_and_offset(
        parameters, eps, magnitude(min_data, max_data), magnitude(low, high)
    )
    if data.dtype is torch.uint8:
        ratio = constant(INT8_LEVELS, low) / constant(UINT8_LEVELS, low)
        data = saturate(data.float().mul_(ratio), torch.int8)
    shape = (-1, *(1 for _ in data.shape[2:]))
    steps = data.float().mul_(slope.reshape(shape)).add_(offset.reshape(shape))
    return saturate(steps, torch.int8), low, high
