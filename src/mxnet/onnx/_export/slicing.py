"""Operators that take an array apart, join arrays, or write into a part of one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.shape import reshape_to
from mxnet.onnx._export.table import NotExportableError, Out, converts
from mxnet.ops.core.attrs import OptionalInts, Shape
from mxnet.ops.core.shapes import UNKNOWN

_FAR = 2**62
"""Beyond the end of every axis."""


def _bounds(
    begin: OptionalInts, end: OptionalInts, step: OptionalInts
) -> tuple[list[int], list[int], list[int]]:
    """Returns bounds and steps without None."""
    steps = [item or 1 for item in (step or [1] * len(begin))]
    starts = [
        (_FAR if stride < 0 else 0) if item is None else item
        for item, stride in zip(begin, steps, strict=True)
    ]
    ends = [
        (-_FAR if stride < 0 else _FAR) if item is None else item
        for item, stride in zip(end, steps, strict=True)
    ]
    return starts, ends, steps


@converts("slice")
def _slice(
    b: Builder, data: Value, *, begin: OptionalInts, end: OptionalInts, step: OptionalInts
) -> Value:
    starts, ends, steps = _bounds(begin, end, step)
    return b.slice(data, starts, ends, range(len(starts)), steps)


def _positions(
    data: Value, begin: OptionalInts, end: OptionalInts, step: OptionalInts
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Returns the coordinates of the elements of a region, along a last axis."""
    axes = []
    for axis in range(data.ndim):
        length = data.length(axis)
        bounds = slice(None)
        if axis < len(begin):
            bounds = slice(begin[axis], end[axis], step[axis] if step else None)
        axes.append(np.arange(length)[bounds])
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).astype(np.int64)


@converts("_slice_assign")
def _slice_assign(
    b: Builder,
    left: Value,
    right: Value,
    *,
    begin: OptionalInts,
    end: OptionalInts,
    step: OptionalInts,
) -> Value:
    return b.op("ScatterND", left, b.ints(_positions(left, begin, end, step)), right)


@converts("_slice_assign_scalar")
def _slice_assign_scalar(
    b: Builder,
    data: Value,
    *,
    scalar: float,
    begin: OptionalInts,
    end: OptionalInts,
    step: OptionalInts,
) -> Value:
    places = _positions(data, begin, end, step)
    filler = b.full(b.ints(places.shape[:-1]), scalar, data.dtype)
    return b.op("ScatterND", data, b.ints(places), filler)


@converts("slice_axis")
def _slice_axis(b: Builder, data: Value, *, axis: int, begin: int, end: int | None) -> Value:
    return b.slice(data, [begin], [_FAR if end is None else end], [axis % data.ndim])


@converts("slice_like")
def _slice_like(b: Builder, data: Value, like: Value, *, axes: Shape) -> Value:
    chosen = sorted({axis % data.ndim for axis in axes or range(data.ndim)})
    return b.op("Slice", data, b.ints([0] * len(chosen)), b.lengths(like, chosen), b.ints(chosen))


@converts("Crop")
def _crop(b: Builder, *data: Value, offset: Shape, center_crop: bool, out: Out) -> Value:
    if out.shape is None or UNKNOWN in out.shape[2:]:
        raise NotExportableError("the height and width of the rectangle are not known")
    top, left = offset
    if center_crop:
        top, left = ((data[0].length(axis) - out.shape[axis]) // 2 for axis in (2, 3))
    return b.slice(data[0], [top, left], [top + out.shape[2], left + out.shape[3]], [2, 3])


def _split(
    b: Builder, data: Value, sizes: Sequence[int], axis: int, squeeze_axis: bool
) -> list[Value]:
    parts = b.split(data, sizes, axis)
    return [b.squeeze(part, [axis]) for part in parts] if squeeze_axis else parts


@converts("SliceChannel")
def _slice_channel(
    b: Builder, data: Value, *, num_outputs: int, axis: int, squeeze_axis: bool
) -> list[Value]:
    along = axis % data.ndim
    sizes = [data.length(along) // num_outputs] * num_outputs
    return _split(b, data, sizes, along, squeeze_axis)


@converts("_split_v2", "_npi_hsplit", "_npi_dsplit")
def _split_at(
    b: Builder,
    data: Value,
    *,
    indices: Shape,
    axis: int,
    squeeze_axis: bool,
    sections: int,
    out: Out,
) -> list[Value]:
    along = axis % data.ndim
    length = data.length(along)
    if sections:
        size, longer = divmod(length, sections)
        sizes = [size + 1] * longer + [size] * (sections - longer)
    else:
        starts = [min(item, length) for item in (*indices, length)]
        sizes = [max(last - first, 0) for first, last in pairwise(starts)]
    return _split(b, data, sizes, along, squeeze_axis)[: len(out.shapes)]


@converts("Concat", "_rnn_param_concat")
def _concat(b: Builder, *data: Value, dim: int, out: Out) -> Value:
    return b.concat([b.cast(item, out.dtype) for item in data], dim % data[0].ndim)


@converts("_npi_concatenate")
def _concatenate(b: Builder, *data: Value, axis: int | None, out: Out) -> Value:
    items = [b.cast(item, out.dtype) for item in data]
    if axis is None:
        return b.concat([b.reshape(item, (-1,)) for item in items], 0)
    return b.concat(items, axis % data[0].ndim)


@converts("stack", "_npi_stack")
def _stack(b: Builder, *data: Value, axis: int, out: Out) -> Value:
    along = axis % out.ndim
    return b.concat([b.unsqueeze(b.cast(item, out.dtype), [along]) for item in data], along)


def _declare_stack(name: str, rank: int, axis: int) -> None:
    """Declares a function that joins arrays which have a number of axes at least."""

    @converts(name)
    def convert(b: Builder, *data: Value, out: Out) -> Value:
        items = [b.cast(item, out.dtype) for item in data]
        along = 0 if name == "_npi_hstack" and out.ndim == 1 else axis
        return b.concat([_at_least(b, item, rank, name) for item in items], along)


def _at_least(b: Builder, data: Value, rank: int, name: str) -> Value:
    """Adds axes where the NumPy function puts them."""
    if data.ndim >= rank:
        return data
    if name == "_npi_column_stack":
        return reshape_to(b, data, (*(data.shape or ()), 1) if data.ndim else (1, 1))
    if rank == 3:
        shapes = {0: (1, 1, 1), 1: (1, *(data.shape or ()), 1)}
        return reshape_to(b, data, shapes.get(data.ndim, (*(data.shape or ()), 1)))
    return reshape_to(b, data, (1,) * (rank - data.ndim) + (data.shape or ()))


_declare_stack("_npi_vstack", 2, 0)
_declare_stack("_npi_hstack", 1, 1)
_declare_stack("_npi_dstack", 3, 2)
_declare_stack("_npi_column_stack", 2, 1)
