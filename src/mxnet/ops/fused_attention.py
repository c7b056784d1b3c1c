"""Attention in one call, for graphs that write it as products, softmax and dropout."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

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
    zeroes: bool = False,
    dropout: float = 0.0,
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
        zeroes: Whether the sum of a query without keys is 0 instead.
        dropout: Share of the weights that is dropped.

    Returns:
        Sums of the shape of the queries, but of the size of the values.
    """
    if queries.ndim == 3:  # torch's fused kernels want an axis of heads
        queries, keys, values = (item.unsqueeze(1) for item in (queries, keys, values))
        bias, allowed, served = (_add_heads(item) for item in (bias, allowed, served))
        sums = _attend(queries, keys, values, scale, bias, allowed, served, zeroes, dropout)
        return sums.squeeze(1)
    return _attend(queries, keys, values, scale, bias, allowed, served, zeroes, dropout)


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
    zeroes: bool,
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
    if zeroes:
        return torch.where(served, run(queries, allowed), 0)
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


def is_far(bias: Tensor) -> bool:
    """Returns whether a bias on the CPU leaves some query without keys."""
    return bool((bias.amax(-1) < _FAR).any())


def has_kernel(data: Tensor, dropout: float) -> bool:
    """Returns whether a device has a fused kernel that is faster than the steps.

    On a CPU torch has one without dropout, which loses in half precision.
    """
    if data.is_cpu:
        return data.dtype is torch.float32 and not dropout
    return data.dtype in (torch.float16, torch.bfloat16, torch.float32)


def is_worthwhile(queries: Tensor, keys: Tensor, values: Tensor, is_masked: bool) -> bool:
    """Returns whether one call is possible, and not slowed down by masks of short sequences."""
    if not (queries.ndim == keys.ndim == values.ndim and queries.ndim in (3, 4)):
        return False
    if not queries.dtype == keys.dtype == values.dtype or not (queries.numel() and keys.numel()):
        return False
    count = queries.shape[:-1].numel() * keys.shape[-2]
    return not (is_masked and queries.is_cpu and count < _LEAST_MASKED)


def is_truth(mask: Tensor) -> bool:
    """Returns whether a mask on the CPU has no elements but zeros and ones."""
    return mask.is_cpu and bool(((mask == 0) | (mask == 1)).all())
