"""Convolutions that read the image at points moved by offsets."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Count, Grid, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Traits
from mxnet.ops.nn.layouts import per_axis, require_shape
from mxnet.ops.rules import flops

Layout: TypeAlias = Literal["NCDHW", "NCHW", "NCW"] | None


class _Window(NamedTuple):
    """The points at which a convolution reads, without offsets."""

    kernel: Shape
    stride: Shape
    dilate: Shape
    pad: Shape

    @property
    def points(self) -> int:
        return self.kernel[0] * self.kernel[1]

    def output_size(self, height: int, width: int) -> Shape:
        """Number of positions of the window in both directions."""
        return tuple(
            (size + 2 * pad - dilate * (kernel - 1) - 1) // stride + 1
            for size, kernel, stride, dilate, pad in zip(
                (height, width), self.kernel, self.stride, self.dilate, self.pad, strict=True
            )
        )

    def grid(self, axis: int, length: int, like: Tensor) -> Tensor:
        """Coordinates along one axis, of shape `(kernel, length)`."""
        points = torch.arange(self.kernel[axis], device=like.device) * self.dilate[axis]
        begins = torch.arange(length, device=like.device) * self.stride[axis] - self.pad[axis]
        return (points[:, None] + begins).to(like.dtype)


def _make_window(name: str, kernel: Shape, stride: Shape, dilate: Shape, pad: Shape) -> _Window:
    return _Window(
        kernel,
        per_axis(name, "stride", stride, 2, 1),
        per_axis(name, "dilate", dilate, 2, 1),
        per_axis(name, "pad", pad, 2, 0),
    )


def _expected_shapes(
    data: Shape, window: _Window, num_filter: int, num_group: int, num_deformable_group: int
) -> dict[str, Shape]:
    """Returns the shapes of all inputs from that of the first."""
    batch, channels, height, width = data
    size = window.output_size(height, width)
    points = num_deformable_group * window.points
    return {
        "offset": (batch, 2 * points, *size),
        "mask": (batch, points, *size),
        "weight": (num_filter, channels // max(num_group, 1), *window.kernel),
        "bias": (num_filter,),
    }


def _fill_deformable(
    data: Shape,
    *,
    kernel: Shape,
    stride: Shape,
    dilate: Shape,
    pad: Shape,
    num_filter: int,
    num_group: int,
    num_deformable_group: int,
    **_: object,
) -> dict[str, Shape]:
    if len(data) != 4:
        raise MXNetError(f"deformable convolution: expected data of four axes, got shape {data}")
    window = _make_window("deformable convolution", kernel, stride, dilate, pad)
    return _expected_shapes(data, window, num_filter, num_group, num_deformable_group)


def _with_mask_bias_unless_off(*, no_bias: bool, **_: object) -> tuple[str, ...]:
    inputs = ("data", "offset", "mask", "weight")
    return inputs if no_bias else (*inputs, "bias")


def _offset_bias_unless_off(*, no_bias: bool, **_: object) -> tuple[str, ...]:
    return tuple(name for name in _with_mask_bias_unless_off(no_bias=no_bias) if name != "mask")


def _move_points(window: _Window, offset: Tensor, num_groups: int) -> tuple[Tensor, Tensor]:
    """Returns where to read, each of shape `(batch, groups, points, height, width)`."""
    batch, _, height, width = offset.shape
    moves = offset.reshape(batch, num_groups, *window.kernel, 2, height, width)
    rows = window.grid(0, height, offset)[:, None, :, None]
    columns = window.grid(1, width, offset)[None, :, None, :]
    y, x = moves[:, :, :, :, 0] + rows, moves[:, :, :, :, 1] + columns
    return y.flatten(2, 3), x.flatten(2, 3)


def _read_bilinear(data: Tensor, y: Tensor, x: Tensor, *, fade: bool) -> Tensor:
    """Reads an image between its pixels.

    Args:
        data: Images of shape `(batch, groups, channels, height, width)`.
        y: Rows, of shape `(batch, groups, *positions)`.
        x: Columns, of the same shape.
        fade: Whether the image fades out over one pixel beyond its edges; else what lies outside
            is zero, and the last row and column reach up to their far side.

    Returns:
        Values of shape `(batch, groups, channels, positions)`.
    """
    height, width = data.shape[-2:]
    pixels, channels = data.flatten(3), data.shape[2]
    top, left = y.detach().floor(), x.detach().floor()
    down, right = y - top, x - left
    within = (y >= 0) & (x >= 0) & (y < height) & (x < width)
    total: Tensor | None = None
    for row, row_share in ((top, 1 - down), (top + 1, down)):
        for column, column_share in ((left, 1 - right), (left + 1, right)):
            inside, i, j = within, row.clamp(max=height - 1), column.clamp(max=width - 1)
            if fade:
                inside = (row >= 0) & (column >= 0) & (row < height) & (column < width)
            index = torch.where(inside, i * width + j, 0).long().flatten(2)
            values = pixels.gather(3, index[:, :, None].expand(-1, -1, channels, -1))
            share = torch.where(inside, row_share * column_share, 0).flatten(2)[:, :, None]
            total = values * share if total is None else torch.addcmul(total, values, share)
    return total  # type: ignore[return-value]  # there are four corners


def _check(
    name: str,
    data: Tensor,
    inputs: dict[str, Tensor | None],
    expected: dict[str, Shape],
    **counts: int,
) -> None:
    for label, count in counts.items():
        if count < 1 or data.shape[1] % count:
            raise MXNetError(
                f"{name}: {label} must divide the {data.shape[1]} channels of data, got {count}"
            )
    for role, tensor in inputs.items():
        if tensor is not None:
            require_shape(name, role, tensor, expected[role])


def _convolve(
    name: str,
    data: Tensor,
    inputs: dict[str, Tensor | None],
    window: _Window,
    num_filter: int,
    num_group: int,
    num_deformable_group: int,
) -> Tensor:
    """Checks the inputs, reads the image at the moved points and multiplies by the weight."""
    weight, offset, mask = inputs["weight"], inputs["offset"], inputs.get("mask")
    if data.ndim != 4 or weight is None or offset is None:
        raise MXNetError(f"{name}: expected data of four axes, got shape {tuple(data.shape)}")
    shape = tuple(data.shape)
    expected = _expected_shapes(shape, window, num_filter, num_group, num_deformable_group)
    groups = {"num_group": num_group, "num_deformable_group": num_deformable_group}
    _check(name, data, inputs, expected, **groups)
    batch, channels, height, width = shape
    split = data.reshape(batch, num_deformable_group, -1, height, width)
    y, x = _move_points(window, offset, num_deformable_group)
    values = _read_bilinear(split, y, x, fade=mask is not None)
    if mask is not None:
        values = values * mask.reshape(batch, num_deformable_group, 1, -1)
    columns = values.reshape(batch, num_group, channels // num_group * window.points, -1)
    out = weight.reshape(num_group, num_filter // num_group, -1) @ columns
    out = out.reshape(batch, num_filter, *expected["offset"][2:])
    bias = inputs.get("bias")
    return out if bias is None else out + bias[:, None, None]


@op(
    "_contrib_DeformableConvolution",
    fill_shapes=_fill_deformable,
    active_inputs=_offset_bias_unless_off,
    traits=Traits(flops=flops.convolution_with(weight=2)),
)
def deformable_convolution(
    data: Tensor,
    offset: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Grid,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    layout: Layout = None,
) -> Tensor:
    """Convolves with a window each of whose points is moved by an offset.

    Args:
        data: Images of shape `(batch, channels, height, width)`.
        offset: Moves of the points of every window, of shape `(batch, 2 * num_deformable_group *
            points, height, width)` with the size of the output; row before column for each point.
        weight: Filters of shape `(num_filter, channels / num_group, *kernel)`.
        bias: Offsets of shape `(num_filter,)`.
        kernel: Size of the window.
        stride: Steps of the window, 1 if empty.
        dilate: Distances between the points of the window, 1 if empty.
        pad: Zeros on both sides of each spatial axis, none if empty.
        num_filter: Number of output channels.
        num_group: Number of groups into which the channels are split.
        num_deformable_group: Number of groups of channels with offsets of their own.
        workspace: Accepted for compatibility.
        no_bias: Whether to leave the bias out.
        layout: Order of the axes; None means `"NCHW"`.

    Example:
        >>> import mxnet as mx
        >>> x, offset = mx.nd.ones((1, 1, 3, 3)), mx.nd.zeros((1, 8, 2, 2))
        >>> weight = mx.nd.ones((1, 1, 2, 2))
        >>> options = {"kernel": (2, 2), "num_filter": 1, "no_bias": True}
        >>> print(mx.nd.contrib.DeformableConvolution(x, offset, weight, **options).asnumpy())
        [[[[4. 4.]
           [4. 4.]]]]
    """
    name = "_contrib_DeformableConvolution"
    window = _make_window(name, kernel, stride, dilate, pad)
    inputs = {"offset": offset, "weight": weight, "bias": None if no_bias else bias}
    return _convolve(name, data, inputs, window, num_filter, num_group, num_deformable_group)


@op(
    "_contrib_ModulatedDeformableConvolution",
    fill_shapes=_fill_deformable,
    active_inputs=_with_mask_bias_unless_off,
    traits=Traits(low_precision=True, flops=flops.convolution_with(weight=3)),
)
def modulated_deformable_convolution(
    data: Tensor,
    offset: Tensor,
    mask: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    kernel: Grid,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    im2col_step: int = 64,
    layout: Layout = None,
) -> Tensor:
    """Convolves with a window whose points are moved by offsets and weighted by a mask.

    Args:
        data: Images of shape `(batch, channels, height, width)`.
        offset: Moves of the points of every window; see `DeformableConvolution`.
        mask: Weights of the points of every window, of shape `(batch, num_deformable_group *
            points, height, width)` with the size of the output.
        weight: Filters of shape `(num_filter, channels / num_group, *kernel)`.
        bias: Offsets of shape `(num_filter,)`.
        kernel: Size of the window.
        stride: Steps of the window, 1 if empty.
        dilate: Distances between the points of the window, 1 if empty.
        pad: Zeros on both sides of each spatial axis, none if empty.
        num_filter: Number of output channels.
        num_group: Number of groups into which the channels are split.
        num_deformable_group: Number of groups of channels with offsets of their own.
        workspace: Accepted for compatibility.
        no_bias: Whether to leave the bias out.
        im2col_step: Accepted for compatibility.
        layout: Order of the axes; None means `"NCHW"`.

    Example:
        >>> import mxnet as mx
        >>> x, offset = mx.nd.ones((1, 1, 3, 3)), mx.nd.zeros((1, 8, 2, 2))
        >>> mask, weight = mx.nd.ones((1, 4, 2, 2)) / 2, mx.nd.ones((1, 1, 2, 2))
        >>> options = {"kernel": (2, 2), "num_filter": 1, "no_bias": True}
        >>> y = mx.nd.contrib.ModulatedDeformableConvolution(x, offset, mask, weight, **options)
        >>> print(y.asnumpy())
        [[[[2. 2.]
           [2. 2.]]]]
    """
    name = "_contrib_ModulatedDeformableConvolution"
    window = _make_window(name, kernel, stride, dilate, pad)
    inputs = {"offset": offset, "mask": mask, "weight": weight, "bias": None if no_bias else bias}
    return _convolve(name, data, inputs, window, num_filter, num_group, num_deformable_group)
