"""Resizing of images inside a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Count, Shape
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_growth, check_like
from mxnet.ops.traits import KEEPS_LAYOUT, NAMED, NAMED_INPUTS, Traits, Variables

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
