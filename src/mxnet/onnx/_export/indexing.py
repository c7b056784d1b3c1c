"""Operators that read or write elements by index."""

from __future__ import annotations

from math import prod

import numpy as np

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.shaping import reshape_to
from mxnet.onnx._table import Attrs, NotExportableError, Out, converts
from mxnet.ops.core.attrs import UNKNOWN, Shape


def as_positions(b: Builder, indices: Value) -> Value:
    """Converts indices of any dtype to integers; fractions are cut off."""
    return indices if indices.dtype in ("int32", "int64") else b.cast(indices, "int64")


def in_range(b: Builder, indices: Value, length: int, mode: str) -> Value:
    """Brings indices into an axis: the nearest end, around the axis, or as they are."""
    places = as_positions(b, indices)
    if mode == "wrap":
        return b.op("Mod", places, b.constant(length, places.dtype))
    if mode == "clip":
        ends = b.constant(0, places.dtype), b.constant(length - 1, places.dtype)
        return b.op("Clip", places, *ends)
    return places


@converts("take")
def _take(b: Builder, a: Value, indices: Value, *, axis: int, mode: str) -> Value:
    along = axis % a.ndim
    return b.gather(a, in_range(b, indices, a.length(along), mode), along)


@converts("batch_take")
def _batch_take(b: Builder, a: Value, indices: Value, *, out: Out) -> Value:
    length = a.length(a.ndim - 1)
    rows = b.reshape(a, (-1, length))
    places = b.reshape(in_range(b, indices, length, "clip"), (-1, 1))
    return reshape_to(b, b.op("GatherElements", rows, places, axis=1), out.shape)


@converts("Embedding", "_contrib_SparseEmbedding")
def _embedding(b: Builder, data: Value, weight: Value, *, input_dim: int) -> Value:
    return b.gather(weight, in_range(b, data, input_dim, "clip"), 0)


def _last_axis(b: Builder, indices: Value) -> Value:
    """Moves the axis of coordinates, the first one, to the end."""
    places = b.cast(indices, "int64")
    return b.transpose(places, [*range(1, indices.ndim), 0])


@converts("gather_nd")
def _gather_nd(b: Builder, data: Value, indices: Value) -> Value:
    return b.op("GatherND", data, _last_axis(b, indices))


@converts("scatter_nd")
def _scatter_nd(b: Builder, data: Value, indices: Value, *, shape: Shape) -> Value:
    zeros = b.full(b.ints(shape), 0, data.dtype)
    return b.op("ScatterND", zeros, _last_axis(b, indices), data)


@converts("_scatter_set_nd")
def _scatter_set_nd(b: Builder, left: Value, right: Value, indices: Value) -> Value:
    return b.op("ScatterND", left, _last_axis(b, indices), right)


@converts("one_hot")
def _one_hot(
    b: Builder, indices: Value, *, depth: int, on_value: float, off_value: float, out: Out
) -> Value:
    return b.where(_hits(b, indices, depth), on_value, off_value, out.dtype)


def _hits(b: Builder, indices: Value, depth: int) -> Value:
    """Tests along a new last axis which place an index is."""
    places = b.unsqueeze(b.cast(indices, "int64"), [indices.ndim])
    return b.op("Equal", places, b.ints(list(range(depth))), dtype="bool")


@converts("_onehot_encode")
def _onehot_encode(b: Builder, indices: Value, like: Value, *, out: Out) -> Value:
    return b.cast(_hits(b, indices, like.length(1)), out.dtype)


@converts("where")
def _where(b: Builder, condition: Value, x: Value, y: Value, *, out: Out) -> Value:
    test = b.cast(condition, "bool")
    if condition.ndim == 1 and x.ndim > 1:
        test = b.unsqueeze(test, list(range(1, x.ndim)))
    elif condition.shape != x.shape:  # each element is for as many neighbours
        count, total = (prod(map(value.length, range(value.ndim))) for value in (condition, x))
        test = b.op("Expand", b.reshape(test, (-1, 1)), b.ints([count, total // count]))
        test = b.reshape(test, b.shape_of(x))
    return b.where(test, x, y, out.dtype)


def _declare_where(name: str, *scalars: str) -> None:
    """Declares a choice between arrays, or numbers, which attributes are."""

    @converts(name)
    def convert(b: Builder, condition: Value, *arrays: Value, attrs: Attrs, out: Out) -> Value:
        given = [b.cast(item, out.dtype) for item in arrays]
        left, right = (getattr(attrs, key) if key else given.pop(0) for key in scalars)
        return b.where(b.cast(condition, "bool"), left, right, out.dtype)


_declare_where("_npi_where", "", "")
_declare_where("_npi_where_lscalar", "scalar", "")
_declare_where("_npi_where_rscalar", "", "scalar")
_declare_where("_npi_where_scalar2", "x", "y")


@converts("_contrib_boolean_mask")
def _boolean_mask(b: Builder, data: Value, index: Value, *, axis: int) -> Value:
    shape = (UNKNOWN, *(data.shape or ())[1:])
    return b.op("Compress", data, b.cast(index, "bool"), axis=axis, shape=shape)


@converts("_npi_boolean_mask_assign_scalar")
def _mask_assign(b: Builder, data: Value, mask: Value, *, value: float, start_axis: int) -> Value:
    test = b.cast(mask, "bool")
    test = b.unsqueeze(test, [*range(start_axis), *range(start_axis + mask.ndim, data.ndim)])
    return b.where(test, value, data, data.dtype)


@converts("_npx_nonzero")
def _nonzero(b: Builder, data: Value) -> Value:
    places = b.op("NonZero", data, dtype="int64")
    return b.op("Transpose", places, perm=[1, 0], shape=(UNKNOWN, data.ndim))


@converts("_contrib_index_copy")
def _index_copy(b: Builder, old: Value, index: Value, new: Value) -> Value:
    return b.op("ScatterND", old, b.unsqueeze(b.cast(index, "int64"), [1]), new)


@converts("_contrib_index_array")
def _index_array(b: Builder, data: Value, *, axes: Shape | None) -> Value:
    shape = tuple(data.length(axis) for axis in range(data.ndim))
    grid = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1)
    return b.ints(grid if axes is None else grid[..., list(axes)])


@converts("fill_element_0index")
def _fill_element(b: Builder, left: Value, new: Value, index: Value) -> Value:
    places = b.unsqueeze(b.cast(index, "int64"), [1])
    return b.op("ScatterElements", left, places, b.unsqueeze(new, [1]), axis=1)


@converts("pick")
def _pick(
    b: Builder, data: Value, index: Value, *, axis: int | None, keepdims: bool, mode: str
) -> Value:
    if axis is None:
        raise NotExportableError("an axis must be given")
    along = axis % data.ndim
    places = in_range(b, index, data.length(along), mode)
    if index.ndim == data.ndim - 1:
        places = b.unsqueeze(places, [along])
    picked = b.op("GatherElements", data, places, axis=along)
    return picked if keepdims or data.ndim == 1 else b.squeeze(picked, [along])


@converts("_ravel_multi_index")
def _ravel(b: Builder, data: Value, *, shape: Shape) -> Value:
    strides = np.cumprod([1, *shape[:0:-1]])[::-1].copy()
    weights = b.constant(strides.reshape(-1, 1), "int64")
    places = b.cast(data, "int64") * weights
    return b.reduce("ReduceSum", places, [0], keepdims=False)


@converts("_unravel_index")
def _unravel(b: Builder, data: Value, *, shape: Shape) -> Value:
    rest = b.cast(data, "int64")
    rows = []
    for size in reversed(shape[1:]):
        rows.append(b.op("Mod", rest, b.ints(size), fmod=1))
        rest = b.op("Div", rest, b.ints(size))
    return b.concat([b.unsqueeze(row, [0]) for row in (rest, *reversed(rows))], 0)


@converts("SequenceMask")
def _sequence_mask(
    b: Builder, data: Value, sequence_length: Value | None, *, attrs: Attrs
) -> Value:
    if not attrs.use_sequence_length or sequence_length is None:
        return data
    beyond = b.op("Not", within_length(b, data, sequence_length, attrs.axis))
    return b.where(beyond, attrs.value, data, data.dtype)


def steps_of(b: Builder, data: Value, axis: int) -> Value:
    """Returns the positions along an axis, as 64-bit integers."""
    start = b.ints(0)
    count = b.squeeze(b.lengths(data, [axis]), [0])
    return b.op("Range", start, count, b.ints(1), dtype="int64")


def within_length(b: Builder, data: Value, lengths: Value, axis: int) -> Value:
    """Tests which positions along the axis of time, 0 or 1, lie in the sequence."""
    steps = b.unsqueeze(steps_of(b, data, axis), [1 - axis])
    inside = b.op("Less", steps, b.unsqueeze(b.cast(lengths, "int64"), [axis]), dtype="bool")
    return b.unsqueeze(inside, list(range(2, data.ndim)))


@converts("SequenceLast")
def _sequence_last(
    b: Builder, data: Value, sequence_length: Value | None, *, use_sequence_length: bool, axis: int
) -> Value:
    if not use_sequence_length or sequence_length is None:
        return b.gather(data, -1, axis)
    rows = data if axis == 1 else b.transpose(data, [1, 0, *range(2, data.ndim)])
    lengths = b.cast(sequence_length, "int64")
    last = b.op("Max", lengths - 1, b.ints(0))
    last = b.op("Min", last, b.lengths(data, [axis]) - 1)
    picked = b.op("GatherND", rows, b.unsqueeze(last, [1]), batch_dims=1)
    is_empty = b.compare("LessOrEqual", lengths, 0)
    return b.where(b.unsqueeze(is_empty, list(range(1, data.ndim - 1))), 0, picked, data.dtype)


@converts("SequenceReverse")
def _sequence_reverse(
    b: Builder, data: Value, sequence_length: Value | None, *, use_sequence_length: bool
) -> Value:
    if use_sequence_length and sequence_length is not None:
        lengths = b.op("Min", b.cast(sequence_length, "int64"), b.lengths(data, [0]))
    else:
        count = b.lengths(data, [1])
        lengths = b.op("Expand", b.lengths(data, [0]), count)
    return b.op("ReverseSequence", data, lengths, batch_axis=1, time_axis=0)


@converts("_contrib_arange_like")
def _arange_like(
    b: Builder, data: Value, *, start: float, step: float, repeat: int, axis: int | None, out: Out
) -> Value:
    if axis is None:
        count = b.reshape(b.op("Size", data, dtype="int64"), (1,))
    else:
        count = b.lengths(data, [axis % data.ndim])
    steps = b.range(count)
    if repeat > 1:
        steps = b.op("Div", steps, b.ints(repeat))
    values = b.cast(steps, out.dtype) * step + start
    return values if axis is not None else b.reshape(values, b.shape_of(data))
