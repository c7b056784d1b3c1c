"""Operators that rearrange, broadcast, repeat, pad, cut or join arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._table import Attrs, NotExportableError, Out, converts
from mxnet.ops.core.attrs import UNKNOWN, Shape


def reshape_to(b: Builder, data: Value, shape: Shape | None) -> Value:
    """Reshapes data to the shape of an output, of which one length may be unknown.

    Raises:
        NotExportableError: if more is unknown.
    """
    if shape is None or shape.count(UNKNOWN) > 1:
        raise NotExportableError(
            "more than one length of the result is not known; give more lengths in "
            "dynamic_input_shapes"
        )
    if data.shape == shape and UNKNOWN not in shape:
        return data
    return b.reshape_exactly(data, shape)


def _dynamic_target(b: Builder, data: Value, codes: Sequence[int], reverse: bool) -> Value:
    """Writes the shape that the codes of a reshape ask for, if lengths of the data are open.

    Read from right to left, the axes and the codes are reversed, and so is what they give.
    """
    order = list(range(data.ndim))[:: -1 if reverse else 1]
    parts: list[Value] = []
    axis, items = 0, iter(codes[:: -1 if reverse else 1])
    for code in items:
        if code == -2:
            parts += [b.lengths(data, [item]) for item in order[axis:]]
            axis = data.ndim
        elif code == -3:
            pair = b.lengths(data, order[axis : axis + 2])
            parts.append(b.reduce("ReduceProd", pair, [0], keepdims=True))
            axis += 2
        elif code == -4:
            length = b.lengths(data, [order[axis]])
            parts += _split_length(b, length, next(items), next(items))
            axis += 1
        else:
            parts.append(b.lengths(data, [order[axis]]) if code == 0 else b.ints([code]))
            axis += 1
    return b.concat(parts[:: -1 if reverse else 1], 0)


def _split_length(b: Builder, length: Value, first: int, second: int) -> list[Value]:
    if first == -1:
        return [b.op("Div", length, b.ints([second])), b.ints([second])]
    if second == -1:
        return [b.ints([first]), b.op("Div", length, b.ints([first]))]
    return [b.ints([first]), b.ints([second])]


@converts("Reshape")
def _reshape(b: Builder, data: Value, *, shape: Shape, reverse: bool, out: Out) -> Value:
    if not shape or (out.shape is not None and out.shape.count(UNKNOWN) <= 1):
        return reshape_to(b, data, out.shape)
    return b.reshape(data, _dynamic_target(b, data, shape, reverse))


@converts("_np_reshape")
def _np_reshape(b: Builder, data: Value, *, out: Out) -> Value:
    return reshape_to(b, data, out.shape)


_CLASSIC_CODES = {-2: 0, -4: -2, -5: -3, -6: -4}
"""Codes of `npx.reshape` by those of `Reshape`; -3, which drops an axis, has none."""


@converts("_npx_reshape")
def _npx_reshape(b: Builder, data: Value, *, newshape: Shape, reverse: bool, out: Out) -> Value:
    if -3 in newshape or (out.shape is not None and out.shape.count(UNKNOWN) <= 1):
        return reshape_to(b, data, out.shape)
    codes = [_CLASSIC_CODES.get(code, code) for code in newshape]
    return b.reshape(data, _dynamic_target(b, data, codes, reverse))


@converts("Flatten")
def _flatten(b: Builder, data: Value) -> Value:
    return b.op("Flatten", data, axis=1)


@converts("expand_dims")
def _expand_dims(b: Builder, data: Value, *, axis: int) -> Value:
    return b.unsqueeze(data, [axis % (data.ndim + 1)])


@converts("squeeze", "_np_squeeze")
def _squeeze(b: Builder, data: Value, *, axis: Shape | None, out: Out) -> Value:
    if axis is None or out.ndim != data.ndim - len(axis):
        return reshape_to(b, data, out.shape)
    return b.squeeze(data, [item % data.ndim for item in axis])


@converts("_np_atleast_1d", "_np_atleast_2d", "_np_atleast_3d")
def _atleast(b: Builder, *arys: Value, out: Out) -> list[Value]:
    return [reshape_to(b, item, shape) for item, shape in zip(arys, out.shapes, strict=True)]


@converts("transpose", "_np_transpose")
def _transpose(b: Builder, data: Value, *, axes: Shape | None) -> Value:
    order = list(axes) if axes else list(range(data.ndim))[::-1]
    return b.transpose(data, [axis % data.ndim for axis in order])


@converts("SwapAxis")
def _swap_axes(b: Builder, data: Value, *, dim1: int, dim2: int) -> Value:
    order = list(range(data.ndim))
    order[dim1], order[dim2] = order[dim2], order[dim1]
    return b.transpose(data, order)


@converts("_np_moveaxis")
def _moveaxis(b: Builder, data: Value, *, source: Shape, destination: Shape) -> Value:
    rank = data.ndim
    places = {to % rank: axis % rank for axis, to in zip(source, destination, strict=True)}
    rest = iter(axis for axis in range(rank) if axis not in places.values())
    return b.transpose(
        data, [places[axis] if axis in places else next(rest) for axis in range(rank)]
    )


@converts("reshape_like")
def _reshape_like(b: Builder, left: Value, right: Value, *, attrs: Attrs, out: Out) -> Value:
    if out.shape is not None and out.shape.count(UNKNOWN) <= 1:
        return reshape_to(b, left, out.shape)
    first, last, _ = slice(attrs.lhs_begin, attrs.lhs_end).indices(left.ndim)
    kept = [
        b.lengths(left, list(range(first))),
        b.lengths(right, list(range(*slice(attrs.rhs_begin, attrs.rhs_end).indices(right.ndim)))),
        b.lengths(left, list(range(last, left.ndim))),
    ]
    return b.reshape(left, b.concat(kept, 0))


@converts("broadcast_to", "broadcast_axis", "_npi_broadcast_to")
def _broadcast(b: Builder, data: Value, *, out: Out) -> Value:
    return expand(b, data, out.shape)


def expand(b: Builder, data: Value, shape: Shape | None) -> Value:
    """Broadcasts data to a shape; a length that is not known is that of the data."""
    if shape is None:
        raise NotExportableError("the shape of the result is not known")
    lengths = [1 if length == UNKNOWN else length for length in shape]
    return b.op("Expand", data, b.ints(lengths), shape=shape)


@converts("broadcast_like")
def _broadcast_like(
    b: Builder, left: Value, right: Value, *, lhs_axes: Shape | None, rhs_axes: Shape | None
) -> Value:
    if lhs_axes is None or rhs_axes is None:
        return b.op("Expand", left, b.shape_of(right))
    parts = [b.ints([1])] * left.ndim
    for to, source in zip(lhs_axes, rhs_axes, strict=True):
        parts[to % left.ndim] = b.lengths(right, [source % right.ndim])
    return b.op("Expand", left, b.concat(parts, 0))


def flip(b: Builder, data: Value, axes: Sequence[int]) -> Value:
    """Reverses the order along axes."""
    count = len(axes)
    return b.slice(data, [-1] * count, [-(2**62)] * count, axes, [-1] * count) if count else data


@converts("reverse")
def _reverse(b: Builder, data: Value, *, axis: Shape) -> Value:
    return flip(b, data, axis)


@converts("_npi_flip")
def _np_flip(b: Builder, data: Value, *, axis: Shape | None) -> Value:
    axes = range(data.ndim) if axis is None else [item % data.ndim for item in axis]
    return flip(b, data, [item for item in sorted(set(axes)) if list(axes).count(item) % 2])


@converts("_npi_rot90")
def _rot90(b: Builder, data: Value, *, k: int, axes: Shape | None) -> Value:
    first, second = (item % data.ndim for item in axes or (0, 1))
    order = list(range(data.ndim))
    order[first], order[second] = second, first
    turns = k % 4
    if turns == 2:
        return flip(b, data, [first, second])
    if turns == 1:
        return b.transpose(flip(b, data, [second]), order)
    return flip(b, b.transpose(data, order), [second]) if turns == 3 else data


@converts("_np_roll")
def _roll(b: Builder, data: Value, *, shift: Shape | None, axis: Shape | None, out: Out) -> Value:
    shifts = tuple(shift or ())
    if axis is None:
        flat = b.reshape(data, (-1,))
        amount = sum(shifts) % max(prod(map(data.length, range(data.ndim))), 1)
        return reshape_to(b, _roll_axis(b, flat, amount, 0), out.shape)
    shifts = shifts * len(axis) if len(shifts) == 1 else shifts
    axes = tuple(axis) * len(shifts) if len(axis) == 1 else tuple(axis)
    rolled = data
    for amount, along in zip(shifts, axes, strict=True):
        length = max(data.length(along), 1)
        rolled = _roll_axis(b, rolled, amount % length, along % data.ndim)
    return rolled


def _roll_axis(b: Builder, data: Value, amount: int, axis: int) -> Value:
    if not amount:
        return data
    end = b.slice(data, [-amount], [2**62], [axis])
    return b.concat([end, b.slice(data, [0], [-amount], [axis])], axis)


@converts("tile")
def _tile(b: Builder, data: Value, *, reps: Shape) -> Value:
    counts = [1] * (data.ndim - len(reps)) + list(reps)
    wide = b.unsqueeze(data, list(range(len(counts) - data.ndim)))
    return b.op("Tile", wide, b.ints(counts))


@converts("repeat")
def _repeat(b: Builder, data: Value, *, repeats: int, axis: int | None, out: Out) -> Value:
    rank = 1 if axis is None else data.ndim
    along = 0 if axis is None else axis % rank
    flat = b.reshape(data, (-1,)) if axis is None else data
    wide = b.unsqueeze(flat, [along + 1])
    counts = [1] * (rank + 1)
    counts[along + 1] = repeats
    return reshape_to(b, b.op("Tile", wide, b.ints(counts)), out.shape)


@converts("Pad")
def _pad(b: Builder, data: Value, *, mode: str, pad_width: Shape, constant_value: float) -> Value:
    return pad(b, data, pad_width, mode, constant_value)


def pad(
    b: Builder, data: Value, pad_width: Sequence[int], mode: str = "constant", value: float = 0.0
) -> Value:
    """Puts a border around data.

    Args:
        b: The graph.
        data: The data.
        pad_width: Widths before and after for each axis, in turn.
        mode: `constant`, `edge` or `reflect`.
        value: Value of a constant border.
    """
    widths = b.ints([*pad_width[::2], *pad_width[1::2]])
    filler = b.constant(value, data.dtype) if mode == "constant" else None
    return b.op("Pad", data, widths, filler, mode=mode)


@converts("_npi_pad")
def _np_pad(
    b: Builder, data: Value, *, pad_width: Any, mode: str, constant_value: float, reflect_type: str
) -> Value:
    widths = [int(width) for pair in pad_width for width in pair]
    if mode in ("constant", "edge") or (mode == "reflect" and reflect_type == "even"):
        return pad(b, data, widths, mode, constant_value)
    raise NotExportableError(f"Pad of ONNX has no mode {mode!r}; it has constant, edge and reflect")


_FAR = 2**62
"""Beyond the end of every axis."""


@converts("slice")
def _slice(b: Builder, data: Value, *, attrs: Attrs) -> Value:
    steps = [item or 1 for item in (attrs.step or [1] * len(attrs.begin))]
    first = [_FAR if step < 0 else 0 for step in steps]
    last = [-_FAR if step < 0 else _FAR for step in steps]
    starts = [end if item is None else item for item, end in zip(attrs.begin, first, strict=True)]
    ends = [end if item is None else item for item, end in zip(attrs.end, last, strict=True)]
    return b.slice(data, starts, ends, range(len(starts)), steps)


def _positions(data: Value, attrs: Attrs) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Returns the coordinates of the elements of a region, along a last axis."""
    steps = attrs.step or [None] * len(attrs.begin)
    bounds = [slice(*item) for item in zip(attrs.begin, attrs.end, steps, strict=False)]
    bounds += [slice(None)] * (data.ndim - len(bounds))
    axes = [np.arange(data.length(axis))[bounds[axis]] for axis in range(data.ndim)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).astype(np.int64)


@converts("_slice_assign")
def _slice_assign(b: Builder, left: Value, right: Value, *, attrs: Attrs) -> Value:
    return b.op("ScatterND", left, b.ints(_positions(left, attrs)), right)


@converts("_slice_assign_scalar")
def _slice_assign_scalar(b: Builder, data: Value, *, attrs: Attrs) -> Value:
    places = _positions(data, attrs)
    filler = b.full(b.ints(places.shape[:-1]), attrs.scalar, data.dtype)
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


def _split(b: Builder, data: Value, sizes: Sequence[int], attrs: Attrs) -> list[Value]:
    axis = attrs.axis % data.ndim
    parts = b.split(data, sizes, axis)
    return [b.squeeze(part, [axis]) for part in parts] if attrs.squeeze_axis else parts


@converts("SliceChannel")
def _slice_channel(b: Builder, data: Value, *, attrs: Attrs) -> list[Value]:
    size = data.length(attrs.axis % data.ndim) // attrs.num_outputs
    return _split(b, data, [size] * attrs.num_outputs, attrs)


@converts("_split_v2", "_npi_hsplit", "_npi_dsplit")
def _split_at(b: Builder, data: Value, *, attrs: Attrs, out: Out) -> list[Value]:
    length = data.length(attrs.axis % data.ndim)
    if attrs.sections:
        size, longer = divmod(length, attrs.sections)
        sizes = [size + 1] * longer + [size] * (attrs.sections - longer)
    else:
        starts = [min(item, length) for item in (*attrs.indices, length)]
        sizes = [max(last - first, 0) for first, last in pairwise(starts)]
    return _split(b, data, sizes, attrs)[: len(out.shapes)]


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
