"""Dropout."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape, Share
from mxnet.ops.nn._checks import require_floating
from mxnet.ops.registry import op
from mxnet.ops.traits import ELEMENTWISE, NAMED, Fusion


def drop(data: Tensor, p: float, shape: Shape, generator: torch.Generator | None) -> Tensor:
    """Zeroes a random share `p` of the data and scales the rest; the mask has the given shape."""
    if p == 1:
        return data * 0
    mask = torch.empty(shape, dtype=data.dtype, device=data.device)
    return data * mask.bernoulli_(1 - p, generator=generator).div_(1 - p)


def _is_off_in_prediction(*, p: float, mode: str, **_: object) -> bool:
    return p == 0 or mode == "training"


@op(
    "Dropout",
    aliases=("_npx_dropout",),
    traits=replace(
        ELEMENTWISE,
        labels=NAMED.of("output", "mask"),
        fusion=Fusion(passes_through=_is_off_in_prediction),
        role="dropout",
    ),
)
def dropout(
    data: Tensor,
    *,
    p: Share = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: Shape = (),
    cudnn_off: bool | None = False,
    training: bool,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Zeroes a random share of the elements in training and scales the others to keep the mean.

    Args:
        data: Input of any shape, of a float type.
        p: Share of elements to drop; 1 leaves nothing to scale, and gives NaN.
        mode: `training` leaves the data alone in prediction, `always` does not.
        axes: Axes along which elements share their fate; none by default.
        cudnn_off: Accepted for compatibility.
        training: Whether the call is for training; supplied by the frontend.
        generator: Source of randomness, torch's own if None; supplied by the frontend.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((2, 50))
        >>> float(mx.nd.Dropout(x, p=0.5).sum().asscalar())
        100.0
        >>> with mx.autograd.train_mode():
        ...     y = mx.nd.Dropout(x, p=0.5)
        >>> sorted(set(y.reshape(-1).asnumpy().tolist()))
        [0.0, 2.0]
    """
    require_floating("Dropout", data)
    if p == 0 or not (training or mode == "always"):
        return data
    if p == 1:
        return data * math.nan  # what is left, nothing, times infinity
    if generator is None and not axes:
        return torch.dropout(data, p, True)
    if not all(0 <= axis < data.ndim for axis in axes):
        raise MXNetError(f"Dropout: expected `axes` in 0 to {data.ndim - 1}, got {axes}")
    shape = tuple(1 if axis in axes else size for axis, size in enumerate(data.shape))
    return drop(data, p, shape, generator)
