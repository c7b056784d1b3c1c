"""Operators that create arrays.

The attribute `ctx` is accepted in every call and has no effect in a kernel: the frontend places
the result and supplies `device`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil, isfinite
from typing import Any

import torch
from torch import Tensor

from mxnet._formats import element_types
from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_size, checked_shape
from mxnet.ops.core.attrs import DType, Number, Shape
from mxnet.ops.core.registry import elementary, on_elements, op
from mxnet.ops.core.scalars import as_element, as_integer
from mxnet.ops.core.traits import ELEMENTWISE, Fusion, Shapes, Storage, Traits
from mxnet.ops.rules import storage_types

PART = 1 << 20
"""Elements that are computed at a time where more memory than that of the result is needed."""

OPEN = Traits(shapes=Shapes(open_lengths=True))


@op("_zeros", traits=replace(OPEN, fusion=Fusion(uniform=lambda **_: 0.0)))
def zeros(
    *, shape: Shape | None = None, ctx: str = "", dtype: DType = torch.float32, device: torch.device
) -> Tensor:
    """Creates an array of zeros.

    Args:
        shape: Shape of the array.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    return torch.zeros(checked_shape("_zeros", shape, dtype, device), dtype=dtype, device=device)


@op("_ones", traits=replace(OPEN, fusion=Fusion(uniform=lambda **_: 1.0)))
def ones(
    *, shape: Shape | None = None, ctx: str = "", dtype: DType = torch.float32, device: torch.device
) -> Tensor:
    """Creates an array of ones.

    Args:
        shape: Shape of the array.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    return torch.ones(checked_shape("_ones", shape, dtype, device), dtype=dtype, device=device)


@op("_zeros_without_dtype", traits=OPEN)
def zeros_without_dtype(
    *, shape: Shape | None = None, ctx: str = "", dtype: int = -1, device: torch.device
) -> Tensor:
    """Creates an array of zeros whose type may be left open.

    Args:
        shape: Shape of the array.
        ctx: Context of the array.
        dtype: Code of the type of its elements; -1 leaves it open, which gives float32.
        device: Where to allocate it.
    """
    if dtype != -1 and dtype not in element_types.BY_CODE:
        raise MXNetError(f"_zeros_without_dtype: expected the code of a dtype, got {dtype}")
    element = torch.float32 if dtype == -1 else element_types.BY_CODE[dtype].torch
    known = checked_shape("_zeros_without_dtype", shape, element, device)
    return torch.zeros(known, dtype=element, device=device)


def fill(
    where: str, shape: Shape | None, value: float, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """Creates an array filled with one value; the rest is told at `_full`."""
    shape = checked_shape(where, shape, dtype, device)
    return torch.full(shape, as_element(value, dtype), dtype=dtype, device=device)


@op(
    "_full",
    aliases=("_npi_full",),
    traits=replace(OPEN, fusion=Fusion(uniform=lambda *, value, **_: float(value))),
)
def full(
    *,
    shape: Shape | None = None,
    ctx: str = "",
    dtype: DType = torch.float32,
    value: Number,
    device: torch.device,
) -> Tensor:
    """Creates an array filled with one value.

    Args:
        shape: Shape of the array; `()` makes a scalar.
        ctx: Context of the array.
        dtype: Type of its elements; an integer type cuts the fraction off and wraps around.
        value: The value.
        device: Where to allocate it.
    """
    return fill("_full", shape, value, dtype, device)


@op("_eye")
def eye(
    *,
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: str = "",
    dtype: DType = torch.float32,
    device: torch.device,
) -> Tensor:
    """Creates a matrix with ones on a diagonal.

    Args:
        N: Number of rows.
        M: Number of columns; as many as rows unless positive.
        k: Which diagonal: 0 is the main one, positive ones lie above.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    shape = (N, M if M > 0 else N)
    check_size("_eye", shape, dtype, device)
    matrix = torch.zeros(shape, dtype=dtype, device=device)
    if -N < k < shape[1]:
        matrix.diagonal(k).fill_(1)
    return matrix


def _in_parts(
    make: Callable[[int, int], Tensor], count: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """Returns `count` elements, computed in parts so that wider types on the way take no memory.

    Args:
        make: Returns the elements from one position to another, in any type.
        count: Number of elements.
        dtype: Type of the result.
        device: Where it lies.
    """
    if device.type == "meta":
        return torch.empty(count, dtype=dtype, device=device)
    if count <= PART:
        return make(0, count).to(dtype)
    result = torch.empty(count, dtype=dtype, device=device)
    for begin in range(0, count, PART):
        end = min(begin + PART, count)
        result[begin:end] = make(begin, end)
    return result


def progression(
    count: int, start: float, step: float, repeat: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """Returns `count` elements of an arithmetic progression, each of its terms `repeat` times.

    Integer types take the whole parts of start and step.
    """
    wide = torch.int64
    if dtype.is_floating_point:
        wide = torch.promote_types(dtype, torch.float32)
    else:
        start, step = as_integer(start, wide), as_integer(step, wide)

    def make(begin: int, end: int) -> Tensor:
        if repeat == step == 1:
            terms = torch.arange(begin, end, dtype=wide, device=device)
            return terms if start == 0 else terms.add_(start)
        terms = torch.arange(begin, end, device=device)
        if repeat != 1:
            terms = terms.div(repeat, rounding_mode="floor")
        return terms.to(wide).mul_(step).add_(start)

    return _in_parts(make, count, dtype, device)


def exact_numbers(*numbers: Number) -> tuple[Number, ...]:
    """Makes ints of all whole numbers if one is an int, as sums with floats are floats."""
    if all(isinstance(number, float) for number in numbers):
        return numbers
    return tuple(int(number) if number == number // 1 else number for number in numbers)


def _check_repeat(op_name: str, repeat: int) -> None:
    if repeat <= 0:
        raise MXNetError(f"{op_name}: expected repeat of at least 1, got {repeat}")


def _end_range(length: int, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns the attributes of a range of a given length; None if these tell its length."""
    if settings["stop"] is not None or not settings["infer_range"]:
        return None
    start, step, repeat = (settings[name] for name in ("start", "step", "repeat"))
    # in the middle of the last step, where rounding does not matter
    return {**settings, "stop": start + step * (length // max(repeat, 1) - 0.5)}


@op("_arange", traits=Traits(shapes=Shapes(open_lengths=True, complete=_end_range)))
def arange(
    *,
    start: Number,
    stop: Number | None = None,
    step: Number = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = "",
    dtype: DType = torch.float32,
    device: torch.device,
) -> Tensor:
    """Creates evenly spaced values in `[start, stop)`.

    Args:
        start: First value; the stop, counted from 0, if that is not given.
        stop: Where the values end.
        step: Distance between values.
        repeat: How often each value appears.
        infer_range: Whether the stop follows from the use of the result, in a graph.
        ctx: Context of the array.
        dtype: Type of its elements; an integer type cuts fractions of start and step off.
        device: Where to allocate it.
    """
    if stop is None:
        if infer_range:
            raise MXNetError("_arange: expected a stop, got None, and the length is not known")
        start, stop = 0.0, start
    _check_repeat("_arange", repeat)
    start, stop, step = exact_numbers(start, stop, step)
    if step == 0 or (stop - start) / step <= 0:
        raise MXNetError(
            f"_arange: expected a step that leads from start to stop, got {(start, stop, step)}"
        )
    terms = (stop - start) / step
    if not isfinite(terms):
        raise MXNetError(f"_arange: expected an end to the values, got {(start, stop, step)}")
    count = ceil(terms) * repeat
    check_size("_arange", (count,), dtype, device)
    return progression(count, start, step, repeat, dtype, device)


@op(
    "_contrib_arange_like",
    aliases=("_npx_arange_like",),
    differentiable=False,
    traits=Traits(shapes=Shapes(asked=("data",))),
)
def arange_like(
    data: Tensor,
    *,
    start: Number = 0.0,
    step: Number = 1.0,
    repeat: int = 1,
    ctx: str = "",
    axis: int | None = None,
) -> Tensor:
    """Creates evenly spaced values in the type and shape of another array.

    Args:
        data: The other array.
        start: First value.
        step: Distance between values.
        repeat: How often each value appears.
        ctx: Context of the array.
        axis: Axis whose length the result has; by default it has the whole shape.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.arange_like(mx.nd.zeros((2, 3)), axis=1).asnumpy())
        [0. 1. 2.]
    """
    _check_repeat("_contrib_arange_like", repeat)
    count = data.numel() if axis is None else data.shape[axis]
    values = progression(count, start, step, repeat, data.dtype, data.device)
    return values.reshape(data.shape) if axis is None else values


@op("_linspace", aliases=("_npi_linspace",))
def linspace(
    *,
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: str = "",
    dtype: DType = torch.float32,
    device: torch.device,
) -> Tensor:
    """Creates a given number of evenly spaced values.

    Args:
        start: First value.
        stop: Last value, or the one that would follow it without `endpoint`.
        num: Number of values.
        endpoint: Whether `stop` is among the values.
        ctx: Context of the array.
        dtype: Type of its elements; an integer type cuts fractions off.
        device: Where to allocate it.
    """
    if num < 0:
        raise MXNetError(f"_linspace: expected num of at least 0, got {num}")
    check_size("_linspace", (num,), dtype, device)
    wide = (
        torch.float64 if not dtype.is_floating_point else torch.promote_types(dtype, torch.float32)
    )
    step = (stop - start) / max(num - 1 if endpoint else num, 1)

    def make(begin: int, end: int) -> Tensor:
        values = torch.arange(begin, end, dtype=wide, device=device).mul_(step).add_(start)
        if endpoint and end == num > 1:
            values[-1:] = stop  # a single element would be copied from the host
        return values

    return _in_parts(make, num, dtype, device)


_LIKE = Shapes(same=True, asked=("data",))

elementary(
    "zeros_like",
    torch.zeros_like,
    "Creates zeros in the shape and type of an array." + on_elements("zeros_like", "1, 2", "0. 0."),
    differentiable=False,
    traits=replace(
        ELEMENTWISE,
        shapes=_LIKE,
        fusion=Fusion(uniform=lambda **_: 0.0),
        storage=Storage(
            result=storage_types.of_first, gradient=storage_types.no_gradient, algorithm="zeros"
        ),
    ),
)
elementary(
    "ones_like",
    torch.ones_like,
    "Creates ones in the shape and type of an array." + on_elements("ones_like", "1, 2", "1. 1."),
    differentiable=False,
    traits=replace(
        ELEMENTWISE,
        role="ones",
        shapes=_LIKE,
        fusion=Fusion(uniform=lambda **_: 1.0),
        storage=Storage(gradient=storage_types.no_gradient),
    ),
)
