"""Products of attention whose queries, keys and values lie interleaved in one array."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import flops
from mxnet.ops.registry import op
from mxnet.ops.traits import Attention, Fusion, Traits


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


def _join(sums: Tensor, *, heads: int) -> Tensor:
    """Puts sums of shape `(batch * heads, length, size)` side by side for each batch."""
    result = sums.transpose(0, 1)
    return result.reshape(len(result), -1, heads * sums.shape[2])


def _split_own_scores(queries_keys_values: Tensor, *, heads: int) -> tuple[Tensor, Tensor, float]:
    name = "_contrib_interleaved_matmul_selfatt_qk"
    queries, keys, _ = _parts(name, queries_keys_values, heads, 3)
    return queries, keys, queries.shape[2] ** -0.5


def _split_own_values(queries_keys_values: Tensor, *, heads: int) -> Tensor:
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


def _split_values(keys_values: Tensor, *, heads: int) -> Tensor:
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
    """
    return _score(*_split_own_scores(queries_keys_values, heads=heads))


@op(
    "_contrib_interleaved_matmul_selfatt_valatt",
    traits=Traits(
        low_precision=True,
        fusion=Fusion(
            attention=Attention(weights=lambda **_: 1, split_values=_split_own_values, join=_join)
        ),
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
    """
    return _score(*_split_scores(queries, keys_values, heads=heads))


@op(
    "_contrib_interleaved_matmul_encdec_valatt",
    traits=Traits(
        low_precision=True,
        fusion=Fusion(
            attention=Attention(weights=lambda **_: 1, split_values=_split_values, join=_join)
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
    """
    name = "_contrib_interleaved_matmul_encdec_valatt"
    values = _split_values(keys_values, heads=heads)
    return _join(_weigh(name, attention, values), heads=heads)
