"""Attention within a window that slides along a sequence, as Longformer has it.

A position sees `w` neighbours before it and, if the window is symmetric, as many after it. Heads
may look further by a dilation: they see every second neighbour, every third and so on. Scores are
stored by window, not by pairs of positions, so that long sequences stay cheap.
"""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet.errors import MXNetError
from mxnet.ops.core.registry import op
from mxnet.ops.nn.layouts import require_floating, require_shape


def _window(
    name: str, length: int, dilation: Tensor, w: int, symmetric: bool
) -> tuple[Tensor, Tensor]:
    """Returns which position each place of each window is about, and whether there is one.

    Both have the shape `(length, heads, places)`.
    """
    if w < 0:
        raise MXNetError(f"{name}: expected w of at least 0, got {w}")
    if dilation.is_floating_point() and not dilation.is_meta:  # shapes are asked before types
        got = name_of(dilation.dtype)
        raise MXNetError(f"{name}: expected `dilation` of an integer type, got {got}")
    offsets = torch.arange(-w, w + 1 if symmetric else 1, device=dilation.device)
    steps = dilation.long()[:, None] * offsets
    positions = torch.arange(length, device=dilation.device)[:, None, None] + steps
    exists = (positions >= 0) & (positions < length)
    return positions.clamp(0, max(length - 1, 0)), exists


def _gather(data: Tensor, positions: Tensor) -> Tensor:
    """Returns the elements `(batch, length, heads, places, units)` that windows are about."""
    heads = torch.arange(data.shape[2], device=data.device)[None, :, None]
    return data[:, positions, heads]


@op("_contrib_sldwin_atten_score", aliases=("_npx_sldwin_atten_score",), any_dtype=("dilation",))
def window_score(
    query: Tensor, key: Tensor, dilation: Tensor, *, w: int, symmetric: bool
) -> Tensor:
    """Multiplies each query with the keys in its window.

    Args:
        query: Array of shape `(batch, length, heads, units)`.
        key: Array of the same shape.
        dilation: Vector of the distance between neighbours, one for each head.
        w: Neighbours on one side.
        symmetric: Whether the window reaches to both sides, not to earlier positions alone.

    Example:
        >>> import mxnet as mx
        >>> x, dilation = mx.nd.ones((1, 4, 1, 2)), mx.nd.array([1], dtype="int32")
        >>> score = mx.nd.contrib.sldwin_atten_score(x, x, dilation, w=1, symmetric=True)
        >>> print(score.asnumpy()[0, :, 0])
        [[0. 2. 2.]
         [2. 2. 2.]
         [2. 2. 2.]
         [2. 2. 0.]]
    """
    name = "_contrib_sldwin_atten_score"
    require_floating(name, query)
    _require_heads(name, query, dilation)
    require_shape(name, "key", key, tuple(query.shape))
    positions, exists = _window(name, query.shape[1], dilation, w, symmetric)
    score = torch.einsum("blhu,blhpu->blhp", query, _gather(key, positions))
    return score.masked_fill(~exists, 0)


@op(
    "_contrib_sldwin_atten_mask_like",
    aliases=("_npx_sldwin_atten_mask_like",),
    any_dtype=("dilation", "valid_length"),
    differentiable=False,
)
def window_mask(
    score: Tensor, dilation: Tensor, valid_length: Tensor, *, w: int, symmetric: bool
) -> Tensor:
    """Returns 1 for each score that is about two valid positions, 0 for others.

    Args:
        score: Scores of windows.
        dilation: Vector of the distance between neighbours, one for each head.
        valid_length: Vector of the valid positions of each sequence.
        w: Neighbours on one side.
        symmetric: Whether the window reaches to both sides.

    Example:
        >>> import mxnet as mx
        >>> score = mx.nd.zeros((1, 3, 1, 3))
        >>> dilation, length = mx.nd.array([1], dtype="int32"), mx.nd.array([2], dtype="int32")
        >>> arguments = {"w": 1, "symmetric": True}
        >>> mask = mx.nd.contrib.sldwin_atten_mask_like(score, dilation, length, **arguments)
        >>> print(mask.asnumpy()[0, :, 0])
        [[0. 1. 1.]
         [1. 1. 0.]
         [0. 0. 0.]]
    """
    name = "_contrib_sldwin_atten_mask_like"
    _require_heads(name, score, dilation)
    require_shape(name, "valid_length", valid_length, (score.shape[0],))
    length = score.shape[1]
    positions, exists = _window(name, length, dilation, w, symmetric)
    _require_places(name, score, positions)
    ends = valid_length.to(score.device)[:, None, None, None]
    rows = torch.arange(length, device=score.device)[:, None, None]
    return (exists & (positions < ends) & (rows < ends)).to(score.dtype)


@op(
    "_contrib_sldwin_atten_context", aliases=("_npx_sldwin_atten_context",), any_dtype=("dilation",)
)
def window_context(
    score: Tensor, value: Tensor, dilation: Tensor, *, w: int, symmetric: bool
) -> Tensor:
    """Adds the values in each window up, weighted by scores.

    Args:
        score: Weights of shape `(batch, length, heads, places)`.
        value: Array of shape `(batch, length, heads, units)`.
        dilation: Vector of the distance between neighbours, one for each head.
        w: Neighbours on one side.
        symmetric: Whether the window reaches to both sides.

    Example:
        >>> import mxnet as mx
        >>> score, value = mx.nd.ones((1, 4, 1, 3)), mx.nd.arange(4).reshape((1, 4, 1, 1))
        >>> dilation, arguments = mx.nd.array([1], dtype="int32"), {"w": 1, "symmetric": True}
        >>> context = mx.nd.contrib.sldwin_atten_context(score, value, dilation, **arguments)
        >>> print(context.asnumpy().ravel())
        [1. 3. 6. 5.]
    """
    name = "_contrib_sldwin_atten_context"
    require_floating(name, score)
    _require_heads(name, value, dilation)
    positions, exists = _window(name, value.shape[1], dilation, w, symmetric)
    _require_places(name, score, positions)
    weights = score.masked_fill(~exists, 0)
    return torch.einsum("blhp,blhpu->blhu", weights, _gather(value, positions))


def _require_heads(name: str, data: Tensor, dilation: Tensor) -> None:
    if data.ndim != 4:
        raise MXNetError(
            f"{name}: expected axes (batch, length, heads, ...), got shape {tuple(data.shape)}"
        )
    require_shape(name, "dilation", dilation, (data.shape[2],))


def _require_places(name: str, score: Tensor, positions: Tensor) -> None:
    require_shape(name, "score", score, (score.shape[0], *positions.shape))
