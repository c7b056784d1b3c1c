"""Attention as products of interleaved queries, keys and values, and in one call.

The call (`attend`) is for graphs that write attention as products, softmax and dropout.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet.errors import MXNetError
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Attention, Fusion, Shapes, Traits
from mxnet.ops.nn.layouts import require_floating, require_shape
from mxnet.ops.rules import flops, shape_rules


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


def _parts(name: str, projected: Tensor, heads: int, count: int) -> tuple[Tensor, ...]:
    """Splits `(length, batch, heads * count * size)` into parts `(batch * heads, length, size)`."""
    if projected.ndim != 3 or heads < 1 or projected.shape[2] % (heads * count):
        raise MXNetError(
            f"{name}: an array (length, batch, {count} * heads * size) expected, "
            f"got {tuple(projected.shape)} for {heads} heads"
        )
    length, batch, width = projected.shape
    split = projected.reshape(length, batch * heads, count, width // (heads * count))
    return tuple(part.transpose(0, 1) for part in split.unbind(2))


def _score(queries: Tensor, keys: Tensor, factor: float) -> Tensor:
    """Returns scaled products, without scaled queries that a backward pass would have to keep."""
    if queries.is_meta:  # torch's own rule for the shape of `baddbmm` imports its compiler
        return torch.bmm(queries, keys.transpose(1, 2))
    unread = queries.new_empty(())
    return torch.baddbmm(unread, queries, keys.transpose(1, 2), beta=0, alpha=factor)


def _weigh(name: str, attention: Tensor, values: Tensor) -> Tensor:
    """Sums values by weights."""
    if attention.ndim != 3 or (len(attention), attention.shape[2]) != values.shape[:2]:
        raise MXNetError(
            f"{name}: weights ({len(values)}, length, {values.shape[1]}) expected, "
            f"got {tuple(attention.shape)}"
        )
    return torch.bmm(attention, values)


def _join(sums: Tensor, *, heads: int, **_: object) -> Tensor:
    """Puts sums of shape `(batch * heads, length, size)` side by side for each batch."""
    result = sums.transpose(0, 1)
    return result.reshape(len(result), -1, heads * sums.shape[2])


def _split_own_scores(queries_keys_values: Tensor, *, heads: int) -> tuple[Tensor, Tensor, float]:
    name = "_contrib_interleaved_matmul_selfatt_qk"
    queries, keys, _ = _parts(name, queries_keys_values, heads, 3)
    return queries, keys, queries.shape[2] ** -0.5


def _split_own_values(queries_keys_values: Tensor, *, heads: int, **_: object) -> Tensor:
    name = "_contrib_interleaved_matmul_selfatt_valatt"
    return _parts(name, queries_keys_values, heads, 3)[2]


def _split_scores(
    queries: Tensor, keys_values: Tensor, *, heads: int
) -> tuple[Tensor, Tensor, float]:
    name = "_contrib_interleaved_matmul_encdec_qk"
    (asked,) = _parts(name, queries, heads, 1)
    keys, _ = _parts(name, keys_values, heads, 2)
    if (len(asked), asked.shape[2]) != (len(keys), keys.shape[2]):
        raise MXNetError(
            f"{name}: batches and sizes that agree expected, got {tuple(queries.shape)} and "
            f"{tuple(keys_values.shape)}"
        )
    return asked, keys, asked.shape[2] ** -0.5


def _split_values(keys_values: Tensor, *, heads: int, **_: object) -> Tensor:
    return _parts("_contrib_interleaved_matmul_encdec_valatt", keys_values, heads, 2)[1]


@op(
    "_contrib_interleaved_matmul_selfatt_qk",
    traits=Traits(
        low_precision=True,
        fusion=Fusion(attention=Attention(split_scores=_split_own_scores)),
        flops=flops.attention_scores(parts=3),
    ),
)
def selfatt_qk(queries_keys_values: Tensor, *, heads: int) -> Tensor:
    """Computes the scores of self-attention, divided by the root of the size of a head.

    Args:
        queries_keys_values: Projections of shape `(length, batch, heads * 3 * size)`; for each head
            query, key and value stand side by side.
        heads: Number of heads.

    Returns:
        Scores of shape `(batch * heads, length, length)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((5, 2, 2 * 3 * 4))
        >>> print(mx.nd.contrib.interleaved_matmul_selfatt_qk(x, heads=2).shape)
        (4, 5, 5)
    """
    return _score(*_split_own_scores(queries_keys_values, heads=heads))


@op(
    "_contrib_interleaved_matmul_selfatt_valatt",
    traits=Traits(
        low_precision=True,
        fusion=Fusion(
            attention=Attention(
                weights=lambda **_: (1,), split_values=_split_own_values, join=_join
            )
        ),
        shapes=Shapes(partial=shape_rules.attended),
        flops=flops.attention_sums,
    ),
)
def selfatt_valatt(queries_keys_values: Tensor, attention: Tensor, *, heads: int) -> Tensor:
    """Sums the values of self-attention by weights.

    Args:
        queries_keys_values: Projections of shape `(length, batch, heads * 3 * size)`.
        attention: Weights of shape `(batch * heads, length, length)`.
        heads: Number of heads.

    Returns:
        Sums of shape `(length, batch, heads * size)`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((5, 2, 2 * 3 * 4))
        >>> scores = mx.nd.contrib.interleaved_matmul_selfatt_qk(x, heads=2)
        >>> weights = mx.nd.softmax(scores)
        >>> print(mx.nd.contrib.interleaved_matmul_selfatt_valatt(x, weights, heads=2).shape)
        (5, 2, 8)
    """
    name = "_contrib_interleaved_matmul_selfatt_valatt"
    values = _split_own_values(queries_keys_values, heads=heads)
    return _join(_weigh(name, attention, values), heads=heads)


@op(
    "_contrib_interleaved_matmul_encdec_qk",
    traits=Traits(
        low_precision=True,
        fusion=Fusion(attention=Attention(split_scores=_split_scores)),
        flops=flops.attention_scores(parts=1),
    ),
)
def encdec_qk(queries: Tensor, keys_values: Tensor, *, heads: int) -> Tensor:
    """Computes the scores of attention to an encoder, divided by the root of the size of a head.

    Args:
        queries: Projections of shape `(length, batch, heads * size)`.
        keys_values: Projections of the encoder of shape `(other length, batch, heads * 2 * size)`.
        heads: Number of heads.

    Returns:
        Scores of shape `(batch * heads, length, other length)`.

    Example:
        >>> import mxnet as mx
        >>> queries, memory = mx.nd.ones((3, 2, 2 * 4)), mx.nd.ones((5, 2, 2 * 2 * 4))
        >>> print(mx.nd.contrib.interleaved_matmul_encdec_qk(queries, memory, heads=2).shape)
        (4, 3, 5)
    """
    return _score(*_split_scores(queries, keys_values, heads=heads))


@op(
    "_contrib_interleaved_matmul_encdec_valatt",
    traits=Traits(
        low_precision=True,
        fusion=Fusion(
            attention=Attention(weights=lambda **_: (1,), split_values=_split_values, join=_join)
        ),
        flops=flops.attention_sums,
    ),
)
def encdec_valatt(keys_values: Tensor, attention: Tensor, *, heads: int) -> Tensor:
    """Sums the values of an encoder by weights.

    Args:
        keys_values: Projections of shape `(other length, batch, heads * 2 * size)`.
        attention: Weights of shape `(batch * heads, length, other length)`.
        heads: Number of heads.

    Returns:
        Sums of shape `(length, batch, heads * size)`.

    Example:
        >>> import mxnet as mx
        >>> memory, weights = mx.nd.ones((5, 2, 2 * 2 * 4)), mx.nd.ones((4, 3, 5)) / 5
        >>> print(mx.nd.contrib.interleaved_matmul_encdec_valatt(memory, weights, heads=2).shape)
        (3, 2, 8)
    """
    name = "_contrib_interleaved_matmul_encdec_valatt"
    values = _split_values(keys_values, heads=heads)
    return _join(_weigh(name, attention, values), heads=heads)


_FAR = -1e3
"""Scores below this lose digits of the products in them."""
_LEAST_MASKED = 200_000
"""Scores from which masks are worthwhile on a CPU."""
_SWALLOWING = -1e9
"""Scores up to this have no digit left of the products in them, in single precision."""


def attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    scale: float,
    bias: Tensor | None = None,
    allowed: Tensor | None = None,
    served: Tensor | None = None,
    unserved: float | None = None,
    dropout: float = 0.0,
    causal: bool = False,
) -> Tensor:
    """Sums values by the softmax of the scaled products of queries and keys.

    Args:
        queries: Of shape `(batch, length, size)` or `(batch, heads, length, size)`.
        keys: The same, of another length.
        values: The same, of the length of the keys and of any size.
        scale: Factor of the products.
        bias: What is added to the scaled products, of two axes or more.
        allowed: Booleans that say which keys count for which queries. They replace the bias where
            they are False, so that a query without keys takes all values alike.
        served: Booleans that say which queries have keys, with a last axis of length one, for which
            all of `allowed` is True if they have none; found if it is not given.
        unserved: What the sum of a query without keys is instead.
        dropout: Share of the weights that is dropped.
        causal: Whether each query takes its own key and those before it. There is neither a bias
            nor `allowed` then.

    Returns:
        Sums of the shape of the queries, but of the size of the values.
    """
    if bias is allowed is None:
        has_heads = queries.ndim > 3
        if not has_heads:
            queries, keys, values = queries.unsqueeze(1), keys.unsqueeze(1), values.unsqueeze(1)
        sums = F.scaled_dot_product_attention(
            queries, keys, values, dropout_p=dropout, is_causal=causal, scale=scale
        )
        return sums if has_heads else sums.squeeze(1)
    if queries.ndim == 3:  # torch's fused kernels want an axis of heads
        queries, keys, values = (item.unsqueeze(1) for item in (queries, keys, values))
        bias, allowed, served = (_add_heads(item) for item in (bias, allowed, served))
        sums = attend(
            queries,
            keys,
            values,
            scale=scale,
            bias=bias,
            allowed=allowed,
            served=served,
            unserved=unserved,
            dropout=dropout,
        )
        return sums.squeeze(1)
    return _attend(queries, keys, values, scale, bias, allowed, served, unserved, dropout)


def _add_heads(item: Tensor | None) -> Tensor | None:
    return item.unsqueeze(1) if item is not None and item.ndim == 3 else item


def _attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    scale: float,
    bias: Tensor | None,
    allowed: Tensor | None,
    served: Tensor | None,
    unserved: float | None,
    dropout: float,
) -> Tensor:
    def run(queries: Tensor, mask: Tensor | None) -> Tensor:
        return F.scaled_dot_product_attention(
            queries, keys, values, attn_mask=mask, dropout_p=dropout, scale=scale
        )

    if bias is not None and bias.dtype != queries.dtype:
        bias = bias.clamp(min=torch.finfo(queries.dtype).min).to(queries.dtype)
    if allowed is None:
        return run(queries, None) if bias is None else _add_bias(queries, bias, run)
    if served is None:
        served = allowed.any(-1, keepdim=True)
        allowed = allowed | ~served  # kernels differ in what they make of a query without keys
    if bias is not None:
        allowed = torch.where(served, torch.where(allowed, bias, -math.inf), 0)
    elif queries.is_cpu:  # where torch would make the same of booleans in more steps
        allowed = torch.where(allowed, queries.new_zeros(()), -math.inf)
    if unserved is not None:
        return torch.where(served, run(queries, allowed), unserved)
    # The products of a query of zeros are equal, and hand no gradient on to the keys.
    return run(torch.where(served, queries, 0), allowed)


def _add_bias(queries: Tensor, bias: Tensor, run: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """Runs a kernel with a bias, also for queries none of whose keys is meant to count.

    Scores that are too large swallow products. The kernel's gradients do not survive that: it keeps
    the logarithm of the sum of exponentials alone. So the greatest score becomes 0, and the
    products too where nothing is left of them.
    """
    top = bias.detach().amax(-1, keepdim=True)
    is_nothing = top == -math.inf
    is_lost = (top <= _SWALLOWING) & ~is_nothing
    # The softmax of nothing but -inf is nan, and so are its gradients; torch returns zeros.
    queries = torch.where(is_lost, 0, queries) * torch.where(is_nothing, math.nan, 1.0).to(queries)
    bias = torch.where(is_nothing, 0, bias - torch.where(top > _FAR, 0, top))
    return run(queries, bias)


def is_far(bias: Tensor, *, learns: bool) -> bool:
    """Returns whether a bias on the CPU leaves some query without keys, so that steps differ.

    Results differ where scores keep a few digits of the products, gradients where they keep none.
    """
    top = bias.amax(-1)
    is_far = top < _FAR
    return bool((is_far if learns else is_far & (top > _SWALLOWING)).any())


def has_kernel(data: Tensor, dropout: float) -> bool:
    """Returns whether a device has a fused kernel that is faster than the steps.

    On a CPU torch has one without dropout, which loses in half precision.
    """
    if data.is_cpu:
        return data.dtype is torch.float32 and not dropout
    return data.dtype in (torch.float16, torch.bfloat16, torch.float32)


def is_worthwhile(queries: Tensor, keys: Tensor, values: Tensor, is_masked: bool) -> bool:
    """Returns whether one call is possible, and not slowed down by masks of short sequences."""
    if min(queries.ndim, keys.ndim, values.ndim) < 2:
        return False
    if not queries.dtype == keys.dtype == values.dtype or not (queries.numel() and keys.numel()):
        return False
    count = queries.shape[:-1].numel() * keys.shape[-2]
    return not (is_masked and queries.is_cpu and count < _LEAST_MASKED)


def is_truth(mask: Tensor) -> bool:
    """Returns whether a mask on the CPU has no elements but zeros and ones."""
    return mask.is_cpu and bool(((mask == 0) | (mask == 1)).all())
