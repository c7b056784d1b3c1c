"""What families of layers share: checks of inputs, attributes per spatial axis, order in memory.

Shapes stay as they are: a tensor of shape `(batch, channels, height, width)` with the channels last
in memory has other strides.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._formats import element_types
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape


def require_floating(name: str, data: Tensor) -> None:
    """Refuses arrays of integers, which torch would silently promote."""
    if not data.is_floating_point():
        raise MXNetError(
            f"{name}: expected data of a float type, got {element_types.name_of(data.dtype)}"
        )


def require_shape(name: str, role: str, tensor: Tensor, shape: Shape) -> None:
    """Refuses an input of another shape, which torch would broadcast or misread."""
    if tensor.shape != shape:
        raise MXNetError(f"{name}: expected `{role}` of shape {shape}, got {tuple(tensor.shape)}")


def require_input(name: str, role: str, tensor: Tensor | None, option: str) -> Tensor:
    """Returns an optional input that an option has made necessary."""
    if tensor is None:
        raise MXNetError(f"{name}: expected an input `{role}` with {option}, got none")
    return tensor


def per_axis(op_name: str, attribute: str, given: Shape, num_axes: int, default: int) -> Shape:
    """Returns the value of an attribute for each spatial axis; an empty one means the default.

    Raises:
        MXNetError: if the number of values is not that of the spatial axes.
    """
    if not given:
        return (default,) * num_axes
    if len(given) != num_axes:
        raise MXNetError(
            f"{op_name}: attribute `{attribute}` takes {num_axes} values, one for each axis of the "
            f"kernel, got {given}"
        )
    return given


def check_window(
    op_name: str,
    num_axes: tuple[int, ...] = (1, 2, 3),
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    adj: Shape = (),
    **_: object,
) -> None:
    """Checks the attributes of a window.

    Args:
        op_name: Name of the operator.
        num_axes: How many spatial axes it can have.
        kernel: Size of the window.
        stride: Its steps.
        dilate: Distances between its points.
        pad: What is added around the data.
        adj: What is added at the end of the result.

    Raises:
        MXNetError: if numbers of values do not agree.
    """
    if len(kernel) not in num_axes:
        counts = ", ".join(map(str, num_axes))
        raise MXNetError(f"{op_name}: attribute `kernel` takes {counts} sizes, got {kernel}")
    given = {"stride": stride, "dilate": dilate, "pad": pad, "adj": adj}
    for attribute, values in given.items():
        per_axis(op_name, attribute, values, len(kernel), 0)


def is_channels_last(op_name: str, layout: str | None, ndim: int) -> bool:
    """Returns whether the channels are the last axis; no layout means that they are axis 1.

    Raises:
        MXNetError: if the layout is of arrays with another number of axes.
    """
    if layout is None:
        return False
    if len(layout) != ndim:
        hint = "\n  The batch axis seems to be missing: use x.expand_dims(0) for a batch of one."
        raise MXNetError(
            f"{op_name}: layout {layout!r} takes {len(layout)} axes, got {ndim}"
            + hint * (ndim == len(layout) - 1)
        )
    return layout[-1] == "C"


_VARIABLE = "MXNET_GPU_LAYOUT"
_FAST = frozenset((torch.float16, torch.bfloat16))
_FAST_WITH_TF32 = _FAST | {torch.float32}
"""Types that GPUs convolve fastest with the channels last."""


def prefers_channels_last(device: torch.device, dtypes: Iterable[torch.dtype]) -> bool:
    """Returns whether a device convolves images fastest with the channels last in memory.

    GPUs convolve float16, bfloat16 and TF32 in that order, and would reorder everything else before
    and after each convolution. The environment variable `MXNET_GPU_LAYOUT` decides otherwise, if it
    is `NCHW`.

    Args:
        device: The device.
        dtypes: Types of images or filters.

    Raises:
        MXNetError: if the variable is neither `NCHW` nor `NHWC`.
    """
    if device.type != "cuda":
        return False
    wish = os.environ.get(_VARIABLE, "NHWC")
    if wish not in ("NCHW", "NHWC"):
        raise MXNetError(f"{_VARIABLE}: expected NCHW or NHWC, got {wish!r}")
    fast = _FAST_WITH_TF32 if torch.backends.cudnn.allow_tf32 else _FAST
    return wish == "NHWC" and not fast.isdisjoint(dtypes)


_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
"""Order of memory by the number of axes."""


def put_channels_last(tensor: Tensor) -> Tensor:
    """Returns images, or filters for them, with the channels last in memory; others as they are.

    Images have two spatial axes or three. torch gives a leaf its gradient in the leaf's own order.
    """
    order = _CHANNELS_LAST.get(tensor.dim())
    return tensor if order is None else tensor.contiguous(memory_format=order)


def has_channels_last(tensor: Tensor) -> bool:
    """Returns whether the strides of a tensor are those of images with their channels last."""
    if tensor.dim() != 4:
        return False
    _, channels, height, width = tensor.shape
    return tensor.stride() == (channels * height * width, 1, width * channels, channels)


def arrange_filters(filters: Tensor) -> Tensor:
    """Returns the filters of a network in the order in which their device convolves fastest."""
    if filters.dim() == 4 and prefers_channels_last(filters.device, (filters.dtype,)):
        return put_channels_last(filters)
    return filters


def arrange(tensors: Sequence[Tensor | None], attrs: Mapping[str, Any]) -> Sequence[Tensor | None]:
    """Returns the inputs of a convolution in the order in which their device computes fastest."""
    images = tensors[0]
    if images is None or images.dim() != 4 or attrs.get("layout") == "NHWC":
        return tensors
    if not prefers_channels_last(images.device, (images.dtype,)):
        return tensors
    return [None if item is None else put_channels_last(item) for item in tensors]
