"""Attention as strangers write it: each function computes it from arrays in one of the dialects.

They take queries, keys and values of shape `(batch, length, heads * size)`, a mask or lengths, and
return what the heads have found, side by side. Masks are 1 where a key counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

BATCH, HEADS, LENGTH, SIZE = 2, 3, 5, 4
UNITS = HEADS * SIZE


class Spelling(NamedTuple):
    """A way to write attention."""

    compute: Callable[..., Any]
    """Takes the operators, queries, keys, values and sides."""
    sides: tuple[str, ...] = ()
    """Names of the sides, see `SIDES`."""
    dialect: str = "nd"
    learns: bool = True
    """Whether the fused kernel of a CPU has gradients of it."""


_TRUE = np.tril(np.ones((LENGTH, LENGTH)))
_LENGTHS = np.array([5, 3])
_VALID = np.arange(LENGTH) < _LENGTHS[:, None]
SIDES: dict[str, Any] = {
    "lengths": _LENGTHS,
    "valid": _VALID.astype("float32"),
    "causal": _TRUE,
    "bias": np.random.default_rng(3).normal(size=(1, HEADS, LENGTH, LENGTH)),
    "far": np.where(_TRUE, 0, -1e9)[None],
    "tau": np.linspace(0.5, 1.5, HEADS).reshape(1, HEADS, 1, 1),
    "row_lengths": np.repeat(_LENGTHS, HEADS)[:, None].repeat(LENGTH, 1),
    "table": np.random.default_rng(4).normal(size=(2 * LENGTH - 1, HEADS)),
}
SPELLINGS: dict[str, Spelling] = {}


def spelling(*sides: str, dialect: str = "nd", learns: bool = True) -> Callable[..., Any]:
    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        SPELLINGS[function.__name__] = Spelling(function, sides, dialect, learns)
        return function

    return add


def split(F, x):
    """(batch, length, heads * size) to (batch * heads, length, size)."""
    x = F.transpose(F.reshape(x, shape=(0, 0, HEADS, -1)), axes=(0, 2, 1, 3))
    return F.reshape(x, shape=(-1, 0, 0), reverse=True)


def merge(F, x):
    x = F.reshape(x, shape=(-1, HEADS, 0, 0), reverse=True)
    return F.reshape(F.transpose(x, axes=(0, 2, 1, 3)), shape=(0, 0, -1))


def split4(F, x):
    """(batch, length, heads * size) to (batch, heads, length, size)."""
    return F.swapaxes(F.reshape(x, shape=(0, 0, HEADS, -1)), 1, 2)


def merge4(F, x):
    return F.reshape(F.swapaxes(x, 1, 2), shape=(0, 0, -3))


@spelling()
def scaled_queries(F, q, k, v):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.batch_dot(q / math.sqrt(SIZE), k, transpose_b=True)
    return merge(F, F.batch_dot(F.softmax(scores, axis=-1), v))


@spelling()
def root_of_the_last_axis(F, q, k, v):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.batch_dot(F.contrib.div_sqrt_dim(q), k, transpose_b=True)
    return merge(F, F.batch_dot(F.softmax(scores, axis=2), v))


@spelling()
def keys_transposed_by_hand(F, q, k, v):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, F.transpose(k, axes=(0, 1, 3, 2))) * SIZE**-0.5
    return merge4(F, F.batch_dot(F.softmax(scores, axis=3), v))


@spelling()
def one_projection_split(F, q, k, v):
    joined = F.reshape(F.concat(q, k, v, dim=2), shape=(0, 0, 3, HEADS, -1))
    joined = F.transpose(joined, axes=(2, 0, 3, 1, 4))
    q, k, v = F.split(joined, num_outputs=3, axis=0, squeeze_axis=True)
    return merge4(F, F.batch_dot(F.softmax(F.batch_dot(q * 0.5, k, transpose_b=True)), v))


@spelling()
def dropped_weights(F, q, k, v):
    q, k, v = (split(F, x) for x in (q, k, v))
    weights = F.Dropout(F.softmax(F.batch_dot(q, k, transpose_b=True) / 2.0), p=0.1)
    return merge(F, F.batch_dot(weights, v))


@spelling("valid")
def mask_added(F, q, k, v, valid):
    q, k, v = (split4(F, x) for x in (q, k, v))
    mask = (1.0 - F.reshape(valid, shape=(0, 1, 1, -1))) * -10000.0
    scores = F.broadcast_add(F.batch_dot(q, k, transpose_b=True) / 2.0, mask)
    return merge4(F, F.batch_dot(F.softmax(scores), v))


@spelling("valid")
def mask_subtracted(F, q, k, v, valid):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True) / 2.0
    away = 1e4 * (1 - F.expand_dims(F.expand_dims(valid, 1), 1))
    return merge4(F, F.batch_dot(F.softmax(F.broadcast_sub(scores, away)), v))


@spelling("valid")
def scores_by_heads_masked(F, q, k, v, valid):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.reshape(F.batch_dot(q, k, transpose_b=True), shape=(-4, -1, HEADS, 0, 0))
    mask = F.log(F.reshape(valid, shape=(0, 1, 1, -1)) + 1e-5)
    weights = F.softmax(F.broadcast_add(scores / 2.0, mask))
    return merge(F, F.batch_dot(F.reshape(weights, shape=(-3, 0, 0)), v))


@spelling("lengths")
def mask_multiplied(F, q, k, v, lengths):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True)
    steps = F.contrib.arange_like(q, axis=1)
    ones = F.ones_like(steps)
    mask = F.broadcast_lesser(F.reshape(steps, shape=(1, -1)), F.reshape(lengths, shape=(-1, 1)))
    mask = F.broadcast_mul(F.expand_dims(mask, axis=1), F.reshape(ones, shape=(-1, 1)))
    mask = F.broadcast_axis(F.expand_dims(mask, axis=1), axis=1, size=HEADS)
    mask = F.reshape(mask, shape=(-3, 0, 0))
    weights = F.softmax(F.where(mask, scores, -1e18 * F.ones_like(scores))) * mask
    return merge(F, F.batch_dot(weights, v))


@spelling("valid")
def mask_repeated_over_heads(F, q, k, v, valid):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.batch_dot(F.contrib.div_sqrt_dim(q), k, transpose_b=True)
    mask = F.repeat(F.expand_dims(valid, axis=1), repeats=HEADS, axis=0)
    mask = F.broadcast_like(mask, scores)
    scores = F.where(mask, scores, F.zeros_like(scores) - 1e9)
    return merge(F, F.batch_dot(F.softmax(scores), v))


@spelling("valid")
def filled_where_the_mask_is_zero(F, q, k, v, valid):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True) / 2.0
    hidden = F.broadcast_like(F.reshape(valid, shape=(0, 1, 1, -1)), scores) == 0
    scores = F.where(hidden, F.ones_like(scores) * -np.inf, scores)
    return merge4(F, F.batch_dot(F.softmax(scores), v))


@spelling("row_lengths")
def lengths_of_softmax(F, q, k, v, row_lengths):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True)
    weights = F.softmax(scores, F.cast(row_lengths, "int32"), use_length=True, axis=-1)
    return merge(F, F.batch_dot(weights, v))


@spelling("lengths")
def sequence_mask_of_rows(F, q, k, v, lengths):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True) / 2.0
    rows = F.repeat(lengths, repeats=HEADS * LENGTH)
    flat = F.SequenceMask(
        F.reshape(scores, shape=(-3, 0)), rows, use_sequence_length=True, value=-1e6, axis=1
    )
    weights = F.reshape_like(F.softmax(flat), scores)
    return merge(F, F.batch_dot(F.Dropout(weights, p=0.0), v))


@spelling()
def causal_by_positions(F, q, k, v):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True) / 2.0
    rows = F.contrib.arange_like(scores, axis=2)
    columns = F.contrib.arange_like(scores, axis=3)
    allowed = F.broadcast_lesser_equal(
        F.reshape(columns, shape=(1, -1)), F.reshape(rows, shape=(-1, 1))
    )
    allowed = F.reshape(allowed, shape=(1, 1, LENGTH, LENGTH))
    scores = F.broadcast_mul(scores, allowed)
    scores = F.broadcast_sub(scores, 1e10 * (1 - allowed))
    return merge4(F, F.batch_dot(F.softmax(scores), v))


@spelling("causal")
def masked_as_the_first_gpt(F, q, k, v, causal):
    q, k, v = (split4(F, x) for x in (q, k, v))
    b = F.reshape(causal, shape=(1, 1, LENGTH, LENGTH))
    w = F.batch_dot(q, F.swapaxes(k, 2, 3)) * (1.0 / math.sqrt(SIZE))
    w = F.broadcast_add(F.broadcast_mul(w, b), -1e9 * (1 - b))
    return merge4(F, F.batch_dot(F.softmax(w, axis=-1), v))


@spelling("far")
def causal_as_a_constant(F, q, k, v, far):
    q, k, v = (split(F, x) for x in (q, k, v))
    scores = F.broadcast_add(F.batch_dot(q, k, transpose_b=True) / 2.0, far)
    return merge(F, F.batch_dot(F.softmax(scores), v))


@spelling("bias")
def relative_bias(F, q, k, v, bias):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.broadcast_add(F.batch_dot(q, k, transpose_b=True), bias)
    return merge4(F, F.batch_dot(F.softmax(scores), v))


@spelling("table")
def bias_of_distances(F, q, k, v, table):
    q, k, v = (split4(F, x) for x in (q, k, v))
    steps = F.arange(LENGTH)
    distance = F.broadcast_sub(F.reshape(steps, shape=(1, -1)), F.reshape(steps, shape=(-1, 1)))
    bias = F.transpose(F.take(table, distance + LENGTH - 1), axes=(2, 0, 1))
    scores = F.broadcast_add(F.batch_dot(q, k, transpose_b=True), F.expand_dims(bias, 0))
    return merge4(F, F.batch_dot(F.softmax(scores), v))


@spelling("tau", "valid")
def learned_temperature(F, q, k, v, tau, valid):
    q, k, v = (split4(F, F.L2Normalization(x, mode="spatial")) for x in (q, k, v))
    scores = F.broadcast_mul(F.batch_dot(q, k, transpose_b=True), tau)
    scores = F.broadcast_add(scores, (F.reshape(valid, shape=(0, 1, 1, -1)) - 1) * 1e4)
    return merge4(F, F.batch_dot(F.softmax(scores), v))


@spelling("valid")
def softened_and_zeroed(F, q, k, v, valid):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True)
    mask = F.broadcast_like(F.reshape(valid, shape=(0, 1, 1, -1)), scores)
    scores = F.where(mask, scores, F.full((BATCH, HEADS, LENGTH, LENGTH), -np.inf))
    weights = F.softmax(scores, temperature=2.0)
    weights = F.where(mask, weights, F.zeros_like(weights))
    return merge4(F, F.batch_dot(weights, v))


@spelling()
def interleaved(F, q, k, v):
    parts = [F.reshape(x, shape=(0, 0, HEADS, 1, -1)) for x in (q, k, v)]
    joined = F.swapaxes(F.reshape(F.concat(*parts, dim=3), shape=(0, 0, -1)), 0, 1)
    scores = F.contrib.interleaved_matmul_selfatt_qk(joined, heads=HEADS)
    sums = F.contrib.interleaved_matmul_selfatt_valatt(joined, F.softmax(scores), heads=HEADS)
    return F.swapaxes(sums, 0, 1)


@spelling("valid")
def interleaved_to_an_encoder(F, q, k, v, valid):
    parts = [F.reshape(x, shape=(0, 0, HEADS, 1, -1)) for x in (k, v)]
    memory = F.swapaxes(F.reshape(F.concat(*parts, dim=3), shape=(0, 0, -1)), 0, 1)
    scores = F.contrib.interleaved_matmul_encdec_qk(F.swapaxes(q, 0, 1), memory, heads=HEADS)
    scores = F.reshape(scores, shape=(-1, HEADS, LENGTH, LENGTH))
    scores = F.broadcast_add(scores, -1e4 * (1 - F.reshape(valid, shape=(0, 1, 1, -1))))
    weights = F.softmax(F.reshape(scores, shape=(-1, LENGTH, LENGTH)))
    sums = F.contrib.interleaved_matmul_encdec_valatt(memory, weights, heads=HEADS)
    return F.swapaxes(sums, 0, 1)


@spelling()
def over_positions_of_images(F, q, k, v):
    """Channels come first, as in networks that attend within feature maps."""
    q, k, v = (F.transpose(x, axes=(0, 2, 1)) for x in (q, k, v))
    energy = F.batch_dot(q, k, transpose_a=True)
    found = F.batch_dot(v, F.softmax(energy, axis=-1), transpose_b=True)
    return F.transpose(found, axes=(0, 2, 1))


@spelling()
def products_with_a_factor(F, q, k, v):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.linalg.gemm2(q, k, transpose_b=True, alpha=SIZE**-0.5)
    return merge4(F, F.linalg.gemm2(F.softmax(scores), v))


@spelling("valid")
def in_single_precision(F, q, k, v, valid):
    q, k, v = (split4(F, x) for x in (q, k, v))
    scores = F.cast(F.batch_dot(q, k, transpose_b=True), "float32") / 2.0
    scores = F.broadcast_add(scores, (1 - F.reshape(valid, shape=(0, 1, 1, -1))) * -1e4)
    return merge4(F, F.batch_dot(F.cast(F.softmax(scores), "float32"), v))


@spelling()
def windows(F, q, k, v):
    """With an axis of windows beside that of the batch."""
    q, k, v = (F.reshape(split4(F, x), shape=(-4, 1, -1, -2)) for x in (q, k, v))
    scores = F.batch_dot(q, k, transpose_b=True)
    scores = F.broadcast_add(scores, F.reshape(F.arange(LENGTH) / 3, shape=(1, 1, 1, 1, -1)))
    return merge4(F, F.reshape(F.batch_dot(F.softmax(scores), v), shape=(-3, -2)))


def np_split(np_, x):
    return np_.swapaxes(x.reshape(x.shape[0], x.shape[1], HEADS, -1), 1, 2)


def np_merge(np_, x):
    x = np_.swapaxes(x, 1, 2)
    return x.reshape(x.shape[0], x.shape[1], -1)


@spelling(dialect="np")
def np_matmul(F, q, k, v):
    q, k, v = (np_split(F.np, x) for x in (q, k, v))
    scores = F.np.matmul(q, F.np.swapaxes(k, 2, 3)) / math.sqrt(SIZE)
    return np_merge(F.np, F.np.matmul(F.npx.softmax(scores, axis=-1), v))


@spelling("causal", dialect="np")
def np_where(F, q, k, v, causal):
    q, k, v = (np_split(F.np, x) for x in (q, k, v))
    scores = F.npx.batch_dot(q, k, transpose_b=True) * SIZE**-0.5
    scores = F.np.where(causal, scores, -1e9)
    return np_merge(F.np, F.npx.batch_dot(F.npx.softmax(scores), v))


@spelling("valid", dialect="np")
def np_where_multiplied(F, q, k, v, valid):
    q, k, v = (np_split(F.np, x) for x in (q, k, v))
    mask = F.np.expand_dims(F.np.expand_dims(valid, 1), 1)
    scores = F.np.where(mask, F.npx.batch_dot(q, k, transpose_b=True), -1e18)
    weights = F.npx.dropout(F.npx.softmax(scores) * mask, p=0.0)
    return np_merge(F.np, F.npx.batch_dot(weights, v))


@spelling(dialect="np")
def np_einsum(F, q, k, v):
    q, k, v = (x.reshape(x.shape[0], x.shape[1], HEADS, -1) for x in (q, k, v))
    scores = F.np.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(SIZE)
    found = F.np.einsum("bhqk,bkhd->bqhd", F.npx.softmax(scores), v)
    return found.reshape(found.shape[0], found.shape[1], -1)


@spelling("causal", dialect="np")
def np_einsum_masked(F, q, k, v, causal):
    q, k, v = (np_split(F.np, x) for x in (q, k, v))
    energy = F.np.einsum("nhqd,nhkd->nhqk", q, k)
    energy = F.np.where(causal == 0, -1e20, energy)
    attention = F.npx.softmax(energy / UNITS**0.5, axis=3)
    return np_merge(F.np, F.np.einsum("nhql,nhld->nhqd", attention, v))


@spelling("lengths", dialect="np")
def np_masked_softmax_of_a_book(F, q, k, v, lengths):
    """Heads lie in the batch, and rows of scores are masked by their lengths."""
    q, k, v = (
        F.np.transpose(x.reshape(x.shape[0], x.shape[1], HEADS, -1), (0, 2, 1, 3)).reshape(
            -1, x.shape[1], x.shape[2] // HEADS
        )
        for x in (q, k, v)
    )
    lengths = F.np.repeat(lengths, HEADS, axis=0)
    scores = F.npx.batch_dot(q, k, transpose_b=True) / math.sqrt(SIZE)
    shape = scores.shape
    rows = F.np.repeat(lengths, shape[1])
    flat = F.npx.sequence_mask(scores.reshape(-1, shape[-1]), rows, True, value=-1e6, axis=1)
    weights = F.npx.softmax(flat).reshape(shape)
    found = F.npx.batch_dot(weights, v).reshape(-1, HEADS, q.shape[1], v.shape[2])
    found = F.np.transpose(found, (0, 2, 1, 3))
    return found.reshape(found.shape[0], found.shape[1], -1)


@spelling(dialect="np")
def np_keys_shared_by_heads(F, q, k, v):
    """Queries of several heads, keys and values of one."""
    q = np_split(F.np, q)
    k, v = (x[:, None, :, :SIZE] for x in (k, v))
    scores = F.np.matmul(q, F.np.swapaxes(k, -1, -2)) * 0.5
    return np_merge(F.np, F.np.matmul(F.npx.softmax(scores), v))


@spelling(dialect="np")
def np_causal_by_positions(F, q, k, v):
    q, k, v = (np_split(F.np, x) for x in (q, k, v))
    steps = F.np.arange(LENGTH)
    allowed = steps.reshape(-1, 1) >= steps.reshape(1, -1)
    scores = F.np.matmul(q, F.np.swapaxes(k, 2, 3)) / math.sqrt(SIZE)
    scores = F.np.where(allowed, scores, -np.inf)
    return np_merge(F.np, F.np.matmul(F.npx.softmax(scores), v))


@spelling(dialect="np")
def np_without_a_batch(F, q, k, v):
    q, k, v = q[0], k[0], v[0]
    weights = F.npx.softmax(F.np.matmul(q, k.T) / math.sqrt(UNITS))
    return F.np.matmul(weights, v)
