"""Products of attention on projections of queries, keys and values that lie side by side."""

from __future__ import annotations

import math

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.table import converts


def _heads(b: Builder, data: Value, heads: int, parts: int, part: int) -> Value:
    """Takes one of the projections of `(length, batch, heads * parts * size)`.

    Returns:
        The projection of shape `(batch, heads, length, size)`.
    """
    size = data.length(2) // (heads * parts)
    split = b.reshape(data, (0, 0, heads, parts, size))
    return b.transpose(b.gather(split, part, 3), [1, 2, 0, 3])


def _scores(
    b: Builder, queries: Value, keys: Value, size: int, lengths: tuple[Value, Value]
) -> Value:
    scaled = queries * (1 / math.sqrt(size))
    product = b.op("MatMul", scaled, b.transpose(keys, [0, 1, 3, 2]))
    return b.reshape(product, b.concat([b.ints([-1]), *lengths], 0))


def _sums(b: Builder, weights: Value, values: Value, heads: int, size: int) -> Value:
    """Sums values by weights of shape `(batch * heads, length, other length)`."""
    lengths = b.lengths(weights, [1, 2])
    split = b.reshape(weights, b.concat([b.ints([-1, heads]), lengths], 0))
    sums = b.transpose(b.op("MatMul", split, values), [2, 0, 1, 3])
    return b.reshape(sums, (0, 0, heads * size))


@converts("_contrib_interleaved_matmul_selfatt_qk")
def _self_scores(b: Builder, data: Value, *, heads: int) -> Value:
    size, length = data.length(2) // (3 * heads), b.lengths(data, [0])
    queries, keys = (_heads(b, data, heads, 3, part) for part in (0, 1))
    return _scores(b, queries, keys, size, (length, length))


@converts("_contrib_interleaved_matmul_selfatt_valatt")
def _self_values(b: Builder, data: Value, attention: Value, *, heads: int) -> Value:
    size = data.length(2) // (3 * heads)
    return _sums(b, attention, _heads(b, data, heads, 3, 2), heads, size)


@converts("_contrib_interleaved_matmul_encdec_qk")
def _cross_scores(b: Builder, queries: Value, keys_values: Value, *, heads: int) -> Value:
    size = queries.length(2) // heads
    lengths = b.lengths(queries, [0]), b.lengths(keys_values, [0])
    first, second = _heads(b, queries, heads, 1, 0), _heads(b, keys_values, heads, 2, 0)
    return _scores(b, first, second, size, lengths)


@converts("_contrib_interleaved_matmul_encdec_valatt")
def _cross_values(b: Builder, keys_values: Value, attention: Value, *, heads: int) -> Value:
    size = keys_values.length(2) // (2 * heads)
    return _sums(b, attention, _heads(b, keys_values, heads, 2, 1), heads, size)
