"""Pooling of bytes."""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import EXACT_SHAPES, NAMED_OUTPUTS, Dtypes, Settings, Traits
from mxnet.ops.nn.pooling import Layout
from mxnet.ops.quantization.kernels import Window
from mxnet.ops.quantization.ranges import (
    BYTES,
    FLOATS,
    RANGE,
    empty_results,
    expect_types,
    require_dtype,
    require_ranges,
)
from mxnet.ops.rules import flops

_NAME = "_contrib_quantized_pooling"
OUTPUTS = ("output", "min_output", "max_output")
DATA_RANGE = {"min_data": FLOATS, "max_data": FLOATS}


def fill_data_range(data: Shape, **_: object) -> dict[str, Shape]:
    """Returns the shapes of the ends of the range of an operator's data."""
    return {"min_data": RANGE, "max_data": RANGE}


def like_data(known: Dtypes, settings: Settings) -> Dtypes:
    """Returns dtypes of outputs of which the first has that of the data."""
    return [known[0], torch.float32, torch.float32]


def _check(
    *,
    kernel: Shape,
    stride: Shape,
    pad: Shape,
    pool_type: str,
    layout: str | None,
    **_: object,
) -> None:
    if len(kernel) not in (2, 3) or min((*kernel, *stride)) < 1:
        raise MXNetError(
            f"{_NAME}: expected a positive kernel of 2 or 3 sizes, got {kernel} and stride {stride}"
        )
    if pool_type not in ("max", "avg"):
        raise MXNetError(f"{_NAME}: expected pool_type max or avg, got {pool_type}")
    if layout not in (None, "NCHW", "NCDHW"):
        raise MXNetError(f"{_NAME}: expected layout NCHW or NCDHW, got {layout}")
    for attribute, values in (("stride", stride), ("pad", pad)):
        if values and len(values) != len(kernel):
            raise MXNetError(
                f"{_NAME}: expected `{attribute}` of {len(kernel)} numbers, got {values}"
            )


def _count_windows(spatial: Shape, kernel: Shape, window: Window, convention: str) -> Shape:
    """Returns the number of windows along each axis."""
    sizes = list(zip(spatial, kernel, window.stride, window.pad, strict=True))
    rooms = [size + 2 * margin - length for size, length, _, margin in sizes]
    if min(rooms) < 0:
        raise MXNetError(
            f"{_NAME}: kernel {kernel} does not fit data of spatial size {spatial} with pad "
            f"{window.pad}"
        )
    if convention == "full":
        return tuple(1 - (-room // step) for room, step in zip(rooms, window.stride, strict=True))
    return tuple(1 + room // step for room, step in zip(rooms, window.stride, strict=True))


def _check_kernel_takes(
    spatial: Shape, counts: Shape, kernel: Shape, window: Window, convention: str, excludes: bool
) -> None:
    """Refuses windows for which the original's kernel has no descriptor."""
    sizes = list(zip(spatial, counts, kernel, window.stride, window.pad, strict=True))
    # Of three axes the original checks the outer ones alone, unless it adds to the padding.
    checked = sizes if convention == "full" else [sizes[0], sizes[-1]]
    if any(margin >= length for _, _, length, _, margin in checked):
        raise MXNetError(
            f"{_NAME}: expected a pad smaller than the kernel {kernel}, got {window.pad}"
        )
    if convention == "same" and any(
        (size + 2 * margin - length) % step for size, _, length, step, margin in sizes
    ):
        raise MXNetError(
            f"{_NAME}: expected windows that reach the end of spatial size {spatial} with "
            f"pooling_convention='same', got kernel {kernel} and stride {window.stride}"
        )
    if excludes and any(
        margin >= length or (count - 1) * step - margin >= size
        for size, count, length, step, margin in sizes
    ):
        raise MXNetError(
            f"{_NAME}: a window lies outside of spatial size {spatial}, of which there is no "
            "average; set count_include_pad or another pooling_convention"
        )


def _pad(data: Tensor, counts: Shape, kernel: Shape, window: Window, value: int) -> Tensor:
    """Pads data so that every window lies inside."""
    widths: list[int] = []
    for size, count, length, step, margin in zip(
        data.shape[2:], counts, kernel, window.stride, window.pad, strict=True
    ):
        widths = [margin, max((count - 1) * step + length - size - margin, 0), *widths]
    return F.pad(data, widths, value=value) if any(widths) else data


def _count_points(data: Tensor, counts: Shape, kernel: Shape, window: Window) -> Tensor:
    """Returns how many points of the data lie in each window."""
    lengths = []
    for size, count, length, step, margin in zip(
        data.shape[2:], counts, kernel, window.stride, window.pad, strict=True
    ):
        begin = torch.arange(count, device=data.device) * step - margin
        lengths.append((begin + length).clamp(max=size) - begin.clamp(min=0))
    return reduce(lambda outer, inner: outer.unsqueeze(-1) * inner, lengths).float()


def _pool_max(data: Tensor, counts: Shape, kernel: Shape, window: Window) -> Tensor:
    """Takes maxima along one axis after the other.

    torch's kernel for bytes counts points by bytes, and refuses images with channels last in
    memory, as convolutions return them.
    """
    pooled = _pad(data, counts, kernel, window, torch.iinfo(data.dtype).min)
    for axis, (count, length, step) in enumerate(zip(counts, kernel, window.stride, strict=True)):
        before = (slice(None),) * (axis + 2)
        reach = (count - 1) * step + 1
        windows = [(*before, slice(begin, begin + reach, step)) for begin in range(length)]
        parts = [pooled[points] for points in windows]
        pooled = reduce(torch.maximum, parts) if length > 1 else parts[0].clone()
    return pooled


def _pool_average(
    data: Tensor, counts: Shape, kernel: Shape, window: Window, excludes: bool
) -> Tensor:
    """Averages windows: float32 holds their sums exactly, and the quotient rounds to even."""
    padded = _pad(data, counts, kernel, window, 0).float()
    pool = F.avg_pool2d if len(kernel) == 2 else F.avg_pool3d
    sums = pool(padded, kernel, window.stride, divisor_override=1)
    if excludes:
        points = _count_points(data, counts, kernel, window)
    else:
        points = sums.new_full((), prod(kernel))
    return sums.div_(points).round_().to(data.dtype)


@op(
    _NAME,
    strict_dtypes=True,
    differentiable=False,
    fresh=True,
    num_outputs=3,
    fill_shapes=fill_data_range,
    check_attrs=_check,
    traits=Traits(
        shapes=EXACT_SHAPES,
        labels=NAMED_OUTPUTS.of(*OUTPUTS),
        types=expect_types(_NAME, DATA_RANGE, like_data),
        flops=flops.pooling,
    ),
)
def quantized_pooling(
    data: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    kernel: Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Layout = None,
) -> tuple[Tensor, ...]:
    """Reduces each window of bytes to its maximum or its average, which is rounded to even.

    Args:
        data: Integers, int8 or uint8, of shape `(batch, channels, *spatial)` with two or three
            spatial axes.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.
        kernel: Size of the window; needed with `global_pool` too, for its number of axes.
        pool_type: `max` or `avg`.
        global_pool: Whether one window covers each channel; ignores stride and pad.
        cudnn_off: Accepted for compatibility.
        pooling_convention: Number of windows along an axis. `valid`: as many as fit; `full`: also
            one that ends outside; `same`: as `valid`, and raises if they do not reach the end.
        stride: Steps of the window, 1 if empty.
        pad: Points added on both sides of each spatial axis, none if empty.
        p_value: Accepted for compatibility.
        count_include_pad: Whether an average counts points outside of the data; None counts them.
        layout: `NCHW`, `NCDHW` or None.

    Returns:
        The pooled integers and the range, which stays the same.
    """
    require_ranges(_NAME, min_data=min_data, max_data=max_data)
    if data.ndim not in (4, 5) or data.ndim != len(kernel) + 2:
        raise MXNetError(
            f"{_NAME}: kernel {kernel} takes data of {len(kernel) + 2} axes, "
            f"got shape {tuple(data.shape)}"
        )
    axes, spatial = len(kernel), tuple(data.shape[2:])
    window = Window(stride or (1,) * axes, pad or (0,) * axes, ())
    counts = _count_windows(spatial, kernel, window, pooling_convention)
    if global_pool:
        kernel, window, counts = spatial, Window((1,) * axes, (0,) * axes, ()), (1,) * axes
    if data.is_meta:
        return empty_results(((*data.shape[:2], *counts), data.dtype))
    require_dtype(_NAME, "data", data, *BYTES)
    excludes = pool_type == "avg" and count_include_pad is False
    _check_kernel_takes(spatial, counts, kernel, window, pooling_convention, excludes)
    if pool_type == "max":
        pooled = _pool_max(data, counts, kernel, window)
    else:
        pooled = _pool_average(data, counts, kernel, window, excludes)
    return pooled, min_data.clone(), max_data.clone()
