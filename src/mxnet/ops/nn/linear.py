"""Affine maps: fully connected layers, convolution and its transpose over one to three axes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any, Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._start import engine
from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Count, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import KEEPS_LAYOUT, NAMED_OUTPUTS, SAME_DTYPE, Fusion, Shapes, Traits
from mxnet.ops.nn.layouts import arrange, check_window, is_channels_last, per_axis, require_shape
from mxnet.ops.rules import drawing, flops, misfits, quantizing, shape_rules


def bias_unless_off(*, no_bias: bool, **_: object) -> tuple[str, ...]:
    """Inputs of a layer whose bias can be switched off."""
    return ("data", "weight") if no_bias else ("data", "weight", "bias")


def _fill_fully_connected(
    data: Shape, *, num_hidden: int, flatten: bool, **_: object
) -> dict[str, Shape]:
    in_units = prod(data[1:]) if flatten else data[-1]
    return {"weight": (num_hidden, in_units), "bias": (num_hidden,)}


@op(
    "FullyConnected",
    aliases=("_npx_fully_connected",),
    fresh=True,
    fill_shapes=_fill_fully_connected,
    active_inputs=bias_unless_off,
    traits=Traits(
        types=SAME_DTYPE,
        shapes=Shapes(
            quick=shape_rules.fully_connected,
            keeps_batch=True,
            exact=True,
            misfit=misfits.fully_connected,
        ),
        labels=NAMED_OUTPUTS,
        drawing=drawing.DENSE,
        role="dense",
        flops=flops.dense,
        quantization=quantizing.DENSE,
    ),
)
def fully_connected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
) -> Tensor:
    """Computes the affine map ``data @ weight.T + bias``.

    Args:
        data: Input of shape `(batch, ...)`.
        weight: Weights of shape `(num_hidden, in_units)`.
        bias: Offsets of shape `(num_hidden,)` or `(num_hidden, 1)`.
        num_hidden: Size of the output.
        no_bias: Whether to leave the bias out.
        flatten: Whether to fold all axes but the first into one; otherwise the map applies to the
            last axis.

    Example:
        >>> import mxnet as mx
        >>> data, weight = mx.nd.ones((2, 3)), mx.nd.ones((4, 3))
        >>> print(mx.nd.FullyConnected(data, weight, mx.nd.arange(4), num_hidden=4).asnumpy())
        [[3. 4. 5. 6.]
         [3. 4. 5. 6.]]
    """
    if flatten and data.ndim != 2:
        # a vector is a batch of single features
        data = data.flatten(start_dim=1) if data.ndim > 1 else data.unsqueeze(1)
    if weight.shape[0] != num_hidden:
        raise MXNetError(
            f"FullyConnected: `weight` of {num_hidden} rows expected, "
            f"got shape {tuple(weight.shape)}"
        )
    if bias is None or no_bias:
        return F.linear(data, weight)
    return F.linear(data, weight, bias if bias.ndim < 2 else _as_offsets(bias, num_hidden))


def _as_offsets(bias: Tensor, num_hidden: int) -> Tensor:
    """Returns a bias of shape `(num_hidden, 1)` as a vector; others would broadcast wrongly."""
    if tuple(bias.shape) != (num_hidden, 1):
        raise MXNetError(
            f"FullyConnected: `bias` of shape ({num_hidden},) expected, got {tuple(bias.shape)}"
        )
    return bias.view(-1)


_AVAILABLE: bool = torch.backends.mkldnn.is_available() and engine.has("mkldnn_convolution")  # type: ignore[no-untyped-call]
_LARGE = 20480
"""Product of the first four lengths beyond which torch chooses oneDNN."""
_LEAST_PREDICTION = 300_000
_LEAST_TRAINING = 10_000_000
"""Numbers of products from which the library is faster, without gradients and with them."""
_BLOCK = 16
"""Channels that the library handles at once; groups of other sizes are slow."""


def convolve_volume(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Shape,
    pad: Shape,
    dilate: Shape,
    groups: int,
) -> Tensor:
    """Convolves volumes of shape `(batch, channels, depth, height, width)`."""
    if _is_neglected(data, weight, groups):
        sizes = [
            (size + 2 * margin - distance * (window - 1) - 1) // step + 1
            for size, window, step, margin, distance in zip(
                data.shape[2:], weight.shape[2:], stride, pad, dilate, strict=True
            )
        ]
        work = weight.numel() * prod(sizes) if min(sizes) > 0 else 0
        inputs = (data, weight) if bias is None else (data, weight, bias)
        learns = torch.is_grad_enabled() and any(item.requires_grad for item in inputs)
        if not learns and work >= _LEAST_PREDICTION:
            return torch.mkldnn_convolution(data, weight, bias, pad, stride, dilate, groups)
        if learns and work >= _LEAST_TRAINING and sizes[0] > 1:
            result: Tensor = _Neglected.apply(data, weight, bias, stride, pad, dilate)  # type: ignore[no-untyped-call]
            return result
    return F.conv3d(data, weight, bias, stride, pad, dilate, groups)


def _is_neglected(data: Tensor, weight: Tensor, groups: int) -> bool:
    """Returns whether torch would run its slow kernel where oneDNN could do it."""
    return (
        data.shape[0] == 1
        and groups == 1
        and data.is_cpu
        and weight.shape[3:] != (1, 1)
        and data.dtype is torch.float32 is weight.dtype
        and prod(data.shape[:4]) <= _LARGE
        and min(weight.shape[3:]) <= 3
        and _AVAILABLE
        and bool(torch.backends.mkldnn.enabled)
        and not torch.compiler.is_compiling()
    )


class _Neglected(torch.autograd.Function):
    """Convolution by oneDNN, also in `backward`."""

    @staticmethod
    def forward(
        ctx: Any,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        stride: Shape,
        pad: Shape,
        dilate: Shape,
    ) -> Tensor:
        """Returns what the library computes."""
        ctx.save_for_backward(data, weight)
        ctx.window, ctx.has_bias = (stride, pad, dilate), bias is not None
        return torch.mkldnn_convolution(data, weight, bias, pad, stride, dilate, 1)

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> tuple[Tensor | None, ...]:
        """Returns the gradients of data, weight and bias."""
        data, weight = ctx.saved_tensors
        wanted = [*ctx.needs_input_grad[:2], ctx.has_bias and ctx.needs_input_grad[2]]
        if torch.is_grad_enabled():  # whose own gradients torch knows
            stride, pad, dilate = ctx.window
            found = torch.ops.aten.convolution_backward(
                head, data, weight, [len(weight)],
                stride, pad, dilate, False, (0, 0, 0), 1, wanted,
            )  # fmt: skip
            return (*found, None, None, None)
        by_groups = data.shape[1] % _BLOCK == 0 and len(weight) % (2 * _BLOCK) == 0
        differentiate = _differentiate_groups if by_groups else _differentiate_halves
        return (*differentiate(head, data, weight, ctx.window, wanted), None, None, None)


def _differentiate_groups(
    head: Tensor, data: Tensor, weight: Tensor, window: Sequence[Shape], wanted: list[bool]
) -> tuple[Tensor | None, ...]:
    """Computes gradients by two groups, of which each has all channels and half the filters."""
    stride, pad, dilate = window
    channels = data.shape[1]
    of_data, of_weight, of_bias = torch.ops.aten.convolution_backward(
        head, torch.cat((data, data), 1), weight, [len(weight)],
        stride, pad, dilate, False, (0, 0, 0), 2, wanted,
    )  # fmt: skip
    if wanted[0]:
        of_data = of_data[:, :channels] + of_data[:, channels:]
    return of_data, of_weight, of_bias


def _differentiate_halves(
    head: Tensor, data: Tensor, weight: Tensor, window: Sequence[Shape], wanted: list[bool]
) -> tuple[Tensor | None, ...]:
    """Computes gradients by a batch of two, the parts of the volume before and after its middle."""
    stride, pad, dilate = window
    half = (head.shape[2] + 1) // 2
    length = (half - 1) * stride[0] + dilate[0] * (weight.shape[2] - 1) + 1
    starts = (-pad[0], half * stride[0] - pad[0])
    halves = _stack_parts(data, starts, length), _stack_parts(head, (0, half), half)
    of_data, of_weight, of_bias = torch.ops.aten.convolution_backward(
        halves[1], halves[0], weight, [len(weight)],
        stride, (0, *pad[1:]), dilate, False, (0, 0, 0), 1, wanted,
    )  # fmt: skip
    if wanted[0]:
        of_data = _add_parts(of_data, starts, data)
    return of_data, of_weight, of_bias


def _find_part(start: int, length: int, depth: int) -> tuple[slice, slice]:
    """Returns which planes of a volume a part has, and where in the part they are."""
    first, last = max(start, 0), min(start + length, depth)
    return slice(first, last), slice(first - start, last - start)


def _stack_parts(volume: Tensor, starts: Sequence[int], length: int) -> Tensor:
    """Makes a batch of parts of one volume, which may begin before it and end after it."""
    batch = volume.new_zeros(len(starts), volume.shape[1], length, *volume.shape[3:])
    for part, start in zip(batch, starts, strict=True):
        planes, places = _find_part(start, length, volume.shape[2])
        part[:, places] = volume[0, :, planes]
    return batch


def _add_parts(parts: Tensor, starts: Sequence[int], volume: Tensor) -> Tensor:
    """Adds up what parts of a volume have gathered: the reverse of `_stack_parts`."""
    result = torch.zeros_like(volume)
    for part, start in zip(parts, starts, strict=True):
        planes, places = _find_part(start, parts.shape[2], volume.shape[2])
        result[0, :, planes] += part[:, places]
    return result


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
            quick=shape_rules.convolution,
            inputs=shape_rules.convolve,
            early=shape_rules.convolved,
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
        role="deconvolution",
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
    ones, zeros = (1,) * num_axes, (0,) * num_axes
    stride, dilate, pad, adj = stride or ones, dilate or ones, pad or zeros, adj or zeros
    if any(target_shape):
        target = per_axis(name, "target_shape", target_shape, num_axes, 0)
        pad, adj = _fit_to_target(tuple(data.shape[2:]), kernel, stride, dilate, target)
    if True in map(operator.ge, adj, stride):
        raise MXNetError(f"Deconvolution: adj {adj} is not smaller than stride {stride}")
    spatial = map(operator.mul, data.shape[2:], stride)
    check_like(name, (data.shape[0], num_filter, *spatial), data)
    transpose = _TRANSPOSES[num_axes - 1]
    out = transpose(data, weight, None if no_bias else bias, stride, pad, adj, num_group, dilate)
    return out.movedim(1, -1) if last else out
