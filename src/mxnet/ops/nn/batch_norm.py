"""Normalization by the statistics of the batch."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import Kernel, op, read_parameters
from mxnet.ops.core.traits import (
    NAMED_OUTPUTS,
    OPAQUE,
    Attrs,
    Labels,
    Shapes,
    Storage,
    Traits,
    Types,
    Variables,
)
from mxnet.ops.nn import _channels_last_norm as channels_last_norm
from mxnet.ops.nn import _shared_norm as shared_norm
from mxnet.ops.nn.batch_parts import has_other_parts, meet
from mxnet.ops.nn.norm import count_outputs
from mxnet.ops.rules import drawing, flops, quantizing, shape_rules

_AUX = ("moving_mean", "moving_var")
_HALVES = (torch.float16, torch.bfloat16)


def _fill_batch_norm(data: Shape, *, axis: int = 1, **_: object) -> dict[str, Shape]:
    channels = (data[axis],)
    return dict.fromkeys(("gamma", "beta", *_AUX), channels)


def _refuse_fixed_scale(stypes: Sequence[str], attrs: Attrs) -> str:
    """Raises for sparse inputs without a scale to learn, which the original does not take."""
    if attrs["fix_gamma"]:
        raise MXNetError(
            f"BatchNorm: fix_gamma=True takes dense inputs, got {', '.join(stypes)}; "
            "pass fix_gamma=False, or x.tostype('default')"
        )
    return "default"


_STATISTICS = Types(statistics=("gamma", "beta", *_AUX))
_LABELS = NAMED_OUTPUTS.of("output", "mean", "var")
_TRAITS = Traits(
    shapes=Shapes(early=shape_rules.like_data),
    role="normalization",
    flops=flops.per_element(2),
    types=_STATISTICS,
    labels=Labels(outputs=("output", "mean", "var")),
    variables=Variables(
        fixed={"gamma": "fix_gamma"},
        initializers={"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'},
    ),
)

_batch_norm_op = partial(
    op,
    aux=_AUX,
    any_dtype=("gamma", "beta", *_AUX),
    fill_shapes=_fill_batch_norm,
    num_outputs=count_outputs,
    traits=_TRAITS,
)


def _normalize_by_batch(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    momentum: float,
    eps: float,
) -> Tensor:
    """Normalizes axis 1 by the batch and updates the moving statistics."""
    count = data.numel() // max(data.shape[1], 1)
    if count == 1:
        # torch divides by 0 for the unbiased variance of a single point.
        point = data.mean([axis for axis in range(data.ndim) if axis != 1], keepdim=True)
        zero = torch.zeros_like(moving_mean)
        moving_mean.lerp_(point.detach().flatten().to(moving_mean.dtype), 1 - momentum)
        moving_var.mul_(momentum)
        return F.batch_norm(data - point, zero, zero, gamma, beta, False, 0.0, eps)
    if channels_last_norm.suits(data, gamma):
        return channels_last_norm.normalize(
            data, gamma, beta, moving_mean, moving_var, momentum, eps
        )
    # torch averages unbiased variances, so they take a detour by that scale. A product with a
    # number would first make an array of the number on a CPU; a sum takes it as it is.
    bias = (count - 1) / count if count else 1.0
    var = torch.add(moving_var, moving_var, alpha=1 / bias - 1)
    cudnn = torch.backends.cudnn.enabled
    # torch keeps the mean for the backward pass, which does not read it, and would refuse that pass
    # after a call of compiled code, which updates the mean in view of torch's version counters.
    mean = moving_mean if torch.compiler.is_compiling() else moving_mean.data
    out = torch.batch_norm(data, gamma, beta, mean, var, True, 1 - momentum, eps, cudnn)
    torch.sub(var, var, alpha=1 - bias, out=moving_var)
    return out


def _check(op_name: str, data: Tensor, gamma: Tensor, axis: int) -> None:
    if gamma.dtype != (torch.float32 if data.dtype in _HALVES else data.dtype):
        raise MXNetError(
            f"{op_name}: gamma has the dtype of data, float32 for a half-precision one, "
            f"got {gamma.dtype} for {data.dtype}"
        )
    if not -data.ndim <= axis < data.ndim:
        raise MXNetError(f"{op_name}: axis {axis} is not one of the {data.ndim} axes of data")


@torch.no_grad()
def _statistics(
    data: Tensor, moving_mean: Tensor, moving_var: Tensor, axis: int, by_batch: bool
) -> tuple[Tensor, Tensor]:
    """Returns the mean and the variance by which a call normalizes."""
    if not by_batch:
        return moving_mean.clone(), moving_var.clone()
    axes = [other for other in range(data.ndim) if other != axis]
    points = data.to(moving_mean.dtype)
    if not axes:
        return points.clone(), torch.zeros_like(points)
    var, mean = torch.var_mean(points, axes, correction=0)
    return mean, var


def _batch_norm(
    op_name: str,
    inputs: tuple[Tensor, Tensor, Tensor, Tensor, Tensor],
    *,
    eps: float,
    momentum: float,
    fix_gamma: bool,
    axis: int = 1,
    by_batch: bool,
    output_mean_var: bool,
    inverse_deviation: bool = False,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes `axis` by the batch, updating the moving statistics, or by these.

    With `output_mean_var` the mean and the variance are given too, in place of the variance the
    inverse of the standard deviation if that is asked for.
    """
    data, gamma, beta, moving_mean, moving_var = inputs
    if not (gamma.dtype is data.dtype is torch.float32 and -data.ndim <= axis < data.ndim):
        _check(op_name, data, gamma, axis)
    axis %= data.ndim
    points = data
    if axis != 1:
        points = data.movedim(axis, 1) if axis else data.unsqueeze(0)
    if fix_gamma:
        gamma = torch.ones_like(gamma, requires_grad=False)
    if by_batch:
        out = _normalize_by_batch(points, gamma, beta, moving_mean, moving_var, momentum, eps)
    else:
        out = F.batch_norm(points, moving_mean, moving_var, gamma, beta, False, 0.0, eps)
    if axis != 1:
        out = out.movedim(1, axis) if axis else out.squeeze(0)
    if not output_mean_var:
        return out
    mean, var = _statistics(data, moving_mean, moving_var, axis, by_batch)
    return out, mean, torch.rsqrt(var + eps) if inverse_deviation else var


@_batch_norm_op(
    "BatchNorm",
    aliases=("_npx_batch_norm",),
    traits=replace(
        _TRAITS,
        shapes=Shapes(early=shape_rules.like_data, quick=shape_rules.batch_norm),
        types=replace(_STATISTICS, same=True),
        labels=_LABELS,
        storage=Storage(result=_refuse_fixed_scale),
        drawing=drawing.NORMALIZATION,
        quantization=quantizing.NORMALIZATION,
    ),
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
        training: Whether the statistics are those of the batch.

    Example:
        >>> import mxnet as mx
        >>> data, one, zero = mx.nd.array([[1, 5], [3, 9]]), mx.nd.ones(2), mx.nd.zeros(2)
        >>> with mx.autograd.train_mode():
        ...     y = mx.nd.BatchNorm(data, one, zero, mx.nd.zeros(2), mx.nd.ones(2), eps=1e-5)
        >>> print(y.asnumpy().round(2))
        [[-1. -1.]
         [ 1.  1.]]
    """
    return _batch_norm(
        "BatchNorm",
        (data, gamma, beta, moving_mean, moving_var),
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        axis=axis,
        by_batch=training and not use_global_stats,
        output_mean_var=output_mean_var,
        inverse_deviation=True,
    )


@_batch_norm_op("BatchNorm_v1")
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
        training: Whether the statistics are those of the batch.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 10], [3, 30]])
        >>> mean, variance = mx.nd.array([2, 20]), mx.nd.array([1, 100])
        >>> y = mx.nd.BatchNorm_v1(x, mx.nd.ones(2), mx.nd.zeros(2), mean, variance)
        >>> print(y.asnumpy().round(2))
        [[-1. -1.]
         [ 1.  1.]]
    """
    return _batch_norm(
        "BatchNorm_v1",
        (data, gamma, beta, moving_mean, moving_var),
        eps=eps,
        momentum=momentum,
        fix_gamma=fix_gamma,
        by_batch=training and not use_global_stats,
        output_mean_var=output_mean_var,
    )


def _extends(base: Kernel) -> Callable[[Kernel], Kernel]:
    """Puts inputs, attributes and arguments' documentation of a kernel before another's own."""

    def extend(kernel: Kernel) -> Kernel:
        inherited = read_parameters(base)
        attrs = {**inherited.attrs, **read_parameters(kernel).attrs}
        summary, meanings = inspect.cleandoc(kernel.__doc__ or "").split("Args:\n")
        shared = inspect.cleandoc(base.__doc__ or "").split("Args:\n")[1]
        shared_meanings = shared.partition("\n\nExample:")[0]
        vars(kernel)["parameters"] = inherited._replace(attrs=attrs)
        kernel.__annotations__ |= base.__annotations__
        kernel.__doc__ = f"{summary}Args:\n{shared_meanings}\n{meanings}"
        return kernel

    return extend


@_batch_norm_op(
    "_contrib_SyncBatchNorm",
    # Opaque, because a compiler cannot wait for other parts of a batch.
    traits=replace(_TRAITS, labels=_LABELS, fusion=OPAQUE),
)
@_extends(batch_norm_v1)
def sync_batch_norm(  # noqa: D417 - the others are described at batch_norm_v1
    data: Tensor, gamma: Tensor, *others: Tensor, ndev: int = 1, key: str, **attrs: Any
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes each channel as `BatchNorm` does, by the statistics of all parts of a batch.

    These are the parts of all processes of a job, and those on several contexts of a process if
    `gluon.TrainStep` computes them, or a loop over what `gluon.utils.split_and_load` returns.

    Args:
        ndev: Number of contexts that have a part; with 1 those of a process stay apart.
        key: Name of the layer, the same on every context.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 10], [3, 30]])
        >>> states = [mx.nd.ones(2), mx.nd.zeros(2), mx.nd.zeros(2), mx.nd.ones(2)]
        >>> with mx.autograd.record():
        ...     y = mx.nd.contrib.SyncBatchNorm(x, *states, key="norm")
        >>> print(y.asnumpy().round(2))
        [[-1. -1.]
         [ 1.  1.]]
    """
    _check("_contrib_SyncBatchNorm", data, gamma, 1)
    by_batch = attrs.get("training", False) and not attrs.get("use_global_stats", False)
    meets = ndev > 1 and has_other_parts()
    if not by_batch or not (meets or shared_norm.spans_processes(data)):
        result: Tensor | tuple[Tensor, Tensor, Tensor]
        result = batch_norm_v1(data, gamma, *others, **attrs)
        return result
    beta, moving_mean, moving_var = others
    if attrs.get("fix_gamma", True):
        gamma = torch.ones_like(gamma, requires_grad=False)
    combine = partial(_normalize_together, eps=attrs.get("eps", 1e-3))
    part = shared_norm.Part(data, gamma, beta)
    out, mean, var = meet(key, part, combine) if meets else combine([part])[0]
    share = 1 - attrs.get("momentum", 0.9)
    mean, var = mean.to(moving_mean), var.to(moving_var)
    moving_mean.lerp_(mean, share)
    moving_var.lerp_(var, share)
    return (out, mean, var) if attrs.get("output_mean_var", False) else out


def _normalize_together(
    parts: list[shared_norm.Part], *, eps: float
) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Returns what each part gets: its result, and the statistics of all."""
    outs, (mean, var) = shared_norm.normalize(parts, eps)
    return [(out, mean, var) for out in outs]


@_batch_norm_op(
    "_contrib_BatchNormWithReLU",
    traits=replace(_TRAITS, role=None, labels=Labels(outputs=("output", "mean", "var", "mask"))),
    summary="Normalizes each channel as `BatchNorm` does and replaces negative results by 0.",
)
@wraps(batch_norm)
def batch_norm_with_relu(
    data: Tensor, gamma: Tensor, *others: Tensor, **attrs: Any
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Normalizes and rectifies."""
    _check("_contrib_BatchNormWithReLU", data, gamma, attrs.get("axis", 1))
    result = batch_norm(data, gamma, *others, **attrs)
    if isinstance(result, tuple):
        out, mean, inverse_deviation = result
        return F.relu(out), mean, inverse_deviation
    return F.relu(result)
