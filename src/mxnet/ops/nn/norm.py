"""Normalization of each sample, or by neighbours."""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._state import rules
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import NAMED, NAMED_OUTPUTS, Labels, Traits, Types
from mxnet.ops.nn.layouts import require_shape


def count_outputs(*, output_mean_var: bool, **_: object) -> int:
    """Counts the outputs of a normalization that can also give its statistics."""
    return 3 if output_mean_var else 1


def _fill_layer_norm(data: Shape, *, axis: int, **_: object) -> dict[str, Shape]:
    return {"gamma": (data[axis],), "beta": (data[axis],)}


def _fill_group_norm(data: Shape, *, num_groups: int, **_: object) -> dict[str, Shape]:
    count = num_groups if rules.version == 1 else data[1]
    return {"gamma": (count,), "beta": (count,)}


def _fill_group_norm_of_channels(data: Shape, **_: object) -> dict[str, Shape]:
    return {"gamma": (data[1],), "beta": (data[1],)}


def _fill_instance_norm(data: Shape, **_: object) -> dict[str, Shape]:
    return {"gamma": (data[1],), "beta": (data[1],)}


@torch.no_grad()
def _mean_and_deviation(
    data: Tensor, axes: int | tuple[int, ...], eps: float, keep: bool
) -> tuple[Tensor, Tensor]:
    var, mean = torch.var_mean(data, axes, correction=0, keepdim=keep)
    return mean, torch.sqrt(var + eps)


@op(
    "LayerNorm",
    aliases=("_npx_layer_norm",),
    fill_shapes=_fill_layer_norm,
    num_outputs=count_outputs,
    traits=Traits(
        types=Types(statistics=("gamma", "beta")), labels=NAMED_OUTPUTS.of("output", "mean", "std")
    ),
)
def layer_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    *,
    axis: int = -1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes along one axis to mean 0 and variance 1, then scales by gamma and shifts by beta.

    Args:
        data: Input.
        gamma: Scales, as many as the axis is long.
        beta: Shifts, as many as the axis is long.
        axis: Axis along which to normalize.
        eps: Added to the variance.
        output_mean_var: Whether to give also the means and the standard deviations, without
            gradient; `axis` has length 1 in them.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 3], [2, 6]])
        >>> print(mx.nd.LayerNorm(x, mx.nd.ones(2), mx.nd.zeros(2)).asnumpy().round(2))
        [[-1.  1.]
         [-1.  1.]]
    """
    if data.is_meta:  # where torch checks nothing
        for name, given in (("gamma", gamma), ("beta", beta)):
            require_shape("LayerNorm", name, given, (data.shape[axis],))
    if axis in (-1, data.ndim - 1):
        out = F.layer_norm(data, data.shape[-1:], gamma, beta, eps)
    else:
        moved = data.movedim(axis, -1)
        out = F.layer_norm(moved, moved.shape[-1:], gamma, beta, eps).movedim(-1, axis)
    return (out, *_mean_and_deviation(data, axis, eps, True)) if output_mean_var else out


@op(
    "GroupNorm",
    fill_shapes=_fill_group_norm,
    num_outputs=count_outputs,
    traits=Traits(
        types=Types(statistics=("gamma", "beta")), labels=NAMED_OUTPUTS.of("output", "mean", "std")
    ),
)
def group_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    *,
    num_groups: int = 1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes groups of channels of each sample, then scales and shifts each group.

    Args:
        data: Input of shape `(batch, channels, *spatial)`.
        gamma: Scale of each group, of shape `(num_groups,)`; under `mx.set_version(2)` of each
            channel.
        beta: Shift of each group, or of each channel.
        num_groups: Number of groups; divides the number of channels.
        eps: Added to the variance.
        output_mean_var: Whether to give also the means and the standard deviations, of shape
            `(batch, num_groups)`, without gradient.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[[1], [3], [2], [6]]])
        >>> y = mx.nd.GroupNorm(x, mx.nd.ones(2), mx.nd.zeros(2), num_groups=2)
        >>> print(y.asnumpy().round(2).tolist())
        [[[-1.0], [1.0], [-1.0], [1.0]]]
    """
    _check_groups("GroupNorm", data, num_groups)
    count = num_groups if rules.version == 1 else data.shape[1]
    for role, given in (("gamma", gamma), ("beta", beta)):
        require_shape("GroupNorm", role, given, (count,))
    scale, shift = (item.repeat_interleave(data.shape[1] // count) for item in (gamma, beta))
    return _normalize_groups(data, scale, shift, num_groups, eps, output_mean_var)


@op(
    "_npx_group_norm",
    aliases=("_group_norm_of_channels",),  # for blocks of the classic dialect
    fill_shapes=_fill_group_norm_of_channels,
    num_outputs=count_outputs,
    traits=Traits(
        types=Types(statistics=("gamma", "beta")), labels=NAMED_OUTPUTS.of("output", "mean", "std")
    ),
)
def group_norm_of_channels(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    *,
    num_groups: int = 1,
    eps: float = 1e-3,
    output_mean_var: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes groups of channels of each sample, then scales and shifts each channel.

    Args:
        data: Input of shape `(batch, channels, *spatial)`.
        gamma: Scale of each channel.
        beta: Shift of each channel.
        num_groups: Number of groups; divides the number of channels.
        eps: Added to the variance.
        output_mean_var: Whether to give also the means and the standard deviations, of shape
            `(batch, num_groups)`, without gradient.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([[[1], [3], [2], [6]]])
        >>> mx.npx.group_norm(x, mx.np.array([1, 2, 1, 2]), mx.np.zeros(4), 2).round(2).tolist()
        [[[-1.0], [2.0], [-1.0], [2.0]]]
    """
    _check_groups("_npx_group_norm", data, num_groups)
    for role, given in (("gamma", gamma), ("beta", beta)):
        require_shape("_npx_group_norm", role, given, (data.shape[1],))
    return _normalize_groups(data, gamma, beta, num_groups, eps, output_mean_var)


def _check_groups(name: str, data: Tensor, num_groups: int) -> None:
    if data.ndim < 3 or num_groups < 1 or data.shape[1] % num_groups:
        raise MXNetError(
            f"{name}: at least 3 axes and channels divisible by {num_groups} expected, "
            f"got shape {tuple(data.shape)}"
        )


def _normalize_groups(
    data: Tensor, scale: Tensor, shift: Tensor, num_groups: int, eps: float, output_mean_var: bool
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes groups, with a scale and a shift of each channel."""
    out = torch.group_norm(data, num_groups, scale, shift, eps)
    if not output_mean_var:
        return out
    groups = data.reshape(data.shape[0], num_groups, -1)
    return (out, *_mean_and_deviation(groups, 2, eps, False))


@op(
    "InstanceNorm",
    fill_shapes=_fill_instance_norm,
    traits=Traits(
        types=Types(statistics=("gamma", "beta")), labels=NAMED_OUTPUTS.of("output", "mean", "var")
    ),
)
def instance_norm(data: Tensor, gamma: Tensor, beta: Tensor, *, eps: float = 1e-3) -> Tensor:
    """Normalizes each channel of each sample, then scales by gamma and shifts by beta.

    Args:
        data: Input of shape `(batch, channels, *spatial)`.
        gamma: Scale of each channel.
        beta: Shift of each channel.
        eps: Added to the variance.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[[1, 3], [2, 6]]])
        >>> print(mx.nd.InstanceNorm(x, mx.nd.ones(2), mx.nd.zeros(2)).asnumpy().round(2))
        [[[-1.  1.]
          [-1.  1.]]]
    """
    if data.ndim < 3:
        raise MXNetError(f"InstanceNorm: at least 3 axes expected, got shape {tuple(data.shape)}")
    if not data.shape[1]:
        return data * 1  # torch knows no groups without channels
    return torch.group_norm(data, data.shape[1], gamma, beta, eps)


@op(
    "L2Normalization",
    traits=Traits(
        labels=Labels(
            outputs=("output", "norm"), names_inputs=True, names_outputs=True, gradient="data"
        )
    ),
)
def l2_normalization(
    data: Tensor,
    *,
    eps: float = 1e-10,
    mode: Literal["channel", "instance", "spatial"] = "instance",
) -> Tensor:
    """Divides by the Euclidean norm, ``data / sqrt(sum(data ** 2) + eps)``.

    Args:
        data: Input of shape `(batch, ...)`; `(batch, channels, *spatial)` for two of the modes.
        eps: Added to the sum of squares.
        mode: What is summed: each sample, the channels at each point, or each channel.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.L2Normalization(mx.nd.array([[3, 4], [0, 2]])).asnumpy().round(2))
        [[0.6 0.8]
         [0.  1. ]]
    """
    if mode != "instance" and data.ndim < 3:
        raise MXNetError(
            f"L2Normalization: mode {mode!r} takes at least 3 axes, got shape {tuple(data.shape)}"
        )
    square = data.square()
    if mode == "channel":
        square = square.sum(1, keepdim=True)
    elif data.ndim > 1:
        square = square.sum(tuple(range(1 if mode == "instance" else 2, data.ndim)), keepdim=True)
    return data / torch.sqrt(square + eps)


def _pool_channels(values: Tensor, window: int) -> Tensor:
    """Returns the means over windows of channels around each one, zeros beyond the ends."""
    half = window // 2
    batch, channels = values.shape[:2]
    if not values.is_cpu:
        rows = values.reshape(batch, 1, channels, -1)
        return F.avg_pool2d(rows, (window, 1), 1, (half, 0)).reshape(values.shape)
    # On a CPU torch pools a last axis of channels in parallel: the points of the images take
    # their place. On CUDA the gradient of such a layout is wrong (torch 2.11).
    points = values.reshape(batch, channels, 1, -1).permute(0, 3, 1, 2)
    means = F.avg_pool2d(points, (window, 1), 1, (half, 0))
    return means.permute(0, 2, 3, 1).reshape(values.shape)


@op("LRN", traits=Traits(labels=NAMED.of("output", "tmp_norm")))
def local_response_norm(
    data: Tensor, *, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int
) -> Tensor:
    """Divides by a power of the mean square over neighbouring channels.

    The result is ``data / (knorm + alpha / nsize * sum(data ** 2)) ** beta``, where the sum is over
    the `nsize` channels around each one, one less if `nsize` is even.

    Args:
        data: Input of shape `(batch, channels, ...)`.
        alpha: Factor of the mean square.
        beta: Power.
        knorm: Constant in the denominator.
        nsize: Number of channels in the window.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((1, 3, 1, 1))
        >>> print(mx.nd.LRN(x, nsize=3, alpha=3, knorm=1, beta=1).asnumpy().ravel().round(2))
        [0.33 0.25 0.33]
    """
    if nsize < 1:
        raise MXNetError(f"LRN: nsize is positive, got {nsize}")
    window = 2 * ((nsize - 1) // 2) + 1
    mean = _pool_channels(data.square(), window)
    # exp and log, as torch's powers take four times as long
    return data * (-beta * (knorm + alpha * window / nsize * mean).log()).exp()
