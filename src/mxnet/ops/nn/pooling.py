"""Pooling over windows: maximum, average, sum and p-norm."""

from __future__ import annotations

from functools import partial, reduce
from math import prod
from typing import Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import KEEPS_LAYOUT, NAMED, SAME_DTYPE, Labels, Shapes, Traits
from mxnet.ops.nn import _onednn_pooling as onednn
from mxnet.ops.nn.layouts import is_channels_last, per_axis, require_floating
from mxnet.ops.rules import drawing, flops, quantizing, shape_rules

Layout: TypeAlias = Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None

_MAX_POOLS = (torch.max_pool1d, torch.max_pool2d, torch.max_pool3d)
_AVERAGE_POOLS = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)


def _check_data(op_name: str, data: Tensor) -> None:
    if not 3 <= data.ndim <= 5:
        raise MXNetError(f"{op_name}: data has 3 to 5 axes, got shape {tuple(data.shape)}")
    require_floating(op_name, data)


def _output_size(
    op_name: str, spatial: Shape, kernel: Shape, stride: Shape, pad: Shape, convention: str
) -> Shape:
    """Returns the number of windows along each axis."""
    if convention == "same":
        return tuple(-(-size // step) for size, step in zip(spatial, stride, strict=True))
    rooms = [
        size + 2 * extra - window for size, window, extra in zip(spatial, kernel, pad, strict=True)
    ]
    if min(rooms) < 0 or min(pad) < 0:
        raise MXNetError(
            f"{op_name}: kernel {kernel} does not fit data of spatial size {spatial} with pad {pad}"
        )
    if convention == "full":
        return tuple(1 - (-room // step) for room, step in zip(rooms, stride, strict=True))
    return tuple(1 + room // step for room, step in zip(rooms, stride, strict=True))


def _pad_to_windows(
    data: Tensor, size: Shape, kernel: Shape, stride: Shape, pad: Shape, value: float
) -> Tensor:
    """Pads the data so that every window lies inside."""
    widths: list[int] = []
    for length, count, window, step, extra in zip(
        data.shape[2:], size, kernel, stride, pad, strict=True
    ):
        widths = [extra, max((count - 1) * step + window - length - extra, 0), *widths]
    return F.pad(data, widths, value=value) if any(widths) else data


def _is_native(
    spatial: Shape, size: Shape, kernel: Shape, stride: Shape, pad: Shape, convention: str
) -> bool:
    """Returns whether torch has the same windows.

    It takes no padding wider than half a window, and has no window that begins behind the data.
    """
    return convention != "same" and all(
        2 * extra <= window and (count - 1) * step < length + extra
        for length, count, window, step, extra in zip(
            spatial, size, kernel, stride, pad, strict=True
        )
    )


def _maximum(data: Tensor, kernel: Shape, stride: Shape, pad: Shape, full: bool) -> Tensor:
    if onednn.suits(data):
        return onednn.pool_max(data, onednn.Windows(kernel, stride, pad, full))
    return _MAX_POOLS[data.ndim - 3](data, kernel, stride, pad, ceil_mode=full)


def _average(
    data: Tensor, kernel: Shape, stride: Shape, pad: Shape, full: bool, count_pad: bool
) -> Tensor:
    if not full and onednn.suits(data):
        return onednn.pool_average(data, onednn.Windows(kernel, stride, pad, full), count_pad)
    pool = _AVERAGE_POOLS[data.ndim - 3]
    if data.ndim == 5 and data.device.type == "cpu" and data.dtype.itemsize == 2:
        # torch has no kernel for these on the CPU.
        return pool(data.float(), kernel, stride, pad, full, count_pad).to(data.dtype)
    return pool(data, kernel, stride, pad, full, count_pad)


def _window_lengths(
    data: Tensor, size: Shape, kernel: Shape, stride: Shape, pad: Shape, count_pad: bool
) -> Tensor:
    """Returns the number of points in each window, those behind the padding left out."""
    lengths = []
    for length, count, window, step, extra in zip(
        data.shape[2:], size, kernel, stride, pad, strict=True
    ):
        margin = extra if count_pad else 0
        begin = torch.arange(count, device=data.device) * step - extra
        end = (begin + window).clamp(max=length + margin)
        lengths.append((end - begin.clamp(min=-margin)).clamp(min=1))
    return reduce(lambda outer, inner: outer.unsqueeze(-1) * inner, lengths).to(data.dtype)


def _pool_max(
    data: Tensor, size: Shape, kernel: Shape, stride: Shape, pad: Shape, convention: str
) -> Tensor:
    if _is_native(tuple(data.shape[2:]), size, kernel, stride, pad, convention):
        return _maximum(data, kernel, stride, pad, convention == "full")
    lowest = torch.finfo(data.dtype).min
    padded = _pad_to_windows(data, size, kernel, stride, pad, lowest)
    return _maximum(padded, kernel, stride, (0,) * len(kernel), False)


def _pool_sum(data: Tensor, size: Shape, kernel: Shape, stride: Shape, pad: Shape) -> Tensor:
    padded = _pad_to_windows(data, size, kernel, stride, pad, 0.0)
    area = prod(kernel)
    return _average(padded, kernel, stride, (0,) * len(kernel), False, True) * area


def _pool_average(
    data: Tensor,
    size: Shape,
    kernel: Shape,
    stride: Shape,
    pad: Shape,
    convention: str,
    count_pad: bool,
) -> Tensor:
    if _is_native(tuple(data.shape[2:]), size, kernel, stride, pad, convention):
        return _average(data, kernel, stride, pad, convention == "full", count_pad)
    lengths = _window_lengths(data, size, kernel, stride, pad, count_pad)
    return _pool_sum(data, size, kernel, stride, pad) / lengths


def _root(total: Tensor, p: int) -> Tensor:
    """Returns the p-th root, with the sign of its argument and a slope of 0 at 0."""
    if p == 1:
        return total
    zero = total == 0
    magnitude = torch.where(zero, 1, total).abs()
    root = magnitude.sqrt() if p == 2 else magnitude.pow(1 / 3)
    return torch.where(zero, 0, root * total.detach().sign())


def _norm_order(p_value: int | None) -> int:
    if p_value not in (1, 2, 3):
        raise MXNetError(f"Pooling: pool_type 'lp' takes p_value 1, 2 or 3, got {p_value}")
    return p_value


def _pool_globally(data: Tensor, pool_type: str, p_value: int | None) -> Tensor:
    axes = tuple(range(2, data.ndim))
    if pool_type == "avg":
        return data.mean(axes, keepdim=True)
    if pool_type == "max":
        # A reduction would share the gradient among equal maxima; the first one gets it.
        flat = data.flatten(2)
        highest = flat.gather(2, flat.argmax(2, keepdim=True))
        return highest.reshape(*data.shape[:2], *(1 for _ in axes))
    p = _norm_order(p_value) if pool_type == "lp" else 1
    return _root((data if p == 1 else data.pow(p)).sum(axes, keepdim=True), p)


def _check_window(
    op_name: str, *, kernel: Shape, stride: Shape, global_pool: bool, **_: object
) -> None:
    if not global_pool and (not kernel or min((*kernel, *stride)) < 1):
        raise MXNetError(
            f"{op_name}: kernel and stride are positive, and a kernel is needed unless global_pool "
            f"is set, got {kernel} and {stride}"
        )


def _pooling_outputs(
    *, kernel: Shape, pool_type: str, layout: str | None, **_: object
) -> tuple[str, ...]:
    """Names the outputs; files count one for the places of the largest elements."""
    channels_last = (layout or "").endswith("C")
    remembers_places = pool_type == "max" and bool(kernel) and not channels_last
    return ("output", "workspace") if remembers_places else ("output",)


@op(
    "Pooling",
    aliases=("_npx_pooling",),
    check_attrs=partial(_check_window, "Pooling"),
    traits=Traits(
        types=SAME_DTYPE,
        shapes=Shapes(quick=shape_rules.pooling),
        labels=Labels(outputs=_pooling_outputs, names_inputs=True, names_outputs=True),
        drawing=drawing.POOLING,
        role="pooling",
        flops=flops.pooling,
        quantization=quantizing.POOLING,
    ),
)
def pooling(
    data: Tensor,
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
    output_size: Shape | None = None,
) -> Tensor:
    """Reduces each window over one to three spatial axes to a number.

    Args:
        data: Input of shape `(batch, channels, *spatial)`, or as `layout` says.
        kernel: Size of the window.
        pool_type: Reduction: maximum, average, sum, or `p_value`-th root of the sum of powers.
        global_pool: Whether one window covers each channel; ignores kernel, stride and pad.
        cudnn_off: Accepted for compatibility.
        pooling_convention: Number of windows along an axis of length n. `valid`: as many as fit;
            `full`: also one that begins inside and ends outside; `same`: n / stride, rounded up.
        stride: Steps of the window, 1 if empty.
        pad: Points added on both sides of each spatial axis, none if empty.
        p_value: Power of `lp`: 1, 2 or 3.
        count_include_pad: Whether an average counts padded points; None counts them.
        layout: Order of the axes; None has the channels before the spatial axes.
        output_size: Accepted for compatibility with MXNet 2; `AdaptiveAvgPooling2D` follows it.

    Example:
        >>> import mxnet as mx
        >>> data = mx.nd.arange(16).reshape((1, 1, 4, 4))
        >>> pooled = mx.nd.Pooling(data, kernel=(2, 2), stride=(2, 2), pool_type="max")
        >>> print(pooled[0, 0].asnumpy())
        [[ 5.  7.]
         [13. 15.]]
        >>> mx.nd.Pooling(data, global_pool=True, pool_type="avg").shape
        (1, 1, 1, 1)
    """
    _check_data("Pooling", data)
    last = is_channels_last("Pooling", layout, data.ndim)
    if last:
        data = data.movedim(-1, 1)
    if global_pool:
        out = _pool_globally(data, pool_type, p_value)
    else:
        count_pad = True if count_include_pad is None else count_include_pad
        out = _pool_windows(
            data, kernel, stride, pad, pool_type, pooling_convention, p_value, count_pad
        )
    return out.movedim(1, -1) if last else out


def _pool_windows(
    data: Tensor,
    kernel: Shape,
    stride: Shape,
    pad: Shape,
    pool_type: str,
    convention: str,
    p_value: int | None,
    count_pad: bool,
) -> Tensor:
    num_axes = data.ndim - 2
    kernel = _check_kernel("Pooling", kernel, num_axes)
    if convention == "same":
        if any(pad):
            raise MXNetError(f"Pooling: pooling_convention 'same' takes no pad, got {pad}")
        pad = ()
    else:
        stride = stride[:num_axes]
    stride = per_axis("Pooling", "stride", stride, num_axes, 1)
    # DropBlock of GluonCV pads with four values: the original reads as many as there are axes.
    pad = per_axis("Pooling", "pad", pad[:num_axes], num_axes, 0)
    if convention == "valid" and (not any(pad) or _has_narrow_margins(pad, kernel)):
        if pool_type == "max":
            return _maximum(data, kernel, stride, pad, False)
        if pool_type == "avg":
            return _average(data, kernel, stride, pad, False, count_pad)
    size = _output_size("Pooling", tuple(data.shape[2:]), kernel, stride, pad, convention)
    if pool_type == "max":
        return _pool_max(data, size, kernel, stride, pad, convention)
    if pool_type == "avg":
        return _pool_average(data, size, kernel, stride, pad, convention, count_pad)
    p = _norm_order(p_value) if pool_type == "lp" else 1
    return _root(_pool_sum(data if p == 1 else data.pow(p), size, kernel, stride, pad), p)


def _has_narrow_margins(pad: Shape, kernel: Shape) -> bool:
    """Returns whether torch takes the padding, which is at most half as wide as a window."""
    return all(2 * extra <= window for extra, window in zip(pad, kernel, strict=True))


def _check_kernel(op_name: str, kernel: Shape, num_axes: int) -> Shape:
    if len(kernel) != num_axes:
        raise MXNetError(f"{op_name}: kernel takes {num_axes} sizes, got {kernel}")
    return kernel


def _windows(data: Tensor, kernel: Shape, stride: Shape) -> Tensor:
    """Returns the points of each window along a last axis."""
    for axis, (window, step) in enumerate(zip(kernel, stride, strict=True), start=2):
        data = data.unfold(axis, window, step)
    return data.flatten(-len(kernel))


@op("Pooling_v1", check_attrs=partial(_check_window, "Pooling_v1"), traits=Traits(labels=NAMED))
def pooling_v1(
    data: Tensor,
    *,
    kernel: Shape = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
) -> Tensor:
    """Pools as the first versions did: padded zeros count, and equal maxima all get the gradient.

    Args:
        data: Input of shape `(batch, channels, *spatial)` with two or three spatial axes.
        kernel: Size of the window.
        pool_type: Reduction: maximum, average or sum; averages divide by the kernel size.
        global_pool: Whether one window covers each channel; ignores kernel, stride and pad.
        pooling_convention: `valid`: as many windows as fit; `full`: also one that ends outside.
        stride: Steps of the window, 1 if empty.
        pad: Zeros on both sides of each spatial axis, none if empty.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.arange(4).reshape((1, 1, 2, 2))
        >>> print(mx.nd.Pooling_v1(x, kernel=(2, 2), pool_type="max").asnumpy())
        [[[[3.]]]]
    """
    _check_data("Pooling_v1", data)
    num_axes = data.ndim - 2
    spatial = tuple(data.shape[2:])
    if num_axes < 2:
        raise MXNetError(f"Pooling_v1: data has 4 or 5 axes, got shape {tuple(data.shape)}")
    if global_pool:
        kernel, stride, pad = spatial, (), ()
    kernel = _check_kernel("Pooling_v1", kernel, num_axes)
    stride = per_axis("Pooling_v1", "stride", stride[:num_axes], num_axes, 1)
    pad = per_axis("Pooling_v1", "pad", pad[:num_axes], num_axes, 0)
    size = _output_size("Pooling_v1", spatial, kernel, stride, pad, pooling_convention)
    if pool_type != "max":
        total = _pool_sum(data, size, kernel, stride, pad)
        return total if pool_type == "sum" else total / prod(kernel)
    data = F.pad(data, [extra for extra in reversed(pad) for _ in range(2)])
    data = _pad_to_windows(data, size, kernel, stride, (0,) * num_axes, torch.finfo(data.dtype).min)
    points = _windows(data, kernel, stride)
    highest = points.detach().amax(-1, keepdim=True)
    slope = torch.where(points == highest, points - points.detach(), 0)
    return highest.squeeze(-1) + slope.sum(-1)


@op("_contrib_AdaptiveAvgPooling2D", traits=Traits(fusion=KEEPS_LAYOUT))
def adaptive_average_pooling(
    data: Tensor,
    *,
    output_size: Shape = (),
    kernel: Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "avg",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Layout = None,
) -> Tensor:
    """Averages over a grid of windows that covers the image, so that the output has a given size.

    Args:
        data: Images of shape `(batch, channels, height, width)`.
        output_size: Height and width of the output; one number for both, 1 if empty.
        kernel: Accepted for compatibility with MXNet 2, as are all that follow.
        pool_type: Accepted for compatibility: averages are computed.
        global_pool: Accepted for compatibility.
        cudnn_off: Accepted for compatibility.
        pooling_convention: Accepted for compatibility.
        stride: Accepted for compatibility.
        pad: Accepted for compatibility.
        p_value: Accepted for compatibility.
        count_include_pad: Accepted for compatibility.
        layout: Accepted for compatibility: channels stand before the spatial axes.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.arange(16).reshape((1, 1, 4, 4))
        >>> print(mx.nd.contrib.AdaptiveAvgPooling2D(x, output_size=2).asnumpy())
        [[[[ 2.5  4.5]
           [10.5 12.5]]]]
    """
    if data.ndim != 4:
        raise MXNetError(
            f"_contrib_AdaptiveAvgPooling2D: data has 4 axes, got shape {tuple(data.shape)}"
        )
    output_size = output_size or (1,)
    if len(output_size) > 2:
        raise MXNetError(
            f"_contrib_AdaptiveAvgPooling2D: output_size takes up to 2 sizes, got {output_size}"
        )
    size = (output_size[0], output_size[-1])
    check_like("_contrib_AdaptiveAvgPooling2D", (*data.shape[:2], *size), data)
    return F.adaptive_avg_pool2d(data, size)
