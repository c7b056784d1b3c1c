"""Operators on quantized arrays that keep each integer or change it alone."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.quantization.pooling import DATA_RANGE, OUTPUTS, fill_data_range, like_data
from mxnet.ops.quantization.ranges import (
    BYTES,
    empty_results,
    require_dtype,
    require_few_axes,
    require_ranges,
)
from mxnet.ops.quantization.type_rules import expect_types
from mxnet.ops.registry import op
from mxnet.ops.traits import EXACT_SHAPES, NAMED_OUTPUTS, Traits

_ACTIVATION, _FLATTEN = "_contrib_quantized_act", "_contrib_quantized_flatten"


def _check_activation(*, act_type: str) -> None:
    if act_type != "relu":
        raise MXNetError(f"{_ACTIVATION}: expected act_type relu, got {act_type}")


@op(
    _ACTIVATION,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=fill_data_range,
    check_attrs=_check_activation,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*OUTPUTS),
        types=expect_types(_ACTIVATION, DATA_RANGE, [torch.int8, torch.float32, torch.float32]),
    ),
)
def quantized_act(
    data: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"],
) -> tuple[Tensor, ...]:
    """Replaces negative bytes by 0.

    Args:
        data: Integers, int8 or uint8.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.
        act_type: `relu`.

    Returns:
        The integers, as int8 (the bits of uint8 stay as they are), and the range of the data.
    """
    require_ranges(_ACTIVATION, min_data=min_data, max_data=max_data)
    if data.is_meta:
        return empty_results((data.shape, torch.int8))
    require_dtype(_ACTIVATION, "data", data, *BYTES)
    require_few_axes(_ACTIVATION, data)
    result = data.clone().view(torch.int8) if data.dtype is torch.uint8 else data.clamp(min=0)
    return result, min_data.clone(), max_data.clone()


@op(
    _FLATTEN,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=fill_data_range,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*OUTPUTS),
        types=expect_types(_FLATTEN, DATA_RANGE, like_data),
    ),
)
def quantized_flatten(data: Tensor, min_data: Tensor, max_data: Tensor) -> tuple[Tensor, ...]:
    """Folds all axes of a quantized array but the first into one.

    Args:
        data: Integers of shape `(batch, ...)`.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.

    Returns:
        The integers of shape `(batch, size)` and their range.
    """
    require_ranges(_FLATTEN, min_data=min_data, max_data=max_data)
    rows = data.reshape(data.shape[0], -1)
    if data.is_meta:
        return empty_results((rows.shape, data.dtype))
    return rows.clone(), min_data.clone(), max_data.clone()
