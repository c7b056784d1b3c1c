"""Convolution and its transpose over one to three spatial axes."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any, Literal, TypeAlias

import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops import drawing, flops, input_shapes, misfits, quantizing, quick_shapes
from mxnet.ops.attrs import Count, Shape
from mxnet.ops.nn._checks import require_shape
from mxnet.ops.nn._single_volume import convolve_volume
from mxnet.ops.nn.linear import bias_unless_off
from mxnet.ops.nn.memory_order import arrange
from mxnet.ops.nn.spatial import check_window, is_channels_last, per_axis
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like
from mxnet.ops.traits import KEEPS_LAYOUT, NAMED_OUTPUTS, SAME_DTYPE, Fusion, Shapes, Traits

Layout: TypeAlias = Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None
Tuning: TypeAlias = Literal["fastest", "limited_workspace", "off"] | None

_CONVOLUTIONS = (F.conv1d, F.conv2d, convolve_volume)
_TRANSPOSES = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)


def _weight_shape(
    channels: int, kernel: Shape, num_filter: int, num_group: int, last: bool, transposed: bool
) -> Shape:
    outer, inner = (channels, num_filter) if transposed else (num_filter, channels)
    inner //= num_group
    return (outer, *kernel, inner) if last else (outer, inner, *kernel)


def _fill_shapes(
    op_name: str,
    transposed: bool,
    data: Shape,
    *,
    kernel: Shape,
    num_filter: int,
    num_group: int,
    layout: str | None,
    **_: object,
) -> dict[str, Shape]:
    last = is_channels_last(op_name, layout, len(data))
    channels = data[-1 if last else 1]
    weight = _weight_shape(channels, kernel, num_filter, num_group, last, transposed)
    return {"weight": weight, "bias": (num_filter,)}


def _check(
    op_name: str,
    num_axes: tuple[int, ...] = (1, 2, 3),
    *,
    num_filter: int,
    num_group: int,
    **window: Any,
) -> None:
    check_window(op_name, num_axes, **window)
    if num_filter % num_group:
        raise AttributeValueError(
            f"{op_name}: attribute `num_filter` takes a multiple of `num_group`, "
            f"got {num_filter} and {num_group}"
        )


fill_convolution = partial(_fill_shapes, "Convolution", False)
_fill_deconvolution = partial(_fill_shapes, "Deconvolution", True)


def _channels_first(
    op_name: str,
    data: Tensor,
    weight: Tensor,
    kernel: Shape,
    num_filter: int,
    num_group: int,
    layout: str | None,
    *,
    transposed: bool,
) -> tuple[Tensor, Tensor, bool]:
    """Checks data and weight and gives them with channels on axis 1, and whether they were last."""
    shape = data.shape  # each look at it takes a share of a small convolution
    last = is_channels_last(op_name, layout, len(shape))
    if len(shape) != len(kernel) + 2:
        raise MXNetError(
            f"{op_name}: kernel {kernel} takes data with {len(kernel) + 2} axes, "
            f"got shape {tuple(shape)}"
        )
    channels = shape[-1 if last else 1]
    expected = _weight_shape(channels, kernel, num_filter, num_group, last, transposed)
    require_shape(op_name, "weight", weight, expected)
    if last:
        return data.movedim(-1, 1), weight.movedim(-1, 1), True
    return data, weight, False


def _check_fit(spatial: Shape, kernel: Shape, pad: Shape, dilate: Shape) -> None:
    """Raises for a window that is larger than the data, which torch 2.6 does not do by itself."""
    sizes = zip(spatial, kernel, pad, dilate, strict=True)
    if any(size + 2 * margin < step * (window - 1) + 1 for size, window, margin, step in sizes):
        raise MXNetError(
            f"Convolution: expected data that hold kernel {kernel} with dilate {dilate}, "
            f"got spatial size {spatial} with pad {pad}"
        )


@op(
    "Convolution",
    aliases=("_npx_convolution",),
    fill_shapes=fill_convolution,
    active_inputs=bias_unless_off,
    check_attrs=partial(_check, "Convolution"),
    traits=Traits(
        types=SAME_DTYPE,
        shapes=Shapes(
            quick=quick_shapes.convolution,
            inputs=input_shapes.convolve,
            early=input_shapes.convolved,
            keeps_batch=True,
            exact=True,
            misfit=misfits.convolution,
        ),
        labels=NAMED_OUTPUTS,
        drawing=drawing.CONVOLUTION,
        role="convolution",
        fusion=Fusion(arrange=arrange),
        flops=flops.convolution_with(weight=1),
        quantization=quantizing.CONVOLUTION,
    ),
)
def convolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: Count = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Tuning = None,
    cudnn_off: bool = False,
    layout: Layout = None,
) -> Tensor:
    """Slides filters over the spatial axes and gives their products with the data, plus the bias.

    The number of spatial axes, one to three, is that of `kernel`.

    Args:
        data: Input of shape `(batch, channels, *spatial)`, or as `layout` says.
        weight: Filters of shape `(num_filter, channels / num_group, *kernel)`; in a layout with the
            channels last `(num_filter, *kernel, channels / num_group)`.
        bias: Offsets of shape `(num_filter,)`.
        kernel: Size of the window.
        stride: Steps of the window, 1 if empty.
        dilate: Distances between the points of the window, 1 if empty.
        pad: Zeros on both sides of each spatial axis, none if empty.
        num_filter: Number of output channels.
        num_group: Number of groups into which the channels are split.
        workspace: Accepted for compatibility.
        no_bias: Whether to leave the bias out.
        cudnn_tune: Accepted for compatibility.
        cudnn_off: Accepted for compatibility.
        layout: Order of the axes; None has the channels before the spatial axes.

    Example:
        >>> import mxnet as mx
        >>> data, weight = mx.nd.ones((1, 3, 5, 5)), mx.nd.ones((4, 3, 3, 3))
        >>> mx.nd.Convolution(data, weight, mx.nd.zeros(4), kernel=(3, 3), num_filter=4).shape
        (1, 4, 3, 3)
        >>> options = {"kernel": (3, 3), "pad": (1, 1), "num_filter": 4, "no_bias": True}
        >>> mx.nd.Convolution(data, weight, **options).shape
        (1, 4, 5, 5)
    """
    name, num_axes = "Convolution", len(kernel)
    data, weight, last = _channels_first(
        name, data, weight, kernel, num_filter, num_group, layout, transposed=False
    )
    ones = (1,) * num_axes
    steps, distances, margins = stride or ones, dilate or ones, pad or (0,) * num_axes
    if data.is_meta:
        _check_fit(tuple(data.shape[2:]), kernel, margins, distances)
    out = _CONVOLUTIONS[num_axes - 1](
        data, weight, None if no_bias else bias, steps, margins, distances, num_group
    )
    return out.movedim(1, -1) if last else out


op(
    "Convolution_v1",
    fill_shapes=fill_convolution,
    active_inputs=bias_unless_off,
    check_attrs=partial(_check, "Convolution_v1", (2, 3)),
    traits=Traits(
        flops=flops.convolution_with(weight=1), shapes=Shapes(misfit=misfits.convolution)
    ),
    summary="Computes `Convolution` over two or three spatial axes, under its name in old files.",
)(convolution)


def _fit_to_target(
    spatial: Shape, kernel: Shape, stride: Shape, dilate: Shape, target: Shape
) -> tuple[Shape, Shape]:
    """Returns the padding and adjustment that give a transposed convolution a given size."""
    surplus = []
    for size, window, step, distance, wanted in zip(
        spatial, kernel, stride, dilate, target, strict=True
    ):
        excess = step * (size - 1) + distance * (window - 1) + 1 - wanted
        if excess < 0:
            raise MXNetError(
                f"Deconvolution: target_shape {target} is larger than the output without padding"
            )
        surplus.append(excess)
    return tuple((excess + 1) // 2 for excess in surplus), tuple(e % 2 for e in surplus)


@op(
    "Deconvolution",
    aliases=("_npx_deconvolution",),
    fill_shapes=_fill_deconvolution,
    active_inputs=bias_unless_off,
    check_attrs=partial(_check, "Deconvolution"),
    traits=Traits(
        shapes=Shapes(keeps_batch=True, exact=True, misfit=misfits.deconvolution),
        fusion=KEEPS_LAYOUT,
        labels=NAMED_OUTPUTS,
        flops=flops.deconvolution,
    ),
)
def deconvolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    adj: Shape = (),
    target_shape: Shape = (),
    num_filter: Count,
    num_group: Count = 1,
    workspace: int = 512,
    no_bias: bool = True,
    cudnn_tune: Tuning = None,
    cudnn_off: bool = False,
    layout: Layout = None,
) -> Tensor:
    """Applies the transpose of a convolution: each input point adds a scaled filter to the output.

    Args:
        data: Input of shape `(batch, channels, *spatial)`, or as `layout` says.
        weight: Filters of shape `(channels, num_filter / num_group, *kernel)`; in a layout with the
            channels last `(channels, *kernel, num_filter / num_group)`.
        bias: Offsets of shape `(num_filter,)`.
        kernel: Size of the window.
        stride: Distances in the output between neighbours of the input, 1 if empty.
        dilate: Distances between the points of the window, 1 if empty.
        pad: Points cut off on both sides of each output axis, none if empty.
        adj: Points added at the end of each output axis; smaller than the stride.
        target_shape: Spatial size of the output; replaces `pad` and `adj` by those that give it.
        num_filter: Number of output channels.
        num_group: Number of groups into which the channels are split.
        workspace: Accepted for compatibility.
        no_bias: Whether to leave the bias out.
        cudnn_tune: Accepted for compatibility.
        cudnn_off: Accepted for compatibility.
        layout: Order of the axes; None has the channels before the spatial axes.

    Example:
        >>> import mxnet as mx
        >>> data, weight = mx.nd.ones((1, 3, 5, 5)), mx.nd.ones((3, 4, 2, 2))
        >>> mx.nd.Deconvolution(data, weight, kernel=(2, 2), stride=(2, 2), num_filter=4).shape
        (1, 4, 10, 10)
    """
    name, num_axes = "Deconvolution", len(kernel)
    data, weight, last = _channels_first(
        name, data, weight, kernel, num_filter, num_group, layout, transposed=True
    )
    stride = per_axis(name, "stride", stride, num_axes, 1)
    dilate = per_axis(name, "dilate", dilate, num_axes, 1)
    pad = per_axis(name, "pad", pad, num_axes, 0)
    adj = per_axis(name, "adj", adj, num_axes, 0)
    if any(target_shape):
        target = per_axis(name, "target_shape", target_shape, num_axes, 0)
        pad, adj = _fit_to_target(tuple(data.shape[2:]), kernel, stride, dilate, target)
    if any(extra >= step for extra, step in zip(adj, stride, strict=True)):
        raise MXNetError(f"Deconvolution: adj {adj} is not smaller than stride {stride}")
    spatial = map(operator.mul, data.shape[2:], stride)
    check_like(name, (data.shape[0], num_filter, *spatial), data)
    transpose = _TRANSPOSES[num_axes - 1]
    out = transpose(data, weight, None if no_bias else bias, stride, pad, adj, num_group, dilate)
    return out.movedim(1, -1) if last else out
