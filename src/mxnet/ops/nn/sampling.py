"""Sampling of images at the points of a grid, and resizing inside of a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet import limits
from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_growth, check_like
from mxnet.ops.core.attrs import Count, Shape
from mxnet.ops.core.devices import constant_like
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import (
    KEEPS_LAYOUT,
    NAMED,
    NAMED_INPUTS,
    NAMED_OUTPUTS,
    Traits,
    Variables,
)


def _base_points(like: Tensor, height: int, width: int) -> tuple[Tensor, Tensor]:
    """Returns x and y of all points, each of shape `(height, width)`."""
    y, x = (torch.arange(n, dtype=like.dtype, device=like.device) for n in (height, width))
    return x[None, :].expand(height, width), y[:, None].expand(height, width)


def _half_sizes(like: Tensor, height: int, width: int) -> Tensor:
    return constant_like(((width - 1) / 2, (height - 1) / 2), like)


def _affine_grid(name: str, theta: Tensor, target_shape: Shape) -> Tensor:
    if theta.ndim != 2 or theta.shape[1] != 6:
        raise MXNetError(f"{name}: six numbers for each image expected, got {tuple(theta.shape)}")
    if len(target_shape) != 2 or min(target_shape) < 1:
        raise MXNetError(f"{name}: `target_shape` takes two positive sizes, got {target_shape}")
    height, width = target_shape
    check_like(name, (max(len(theta), 3), 2, height, width), theta)
    x, y = _base_points(theta, height, width)
    half_width, half_height = _half_sizes(theta, height, width)
    points = torch.stack((x / half_width - 1, y / half_height - 1, torch.ones_like(x)))
    return (theta.reshape(-1, 2, 3) @ points.reshape(3, -1)).reshape(-1, 2, height, width)


def _sample(name: str, data: Tensor, grid: Tensor) -> Tensor:
    if data.ndim != 4 or grid.ndim != 4 or grid.shape[1] != 2 or len(data) != len(grid):
        raise MXNetError(
            f"{name}: data (batch, channels, height, width) and a grid (batch, 2, rows, columns) "
            f"expected, got {tuple(data.shape)} and {tuple(grid.shape)}"
        )
    return F.grid_sample(data, grid.permute(0, 2, 3, 1), padding_mode="zeros", align_corners=True)


@op("GridGenerator", traits=Traits(labels=NAMED.of("output", "grid_dst")))
def grid_generator(
    data: Tensor, *, transform_type: Literal["affine", "warp"], target_shape: Shape = (0, 0)
) -> Tensor:
    """Computes where to sample an image, for `BilinearSampler`.

    Args:
        data: For `affine` matrices of shape `(batch, 6)`; for `warp` the flow in points, of shape
            `(batch, 2, height, width)`, x first.
        transform_type: Whether points are moved by a matrix or by a flow.
        target_shape: Height and width of the grid for `affine`.

    Returns:
        A grid of shape `(batch, 2, height, width)`: x and y, with the image from -1 to 1.

    Example:
        >>> import mxnet as mx
        >>> identity = mx.nd.array([[1, 0, 0, 0, 1, 0]])
        >>> grid = mx.nd.GridGenerator(identity, transform_type="affine", target_shape=(2, 2))
        >>> print(grid.asnumpy().tolist())
        [[[[-1.0, 1.0], [-1.0, 1.0]], [[-1.0, -1.0], [1.0, 1.0]]]]
    """
    if transform_type == "affine":
        return _affine_grid("GridGenerator", data, target_shape)
    if data.ndim != 4 or data.shape[1] != 2:
        raise MXNetError(
            f"GridGenerator: a flow (batch, 2, height, width) expected, got {tuple(data.shape)}"
        )
    height, width = data.shape[2:]
    points = torch.stack(_base_points(data, height, width))
    return (data + points) / _half_sizes(data, height, width)[:, None, None] - 1


@op("BilinearSampler", traits=Traits(labels=NAMED_OUTPUTS.of("output", "tmp")))
def bilinear_sampler(data: Tensor, grid: Tensor, *, cudnn_off: bool | None = None) -> Tensor:
    """Samples images at the points of a grid by interpolation; outside they are 0.

    Args:
        data: Images of shape `(batch, channels, height, width)`.
        grid: Points of shape `(batch, 2, rows, columns)`: x and y, with the image from -1 to 1.
        cudnn_off: Accepted for compatibility.

    Returns:
        Samples of shape `(batch, channels, rows, columns)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[[[1, 2], [3, 4]]]])
        >>> middle = mx.nd.zeros((1, 2, 1, 1))
        >>> print(mx.nd.BilinearSampler(x, middle).asnumpy())
        [[[[2.5]]]]
    """
    return _sample("BilinearSampler", data, grid)


@op("SpatialTransformer", traits=Traits(labels=NAMED_OUTPUTS.of("output", "grid_dst", "grid_src")))
def spatial_transformer(
    data: Tensor,
    loc: Tensor,
    *,
    target_shape: Shape = (0, 0),
    transform_type: Literal["affine"],
    sampler_type: Literal["bilinear"],
    cudnn_off: bool | None = None,
) -> Tensor:
    """Moves, turns and scales images as matrices say that a network computes.

    Args:
        data: Images of shape `(batch, channels, height, width)`.
        loc: Matrices of shape `(batch, 6)`.
        target_shape: Height and width of the output.
        transform_type: What the matrices do; there is `affine`.
        sampler_type: How points are read; there is `bilinear`.
        cudnn_off: Accepted for compatibility.

    Returns:
        Images of shape `(batch, channels, *target_shape)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[[[1, 2], [3, 4]]]])
        >>> mirror = mx.nd.array([[-1, 0, 0, 0, 1, 0]])
        >>> y = mx.nd.SpatialTransformer(
        ...     x, mirror, target_shape=(2, 2), transform_type="affine", sampler_type="bilinear"
        ... )
        >>> print(y.asnumpy())
        [[[[2. 1.]
           [4. 3.]]]]
    """
    grid = _affine_grid("SpatialTransformer", loc, target_shape)
    return _sample("SpatialTransformer", data, grid)


def _distance(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns absolute differences; equal elements have the slope of a difference above zero."""
    return torch.where(lhs >= rhs, lhs - rhs, rhs - lhs)


@op("Correlation", traits=Traits(labels=NAMED_OUTPUTS.of("output", "tmp1", "tmp2")))
def correlation(
    data1: Tensor,
    data2: Tensor,
    *,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
) -> Tensor:
    """Compares patches of two feature maps at all displacements up to a largest one (FlowNet).

    Args:
        data1: Feature map of shape `(batch, channels, height, width)`.
        data2: The other one, of the same shape.
        kernel_size: Size of patches, odd.
        max_displacement: Largest displacement.
        stride1: Step of the patches in the first map.
        stride2: Step of the displacements.
        pad_size: Zeros around both maps.
        is_multiply: Whether patches are multiplied; otherwise absolute differences are taken.

    Returns:
        Means over patches and channels, of shape `(batch, displacements ** 2, rows, columns)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((1, 2, 3, 3))
        >>> print(mx.nd.Correlation(x, x, max_displacement=1, pad_size=1).shape)
        (1, 9, 3, 3)
    """
    if data1.ndim != 4 or data1.shape != data2.shape:
        raise MXNetError(
            "Correlation: two maps of the same shape with 4 axes expected, "
            f"got {tuple(data1.shape)} and {tuple(data2.shape)}"
        )
    if kernel_size % 2 != 1 or min(stride1, stride2) < 1 or min(max_displacement, pad_size) < 0:
        raise MXNetError("Correlation: an odd kernel_size and positive strides expected")
    border = max_displacement + kernel_size // 2
    padded = [size + 2 * pad_size for size in data1.shape[2:]]
    height, width = (size - 2 * border for size in padded)
    rows, columns = (-(-size // stride1) for size in (height, width))
    if rows < 1 or columns < 1:
        raise MXNetError("Correlation: the maps are smaller than the largest displacement")
    reach = max_displacement // stride2
    count = (2 * reach + 1) ** 2
    limits.check("operator_steps", count, "Correlation: attribute `max_displacement`")
    if data1.is_meta:  # all displacements would be gone through for a shape
        return data1.new_empty((len(data1), count, rows, columns))
    check_like("Correlation", (*data1.shape[:2], *padded), data1)
    check_like("Correlation", (len(data1), count, rows, columns), data1)
    first, second = (F.pad(item, (pad_size,) * 4) for item in (data1, data2))
    steps = [number * stride2 for number in range(-reach, reach + 1)]
    inner = first[:, :, max_displacement:, max_displacement:]
    results = []
    for dy in steps:
        for dx in steps:
            top, left = max_displacement + dy, max_displacement + dx
            moved = second[:, :, top:, left:]
            span = (rows - 1) * stride1 + kernel_size, (columns - 1) * stride1 + kernel_size
            one, two = (item[:, :, : span[0], : span[1]] for item in (inner, moved))
            both = one * two if is_multiply else _distance(one, two)
            results.append(F.avg_pool2d(both.mean(1, keepdim=True), kernel_size, stride1))
    return torch.cat(results, 1)


_PARITIES: dict[str, Callable[[int], int]] = {
    "to_even_down": lambda size: size - size % 2,
    "to_even_up": lambda size: size + size % 2,
    "to_odd_down": lambda size: size - 1 + size % 2,
    "to_odd_up": lambda size: size + 1 - size % 2,
}


def _enlarge(image: Tensor, size: tuple[int, int]) -> Tensor:
    """Repeats each point so that the image has a given size, a multiple of its own."""
    height, width = image.shape[2:]
    times, rest = divmod(size[0], height)
    if rest or width * times != size[1]:
        raise MXNetError(
            f"UpSampling: images whose size divides {size} alike expected, got {(height, width)}"
        )
    return image.repeat_interleave(times, 2).repeat_interleave(times, 3)


def _fill_upsampling(
    _data: Shape, *, scale: int, num_filter: int, sample_type: str, **_: object
) -> dict[str, Shape]:
    width = 2 * scale - scale % 2
    return {"weight": (num_filter, 1, width, width)} if sample_type == "bilinear" else {}


def _upsampling_inputs(*, sample_type: str, **_: object) -> tuple[str, ...]:
    return ("data", "weight") if sample_type == "bilinear" else ()


@op(
    "UpSampling",
    fill_shapes=_fill_upsampling,
    active_inputs=_upsampling_inputs,
    traits=Traits(
        variables=Variables(initializers={"weight": '["bilinear", {}]'}),
        fusion=KEEPS_LAYOUT,
        labels=NAMED,
    ),
)
def upsampling(
    *data: Tensor,
    scale: Count,
    num_filter: int = 0,
    sample_type: Literal["bilinear", "nearest"],
    multi_input_mode: Literal["concat", "sum"] = "concat",
    workspace: int = 512,
) -> Tensor:
    """Enlarges images by a whole factor.

    Args:
        *data: Images of shape `(batch, channels, height, width)`. `nearest` enlarges all to `scale`
            times the size of the first and combines them; `bilinear` takes one and the weight of
            its interpolation, `(channels, 1, k, k)` with k = 2 * scale - scale % 2.
        scale: Factor of the first image.
        num_filter: Number of channels of a bilinear call.
        sample_type: `nearest` repeats points; `bilinear` is a transposed convolution by channel.
        multi_input_mode: Whether to join several images along the channels or to add them.
        workspace: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.array([[[[1, 2]]]])
        >>> print(mx.nd.UpSampling(image, scale=2, sample_type="nearest")[0, 0].asnumpy())
        [[1. 1. 2. 2.]
         [1. 1. 2. 2.]]
    """
    if any(image.ndim != 4 for image in data):
        raise MXNetError("UpSampling: images with 4 axes expected")
    if sample_type == "bilinear":
        if len(data) != 2:
            raise MXNetError(f"UpSampling: bilinear takes data and weight, got {len(data)} arrays")
        image, weight = data
        check_growth("UpSampling", scale**2, image)
        return F.conv_transpose2d(
            image, weight, stride=scale, padding=scale // 2, groups=image.shape[1]
        )
    size = (data[0].shape[2] * scale, data[0].shape[3] * scale)
    check_growth("UpSampling", scale**2, data[0])
    images = [_enlarge(image, size) for image in data]
    if len(images) == 1:
        return images[0]
    if multi_input_mode == "concat":
        return torch.cat(images, dim=1)
    if any(image.shape != images[0].shape for image in images):
        raise MXNetError("UpSampling: images with equal numbers of channels expected for a sum")
    return torch.stack(images).sum(0)


def _like_if_named(*, mode: str, **_: object) -> tuple[str, ...]:
    return ("data", "like") if mode == "like" else ("data",)


def _scaled(size: int, scale: float, mode: str) -> int:
    if mode == "odd_scale" and size % 2:
        return int((size - 1) * scale) + 1
    return int(size * scale)


@op(
    "_contrib_BilinearResize2D",
    any_dtype=("like",),
    active_inputs=_like_if_named,
    traits=Traits(fusion=KEEPS_LAYOUT, labels=NAMED_INPUTS),
)
def bilinear_resize(
    data: Tensor,
    like: Tensor | None = None,
    *,
    height: Count = 1,
    width: Count = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: Literal[
        "like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"
    ] = "size",
    align_corners: bool = True,
) -> Tensor:
    """Resizes images by linear interpolation between the four nearest points.

    Args:
        data: Images of shape `(batch, channels, height, width)`.
        like: Array whose two last axes give the size in mode `like`.
        height: Height of the output in mode `size`.
        width: Width of the output in mode `size`.
        scale_height: Factor of the height; takes precedence over `height`.
        scale_width: Factor of the width, given together with the other one.
        mode: How the size is chosen: by `height` and `width` or the factors; by the factors so that
            odd sizes stay odd for even factors; as `like`; or the next even or odd number.
        align_corners: Whether the centres of the corner points stay where they are; otherwise the
            outer edges do.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[[[1, 3]]]])
        >>> print(mx.nd.contrib.BilinearResize2D(x, height=1, width=3).asnumpy())
        [[[[1. 2. 3.]]]]
    """
    if data.ndim != 4:
        raise MXNetError(f"_contrib_BilinearResize2D: 4 axes expected, got {tuple(data.shape)}")
    rows, columns = data.shape[2:]
    if mode == "like":
        if like is None or like.ndim != 4:
            raise MXNetError("_contrib_BilinearResize2D: mode 'like' takes an array with 4 axes")
        size = (like.shape[2], like.shape[3])
    elif mode in _PARITIES:
        size = (_PARITIES[mode](rows), _PARITIES[mode](columns))
    elif scale_height is not None and scale_width is not None:
        size = (_scaled(rows, scale_height, mode), _scaled(columns, scale_width, mode))
    elif mode == "odd_scale" or scale_height is not None or scale_width is not None:
        raise MXNetError("_contrib_BilinearResize2D: scale_height and scale_width go together")
    else:
        size = (height, width)
    check_like("_contrib_BilinearResize2D", (*data.shape[:2], *size), data)
    if not align_corners:
        # A single row or column is the first one, not the middle.
        data = data[:, :, : 1 if size[0] == 1 else None, : 1 if size[1] == 1 else None]
    return F.interpolate(data, size, mode="bilinear", align_corners=align_corners)
