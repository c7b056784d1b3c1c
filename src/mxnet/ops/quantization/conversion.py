"""From numbers to integers and back: `quantize`, `quantize_v2`, `dequantize`, `requantize`.

A quantized array is one of int8, uint8 or int32 and two arrays of shape `(1,)`, the range of
numbers that it stands for. All scales are computed in float32 and in the order of the original,
because the last bit of a scale decides how a number between two integers is rounded. Inputs and
outputs have element types of their own (`integer_op`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from mxnet._formats import element_types
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import CountRule, Kernel, op
from mxnet.ops.core.traits import (
    EXACT_SHAPES,
    FROM_KERNEL,
    NAMED_OUTPUTS,
    NUMBERED,
    Dtypes,
    Labels,
    Settings,
    Traits,
    TypeRule,
    Types,
)
from mxnet.ops.rules.flops import FlopRule

INT8_LEVELS, UINT8_LEVELS = 127.5, 255.5
"""Integers that the magnitude of a range is split into where numbers become integers and back."""
INT8_LARGEST, UINT8_LARGEST = 127.0, 255.0
"""The same where the ranges of products and requantized results are computed."""
INT32_LARGEST = 2.0**31
RANGE: Shape = (1,)
BYTES = (torch.int8, torch.uint8)


def constant(value: float, like: Tensor) -> Tensor:
    """Returns a number as a float32 array of shape `(1,)`.

    Scalars of Python would do, but torch multiplies by their inverse instead of dividing.
    """
    return torch.full(RANGE, value, dtype=torch.float32, device=like.device)


def magnitude(low: Tensor, high: Tensor) -> Tensor:
    """Returns the largest magnitude in a range."""
    return torch.maximum(low.abs(), high.abs())


def levels_of(dtype: torch.dtype) -> float:
    """Returns how many integers of int8 or uint8 the magnitude of a range is split into."""
    return UINT8_LEVELS if dtype is torch.uint8 else INT8_LEVELS


def scale_of(low: Tensor, high: Tensor, levels: float) -> Tensor:
    """Returns the number that one step of the integers of a range stands for."""
    return magnitude(low, high) / constant(levels, low)


def inverse_scale(extent: Tensor, levels: float) -> Tensor:
    """Returns the integer, not rounded, that stands for 1 in a range of some magnitude."""
    return constant(levels, extent) / extent


def saturate(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Rounds float32 numbers to the nearest even integers of int8 or uint8, in place.

    NaN becomes what the original's kernels make of it: the largest int8, or 0 as uint8.
    """
    values = values.detach()
    if dtype is torch.uint8:
        whole = values.nan_to_num_(0).clamp_(0, 255).round_()
        return whole.to(torch.int32).to(dtype)  # torch converts to uint8 slowly
    return values.nan_to_num_(127).clamp_(-128, 127).round_().to(dtype)


def is_calibrated(low: float | None, high: float | None) -> bool:
    """Returns whether both ends of a calibrated range are given; one alone does not count."""
    return low is not None and high is not None


def calibrated_range(low: float | None, high: float | None, like: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the ends of a calibrated range as arrays."""
    if low is None or high is None:
        raise MXNetError(
            f"quantization: both min_calib_range and max_calib_range expected, got {low} and {high}"
        )
    return constant(low, like), constant(high, like)


def chosen_dtype(out_type: str, low: float | None, high: float | None) -> torch.dtype:
    """Returns the dtype of an attribute `out_type`; `auto` is uint8 if nothing is negative."""
    if out_type == "auto":
        positive = low is not None and high is not None and low >= 0
        return torch.uint8 if positive else torch.int8
    return torch.uint8 if out_type == "uint8" else torch.int8


def empty_results(*shapes_and_dtypes: tuple[Sequence[int], torch.dtype]) -> tuple[Tensor, ...]:
    """Returns results on `meta` tensors, followed by the two ends of their range."""
    ends = ((RANGE, torch.float32),) * 2
    return tuple(
        torch.empty(tuple(shape), dtype=dtype, device="meta")
        for shape, dtype in (*shapes_and_dtypes, *ends)
    )


def require_dtype(name: str, role: str, array: Tensor, *allowed: torch.dtype) -> None:
    """Refuses an array of another dtype.

    Raises:
        MXNetError: if it has none of those that are allowed.
    """
    if array.dtype not in allowed:
        names = " or ".join(map(element_types.name_of, allowed))
        raise MXNetError(
            f"{name}: expected `{role}` of {names}, got {element_types.name_of(array.dtype)}"
        )


def require_ranges(name: str, **ends: Tensor | None) -> None:
    """Refuses ends of ranges that are missing or are not float32 arrays of shape `(1,)`.

    Raises:
        MXNetError: for the first of them.
    """
    for role, array in ends.items():
        if array is None:
            raise MXNetError(f"{name}: expected an input `{role}`, got none")
        if tuple(array.shape) != RANGE:
            raise MXNetError(f"{name}: expected `{role}` of shape (1,), got {tuple(array.shape)}")
        require_dtype(name, role, array, torch.float32)


MOST_AXES = 6


def require_few_axes(name: str, data: Tensor) -> None:
    """Refuses arrays of more axes than the original's kernels take."""
    if not 1 <= data.ndim <= MOST_AXES:
        raise MXNetError(
            f"{name}: expected data of 1 to {MOST_AXES} axes, got shape {tuple(data.shape)}"
        )


OUTPUTS = ("output", "min_output", "max_output")
INTEGERS_AND_RANGE = NAMED_OUTPUTS.of(*OUTPUTS)
OutputDtypes = Callable[[Sequence[torch.dtype | None], Settings], Dtypes]


def integer_op(
    name: str,
    inputs: Mapping[str, tuple[torch.dtype, ...]],
    outputs: OutputDtypes | Dtypes,
    *,
    num_outputs: CountRule = 3,
    labels: Labels = INTEGERS_AND_RANGE,
    flops: FlopRule | None = None,
    **options: Any,
) -> Callable[[Kernel], Kernel]:
    """Declares an operator whose inputs and outputs have element types of their own.

    Args:
        name: Name of the operator.
        inputs: Types that an input takes, see `rule`.
        outputs: Types of the outputs, see `rule`.
        num_outputs: Number of outputs.
        labels: Names of the outputs.
        flops: Operations, see `Traits`.
        **options: Further arguments of `op`.
    """
    traits = Traits(
        shapes=EXACT_SHAPES if "fill_shapes" in options else FROM_KERNEL,
        labels=labels,
        types=Types(rule=rule(name, inputs, outputs)),
        flops=flops,
    )
    settings = {"strict_dtypes": True, "differentiable": False, "fresh": True, **options}
    return op(name, num_outputs=num_outputs, traits=traits, **settings)


def rule(
    name: str, inputs: Mapping[str, tuple[torch.dtype, ...]], outputs: OutputDtypes | Dtypes
) -> TypeRule:
    """Returns a rule that checks the types of inputs and finds those of outputs.

    Args:
        name: Name of the operator, for errors.
        inputs: Types that an input takes, by its name; one alone is what it has. Inputs that are
            not named take any type.
        outputs: Types of the outputs, or a function of the types of the inputs in use and of the
            attributes.
    """

    def find(
        names: Sequence[str], known: Sequence[torch.dtype | None], settings: Settings
    ) -> tuple[Dtypes, Dtypes]:
        told = [
            _fit(name, role, dtype, inputs.get(role, ()))
            for role, dtype in zip(names, known, strict=True)
        ]
        return told, outputs(told, settings) if callable(outputs) else outputs

    return find


def _fit(
    name: str, role: str, dtype: torch.dtype | None, allowed: tuple[torch.dtype, ...]
) -> torch.dtype | None:
    """Returns the type of an input, which may not be known yet."""
    if dtype is None:
        return allowed[0] if len(allowed) == 1 else None
    if allowed and dtype not in allowed:
        names = " or ".join(map(element_types.name_of, allowed))
        raise MXNetError(
            f"{name}: expected `{role}` of {names}, got {element_types.name_of(dtype)}"
        )
    return dtype


FLOATS = (torch.float32,)
"""Of ends of ranges."""
DATA_RANGE = {"min_data": FLOATS, "max_data": FLOATS}


def fill_data_range(data: Shape, **_: object) -> dict[str, Shape]:
    """Returns the shapes of the ends of the range of an operator's data."""
    return {"min_data": RANGE, "max_data": RANGE}


def like_data(known: Dtypes, settings: Settings) -> Dtypes:
    """Returns dtypes of outputs of which the first has that of the data."""
    return [known[0], torch.float32, torch.float32]


_NUMBERED = ("output0", "output1", "output2")
_RANGES = {"min_range": FLOATS, "max_range": FLOATS}


def _fill_ranges(data: Shape, **_: object) -> dict[str, Shape]:
    return {"min_range": RANGE, "max_range": RANGE}


def _with_range(dtype: torch.dtype) -> Dtypes:
    return [dtype, torch.float32, torch.float32]


def _quantized_as_asked(known: Dtypes, settings: Settings) -> Dtypes:
    return _with_range(
        chosen_dtype(
            settings["out_type"], settings.get("min_calib_range"), settings.get("max_calib_range")
        )
    )


@integer_op(
    "_contrib_quantize",
    {"data": FLOATS, **_RANGES},
    _quantized_as_asked,
    labels=Labels(outputs=_NUMBERED),
    fill_shapes=_fill_ranges,
)
def quantize(
    data: Tensor,
    min_range: Tensor,
    max_range: Tensor,
    *,
    out_type: Literal["int8", "uint8"] = "uint8",
) -> tuple[Tensor, ...]:
    """Turns numbers into integers of a range that is given by arrays.

    Args:
        data: Numbers, float32.
        min_range: Lower end of the range, of shape `(1,)`.
        max_range: Upper end of the range, of shape `(1,)`.
        out_type: Type of the integers.

    Returns:
        The integers and the ends of the range that they stand for: the magnitude of the given one
        on both sides of 0 for int8, the given one for uint8.

    Example:
        >>> import mxnet as mx
        >>> data, low, high = (mx.nd.array(x) for x in ([-1, 0.5, 2], [-1], [1]))
        >>> quantized, low, high = mx.nd.contrib.quantize(data, low, high, out_type="int8")
        >>> print(quantized.asnumpy(), low.asscalar(), high.asscalar())
        [-127   64  127] -1.0 1.0
    """
    name = "_contrib_quantize"
    dtype = chosen_dtype(out_type, None, None)
    require_ranges(name, min_range=min_range, max_range=max_range)
    if data.is_meta:
        return empty_results((data.shape, dtype))
    require_dtype(name, "data", data, torch.float32)
    require_few_axes(name, data)
    extent = magnitude(min_range, max_range)
    largest = UINT8_LARGEST if dtype is torch.uint8 else INT8_LARGEST
    integers = saturate(data * inverse_scale(extent, largest), dtype)
    if dtype is torch.uint8:
        return integers, min_range.clone(), max_range.clone()
    return integers, -extent, extent


def _quantized_range(data: Tensor, low: float | None, high: float | None) -> tuple[Tensor, Tensor]:
    """Returns the range that is given, or that of the data."""
    if is_calibrated(low, high):
        return calibrated_range(low, high, data)
    lowest, highest = data.detach().aminmax()  # ranges have no gradient
    return lowest.reshape(RANGE), highest.reshape(RANGE)


def _range_of_bytes(data: Tensor, low: float | None, high: float | None) -> tuple[Tensor, Tensor]:
    """Returns the range of data that are integers already."""
    if is_calibrated(low, high):
        return calibrated_range(low, high, data)
    if data.dtype is torch.uint8:
        return constant(0, data), constant(UINT8_LEVELS, data)
    return constant(-INT8_LEVELS, data), constant(INT8_LEVELS, data)


@integer_op(
    "_contrib_quantize_v2",
    {"data": (torch.float32, *BYTES)},
    _quantized_as_asked,
    labels=Labels(outputs=_NUMBERED),
)
def quantize_v2(
    data: Tensor,
    *,
    out_type: Literal["auto", "int8", "uint8"] = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> tuple[Tensor, ...]:
    """Turns numbers into integers of a calibrated range, or of the range of the numbers.

    Args:
        data: Numbers, float32. Bytes (int8 or uint8) are handed on as they are.
        out_type: Type of the integers; `auto` is uint8 if `min_calib_range` is not negative.
        min_calib_range: Lower end of the range; None looks for the smallest number.
        max_calib_range: Upper end of the range; None looks for the largest number.

    Returns:
        The integers and the ends of the range that they stand for: the magnitude of the range on
        both sides of 0 for int8, the range itself for uint8.

    Example:
        >>> import mxnet as mx
        >>> quantized, low, high = mx.nd.contrib.quantize_v2(mx.nd.array([-1, 0.5, 2]))
        >>> print(quantized.asnumpy(), low.asscalar(), high.asscalar())
        [-64  32 127] -2.0 2.0
    """
    name = "_contrib_quantize_v2"
    dtype = chosen_dtype(out_type, min_calib_range, max_calib_range)
    if data.is_meta:
        return empty_results((data.shape, dtype))
    require_dtype(name, "data", data, torch.float32, *BYTES)
    require_few_axes(name, data)
    if data.dtype in BYTES:
        ends = _range_of_bytes(data, min_calib_range, max_calib_range)
        return (data.clone().view(dtype), *ends)
    low, high = _quantized_range(data, min_calib_range, max_calib_range)
    extent = magnitude(low, high)
    integers = saturate(data * inverse_scale(extent, levels_of(dtype)), dtype)
    return (integers, low, high) if dtype is torch.uint8 else (integers, -extent, extent)


_SHIFTED_LEVELS = 255.0


@integer_op(
    "_contrib_quantize_asym",
    {"data": FLOATS},
    _with_range(torch.uint8),
    labels=Labels(outputs=("output", "scale", "shift")),
)
def quantize_asym(
    data: Tensor, *, min_calib_range: float | None = None, max_calib_range: float | None = None
) -> tuple[Tensor, ...]:
    """Turns numbers into uint8 by a scale and a shift, so that a range fills all 256 integers.

    Args:
        data: Numbers, float32, of three axes, as recurrent layers take them.
        min_calib_range: Lower end of the range; None looks for the smallest number.
        max_calib_range: Upper end of the range; None looks for the largest number.

    Returns:
        The integers, the scale and the shift, which is the integer that stands for 0, not rounded.

    Example:
        >>> import mxnet as mx
        >>> y, scale, shift = mx.nd.contrib.quantize_asym(mx.nd.array([[[0, 1, 2]]]))
        >>> print(y.shape, y.dtype.__name__)
        (1, 1, 3) uint8
    """
    name = "_contrib_quantize_asym"
    if data.is_meta:
        return empty_results((data.shape, torch.uint8))
    require_dtype(name, "data", data, torch.float32)
    if data.ndim != 3:
        raise MXNetError(f"{name}: expected data of 3 axes, got shape {tuple(data.shape)}")
    low, high = _quantized_range(data, min_calib_range, max_calib_range)
    scale = constant(_SHIFTED_LEVELS, data) / (high - low)
    shift = constant(_SHIFTED_LEVELS, data) - high * scale
    return saturate(torch.addcmul(shift, data, scale), torch.uint8), scale, shift


@integer_op(
    "_contrib_dequantize",
    {"data": BYTES, **_RANGES},
    [torch.float32],
    num_outputs=1,
    labels=NUMBERED,
    fill_shapes=_fill_ranges,
)
def dequantize(
    data: Tensor, min_range: Tensor, max_range: Tensor, *, out_type: Literal["float32"] = "float32"
) -> Tensor:
    """Turns bytes back into the numbers that they stand for.

    Args:
        data: Integers, int8 or uint8.
        min_range: Lower end of the range that they stand for, of shape `(1,)`.
        max_range: Upper end of the range that they stand for, of shape `(1,)`.
        out_type: Type of the numbers.

    Example:
        >>> import mxnet as mx
        >>> data = mx.nd.array([-51, 0, 102], dtype="int8")
        >>> print(mx.nd.contrib.dequantize(data, mx.nd.array([-5]), mx.nd.array([5])).asnumpy())
        [-2.  0.  4.]
    """
    name = "_contrib_dequantize"
    require_ranges(name, min_range=min_range, max_range=max_range)
    if data.is_meta:
        return torch.empty_like(data, dtype=torch.float32)
    require_dtype(name, "data", data, *BYTES)
    require_few_axes(name, data)
    return data * scale_of(min_range, max_range, levels_of(data.dtype))


def _extent_of_integers(data: Tensor, step: Tensor) -> Tensor:
    """Returns the magnitude of the numbers that int32 stand for.

    It is negative where the magnitude, as float32, is 2**31: the original makes an int32 of it,
    which becomes the smallest one.
    """
    low, high = (end.reshape(RANGE).float() for end in data.detach().aminmax())
    largest = magnitude(low, high)
    return torch.where(largest < INT32_LARGEST, largest, -largest) * step


@integer_op(
    "_contrib_requantize",
    {"data": (torch.int32,), **_RANGES},
    _quantized_as_asked,
    labels=Labels(outputs=_NUMBERED),
    fill_shapes=_fill_ranges,
)
def requantize(
    data: Tensor,
    min_range: Tensor,
    max_range: Tensor,
    *,
    out_type: Literal["auto", "int8", "uint8"] = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> tuple[Tensor, ...]:
    """Turns int32, such as sums of products of bytes, into bytes of a smaller range.

    Args:
        data: Integers, int32.
        min_range: Lower end of the range that the smallest int32 stands for, of shape `(1,)`.
        max_range: Upper end of the range that the largest int32 stands for, of shape `(1,)`.
        out_type: Type of the result; `auto` is uint8 if `min_calib_range` is not negative.
        min_calib_range: Lower end of the new range; None looks for the largest magnitude.
        max_calib_range: Upper end of the new range; None looks for the largest magnitude.

    Returns:
        The bytes and the ends of the range that they stand for: the magnitude of the new range, on
        both sides of 0 for int8, above 0 for uint8.

    Example:
        >>> import mxnet as mx
        >>> data = mx.nd.array([2**30, -(2**29), 0], dtype="int32")
        >>> low, high = mx.nd.array([-8]), mx.nd.array([8])
        >>> quantized, low, high = mx.nd.contrib.requantize(data, low, high)
        >>> print(quantized.asnumpy(), low.asscalar(), high.asscalar())
        [127 -64   0] -4.0 4.0
    """
    name = "_contrib_requantize"
    require_ranges(name, min_range=min_range, max_range=max_range)
    dtype = chosen_dtype(out_type, min_calib_range, max_calib_range)
    if data.is_meta:
        return empty_results((data.shape, dtype))
    require_dtype(name, "data", data, torch.int32)
    require_few_axes(name, data)
    step = scale_of(min_range, max_range, INT32_LARGEST)
    if is_calibrated(min_calib_range, max_calib_range):
        extent = magnitude(*calibrated_range(min_calib_range, max_calib_range, data))
    else:
        extent = _extent_of_integers(data, step)
    largest = UINT8_LARGEST if dtype is torch.uint8 else INT8_LARGEST
    integers = saturate(data.float().mul_(step * inverse_scale(extent, largest)), dtype)
    low = torch.zeros_like(extent) if dtype is torch.uint8 else -extent
    return integers, low, extent
