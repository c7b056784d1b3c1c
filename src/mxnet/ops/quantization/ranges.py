"""What integers of quantized arrays stand for: ranges, scales, rounding, and the checks of types.

A quantized array is one of int8, uint8 or int32 and two arrays of shape `(1,)`, the range of
numbers that it stands for. All scales are computed in float32 and in the order of the original,
because the last bit of a scale decides how a number between two integers is rounded. Inputs and
outputs have element types of their own (`integer_op`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

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
