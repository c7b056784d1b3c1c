"""Quantized arrays added, multiplied, limited, joined, and rows picked from one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Literal

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Count, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Dtypes, Known, Labels, Settings, Shapes, Traits, Types
from mxnet.ops.math.movement import reshape
from mxnet.ops.np.movement import npx_reshape
from mxnet.ops.quantization.conversion import (
    BYTES,
    DATA_RANGE,
    FLOATS,
    INT8_LARGEST,
    INT8_LEVELS,
    INT32_LARGEST,
    INTEGERS_AND_RANGE,
    OUTPUTS,
    RANGE,
    calibrated_range,
    constant,
    empty_results,
    fill_data_range,
    integer_op,
    inverse_scale,
    is_calibrated,
    levels_of,
    like_data,
    magnitude,
    require_dtype,
    require_few_axes,
    require_ranges,
    rule,
    saturate,
    scale_of,
)
from mxnet.ops.rules import flops, shape_rules

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


@integer_op(
    _ADD, {"lhs": BYTES, "rhs": BYTES, **_RANGE_DTYPES}, _sum_dtypes, fill_shapes=_fill_like_lhs
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

    Example:
        >>> import mxnet as mx
        >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
        >>> x = mx.nd.array([127, -127], dtype="int8")
        >>> y, least, most = mx.nd.contrib.quantized_elemwise_add(x, x, low, high, low, high)
        >>> print(y.dtype.__name__, y.shape)
        int32 (2,)
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


@integer_op(
    _MULTIPLY,
    {"lhs": (torch.int8,), "rhs": (torch.int8,), **_RANGE_DTYPES},
    _product_dtypes,
    num_outputs=_count_products,
    labels=Labels(outputs=_name_products, names_outputs=True),
    fill_shapes=_fill_like_lhs,
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

    Example:
        >>> import mxnet as mx
        >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
        >>> x = mx.nd.array([10, -20], dtype="int8")
        >>> y, least, most = mx.nd.contrib.quantized_elemwise_mul(x, x, low, high, low, high)
        >>> print(y.asnumpy())
        [100 400]
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


_ACTIVATION, _FLATTEN = "_contrib_quantized_act", "_contrib_quantized_flatten"


def _check_activation(*, act_type: str) -> None:
    if act_type != "relu":
        raise MXNetError(f"{_ACTIVATION}: expected act_type relu, got {act_type}")


@integer_op(
    _ACTIVATION,
    DATA_RANGE,
    [torch.int8, torch.float32, torch.float32],
    fill_shapes=fill_data_range,
    check_attrs=_check_activation,
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

    Example:
        >>> import mxnet as mx
        >>> x, low, high = mx.nd.array([5, -5], dtype="int8"), mx.nd.array([-1]), mx.nd.array([1])
        >>> print(mx.nd.contrib.quantized_act(x, low, high, act_type="relu")[0].asnumpy())
        [5 0]
    """
    require_ranges(_ACTIVATION, min_data=min_data, max_data=max_data)
    if data.is_meta:
        return empty_results((data.shape, torch.int8))
    require_dtype(_ACTIVATION, "data", data, *BYTES)
    require_few_axes(_ACTIVATION, data)
    result = data.clone().view(torch.int8) if data.dtype is torch.uint8 else data.clamp(min=0)
    return result, min_data.clone(), max_data.clone()


@integer_op(_FLATTEN, DATA_RANGE, like_data, fill_shapes=fill_data_range)
def quantized_flatten(data: Tensor, min_data: Tensor, max_data: Tensor) -> tuple[Tensor, ...]:
    """Folds all axes of a quantized array but the first into one.

    Args:
        data: Integers of shape `(batch, ...)`.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.

    Returns:
        The integers of shape `(batch, size)` and their range.

    Example:
        >>> import mxnet as mx
        >>> x, low, high = mx.nd.ones((2, 3, 4), dtype="int8"), mx.nd.array([-1]), mx.nd.array([1])
        >>> print(mx.nd.contrib.quantized_flatten(x, low, high)[0].shape)
        (2, 12)
    """
    require_ranges(_FLATTEN, min_data=min_data, max_data=max_data)
    rows = data.reshape(data.shape[0], -1)
    if data.is_meta:
        return empty_results((rows.shape, data.dtype))
    return rows.clone(), min_data.clone(), max_data.clone()


_RESHAPE, _TRANSPOSE = "_contrib_quantized_reshape", "_contrib_quantized_transpose"


def _moved(
    name: str, data: Tensor, low: Tensor, high: Tensor, result: Tensor
) -> tuple[Tensor, ...]:
    """Returns bytes in another order with the range of the bytes that they were."""
    require_ranges(name, min_data=low, max_data=high)
    if data.is_meta:
        return empty_results((result.shape, data.dtype))
    return result.clone(), low.clone(), high.clone()


@integer_op(_RESHAPE, DATA_RANGE, like_data, fill_shapes=fill_data_range)
def quantized_reshape(
    data: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    shape: Shape = (),
    reverse: bool = False,
    target_shape: Shape = (),
    keep_highest: bool = False,
    newshape: Shape = (),
) -> tuple[Tensor, ...]:
    """Reshapes a quantized array.

    Args:
        data: Integers, int8 or uint8.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.
        shape: Sizes, and codes as those of `reshape`.
        reverse: Whether to match codes with axes from right to left.
        target_shape: Older form of `shape`, in which one 0 stands for what is left.
        keep_highest: Whether `target_shape` leaves the first axis as it is.
        newshape: Sizes, of which one may be -1, in place of `shape`.

    Returns:
        The integers and their range.

    Example:
        >>> import mxnet as mx
        >>> x, low, high = mx.nd.ones((2, 3, 4), dtype="int8"), mx.nd.array([-1]), mx.nd.array([1])
        >>> print(mx.nd.contrib.quantized_reshape(x, low, high, shape=(-3, 0))[0].shape)
        (6, 4)
    """
    if newshape:
        result = data.reshape(newshape)
    else:
        result = reshape(
            data, shape=shape, reverse=reverse, target_shape=target_shape, keep_highest=keep_highest
        )
    return _moved(_RESHAPE, data, min_data, max_data, result)


@integer_op("_npx_quantized_reshape", DATA_RANGE, like_data, fill_shapes=fill_data_range)
def npx_quantized_reshape(
    data: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    newshape: Shape,
    reverse: bool = False,
    order: str = "C",
) -> tuple[Tensor, ...]:
    """Reshapes a quantized array by the codes of `npx.reshape`.

    Args:
        data: Integers, int8 or uint8.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.
        newshape: Sizes and codes.
        reverse: Whether to match codes with axes from right to left.
        order: Accepted for compatibility; elements are always read in C order.

    Returns:
        The integers and their range.
    """
    result = npx_reshape(data, newshape=newshape, reverse=reverse, order=order)
    return _moved("_npx_quantized_reshape", data, min_data, max_data, result)


@integer_op(_TRANSPOSE, DATA_RANGE, like_data, fill_shapes=fill_data_range)
def quantized_transpose(
    data: Tensor, min_data: Tensor, max_data: Tensor, *, axes: Shape | None = None
) -> tuple[Tensor, ...]:
    """Puts the axes of a quantized array in another order.

    Args:
        data: Integers, int8 or uint8.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.
        axes: The order, by default the reversed one.

    Returns:
        The integers and their range.

    Example:
        >>> import mxnet as mx
        >>> x, low, high = mx.nd.ones((2, 3, 4), dtype="int8"), mx.nd.array([-1]), mx.nd.array([1])
        >>> print(mx.nd.contrib.quantized_transpose(x, low, high, axes=(2, 0, 1))[0].shape)
        (4, 2, 3)
    """
    order = axes or tuple(reversed(range(data.ndim)))
    return _moved(_TRANSPOSE, data, min_data, max_data, data.permute(order))


_CONCAT, _EMBEDDING = "_contrib_quantized_concat", "_contrib_quantized_embedding"


def _concat_inputs(*, num_args: int, **_: object) -> tuple[str, ...]:
    """Names the arrays, then the ends of the range of each."""
    names = [f"arg{place}" for place in range(num_args)]
    return (*names, *(f"{name}_{end}" for name in names for end in ("min", "max")))


def _concat_shapes(known: Known, outputs: Known, settings: Settings) -> list[Shape | None]:
    count = settings["num_args"]
    joined = shape_rules.join(known[:count], outputs[:1], settings)
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
        labels=INTEGERS_AND_RANGE,
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

    Example:
        >>> import mxnet as mx
        >>> x, low, high = mx.nd.ones((1, 2), dtype="int8"), mx.nd.array([-1]), mx.nd.array([1])
        >>> joined = mx.nd.contrib.quantized_concat(x, x, low, low, high, high, num_args=2, dim=1)
        >>> print(joined[0].asnumpy())
        [[1 1 1 1]]
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


@integer_op(
    _EMBEDDING,
    {"weight": (torch.int8,), "min_weight": FLOATS, "max_weight": FLOATS},
    [torch.int8, torch.float32, torch.float32],
    fill_shapes=_fill_embedding,
    flops=flops.nothing,
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

    Example:
        >>> import mxnet as mx
        >>> table = mx.nd.array([[1, 2], [3, 4]], dtype="int8")
        >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
        >>> options = {"input_dim": 2, "output_dim": 2}
        >>> rows = mx.nd.contrib.quantized_embedding(mx.nd.array([1]), table, low, high, **options)
        >>> print(rows[0].asnumpy())
        [[3 4]]
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
