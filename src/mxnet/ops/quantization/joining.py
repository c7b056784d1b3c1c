"""Quantized arrays joined, and rows picked from one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import flops, input_shapes
from mxnet.ops.attrs import Count, Shape
from mxnet.ops.quantization.arithmetic import joined_dtype, rescaled_factor
from mxnet.ops.quantization.pooling import OUTPUTS
from mxnet.ops.quantization.ranges import (
    BYTES,
    RANGE,
    empty_results,
    magnitude,
    require_dtype,
    require_ranges,
    saturate,
)
from mxnet.ops.quantization.type_rules import FLOATS, expect_types, rule
from mxnet.ops.registry import op
from mxnet.ops.traits import (
    EXACT_SHAPES,
    NAMED_OUTPUTS,
    Dtypes,
    Known,
    Settings,
    Shapes,
    Traits,
    Types,
)

_CONCAT, _EMBEDDING = "_contrib_quantized_concat", "_contrib_quantized_embedding"


def _concat_inputs(*, num_args: int, **_: object) -> tuple[str, ...]:
    """Names the arrays, then the ends of the range of each."""
    names = [f"arg{place}" for place in range(num_args)]
    return (*names, *(f"{name}_{end}" for name in names for end in ("min", "max")))


def _concat_shapes(known: Known, outputs: Known, settings: Settings) -> list[Shape | None]:
    count = settings["num_args"]
    joined = input_shapes.join(known[:count], outputs[:1], settings)
    return [*joined, *(RANGE for _ in known[count:])]


def _concat_types(names: Sequence[str], known: Dtypes, settings: Settings) -> tuple[Dtypes, Dtypes]:
    count = settings["num_args"]
    allowed = {name: BYTES if place < count else FLOATS for place, name in enumerate(names)}
    return rule(_CONCAT, allowed, _joined_dtypes(count))(names, known, settings)


def _joined_dtypes(count: int) -> Any:
    def find(known: Dtypes, settings: Settings) -> Dtypes:
        dtypes = [dtype for dtype in known[:count] if dtype is not None]
        is_known = len(dtypes) == count or torch.int8 in dtypes
        return [joined_dtype(*dtypes) if is_known else None, torch.float32, torch.float32]

    return find


@op(
    _CONCAT,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    active_inputs=_concat_inputs,
    traits=Traits(
        labels=NAMED_OUTPUTS.of(*OUTPUTS),
        shapes=Shapes(inputs=_concat_shapes),
        types=Types(rule=_concat_types),
        flops=flops.nothing,
    ),
)
def quantized_concat(*data: Tensor, num_args: int, dim: int = 1) -> tuple[Tensor, ...]:
    """Joins quantized arrays along an axis, in the range that holds all of theirs.

    Args:
        data: Arrays of int8 or uint8, then the lower and the upper end of the range of each, of
            shape `(1,)`.
        num_args: Number of arrays, without the ends of ranges.
        dim: The axis.

    Returns:
        The joined integers, uint8 if all are, and the ends of their range.
    """
    if len(data) != 3 * num_args:
        raise MXNetError(
            f"{_CONCAT}: expected {3 * num_args} inputs with num_args={num_args}, got {len(data)}"
        )
    arrays, lows, highs = data[:num_args], data[num_args::2], data[num_args + 1 :: 2]
    for place, (low, high) in enumerate(zip(lows, highs, strict=True)):
        require_ranges(_CONCAT, **{f"arg{place}_min": low, f"arg{place}_max": high})
    dtype = joined_dtype(*(array.dtype for array in arrays))
    if arrays[0].is_meta:
        return empty_results((torch.cat(arrays, dim).shape, dtype))
    for place, array in enumerate(arrays):
        require_dtype(_CONCAT, f"arg{place}", array, *BYTES)
    # 0 is in the range of every result, if it is in none of those that are joined.
    low, high = reduce(torch.minimum, lows).clamp(max=0), reduce(torch.maximum, highs).clamp(min=0)
    extent = magnitude(low, high)
    parts = [
        saturate(array.float() * rescaled_factor(start, end, array.dtype, extent, dtype), dtype)
        for array, start, end in zip(arrays, lows, highs, strict=True)
    ]
    return torch.cat(parts, dim), low, high


def _fill_embedding(
    data: Shape, *, input_dim: int, output_dim: int, **_: object
) -> dict[str, Shape]:
    return {"weight": (input_dim, output_dim), "min_weight": RANGE, "max_weight": RANGE}


@op(
    _EMBEDDING,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=_fill_embedding,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*OUTPUTS),
        types=expect_types(
            _EMBEDDING,
            {"weight": (torch.int8,), "min_weight": FLOATS, "max_weight": FLOATS},
            [torch.int8, torch.float32, torch.float32],
        ),
        flops=flops.nothing,
    ),
)
def quantized_embedding(
    data: Tensor,
    weight: Tensor,
    min_weight: Tensor,
    max_weight: Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: torch.dtype = torch.float32,
    sparse_grad: bool = False,
) -> tuple[Tensor, ...]:
    """Picks rows of a quantized table.

    Args:
        data: Numbers of rows, of any type; those outside of the table count as its nearest row.
        weight: Table, int8, of shape `(input_dim, output_dim)`.
        min_weight: Lower end of the range of the table, of shape `(1,)`.
        max_weight: Upper end of the range of the table, of shape `(1,)`.
        input_dim: Number of rows.
        output_dim: Length of a row.
        dtype: Accepted for compatibility.
        sparse_grad: Accepted for compatibility.

    Returns:
        The rows, int8, of the shape of `data` followed by `output_dim`, and the range of the table.
    """
    require_ranges(_EMBEDDING, min_weight=min_weight, max_weight=max_weight)
    if data.is_meta:
        return empty_results(((*data.shape, output_dim), torch.int8))
    require_dtype(_EMBEDDING, "weight", weight, torch.int8)
    if tuple(weight.shape) != (input_dim, output_dim):
        raise MXNetError(
            f"{_EMBEDDING}: expected `weight` of shape {(input_dim, output_dim)}, "
            f"got {tuple(weight.shape)}"
        )
    rows = weight[data.long().clamp_(0, input_dim - 1)]
    return rows, min_weight.clone(), max_weight.clone()
