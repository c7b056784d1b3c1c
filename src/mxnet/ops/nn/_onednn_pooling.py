"""Pooling of large arrays on a CPU by oneDNN.

torch pools arrays whose channels come before the spatial axes by a plain loop. oneDNN, which comes
with torch, is 3 to 30 times faster, but takes arrays in a form of its own, so that small ones lose
more by the way there and back than they gain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet import _engine
from mxnet.ops.core.attrs import Shape

_AVAILABLE = torch.backends.mkldnn.is_available() and _engine.has(  # type: ignore[no-untyped-call]
    "mkldnn_max_pool2d",
    "mkldnn_max_pool3d",
    "ops.aten.avg_pool2d_backward",
    "ops.aten.avg_pool3d_backward",
    "ops.aten.mkldnn_max_pool2d_backward",
    "ops.aten.mkldnn_max_pool3d_backward",
)
_LEAST_ELEMENTS = 1 << 15
_LEAST_TO_DIFFERENTIATE = 1 << 17
_LEAST_CHANNELS = 4
"""With fewer, oneDNN has no fast loop either."""

_MAX: dict[int, Callable[..., Tensor]] = {}
_MAX_SLOPE: dict[int, Callable[..., Tensor]] = {}
_MAX_OF_TORCH: dict[int, Callable[..., Tensor]] = {4: F.max_pool2d, 5: F.max_pool3d}
_AVERAGE: dict[int, Callable[..., Tensor]] = {4: F.avg_pool2d, 5: F.avg_pool3d}
_AVERAGE_SLOPE: dict[int, Callable[..., Tensor]] = {}
"""Functions by number of axes; none of oneDNN's if torch lacks one of them."""
if _AVAILABLE:
    _aten = torch.ops.aten
    _MAX |= {4: torch.mkldnn_max_pool2d, 5: torch.mkldnn_max_pool3d}
    _MAX_SLOPE |= {4: _aten.mkldnn_max_pool2d_backward, 5: _aten.mkldnn_max_pool3d_backward}
    _AVERAGE_SLOPE |= {4: _aten.avg_pool2d_backward, 5: _aten.avg_pool3d_backward}


class Windows(NamedTuple):
    """Size, steps and padding of the windows; whether the last one may end outside."""

    kernel: Shape
    stride: Shape
    pad: Shape
    full: bool


def suits(data: Tensor) -> bool:
    """Returns whether oneDNN can pool an array, and gains by it."""
    size = data.numel()
    return (
        _AVAILABLE
        and size >= _LEAST_ELEMENTS
        and (size >= _LEAST_TO_DIFFERENTIATE or not _is_recorded(data))
        and data.ndim in _MAX
        and data.shape[1] >= _LEAST_CHANNELS
        and data.dtype is torch.float32
        and data.is_cpu
        and data.is_contiguous()
        and type(data) is Tensor
        and not torch.compiler.is_compiling()
    )


def pool_max(data: Tensor, windows: Windows) -> Tensor:
    """Returns the maximum of each window, and its gradient to the first maximum."""
    if _is_recorded(data):
        result: Tensor = _Max.apply(data, windows)  # type: ignore[no-untyped-call]
        return result
    return _MAX[data.ndim](data.to_mkldnn(), *_max_arguments(windows)).to_dense()


def pool_average(data: Tensor, windows: Windows, count_pad: bool) -> Tensor:
    """Returns the average of each window, none of which ends outside."""
    if _is_recorded(data):
        result: Tensor = _Average.apply(data, windows, count_pad)  # type: ignore[no-untyped-call]
        return result
    return _AVERAGE[data.ndim](data.to_mkldnn(), *windows, count_pad).to_dense()


def _is_recorded(data: Tensor) -> bool:
    return torch.is_grad_enabled() and data.requires_grad


def _max_arguments(windows: Windows) -> tuple[Shape, Shape, Shape, Shape, bool]:
    dilation = (1,) * len(windows.kernel)
    return windows.kernel, windows.stride, windows.pad, dilation, windows.full


class _Max(torch.autograd.Function):
    """Maxima whose positions oneDNN remembers, for one differentiation; torch does further ones."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, windows: Windows) -> Tensor:
        held = data.detach().to_mkldnn()
        with torch.enable_grad():  # which makes oneDNN remember the positions
            pooled = _MAX[data.ndim](held.requires_grad_(), *_max_arguments(windows))
        ctx.windows = windows
        ctx.save_for_backward(data, held.detach(), pooled.detach())
        return pooled.detach().to_dense()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        data, held, pooled = ctx.saved_tensors
        arguments = _max_arguments(ctx.windows)
        if torch.is_grad_enabled():
            again = _MAX_OF_TORCH[data.ndim](data, *arguments)
            return torch.autograd.grad(again, data, grad, create_graph=True)[0], None
        slope = _MAX_SLOPE[data.ndim](grad.contiguous().to_mkldnn(), pooled, held, *arguments)
        return slope.to_dense(), None


class _Average(torch.autograd.Function):
    """Averages; a second differentiation is that of torch's own."""

    @staticmethod
    def forward(ctx: Any, data: Tensor, windows: Windows, count_pad: bool) -> Tensor:
        ctx.arguments = (*windows, count_pad)
        ctx.save_for_backward(data)
        return _AVERAGE[data.ndim](data.detach().to_mkldnn(), *ctx.arguments).to_dense()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (data,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            again = _AVERAGE[data.ndim](data, *ctx.arguments)
            return torch.autograd.grad(again, data, grad, create_graph=True)[0], None, None
        like = data.detach().to_mkldnn()
        slope = _AVERAGE_SLOPE[data.ndim](grad.contiguous().to_mkldnn(), like, *ctx.arguments, None)
        return slope.to_dense(), None, None
