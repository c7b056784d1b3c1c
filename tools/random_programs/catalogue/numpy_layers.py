"""Steps of the NumPy dialect that are layers (`npx`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.random_programs.catalogue.table import numpy_row, numpy_rows
from tools.random_programs.draft import Draft, call

_REAL = ("float32", "float64")


def _full_shape(shape: tuple[int, ...]) -> bool:
    return 0 not in shape


def _softmax(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.float((1, 2, 3))
    options = draft.options(temperature=[0.5, 2.0])
    if draft.chance(0.7):
        options["axis"] = draft.axis(data)
    return call(name, data, **options)


numpy_rows("npx.softmax npx.log_softmax", _softmax)


@numpy_row("npx.fully_connected")
def _fully_connected(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3), _REAL, fits=_full_shape)
    options = draft.options(flatten=[True, False])
    shape = draft.shape(data)
    hidden = draft.whole(1, 4)
    units = shape[-1] if options.get("flatten") is False else int(np.prod(shape[1:]))
    given = [data, draft.like(data, (hidden, units))]
    options["no_bias"] = draft.chance(0.5)
    if not options["no_bias"]:
        given.append(draft.like(data, (hidden,)))
    return call("npx.fully_connected", *given, num_hidden=hidden, **options)


@numpy_row("npx.convolution")
def _convolution(draft: Draft) -> dict[str, Any]:
    channels, filters = draft.whole(1, 3), draft.whole(1, 3)
    data = draft.new((draft.whole(1, 2), channels, 5, 4), "float32")
    kernel = [draft.whole(1, 3), draft.whole(1, 3)]
    given = [data, draft.like(data, (filters, channels, *kernel)), draft.like(data, (filters,))]
    options = draft.options(stride=[[1, 2]], pad=[[1, 1]])
    return call("npx.convolution", *given, num_filter=filters, kernel=kernel, **options)


@numpy_row("npx.pooling")
def _pooling(draft: Draft) -> dict[str, Any]:
    data = draft.new((draft.whole(1, 2), draft.whole(1, 3), 5, 4), "float32")
    kind = draft.one(["max", "avg", "sum"])
    options = draft.options(stride=[[1, 2], [2, 2]])
    return call("npx.pooling", data, kernel=[2, 2], pool_type=kind, **options)


@numpy_row("npx.layer_norm")
def _layer_norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3), _REAL, fits=lambda shape: 0 not in shape and shape[-1] > 1)
    length = draft.shape(data)[-1]
    return call("npx.layer_norm", data, *(draft.like(data, (length,)) for _ in range(2)))


@numpy_row("npx.batch_norm")
def _batch_norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 4), _REAL, fits=_full_shape)
    channels, dtype = draft.shape(data)[1], draft.dtype(data)
    parameters = [draft.new((channels,), dtype, draw) for draw in ("any", "any", [-2, 3], [1, 5])]
    return call("npx.batch_norm", data, *parameters, fix_gamma=False, use_global_stats=True)


@numpy_row("npx.embedding")
def _embedding(draft: Draft) -> dict[str, Any]:
    weight = draft.any(2, _REAL, fits=_full_shape)
    rows, columns = draft.shape(weight)
    indices = draft.new(draft.some_shape(draft.whole(0, 2)), "int32", [0, rows])
    return call("npx.embedding", indices, weight, input_dim=rows, output_dim=columns)


@numpy_row("npx.one_hot")
def _one_hot(draft: Draft) -> dict[str, Any]:
    indices = draft.new(draft.some_shape(draft.whole(0, 2)), "int32", [0, 3])
    options = draft.options(on_value=[2.0], off_value=[-1.0], dtype=["float32", "int32"])
    return call("npx.one_hot", indices, depth=draft.whole(1, 4), **options)


@numpy_row("npx.pick")
def _pick(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3), fits=_full_shape)
    shape = draft.shape(data)
    axis = draft.whole(-len(shape), len(shape) - 1)
    rest = [length for i, length in enumerate(shape) if i != axis % len(shape)]
    indices = draft.new(rest, "int32", [0, shape[axis]])
    return call("npx.pick", data, indices, axis=axis, **draft.options(keepdims=[True, False]))


@numpy_row("npx.topk")
def _topk(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3), fits=_full_shape)
    options = draft.options(is_ascend=[True, False])
    kind = draft.one(["value", "indices", "both"])
    return call("npx.topk", data, axis=draft.axis(data), k=1, ret_typ=kind, **options)


@numpy_row("npx.sequence_mask")
def _sequence_mask(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3), _REAL, fits=_full_shape)
    shape = draft.shape(data)
    lengths = draft.new((shape[1],), draft.dtype(data), [1, shape[0] + 1])
    options = draft.options(value=[-1.0])
    return call("npx.sequence_mask", data, lengths, use_sequence_length=True, **options)


@numpy_row("npx.batch_dot")
def _batch_dot(draft: Draft) -> dict[str, Any]:
    first = draft.any(3, _REAL)
    batch, rows, columns = draft.shape(first)
    options = draft.options(transpose_a=[True, False], transpose_b=[True, False])
    other = [rows if options.get("transpose_a") else columns, draft.whole(1, 3)]
    if options.get("transpose_b"):
        other.reverse()
    return call("npx.batch_dot", first, draft.like(first, [batch, *other]), **options)


@numpy_row("npx.reshape_like")
def _reshape_like(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3))
    shape = draft.shape(data)
    return call("npx.reshape_like", data, draft.new(draft.random.sample(shape, len(shape))))


@numpy_row("npx.gather_nd")
def _gather_nd(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3), fits=_full_shape)
    shape = draft.shape(data)
    depth = draft.whole(1, len(shape))
    indices = draft.new((depth, draft.whole(1, 3)), "int32", [0, min(shape[:depth])])
    return call("npx.gather_nd", data, indices)


@numpy_row("npx.arange_like")
def _arange_like(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3), "float32")
    options = draft.options(start=[1, 2.5], step=[0.5, 2])
    return call("npx.arange_like", data, axis=draft.axis(data), **options)
