"""Normalization by statistics of the batch, of each sample or of neighbours."""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.registry import op

_AUX = ("moving_mean", "moving_var")
_HALVES = (torch.float16, torch.bfloat16)


def _count_outputs(*, output_mean_var: bool, **_: object) -> int:
    return 3 if output_mean_var else 1


def _fill_batch_norm(data: Shape, *, axis: int = 1, **_: object) -> dict[str, Shape]:
    channels = (data[axis],)
    return dict.fromkeys(("gamma", "beta", *_AUX), channels)


def _fill_layer_norm(data: Shape, *, axis: int, **_: object) -> dict[str, Shape]:
    return {"gamma": (data[axis],), "beta": (data[axis],)}


def _fill_group_norm(_data: Shape, *, num_groups: int, **_: object) -> dict[str, Shape]:
    return {"gamma": (num_groups,), "beta": (num_groups,)}


def _fill_instance_norm(data: Shape, **_: object) -> dict[str, Shape]:
    return {"gamma": (data[1],), "beta": (data[1],)}


def _normalize_by_batch(
    data: Tensor, gamma: Tensor, beta: Tensor, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalizes axis 1; gives also the mean and the biased variance of each channel."""
    channels = data.shape[1]
    # torch gives its statistics as running ones; those of a momentum of 1 are the batch's.
    mean, var = torch.zeros(2, channels, dtype=beta.dtype, device=data.device).unbind()
    cudnn = torch.backends.cudnn.enabled
    out = torch.batch_norm(data, gamma, beta, mean, var, True, 1.0, eps, cudnn)
    count = data.numel() // max(channels, 1)
    return out, mean, var * ((count - 1) / count) if count > 1 else torch.zeros_like(var)


def _batch_norm(
    op_name: str,
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    *,
    eps: float,
    momentum: float,
    fix_gamma: bool,
    axis: int,
    by_batch: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalizes `axis` by the batch, updating the moving statistics, or by these.

    Gives also the mean and the variance that were used.
    """
    if gamma.dtype != (torch.float32 if data.dtype in _HALVES else data.dtype):
        raise MXNetError(
            f"{op_name}: gamma has the dtype of data, float32 for a half-precision one, "
            f"got {gamma.dtype} for {data.dtype}"
        )
    if not -data.ndim <= axis < data.ndim:
        raise MXNetError(f"{op_name}: axis {axis} is not one of the {data.ndim} axes of data")
    axis %= data.ndim
    if axis != 1:
        data = data.movedim(axis, 1) if axis else data.unsqueeze(0)
    if fix_gamma:
        gamma = torch.ones_like(gamma, requires_grad=False)
    if by_batch:
        out, mean, var = _normalize_by_batch(data, gamma, beta, eps)
        with torch.no_grad():
            moving_mean.lerp_(mean, 1 - momentum)
            moving_var.lerp_(var, 1 - momentum)
    else:
        mean, var = moving_mean, moving_var
        out = F.batch_norm(data, mean, var, gamma, beta, False, 0.0, eps)
    if axis != 1:
        out = out.movedim(1, axis) if axis else out.squeeze(0)
    return out, mean, var


@op(
    "BatchNorm",
    aux=_AUX,
    any_dtype=("gamma", "beta", *_AUX),
    fill_shapes=_fill_batch_norm,
    num_outputs=_count_outputs,
)
def batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    *,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    training: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes each channel to mean 0 and variance 1, then scales by gamma and shifts by beta.

    In training the mean and variance are those of the batch, and the moving ones are updated to
    ``moving * momentum + batch * (1 - momentum)``; otherwise the moving ones are used.

    Args:
        data: Input with the channels along `axis`.
        gamma: Scale of each channel; float32 for half-precision data, as are the three others.
        beta: Shift of each channel.
        moving_mean: Mean of each channel, an auxiliary state.
        moving_var: Biased variance of each channel, an auxiliary state.
        eps: Added to the variance.
        momentum: Share of the old value in an update of the moving statistics.
        fix_gamma: Whether gamma counts as 1 and gets no gradient.
        use_global_stats: Whether to use the moving statistics also in training.
        output_mean_var: Whether to give also the mean and the inverse of the standard deviation
            that were used. They have no gradient.
        axis: Axis of the channels.
        cudnn_off: Accepted for compatibility.
        min_calib_range: Accepted for compatibility.
        max_calib_range: Accepted for compatibility.
    """
    out, mean, var = _batch_norm(
        "BatchNorm",
        data,
        gamma,
        beta,
        moving_mean,
        moving_var,
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        axis=axis,
        by_batch=training and not use_global_stats,
    )
    if not output_mean_var:
        return out
    return out, mean.detach().clone(), torch.rsqrt(var.detach() + eps)


@op(
    "BatchNorm_v1",
    aux=_AUX,
    any_dtype=("gamma", "beta", *_AUX),
    fill_shapes=_fill_batch_norm,
    num_outputs=_count_outputs,
)
def batch_norm_v1(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    *,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    training: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes each channel as `BatchNorm` does, with the channels along axis 1.

    Args:
        data: Input of shape `(batch, channels, ...)`.
        gamma: Scale of each channel.
        beta: Shift of each channel.
        moving_mean: Mean of each channel, an auxiliary state.
        moving_var: Biased variance of each channel, an auxiliary state.
        eps: Added to the variance.
        momentum: Share of the old value in an update of the moving statistics.
        fix_gamma: Whether gamma counts as 1 and gets no gradient.
        use_global_stats: Whether to use the moving statistics also in training.
        output_mean_var: Whether to give also the mean and the variance that were used.
    """
    out, mean, var = _batch_norm(
        "BatchNorm_v1",
        data,
        gamma,
        beta,
        moving_mean,
        moving_var,
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        axis=1,
        by_batch=training and not use_global_stats,
    )
    return (out, mean.detach().clone(), var.detach().clone()) if output_mean_var else out


@op(
    "_contrib_SyncBatchNorm",
    aux=_AUX,
    any_dtype=("gamma", "beta", *_AUX),
    fill_shapes=_fill_batch_norm,
    num_outputs=_count_outputs,
)
def sync_batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    *,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,
    key: str,
    training: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes each channel as `BatchNorm` does; the statistics are those of this device.

    Args:
        data: Input of shape `(batch, channels, ...)`.
        gamma: Scale of each channel.
        beta: Shift of each channel.
        moving_mean: Mean of each channel, an auxiliary state.
        moving_var: Biased variance of each channel, an auxiliary state.
        eps: Added to the variance.
        momentum: Share of the old value in an update of the moving statistics.
        fix_gamma: Whether gamma counts as 1 and gets no gradient.
        use_global_stats: Whether to use the moving statistics also in training.
        output_mean_var: Whether to give also the mean and the variance that were used.
        ndev: Accepted for compatibility.
        key: Name of the layer, the same on every device; accepted for compatibility.
    """
    return batch_norm_v1(
        data,
        gamma,
        beta,
        moving_mean,
        moving_var,
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        use_global_stats=use_global_stats,
        output_mean_var=output_mean_var,
        training=training,
    )


@torch.no_grad()
def _mean_and_deviation(
    data: Tensor, axes: int | tuple[int, ...], eps: float, keep: bool
) -> tuple[Tensor, Tensor]:
    var, mean = torch.var_mean(data, axes, correction=0, keepdim=keep)
    return mean, torch.sqrt(var + eps)


@op("LayerNorm", fill_shapes=_fill_layer_norm, num_outputs=_count_outputs)
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
    """
    if axis in (-1, data.ndim - 1):
        out = F.layer_norm(data, data.shape[-1:], gamma, beta, eps)
    else:
        moved = data.movedim(axis, -1)
        out = F.layer_norm(moved, moved.shape[-1:], gamma, beta, eps).movedim(-1, axis)
    return (out, *_mean_and_deviation(data, axis, eps, True)) if output_mean_var else out


@op("GroupNorm", fill_shapes=_fill_group_norm, num_outputs=_count_outputs)
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
        gamma: Scale of each group, of shape `(num_groups,)`.
        beta: Shift of each group, of shape `(num_groups,)`.
        num_groups: Number of groups; divides the number of channels.
        eps: Added to the variance.
        output_mean_var: Whether to give also the means and the standard deviations, of shape
            `(batch, num_groups)`, without gradient.
    """
    if data.ndim < 3 or num_groups < 1 or data.shape[1] % num_groups:
        raise MXNetError(
            f"GroupNorm: at least 3 axes and channels divisible by {num_groups} expected, "
            f"got shape {tuple(data.shape)}"
        )
    repeats = data.shape[1] // num_groups
    scale, shift = gamma.repeat_interleave(repeats), beta.repeat_interleave(repeats)
    out = torch.group_norm(data, num_groups, scale, shift, eps)
    if not output_mean_var:
        return out
    groups = data.reshape(data.shape[0], num_groups, -1)
    return (out, *_mean_and_deviation(groups, 2, eps, False))


@op("InstanceNorm", fill_shapes=_fill_instance_norm)
def instance_norm(data: Tensor, gamma: Tensor, beta: Tensor, *, eps: float = 1e-3) -> Tensor:
    """Normalizes each channel of each sample, then scales by gamma and shifts by beta.

    Args:
        data: Input of shape `(batch, channels, *spatial)`.
        gamma: Scale of each channel.
        beta: Shift of each channel.
        eps: Added to the variance.
    """
    if data.ndim < 3:
        raise MXNetError(f"InstanceNorm: at least 3 axes expected, got shape {tuple(data.shape)}")
    return torch.group_norm(data, data.shape[1], gamma, beta, eps)


@op("L2Normalization")
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


@op("LRN")
def local_response_norm(
    data: Tensor, *, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int
) -> Tensor:
    """Divides by a power of the mean square over neighbouring channels.

    Gives ``data / (knorm + alpha / nsize * sum(data ** 2)) ** beta``, where the sum is over `nsize`
    channels around each one.

    Args:
        data: Input of shape `(batch, channels, ...)`.
        alpha: Factor of the mean square.
        beta: Power.
        knorm: Constant in the denominator.
        nsize: Number of channels in the window.
    """
    if nsize < 1:
        raise MXNetError(f"LRN: nsize is positive, got {nsize}")
    channels = data.square().reshape(data.shape[0], 1, data.shape[1], -1)
    before = (nsize - 1) // 2
    padded = F.pad(channels, (0, 0, before, nsize - 1 - before))
    mean = F.avg_pool2d(padded, (nsize, 1), stride=1).reshape(data.shape)
    return data * (knorm + alpha * mean).pow(-beta)
